// Moves are drawn with pleasure: a ghost under the pointer, paths cut to what may be walked, turns on the spot, backing up.

import { battered } from "./battered.mjs";
import { bare, mouse, playOn, touch } from "./clicking.mjs";
import { SIZES, assert, axe, drag, how, judged, key, keys, known, linkFor, look, onScreen, openPage, post, press, seats, sit, until } from "./table.mjs";

const [ruleset, size, theme] = how.split(" "), { width, height } = SIZES[size];
const SCENARIOS = { quickstart: "duel", stargrunt: "close-quarters", dropzone: "checkpoint", strikeops: "meeting" };
const begin = async (page) => sit(page, linkFor(await post("/api/battles", { ruleset, scenario: SCENARIOS[ruleset], seats: seats({ kind: "person" }, { kind: "bot", bot: "random" }), seed: 4 }), "red"));

/** Answer until somebody moves; gives what is asked then. */
async function toAMove(page) {
  const now = await playOn(page, ({ question }) => question?.kind === "move" && question.shows.includes("reach"), { wanted: ["move", "combat-move", "advance"] });
  assert.ok(now, "nobody moves");
  return now;
}

/** How far from where it stands a draft takes a model. */
const shift = (page, id) => page.evaluate(async (id) => { const { state } = await import("/js/state.js"), { walked } = await import("/js/drafting.js"), thing = state.table.things[id], { end } = walked(thing, state.draft?.[id]); return [end[0] - thing.place.point[0], end[1] - thing.place.point[1]]; }, id);
const legs = async (page, id) => (await look(page)).draft?.[id]?.legs ?? [];
/** A press on the ground so far from somewhere, by mouse or by finger: straight that way, or a little aside where something stands or lies over it. */
async function pressGround(page, [x, y], far) {
  for (const aside of [0, .3, -.3, .6, -.6, .9, -.9, 1.2, -1.2]) {
    const spot = await onScreen(page, x + Math.sin(aside) * far, y + Math.cos(aside) * far);
    if (await bare(page, spot)) return (size === "desk" ? mouse : touch).spot(page, ...spot);
  }
  return assert.fail("there is no bare ground to press");
}

/** Range bands, arcs and threats are switched on while a path is drawn, and say how far it is; and off again. */
async function overlays(page, id) {
  const drawn = (name) => page.locator(`.board-place > svg ${name}`).count();
  assert.deepEqual([await drawn(".ring-range"), await drawn(".ring-arc"), await drawn(".threat")], [0, 0, 0]);
  if (size === "desk") { await keys(page, "r", "e"); } else for (const name of ["ranges", "threats"]) { await press(page, `overlay-${name}`); await page.locator(`[data-key="overlay-${name}"][aria-pressed=true]`).waitFor(); }
  // Each switch asks anew: what counts is what is said once both are on.
  await page.locator(".threats").waitFor();
  await judged(page);
  const { verdict } = await until(page, (state) => state.verdict?.preview?.rings.some((ring) => ring.what === "range") && !state.judging, "range bands");
  const { rings, targets, threats } = verdict.preview, foe = Object.keys(targets)[0];
  assert.ok(await drawn(".ring-range:not(.under)") >= rings.filter((ring) => ring.what === "range").length);
  assert.equal(await drawn(".ring-arc") > 0, rings.some((ring) => ring.what === "arc"));
  await page.waitForFunction((n) => document.querySelectorAll(".board-place > svg .threat").length === n, threats.length);
  assert.match(targets[foe], /^[\d.]+″: .*(range|band)/);
  await page.locator(".targets, .preview summary").first().waitFor();
  const slip = await page.locator(".slip-body").evaluate((node) => node.textContent);
  assert.ok(slip.includes(targets[foe]), "how far it is, and in which range, stands in the slip");
  for (const threat of threats) assert.ok(slip.includes(threat.words), `who threatens ${id}: ${threat.words}`);
  await axe(page, `ranges and threats, ${how}`);
  for (const name of ["ranges", "threats"]) await press(page, `overlay-${name}`);
  await until(page, (state) => !state.judging && !state.verdict?.preview?.rings.some((ring) => ring.what === "range"), "a bare board");
}

