// What happens is seen: one moment after another, where it happens, at the player's speed, skipped by a key, never cut short; and the
// past likewise.

import { batteredSeat } from "./battered.mjs";
import { answerByClicking, playOn } from "./clicking.mjs";
import { SIZES, assert, axe, drawn, how, keys, linkFor, look, openPage, post, press, seats, sit, turnOf, until } from "./table.mjs";

const [ruleset, size, theme] = how.split(" ");
/** A battle in which somebody walks and somebody is hurt soon. */
const SCENARIOS = { stargrunt: "duel", dropzone: "checkpoint", strikeops: "meeting" };
const begin = async () => ruleset === "quickstart" ? batteredSeat({ harm: [0, 0], seats: seats({ kind: "person" }, { kind: "bot", bot: "charging" }) }) : linkFor(await post("/api/battles", { ruleset, scenario: SCENARIOS[ruleset], seats: seats({ kind: "person" }, { kind: "bot", bot: "charging" }), seed: 4 }), "red");

/** Write down what is played from now on: each beat as it begins and settles, how much of the log is shown with it, and what of it
 *  lies out of sight: beside the board on the screen, or under what lies over it. */
const record = (page) => page.evaluate(async () => {
  const { state, watch } = await import("/js/state.js"), seen = /** @type {any[]} */ (window.seen = []);
  const outOfSight = () => {
    const place = document.querySelector(".table-view .board-place").getBoundingClientRect(), sheet = document.querySelector(".table-view .next").getBoundingClientRect(), low = innerWidth <= 700 ? Math.min(place.bottom, sheet.top + 12) : place.bottom;
    const dots = [...document.querySelectorAll(".stage :is(.shot-line, .burst, .trail)")].flatMap((node) => { const at = node.getScreenCTM(), ends = node instanceof SVGCircleElement ? [new DOMPoint(node.cx.baseVal.value, node.cy.baseVal.value)] : node.getAttribute("d") ? [node.getPointAtLength(0), node.getPointAtLength(node.getTotalLength())] : []; return ends.map((dot) => [node.classList[0], new DOMPoint(dot.x, dot.y).matrixTransform(at)]); });
    return dots.filter(([, { x, y }]) => x < place.left || x > place.right || y < place.top || y > low).map(([name, { x, y }]) => `${name} at ${Math.round(x)} ${Math.round(y)}`);
  };
  watch((changed) => {
    if (changed.has("beat") && state.beat) seen.push({ kind: state.beat.kind, settled: state.beat.settled, head: state.head, moment: state.moment, from: state.beat.from, upto: state.beat.upto, asked: document.querySelector(".slip.scene") === null, lines: document.querySelectorAll(".lines .line").length, shot: document.querySelector(".stage .shot-line") !== null, fell: document.querySelector(".stage .burst") !== null, missed: state.tab === "table" ? outOfSight() : [] });
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
  const harmed = await playOn(page, async (now) => { const beats = await recorded(page); return now.ending || ["walk", "harm"].every((one) => beats.some(({ kind }) => kind === one)) && beats.some(({ kind, shot }) => kind === "roll" && shot); }, { wanted: ["stand-up", "shoot", "shooting", "fire", "enter", "combat-move", "move", "moving"] });
  assert.ok(harmed && !harmed.ending, "nobody walks, or nobody is hurt");
  await drawn(page);
  let seen = await recorded(page);
  inOrder(seen);
  const kinds = new Set(seen.map((beat) => `${beat.kind} ${beat.settled}`));
  for (const one of ["walk true", "roll false", "roll true", "say true", "told true", "harm true"]) assert.ok(kinds.has(one), `nobody saw ${one}: ${[...kinds]}`);
  assert.ok(seen.some((beat) => beat.kind === "roll" && beat.shot), "a shot is drawn while its dice roll");
  assert.deepEqual(seen.flatMap(({ kind, from, missed }) => missed.map((what) => `${kind} ${from}: ${what}`)), [], "it was played where nobody sees it");
  assert.ok(seen.every((beat) => !beat.asked || beat.head === null), "somebody was asked while something was still being shown");
  await until(page, (state) => state.head === null && state.situation.question, "the question after what happened");
  assert.equal(await page.locator(".slip.scene").count(), 0);

  await skipping(page);
  if (ruleset !== "quickstart") return;
  await aRedrawCutsNothingShort(page);
  await thePast(page);
  await axe(page, `what is played, ${how}`);
  if (size === "desk") await withoutMotion(token);
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
  if (size === "phone") await press(page, "skip-play"); else await keys(page, "Escape");
  await until(page, (state) => state.head === null, "now");
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
