// What happens is played one moment after another: who walks, what is thrown, what falls on whom, what came of it. The same for
// people, the computer and the past; how quickly, the player says. The server says which lines of the log are one scene.

import { actedBy } from "./moments.js";
import { settings } from "./shelf.js";
import { change, ruleset, state } from "./state.js";
import { walked } from "./drafting.js";

/** @import { Point, Scene } from "./types.js" */
/** @typedef {{model: string, points: Point[], facing: number, length: number}} Way  Where a model walks. */
/** @typedef {{id: string, words: string}} Fell  What has come to a thing. */
/** @typedef {{kind: "walk" | "roll" | "land" | "harm" | "say" | "told" | "turn", from: number, upto: number, ms: number, began: number, scene: Scene | null, settled: boolean, ways?: Way[], fell?: Fell[]}} Beat
 *  What is to be seen next: lines of the log from one to another, and how long it takes. */

/** How long things take, in parts of the usual. */
export const PACES = /** @type {Record<string, number>} */ ({ slow: 1.9, normal: 1, fast: .4, once: 0 });
const pace = () => PACES[settings().pace] ?? 1;
/** More lines than this at once are not played: whoever comes back after a long time sees how things stand. */
const MOST = 600;
/** How long an inch takes to walk, the longest walk, and how long dice roll. */
const INCH = 140, WALK = 1400, ROLL = 520;

/** Whether nothing may move: then one picture follows another. */
export const still = () => document.documentElement.dataset.motion === "still" || matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The scene a line of the log belongs to.  @param {number} n  @returns {Scene | null} */
export function sceneAt(n) {
  let low = 0, high = state.scenes.length - 1;
  while (low < high) { const middle = (low + high + 1) >> 1; if (state.scenes[middle].first <= n) low = middle; else high = middle - 1; }
  const scene = state.scenes[low];
  return scene && scene.first <= n && n <= scene.upto ? scene : null;
}

/** A scene in a line.  @param {Scene} scene */
export const sceneWords = ({ lead, came }) => `${lead}${came.length ? `: ${came.join(", ")}` : ""}${lead ? "." : ""}`;

// What there is to see ----

/** @param {number} from  @param {number} upto  @param {Beat["kind"]} kind  @param {number} ms  @param {Partial<Beat>} [more]  @returns {Beat} */
const beat = (from, upto, kind, ms, more = {}) => ({ kind, from, upto, ms: ms * pace(), began: 0, scene: sceneAt(upto), settled: false, ...more });

/** What a state is called where a ruleset shows it; what it only keeps note of is nothing to see.  @param {import("./types.js").StateChanged} event */
function looked(event) {
  const rules = ruleset(), look = rules?.notes.includes(event.state) ? undefined : rules?.looks[event.state];
  return look && event.rule && event.after !== undefined && event.after !== null && JSON.stringify(event.after) !== JSON.stringify(event.before) ? look.words || event.state : "";
}

/** What falls on whom by an event.  @param {import("./types.js").AnyEvent} event  @returns {Fell | null} */
function fallOf(event) {
  if (event.event === "HarmApplied") return event.after === event.before ? null : { id: event.target, words: event.after > event.before ? `−${event.after - event.before}` : `+${event.before - event.after}` };
  if (event.event === "ModelLost") return { id: event.model, words: "×" };
  if (event.event === "StateChanged") { const words = looked(event); return words ? { id: event.who, words } : null; }
  return null;
}

/** The walks of a run of moves, each model once.  @param {number} n  @param {number} end */
function walks(n, end) {
  const ways = /** @type {Way[]} */ ([]), scene = sceneAt(n + 1);
  let upto = n;
  for (let i = n; i < end && sceneAt(i + 1) === scene; i++) {
    const { event } = state.log[i];
    if (event.event === "Rolled" || event.event === "Declared" || fallOf(event)) break;
    if (event.event !== "Moved") continue;
    if (ways.some((way) => way.model === event.model)) break;
    upto = i + 1;
    if (event.start.place !== "at" || event.to.place !== "at") continue;
    const thing = state.table?.things[event.model], path = thing && event.walk ? walked({ ...thing, place: event.start, facing: startFacing(event) }, event.walk).points : [event.start.point];
    ways.push({ model: event.model, points: along([...path, event.to.point]), facing: event.facing ?? 0, length: 0 });
  }
  for (const way of ways) way.length = way.points.slice(1).reduce((sum, p, i) => sum + Math.hypot(p[0] - way.points[i][0], p[1] - way.points[i][1]), 0);
  return { ways, upto };
}

/** Points without those that stand on the one before, or behind where it was halted.  @param {Point[]} points */
const along = (points) => points.filter((p, i) => !i || p[0] !== points[i - 1][0] || p[1] !== points[i - 1][1]);

/** How it faced before it turned on its way.  @param {import("./types.js").Moved} event */
const startFacing = (event) => (((event.facing ?? 0) - (event.walk?.legs ?? []).reduce((sum, leg) => sum + (leg.by === "leg" ? leg.turn : 0), 0)) % 360 + 360) % 360;