/** How far it is, exactly, and a reticle on whom it is to: a hair's breadth outside the range of the farthest gun is said so, on the board and beside it. */
async function aHairsBreadth(page) {
  // Dice say who is asked first; here it has to be red, before anybody has moved.
  for (let seed = 1; ; seed++) {
    const made = await battered({ seed, tall: 60, at: ["[24, 54.1], facing: 270", "[24, 4], facing: 90"], seats: seats({ kind: "person" }, { kind: "person" }) });
    if (!(await known(made)).waiting.includes("red")) continue;
    await sit(page, linkFor(made, "red"));
    break;
  }
  const { question } = await toAMove(page), id = question.models[0];
  const targetAfter = async (go) => {
    await page.evaluate(async ([id, go]) => (await import("/js/drafting.js")).tryValue({ [id]: { legs: [{ by: "leg", turn: 0, go }], marks: {} } }), [id, go]);
    await judged(page);
    const [words] = Object.values((await until(page, (state) => Object.keys(state.verdict?.preview?.targets ?? {}).length > 0 && !state.judging, "how far it is")).verdict.preview.targets);
    return { words, outside: Number(words.match(/([\d.]+)″ outside extreme range/)?.[1] ?? NaN) };
  };
  await press(page, "overlay-ranges");
  const first = await targetAfter(100);
  assert.ok(first.outside > .04, `it begins outside every range: ${first.words}`);
  // Its arc is drawn, and whoever could fire at this place is told, as soon as one stands in range.
  const { verdict } = await look(page);
  assert.ok(verdict.preview.rings.some((ring) => ring.what === "arc") && await page.locator(".board-place > svg .ring-arc").count() > 0, "an arc");
  const { words, outside } = await targetAfter(100 + Math.round((first.outside - .04) * 100) * 10);
  assert.equal(outside, .04, words);
  await page.locator(".board-place > svg .reticle.aimed").waitFor();
  assert.ok((await page.locator(".board-place > svg .tag").allTextContents()).some((text) => text.includes("0.04″ outside extreme range")), "it stands on the board");
  assert.ok((await page.locator(".slip-body").evaluate((node) => node.textContent)).includes("0.04″ outside extreme range"), "and beside it");
  await press(page, "overlay-ranges");
  // A step farther on both are in range: who could fire at this place is drawn, and told with what he would need.
  await press(page, "overlay-threats");
  await page.evaluate(async ([id, go]) => (await import("/js/drafting.js")).tryValue({ [id]: { legs: [{ by: "leg", turn: 0, go }], marks: {} } }), [id, 600 + Math.round(first.outside * 100) * 10]);
  const { verdict: { preview: { threats } } } = await until(page, (state) => !state.judging && (state.verdict?.preview?.threats ?? []).length > 0, "a threat");
  await page.waitForFunction((n) => document.querySelectorAll(".board-place > svg .threat").length === n, threats.length);
  assert.match(threats[0].words, /needs \d+/);
  assert.ok((await page.locator(".threats").textContent()).includes(threats[0].words));
  await press(page, "overlay-threats");
}

/** A finger takes the model itself: a short way, and, backing up, behind it; on its handle it turns where it stands. */
async function byFinger(page, id, at, ahead, facing) {
  const spot = (dx, dy) => onScreen(page, at[0] + dx, at[1] + dy), legsNow = () => until(page, (state) => (state.draft?.[id]?.legs ?? []).length > 0 && !state.judging, "a way");
  await touch.drag(page, await spot(0, 0), await spot(0, ahead * 1000));
  let { legs: short } = (await legsNow()).draft[id];
  const far = short.reduce((sum, leg) => sum + Math.abs(leg.go), 0);
  assert.ok(far > 300 && far < 1700, `a short way by finger: ${JSON.stringify(short)}`);
  await press(page, "clear");
  await press(page, "backwards");
  await touch.drag(page, await spot(0, 0), await spot(0, -ahead * 2000));
  short = (await legsNow()).draft[id].legs;
  assert.ok(short.every((leg) => leg.go < 0), `backwards by finger: ${JSON.stringify(short)}`);
  await press(page, "clear");
  await press(page, "backwards");
  const box = await page.locator(".board-place > svg .turn-handle").boundingBox();
  await touch.drag(page, [box.x + box.width / 2, box.y + box.height / 2], await spot(...(facing % 180 ? [4000, 0] : [0, 4000])));
  short = (await legsNow()).draft[id].legs;
  assert.ok(short.some((leg) => leg.turn !== 0) && short.every((leg) => leg.go === 0), `turned by finger: ${JSON.stringify(short)}`);
  await press(page, "clear");
}

