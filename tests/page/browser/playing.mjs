// What happens is seen: one moment after another, where it happens, at the player's speed, skipped by a key, never cut short; and the
// past likewise.

import { batteredSeat } from "./battered.mjs";
import { answerByClicking, playOn } from "./clicking.mjs";
import { SIZES, assert, axe, drawn, how, judged, key, keys, linkFor, look, openPage, post, press, seats, sit, turnOf, until } from "./table.mjs";

const [ruleset, size, theme] = how.split(" ");
/** A battle in which somebody walks and somebody is hurt soon. */
const SCENARIOS = { stargrunt: "duel", dropzone: "checkpoint", strikeops: "meeting" };
const begin = async () => ruleset === "quickstart" ? batteredSeat({ harm: [0, 0], at: ["[25, 37], facing: 295", "[34, 19], facing: 115"], seats: seats({ kind: "person" }, { kind: "bot", bot: "charging" }) }) : linkFor(await post("/api/battles", { ruleset, scenario: SCENARIOS[ruleset], seats: seats({ kind: "person" }, { kind: "bot", bot: "charging" }), seed: 4 }), "red");

/** Write down what is played from now on: each beat as it begins and settles, how much of the log is shown with it, what of it lies out
 *  of sight (beside the board on the screen, or under what lies over it), what the card says, and what of it is not drawn as it is. */