/** The next thing to see after so many lines; nothing where the rest needs no time.  @param {number} n  @param {number} end  @returns {Beat | null} */
export function nextBeat(n, end) {
  const scene = n ? sceneAt(n) : null;
  if (scene?.lead && scene.upto === n && told !== `${scene.first}/${scene.upto}`) { told = `${scene.first}/${scene.upto}`; return beat(n, n, "told", scene.aims.length || scene.came.length ? 1300 : 350); }
  for (let i = n; i < end; i++) {
    const { event } = state.log[i], ends = sceneAt(i + 1);
    if (event.event === "Moved") { const { ways, upto } = walks(i, end), far = Math.max(0, ...ways.map((way) => way.length)) / 1000; return beat(i, Math.max(upto, i + 1), "walk", far > .05 ? Math.min(WALK, Math.max(280, INCH * far)) : 60, { ways }); }
    if (event.event === "Rolled") return beat(i, i + 1, "roll", ROLL + (rollsOf(ends) > 5 ? 380 : 850));
    if (event.event === "Landed") return beat(i, i + 1, "land", 900);
    if (event.event === "PhaseBegan" && ends?.upto === i + 1) return beat(i, i + 1, "turn", 500);
    if (event.event === "Declared" && event.targets?.length && !event.because) return beat(i, i + 1, "say", 750);
    if (["Declared", "Revealed", "TerrainChanged", "Scored", "BattleEnded"].includes(event.event) && !event.because) return beat(i, i + 1, "say", 450);
    if (event.event === "Placed" && !event.piece && event.where.place === "at" && !event.made) return beat(i, i + 1, "say", 120);
    if (fallOf(event)) return falls(i, end);
    if (ends?.lead && ends.upto === i + 1) { told = `${ends.first}/${ends.upto}`; return beat(i, i + 1, "told", ends.came.length ? 1300 : 350); }
  }
  return null;
}
/** The scene that was told last, and how long it was then. */
let told = "";

/** @param {Scene | null} scene */
const rollsOf = (scene) => (scene ? state.log.slice(scene.first - 1, scene.upto).filter(({ event }) => event.event === "Rolled").length : 0);

/** Everything that falls, one on the heels of the other.  @param {number} n  @param {number} end */
function falls(n, end) {
  const scene = sceneAt(n + 1), fell = /** @type {Fell[]} */ ([]);
  let upto = n;
  for (let i = n; i < end && sceneAt(i + 1) === scene; i++) {
    const { event } = state.log[i], one = fallOf(event);
    if (["Rolled", "Moved", "Declared"].includes(event.event)) break;
    if (one) { fell.push(one); upto = i + 1; }
  }
  return beat(n, upto, "harm", 900, { fell });
}

// Playing ----

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Where the play has come: what is live goes up to now, what is past from moment to moment. */
const at = () => (state.playing ? state.moment ?? state.log.length : state.head ?? state.log.length);
/** @param {number} n */
function goTo(n) {
  if (state.playing) change({ moment: n });
  else change({ head: n, acted: actedBy(state.log, n) });
}

/** Lines have come: play them, unless nobody wants to see it.  @param {number} from how many there were before */
export function playOn(from) {
  const end = state.log.length;
  if (state.head !== null || state.playing) return;
  // Before the words of the ruleset have come nothing is drawn, and nothing would be seen.
  if (!pace() || !from || !ruleset() || state.moment !== null || end <= from || end - from > MOST) { settleNow(); return; }
  change({ head: from, acted: actedBy(state.log, from) });
  run();
}

function run() {
  clearTimeout(timer);
  if (!state.playing && state.head === null) return;
  const next = pace() ? nextBeat(at(), state.log.length) : null;
  if (!next) { if (state.playing) stop(); else settleNow(); return; }
  next.began = performance.now();
  change({ beat: next });
  // Dice are seen rolling before the line that tells how they fell; everything else is so as it is shown.
  if (next.kind === "roll" && !still()) { goTo(next.from); spin(next, performance.now() + ROLL * pace()); return; }
  settled(next);
}

/** Let dice roll until they settle.  @param {Beat} beat  @param {number} until */
function spin(beat, until) {
  if (performance.now() >= until) { settled(beat); return; }
  change({ beat });
  timer = setTimeout(() => spin(beat, until), 70);
}

/** @param {Beat} beat */
function settled(beat) {
  const rest = beat.kind === "roll" && !still() ? beat.ms - ROLL * pace() : beat.ms;
  goTo(beat.upto);
  change({ beat: { ...beat, settled: true }, ...(beat.kind === "told" && beat.scene ? { spoken: sceneWords(beat.scene) } : {}) });
  timer = setTimeout(run, rest);
}

/** How things stand now, and the question if there is one. */
function settleNow() {
  clearTimeout(timer);
  const was = state.head !== null, prompt = state.situation?.question?.prompt;
  change({ head: null, beat: null, acted: actedBy(state.log, state.log.length), ...(was && prompt ? { notice: prompt } : {}) });
}

/** To the end of what is being played. Says whether there was anything.  */
export function skip() {
  if (state.playing) { stop(); return true; }
  if (state.head === null) return false;
  settleNow();
  return true;
}

/** Play the past from the moment that is looked at, or stop.  @param {boolean} on */
export function replay(on) {
  if (!on) { stop(); return; }
  const from = state.moment === null || state.moment >= state.log.length ? 0 : state.moment;
  told = "";
  change({ playing: true, moment: from, head: null });
  run();
}

function stop() {
  clearTimeout(timer);
  const end = (state.moment ?? 0) >= state.log.length;
  change({ playing: false, beat: null, ...(end && !state.table?.ending ? { moment: null } : {}) });
}

/** The end of the scene before or after a moment: where single steps stop.  @param {number} n  @param {1 | -1} way */
export function sceneEnd(n, way) {
  const ends = state.scenes.filter((scene) => scene.lead).map((scene) => scene.upto);
  return way > 0 ? ends.find((end) => end > n) ?? state.log.length : ends.filter((end) => end < n).at(-1) ?? 0;
}