/** By keys one turns, backs up and goes on; by mouse a short way is a drag of the model itself, and who points nearly straight on goes straight on. */
async function byKeysAndMouse(page, id, thing) {
  const now = async () => { await judged(page); return legs(page, id); }, [x, y] = thing.place.point, way = (aside, far) => [x + Math.cos((thing.facing + aside) * Math.PI / 180) * far, y + Math.sin((thing.facing + aside) * Math.PI / 180) * far];
  await page.locator(".table-view svg.board").first().focus();
  await keys(page, "}", "}");
  assert.deepEqual((await now()).map(({ turn, go }) => [turn, go]), [[2, 0]], "keys turn it where it stands");
  await press(page, "clear");
  await page.locator(".table-view svg.board").first().focus();
  await keys(page, "b", "a");
  const back = await now();
  assert.ok(back.length > 0 && back.every(({ go }) => go < 0), `keys back it up: ${JSON.stringify(back)}`);
  await keys(page, "b");
  await press(page, "clear");
  for (const aside of [2, -2]) {
    const spot = await onScreen(page, ...way(aside, 3600));
    if (!await bare(page, spot)) continue;
    await mouse.spot(page, ...spot);
    const found = await now();
    assert.ok(found.length === 1 && found[0].turn === 0 && found[0].go > 0, `two degrees aside is no turn: ${JSON.stringify(found)}`);
    await press(page, "clear");
  }
  await mouse.drag(page, await onScreen(page, x, y), await onScreen(page, ...way(0, 1000)));
  const far = (await now()).reduce((sum, { go }) => sum + go, 0);
  assert.ok(far > 300 && far < 1700, `a short way by mouse: ${far}`);
  await press(page, "clear");
}

/** The edge of what is in reach is exact: straight on, a hair's breadth inside it may be walked, and a hair's breadth outside it is cut there. */
async function exactly(page, id) {
  const { verdict, table } = await until(page, (state) => !state.judging && state.verdict?.preview?.reach.length > 0, "a reach"), { place: { point: [x, y] }, facing } = table.things[id], dx = Math.cos(facing * Math.PI / 180), dy = Math.sin(facing * Math.PI / 180);
  const hits = verdict.preview.reach.flatMap(({ points = [] }) => points.flatMap((a, i) => { const b = points[(i + 1) % points.length], side = (p) => dx * (p[1] - y) - dy * (p[0] - x), [s, t] = [side(a), side(b)]; if (s === t || s * t > 0) return []; const at = [a[0] + (b[0] - a[0]) * s / (s - t), a[1] + (b[1] - a[1]) * s / (s - t)]; return [(at[0] - x) * dx + (at[1] - y) * dy]; })), edge = Math.max(...hits);
  assert.ok(edge > 500, `nothing lies straight on: ${hits}`);
  for (const [far, cut] of [[edge - 60, false], [edge + 60, true]]) {
    await page.evaluate(async ([id, go]) => (await import("/js/drafting.js")).tryValue({ [id]: { legs: [{ by: "leg", turn: 0, go }], marks: {} } }), [id, Math.round(far / 10) * 10]);
    await judged(page);
    const { overdrawn, verdict: { refusal } } = await look(page);
    assert.deepEqual([overdrawn !== null, cut || refusal === null || /mark|needs/i.test(refusal.sentence)], [cut, true], `${far} where the reach ends at ${edge}: ${refusal?.sentence ?? overdrawn?.why.sentence}`);
    await press(page, "clear");
  }
}