const record = (page) => page.evaluate(async () => {
  const { state, watch } = await import("/js/state.js"), { Lay, inside, outline } = await import("/js/geometry.js"), { shown } = await import("/js/moments.js"), seen = /** @type {any[]} */ (window.seen = []);
  const lay = () => new Lay(state.ground.width, state.ground.height, state.turned), near = (a, b, by) => Math.hypot(a[0] - b[0], a[1] - b[1]) < by;
  /** Where a thing stood when the lines began that are played: as the server says it, not as it is drawn. */
  const stood = (id) => { const { table } = shown(), thing = table.things[id]; return thing?.place.place === "at" ? lay().dot(thing.place.point) : null; };
  /** What is wrong with a shot: that it does not go from muzzle to mark, or does not show what rises under it. */
  const shots = (beat) => (beat.kind === "told" ? [] : beat.scene?.aims ?? []).filter((aim) => aim.line > beat.from && aim.line <= beat.upto).flatMap(({ by, at }) => {
    const [a, b] = [stood(by), stood(at)];
    if (!a || !b || near(a, b, .1)) return [];
    const found = [...document.querySelectorAll(".table-view .stage .shot-line")].some((line) => { const ends = [line.getPointAtLength(0), line.getPointAtLength(line.getTotalLength())]; return near([ends[0].x, ends[0].y], a, .02) && near([ends[1].x, ends[1].y], b, .02); });
    const over = shown().table.things[by].side === shown().table.things[at].side ? [] : state.ground.pieces.filter((piece) => (piece.height > 0 || piece.contours.length) && !inside(a, outline(piece.outline, lay())) && Array.from({ length: 400 }, (_, i) => [a[0] + (b[0] - a[0]) * i / 400, a[1] + (b[1] - a[1]) * i / 400]).filter((dot) => inside(dot, outline(piece.outline, lay()))).length > 12);
    const drawn = [...document.querySelectorAll(".table-view .stage .shot-over")].filter((line) => [0, line.getTotalLength()].map((far) => line.getPointAtLength(far)).every(({ x, y }) => Math.abs((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / Math.hypot(b[0] - a[0], b[1] - a[1]) < .05));
    window.crossed = (window.crossed ?? 0) + over.length;
    return [...(found ? [] : [`no shot from ${by} to ${at}`]), ...(drawn.length >= Math.min(4, over.length) ? [] : [`${over.map((piece) => piece.label || piece.kind)} under the shot from ${by} to ${at}: ${drawn.length} drawn`])];
  });
  /** What is wrong with harm: that it is not shown where it falls. */
  const falls = (beat) => (beat.kind === "harm" ? beat.fell ?? [] : []).flatMap(({ id, words }) => {
    const at = stood(id), bursts = [...document.querySelectorAll(".table-view .stage .burst")].map((one) => [one.cx.baseVal.value, one.cy.baseVal.value]), said = [...document.querySelectorAll(".table-view .stage .harm-word")].map((one) => one.textContent);
    return at ? [...(bursts.some((dot) => near(dot, at, .02)) ? [] : [`nothing bursts where ${id} stands`]), ...(said.includes(words) ? [] : [`${words} of ${id} is not said`])] : [];
  });
  /** What is wrong with the card: dice that do not roll, or have settled without what they needed and all that counted; what came of it all. */
  const card = (beat) => {
    const text = (selector) => [...document.querySelectorAll(`.table-view .scene ${selector}`)].map((one) => one.textContent.trim()), roll = beat.kind === "roll" ? state.log[beat.upto - 1].event : null, rolling = document.querySelectorAll(".table-view .scene .rolling .die").length;
    if (!document.querySelector(".table-view .slip.scene")) return state.playing ? [] : [`no card for ${beat.kind}`];
    if (beat.kind === "told") return JSON.stringify(text(".came li")) === JSON.stringify(beat.scene?.came ?? []) && text(".happens")[0] === beat.scene.lead ? [] : [`${text(".came li")} for ${beat.scene.lead}: ${beat.scene?.came}`];
    if (!roll?.dice) return [];
    const needs = roll.needs === undefined || roll.needs === null ? "" : `needs ${String(roll.needs).replace("-", "−")}`, said = text(beat.settled ? ".roll:not(.rolling)" : ".rolling").join(" ").replace(/\s+/g, " "), parts = [...(roll.parts ?? []), ...(roll.needs_parts ?? [])].map((one) => one.label).filter((label) => beat.settled && !said.includes(label));
    return [...(beat.settled || rolling === (roll.faces ?? []).length ? [] : [`${rolling} dice roll for ${roll.what}`]), ...(!needs || said.includes(needs) ? [] : [`${needs}: ${said}`]), ...parts.map((label) => `${label} counted, and is not said: ${said}`)];
  };
  const outOfSight = () => {
    const place = document.querySelector(".table-view .board-place").getBoundingClientRect(), sheet = document.querySelector(".table-view .next").getBoundingClientRect(), low = innerWidth <= 700 ? Math.min(place.bottom, sheet.top + 12) : place.bottom;
    const dots = [...document.querySelectorAll(".stage :is(.shot-line, .burst, .trail)")].flatMap((node) => { const at = node.getScreenCTM(), ends = node instanceof SVGCircleElement ? [new DOMPoint(node.cx.baseVal.value, node.cy.baseVal.value)] : node.getAttribute("d") ? [node.getPointAtLength(0), node.getPointAtLength(node.getTotalLength())] : []; return ends.map((dot) => [node.classList[0], new DOMPoint(dot.x, dot.y).matrixTransform(at)]); });
    return dots.filter(([, { x, y }]) => x < place.left || x > place.right || y < place.top || y > low).map(([name, { x, y }]) => `${name} at ${Math.round(x)} ${Math.round(y)}`);
  };
  watch((changed) => {
    if (changed.has("beat") && state.beat) seen.push({ kind: state.beat.kind, settled: state.beat.settled, head: state.head, moment: state.moment, from: state.beat.from, upto: state.beat.upto, asked: document.querySelector(".slip.scene") === null, lines: document.querySelectorAll(".lines .line").length, shot: document.querySelector(".stage .shot-line") !== null, fell: document.querySelector(".stage .burst") !== null, missed: state.tab === "table" ? outOfSight() : [], side: state.beat.scene?.side ?? "", ms: state.beat.ms, wrong: state.tab === "table" ? [...shots(state.beat), ...falls(state.beat), ...card(state.beat)] : [] });
  });
});
const recorded = (page) => page.evaluate(() => window.seen);

/** Beats come in the order of the log, and nothing is shown before its turn. */
function inOrder(seen) {
  for (let i = 1; i < seen.length; i++) assert.ok(seen[i].upto >= seen[i - 1].from, `${JSON.stringify(seen[i])} comes after ${JSON.stringify(seen[i - 1])}`);
  for (const one of seen.filter((beat) => beat.kind === "roll" && !beat.settled)) assert.ok((one.head ?? one.moment) < one.upto, "a roll is in the log before the dice have settled");
}

export default async function play() {
  const page = await openPage({ ...SIZES[size], colorScheme: theme, reducedMotion: "no-preference", pace: "fast" });
  const token = await begin();
  await sit(page, token);
  await record(page);
  const harmed = await playOn(page, async (now) => { const beats = await recorded(page); return now.ending || ["walk", "harm"].every((one) => beats.some(({ kind }) => kind === one)) && beats.some(({ kind, shot }) => kind === "roll" && shot) && new Set(beats.map(({ side }) => side).filter(Boolean)).size > 1; }, { wanted: ["stand-up", "shoot", "shooting", "fire", "enter", "combat-move", "move", "moving"] });
  assert.ok(harmed && !harmed.ending, "nobody walks, or nobody is hurt");
  await drawn(page);
  let seen = await recorded(page);
  inOrder(seen);
  const kinds = new Set(seen.map((beat) => `${beat.kind} ${beat.settled}`));
  for (const one of ["walk true", "roll false", "roll true", "say true", "told true", "harm true"]) assert.ok(kinds.has(one), `nobody saw ${one}: ${[...kinds]}`);
  assert.ok(seen.some((beat) => beat.kind === "roll" && beat.shot), "a shot is drawn while its dice roll");
  assert.deepEqual(seen.flatMap(({ kind, from, missed }) => missed.map((what) => `${kind} ${from}: ${what}`)), [], "it was played where nobody sees it");
  assert.deepEqual(seen.flatMap(({ kind, from, wrong }) => wrong.map((what) => `${kind} ${from}: ${what}`)), [], "it is not drawn, or not said, as it was");
  // In this one a wood lies between them.
  if (ruleset === "quickstart") assert.ok(await page.evaluate(() => window.crossed) > 0, "no shot crosses anything");
  assert.ok(seen.every((beat) => !beat.asked || beat.head === null), "somebody was asked while something was still being shown");
  await until(page, (state) => state.head === null && state.situation.question, "the question after what happened");
  assert.equal(await page.locator(".slip.scene").count(), 0);

  await skipping(page);
  await onTheirWays(page);
  await toldPlainly(page);
  if (ruleset !== "quickstart") return;
  await aRedrawCutsNothingShort(page);
  await thePast(page);
  await axe(page, `what is played, ${how}`);
  if (size === "desk") await withoutMotion(token);
}

/** What is told is a story in whole words, whichever ruleset tells it: no event's bare name, no double plural, one kind of minus, no id. */
async function toldPlainly(page) {
  const { scenes, table } = await look(page), told = scenes.filter((scene) => scene.lead).map((scene) => `${scene.lead}${scene.came.length ? `: ${scene.came.join(", ")}` : ""}.`), ids = Object.values(table.things).map((one) => one.id).filter((id) => /[a-z][-_.]/.test(id) && table.things[id].label !== id);
  const events = [...new Set((await look(page)).log.map((line) => line.event.event))];
  assert.ok(told.length > 4, told.join("\n"));
  assert.deepEqual(told.filter((line) => !/^[A-Z0-9]/.test(line) || events.some((name) => line.includes(name)) || /\w+ss\b(?<!miss|less|across|pass|press|class|Ross|mess|loss|boss)/.test(line) || /(?<![\w″])-\d/.test(line) || /undefined|null|NaN|\w_\w|\b(passed|failed)\b| 0″/.test(line) || ids.some((id) => line.includes(id))), [], "no sentence");
  const minus = await page.evaluate(() => [...document.querySelectorAll(".table-view *")].flatMap((node) => [...node.childNodes].filter((one) => one.nodeType === 3).map((one) => one.textContent)).filter((text) => /(^|[\s(])-\d/.test(text)));
  assert.deepEqual(minus, [], "another kind of minus");
}

/** Who walks goes the way that the log tells, leg by leg, from where he stood to where he comes to stand; as quickly as the player likes. */
async function onTheirWays(page) {
  if (ruleset === "quickstart") {
    // A way with a bend in it, for once.
    const now = await playOn(page, ({ question }) => question?.kind === "move", { wanted: ["stand-up", "move"] }), id = now?.question.models[0], { n } = (await look(page)).situation;
    assert.ok(now, "nobody walks any more");
    for (const [first, turn, then] of [[1200, 60, 1500], [1200, -60, 1500], [-1000, 60, -1000], [-1000, -60, -1000]]) {
      await page.evaluate(async ([id, first, turn, then]) => (await import("/js/drafting.js")).tryValue({ [id]: { legs: [{ by: "leg", turn: 0, go: first }, { by: "leg", turn, go: then }], marks: {} } }), [id, first, turn, then]);
      await judged(page);
      const { draft, verdict } = await look(page);
      if (!verdict.refusal && draft[id].legs.length > 1) break;
    }
    await press(page, "do");
    await until(page, (state) => state.situation.n > n && state.head === null, "the walk");
  }
  const found = await page.evaluate(async () => {
    const { state, change } = await import("/js/state.js"), { nextBeat, PACES } = await import("/js/player.js"), { Lay } = await import("/js/geometry.js"), { walked } = await import("/js/drafting.js"), frame = () => new Promise((done) => requestAnimationFrame(done)), lay = new Lay(state.ground.width, state.ground.height, state.turned);
    const pace = (pace) => localStorage.setItem("sandtable.settings", JSON.stringify({ pace, guide: "off" })), moves = state.log.flatMap(({ event }, line) => (event.event === "Moved" && event.start.place === "at" && event.to.place === "at" && (event.walk?.legs ?? []).length && Math.hypot(event.to.point[0] - event.start.point[0], event.to.point[1] - event.start.point[1]) > 900 ? [{ line, event, bends: event.walk.legs.length }] : [])).sort((a, b) => b.bends - a.bends), { line, event } = moves[0];
    const beat = () => { const next = nextBeat(line, line + 1); return next.kind === "told" ? nextBeat(line, line + 1) : next; }, times = {};
    for (const one of Object.keys(PACES)) { pace(one); times[one] = beat().ms; }
    pace("slow");
    const turned = ((event.facing ?? 0) - event.walk.legs.reduce((sum, leg) => sum + (leg.by === "leg" ? leg.turn : 0), 0) + 720) % 360, way = walked({ ...state.table.things[event.model], place: event.start, facing: turned }, event.walk).points.map((point) => lay.dot(point)), played = beat(), off = [];
    const fromWay = ([x, y]) => Math.min(...way.slice(1).map((b, i) => { const a = way[i], long = Math.hypot(b[0] - a[0], b[1] - a[1]), t = long ? Math.max(0, Math.min(1, ((x - a[0]) * (b[0] - a[0]) + (y - a[1]) * (b[1] - a[1])) / long ** 2)) : 0; return Math.hypot(x - a[0] - t * (b[0] - a[0]), y - a[1] - t * (b[1] - a[1])); }));
    for (const share of [.02, .25, .5, .75]) {
      change({ moment: line + 1, beat: { ...played, ms: 1e7, began: performance.now() - share * 1e7, settled: true } });
      await frame(); await frame(); await frame();
      const node = document.querySelector(`.table-view .pieces [data-thing="${CSS.escape(event.model)}"]`), [, x, y] = /translate\(([-\d.]+)[ ,]+([-\d.]+)/.exec(node.getAttribute("transform")).map(Number), [dx = 0, dy = 0] = node.style.translate.split(" ").map((n) => parseFloat(n) || 0);
      off.push({ share, at: [x + dx, y + dy], from: fromWay([x + dx, y + dy]), gone: Math.hypot(x + dx - way[0][0], y + dy - way[0][1]) });
    }
    change({ moment: null, beat: null });
    pace("fast");
    return { times, off, far: Math.hypot(way.at(-1)[0] - way[0][0], way.at(-1)[1] - way[0][1]), legs: event.walk.legs.length };
  });
  assert.ok(found.off.every(({ from }) => from < .06), `off its way: ${JSON.stringify(found)}`);
  assert.ok(found.off[0].gone < found.far * .3 && found.off.every(({ gone }, i) => !i || gone >= found.off[i - 1].gone - 1), `it does not set out from where it stood: ${JSON.stringify(found)}`);
  assert.ok(found.legs > 1 || ruleset !== "quickstart", "no way has a bend");
  const { slow, normal, fast, once } = found.times;
  assert.ok(slow > normal && normal > fast && fast > 0 && once === 0, JSON.stringify(found.times));
}

/** A model that walks is drawn on its way; whatever is drawn anew meanwhile, it goes on from where it was. */
async function aRedrawCutsNothingShort(page) {
  await page.evaluate(() => localStorage.setItem("sandtable.settings", JSON.stringify({ pace: "slow", guide: "off" })));
  const found = await page.evaluate(async () => {
    const { state, change } = await import("/js/state.js"), { nextBeat } = await import("/js/player.js"), frame = () => new Promise((done) => requestAnimationFrame(done));
    const line = state.log.findIndex((one) => one.event.event === "Moved" && (one.event.walk?.legs ?? []).some((leg) => leg.go > 2000 || leg.by === "via"));
    let beat = nextBeat(line, line + 1);
    if (beat.kind === "told") beat = nextBeat(line, line + 1);
    change({ moment: line + 1, beat: { ...beat, ms: 60000, began: performance.now() - 20000, settled: true } });
    await frame(); await frame();
    const at = () => document.querySelector(`.pieces [data-thing="${CSS.escape(beat.ways[0].model)}"]`).style.translate, first = at(), node = document.querySelector(".pieces [data-thing]");
    change({ lit: "nobody", looked: state.looked });
    await frame(); await frame();
    const drawnAnew = document.querySelector(".pieces [data-thing]") !== node, second = at();
    change({ moment: null, beat: null });
    return { first, second, drawnAnew };
  });
  assert.ok(found.drawnAnew, "the board was drawn anew");
  const [a, b] = [found.first, found.second].map((text) => text.split(" ").map(parseFloat));
  assert.ok(a.some((n) => Math.abs(n) > .2) && b.some((n) => Math.abs(n) > .2), `it stands at its end already: ${JSON.stringify(found)}`);
  assert.ok(Math.hypot(a[0] - b[0], (a[1] ?? 0) - (b[1] ?? 0)) < 1, `it jumped: ${JSON.stringify(found)}`);
  // A shot that is drawn anew goes on from where it was, too: its motion has begun when the beat began.
  const shot = await page.evaluate(async () => {
    const { state, change } = await import("/js/state.js"), { nextBeat } = await import("/js/player.js"), frame = () => new Promise((done) => requestAnimationFrame(done)), scene = state.scenes.find((one) => one.aims.some(({ line }) => state.log[line - 1].event.event === "Rolled")), { line } = scene.aims.find((aim) => state.log[aim.line - 1].event.event === "Rolled");
    let beat = nextBeat(line - 1, line);
    if (beat.kind === "told") beat = nextBeat(line - 1, line);
    const delays = [];
    for (const ago of [400, 900]) {
      change({ moment: line, beat: { ...beat, ms: 1e6, began: performance.now() - ago, settled: true } });
      await frame(); await frame();
      delays.push(parseFloat(document.querySelector(".table-view .stage .shot-line").style.animationDelay));
    }
    change({ moment: null, beat: null });
    return delays;
  });
  assert.ok(shot[0] <= -400 && shot[1] <= -900, `a shot begins anew: ${shot}`);
}

/** One key, and everything stands as it is now. */
async function skipping(page) {
  await page.evaluate(() => { localStorage.setItem("sandtable.settings", JSON.stringify({ pace: "slow", guide: "off" })); window.seen.length = 0; });
  for (let i = 0; i < 40; i++) {
    await answerByClicking(page, await turnOf(page), { wanted: ["stand-up", "move"] });
    if ((await until(page, (state) => state.head !== null || state.sent === "", "what comes of it")).head !== null) break;
  }
  assert.notEqual((await look(page)).head, null, "nothing was played");
  await page.locator(".slip.scene").waitFor();
  if (size === "desk") {
    // A panel that is opened meanwhile is closed by Escape, and what is shown goes on.
    await press(page, "bar-orders");
    await page.locator("dialog[open] h2").waitFor();
    await keys(page, "Escape");
    await page.waitForFunction(() => !document.querySelector("dialog[open]"));
  }
  // How quickly it is shown can be said there and then, in four ways.
  assert.deepEqual(await key(page, "pace-card").locator("option").evaluateAll((all) => all.map((one) => one.value)), ["slow", "normal", "fast", "once"]);
  if (size === "phone") await press(page, "skip-play"); else await keys(page, "Escape");
  await until(page, (state) => state.head === null, "now");
  // At once: nothing is played at all.
  await page.evaluate(() => { localStorage.setItem("sandtable.settings", JSON.stringify({ pace: "once", guide: "off" })); window.seen.length = 0; });
  const now = await turnOf(page);
  if (now.ready) { await answerByClicking(page, now, { wanted: ["stand-up", "move"] }); await turnOf(page); }
  assert.deepEqual((await recorded(page)).filter(({ head }) => head !== null), [], "it was played though it was to be shown at once");
}

/** The past goes from moment to moment: as many as the story has lines, and not as many as the books. */
async function thePast(page) {
  await page.evaluate(() => localStorage.setItem("sandtable.settings", JSON.stringify({ pace: "fast", guide: "off" })));
  const state = await until(page, (one) => one.head === null && one.beat === null, "now"), ends = state.scenes.filter((scene) => scene.lead).map((scene) => scene.upto);
  assert.ok(ends.length * 2 < state.log.length, `${ends.length} moments of ${state.log.length} lines`);
  const stops = [];
  for (let i = 0; i < 4; i++) { await keys(page, ","); stops.push((await until(page, (one) => one.moment !== (stops.at(-1) ?? null), "another moment")).moment); }
  assert.deepEqual(stops, ends.filter((end) => end < state.log.length).slice(-4).reverse());
  if (size === "phone") await press(page, "tab-log");
  await page.evaluate(() => { window.seen.length = 0; });
  await press(page, "time-play");
  await until(page, (one) => !one.playing, "the end of the replay");
  const seen = await recorded(page);
  assert.ok(seen.length > 2 && seen.every((beat) => beat.moment !== null), "it was played as it was played the first time");
  const after = ends.filter((end) => end >= stops.at(-1));
  assert.deepEqual([...new Set(seen.filter(({ upto, settled }) => settled && ends.includes(upto)).map(({ upto }) => upto))], after, "it stops at every moment of the story");
  inOrder(seen);
  await keys(page, "Escape");
  if (size === "phone") await press(page, "tab-table");
}

/** Without motion one picture follows another, and whoever moved leaves a trail. */
async function withoutMotion(token) {
  const page = await openPage({ colorScheme: theme, reducedMotion: "reduce", pace: "fast" });
  await sit(page, token);
  await record(page);
  // From the last walk on: the same as from the beginning, and sooner over.
  await page.evaluate(async () => { const { replay } = await import("/js/player.js"), { lookAt } = await import("/js/moments.js"), { state } = await import("/js/state.js"); lookAt(state.log.findLastIndex((line) => line.event.event === "Moved")); replay(true); });
  await until(page, (state) => !state.playing, "the end of the replay");
  const seen = await recorded(page);
  assert.ok(seen.some((beat) => beat.kind === "walk") && seen.every((beat) => beat.kind !== "roll" || beat.settled || beat.began !== 0), "it is played all the same");
  assert.equal(await page.evaluate(() => document.querySelector(".pieces [style*=translate]")), null);
}