export default async function play() {
  const page = await openPage({ width, height, colorScheme: theme });
  await begin(page);
  const { question } = await toAMove(page), id = question.models[0], thing = (await look(page)).table.things[id], [x, y] = thing.place.point, ahead = y > 24000 ? -1 : 1, { faces } = question;
  const far = Math.max(...Object.values(question.allowance)), to = size === "desk" ? 12000 : Math.max(8000, far >= 1000 ? far + 1500 : 0), alone = faces && question.models.length > 1;
  // Several are taken as one; here one of them alone turns and backs up, and the others stay.
  if (alone) await press(page, `hand-${id}`);

  // What is drawn on a phone does not shift under the finger while more is said of it.
  const lies = async () => JSON.stringify([await onScreen(page, x, y), await onScreen(page, x + 3000, y)].flat().map(Math.round)), before = await lies();
  // How far it gets, and what each ring costs, is seen before anything is drawn.
  await until(page, (state) => state.verdict?.preview?.reach.length > 0, "the reach of who walks");
  const costs = await page.locator(".board-place > svg .ring-word.cost").allTextContents(), { rings } = (await look(page)).verdict.preview;
  assert.ok(costs.length > 0 && costs.every((cost) => rings.some((ring) => ring.label === cost)), `rings say ${costs}`);
  assert.ok(await page.locator(".board-place > svg .ring-cost").count() >= costs.length - 1);

  // Drawn too far, a path is cut to what may be walked; the rest stays to be seen, with the reason.
  await pressGround(page, [x, y], ahead * to);
  await until(page, (state) => state.overdrawn !== null && !state.judging, "a path that is cut");
  let state = await look(page);
  const gone = Math.hypot(...await shift(page, id));
  assert.ok(gone > 1000 && gone < to, `${gone} of ${to}`);
  assert.equal(state.verdict.refusal, null);
  assert.equal(await lies(), before, "the board shifts under whoever draws");
  assert.equal(state.verdict.preview.paths[0].total <= state.verdict.preview.paths[0].allowance, true);
  assert.equal(await page.locator(".board-place > svg .too-far").count(), alone ? 1 : question.models.length);
  assert.match(await page.locator(".cut-short").textContent(), /Cut short: .+/);
  assert.equal(await page.locator(".slip-foot .do:not(.wait)").count(), 1, "what is left of it may be done");
  // What it costs is written on it, and where room is, inch by inch; the reason why it goes no farther stands on the board too.
  const { paths } = state.verdict.preview, tags = await page.locator(".board-place > svg .tag").allTextContents();
  assert.ok(tags.some((text) => text.includes(` of ${paths[0].allowance >= 1000 ? +(paths[0].allowance / 1000).toFixed(2) : paths[0].allowance}`)), `no cost on the path: ${tags}`);
  assert.ok(tags.some((text) => text.length > 12 && state.overdrawn.why.sentence.startsWith(text.replace(/ ?[….]$/, ""))), `the reason does not stand on the board: ${tags} (${state.overdrawn.why.sentence})`);
  await axe(page, `a path that is cut, ${how}`, ".slip");
  await press(page, "clear");
  await until(page, (one) => one.overdrawn === null, "a clean sheet");
  if (!alone && question.models.length === 1) await exactly(page, id);
  // What was taken back while the server's word on it was on its way stays taken back.
  if (faces) {
    await page.evaluate(async ([id, go]) => {
      const { clear } = await import("/js/session.js"), { tryValue } = await import("/js/drafting.js"), { send } = WebSocket.prototype;
      const sent = new Promise((heard) => { WebSocket.prototype.send = function say(words) { WebSocket.prototype.send = send; send.call(this, words); heard(words); }; });
      tryValue({ [id]: { legs: [{ by: "leg", turn: 0, go }], marks: {} } });
      await sent;
      clear();
    }, [id, to]);
    await judged(page);
    assert.deepEqual((await look(page)).draft, {}, "what was taken back has come again");
  }

  if (!faces) {
    if (size === "desk") { await page.mouse.move(...await onScreen(page, x + 2000, y + ahead * 3000)); await page.locator(".board-place > svg .ghost-base").first().waitFor(); }
  } else if (size === "desk") {
    // A ghost goes under the pointer.
    const pointer = await onScreen(page, x + 2000, y + ahead * 3000);
    await page.mouse.move(...pointer);
    await page.locator(".board-place > svg .ghost-base").waitFor();
    const under = await page.locator(".board-place > svg .ghost-base").evaluate((node) => { const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; });
    assert.ok(Math.hypot(under[0] - pointer[0], under[1] - pointer[1]) < 12, `the ghost stands elsewhere than under the pointer: ${under} ${pointer}`);
    // A turn on the spot, by its handle.
    const from = await page.locator(".board-place > svg .turn-handle").boundingBox(), [tx, ty] = await onScreen(page, ...(thing.facing % 180 ? [x + 4000, y] : [x, y + 4000]));
    await drag(page, [from.x + from.width / 2, from.y + from.height / 2], [tx, ty]);
  } else { for (let i = 0; i < 3; i++) await touch.press(key(page, "turn15")); }
  if (faces) {
    await until(page, (one) => (one.draft?.[id]?.legs ?? []).some((leg) => leg.turn !== 0), "a turn");
    await judged(page);
    assert.ok((await legs(page, id)).every((leg) => leg.go === 0), "it stays where it is");
    assert.match(await key(page, "do").textContent(), /^Turn /);
    await press(page, "clear");

    // Backing up: a button, and then anywhere behind.
    await press(page, "backwards");
    await pressGround(page, [x, y], -ahead * 2200);
    await until(page, (one) => (one.draft?.[id]?.legs ?? []).some((leg) => leg.go < 0), "a leg backwards");
    await press(page, "clear");
    await press(page, "backwards");
    if (size === "phone") await byFinger(page, id, [x, y], ahead, thing.facing); else await byKeysAndMouse(page, id, thing);
  }

  await overlays(page, id);

  // A tenth of an inch is a move.
  if (size === "desk") {
    await page.locator(".table-view svg.board").first().focus();
    await page.keyboard.press(ahead < 0 === (await look(page)).turned ? "Shift+ArrowDown" : "Shift+ArrowUp");
    await until(page, (one) => (one.draft?.[id]?.legs ?? []).length > 0, "a short move");
    await judged(page);
    const [dx, dy] = await shift(page, id);
    assert.ok(Math.hypot(dx, dy) > 0 && Math.hypot(dx, dy) <= 110, `${dx} ${dy}`);
  }
  if (await key(page, "clear").count()) await press(page, "clear");
  assert.equal(await lies(), before, "the board shifts under whoever draws");
  await pressGround(page, [x, y], ahead * 3000);
  await until(page, (one) => (one.draft?.[id]?.legs ?? []).length > 0, "a leg");
  await judged(page);
  await press(page, "do");
  await until(page, (one) => one.log.some((line) => line.event.event === "Moved" && line.event.model === id), "the walk");

  if (ruleset !== "quickstart") return;
  // Who walks once more sees what rings cost from where he stands now.
  const again = await toAMove(page), { table, verdict } = await until(page, (one) => one.verdict?.preview?.rings.some((ring) => ring.what === "cost") && !one.judging, "rings of the next walk"), at = table.things[again.question.models[0]].place.point;
  const dots = verdict.preview.rings.filter((ring) => ring.what === "cost").flatMap((ring) => ring.shape.points ?? []);
  for (const axis of [0, 1]) assert.ok(Math.min(...dots.map((dot) => dot[axis])) <= at[axis] && Math.max(...dots.map((dot) => dot[axis])) >= at[axis], `rings lie elsewhere than ${at}`);
  await aHairsBreadth(page);
}
