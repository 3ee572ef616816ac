// The log as a story: a line for what somebody did and what came of it, its rolls below, each part a link to its rule. Everything
// that happened can be read too, line by line.

import { die, icon, mark } from "./icons.js";
import { lookAt, seenLog } from "./moments.js";
import { make, renew } from "./pen.js";
import { change, figure, nameOf, said, state, worth } from "./state.js";

/** @import { LogLine, Rolled } from "./types.js" */

const FILTERS = /** @type {[string, string, (line: LogLine) => boolean][]} */ ([
  ["all", "Story", () => true],
  ["rolls", "Rolls", (line) => line.event.event === "Rolled"],
  ["harm", "Harm", (line) => ["HarmApplied", "ModelLost", "HarmCancelled", "TerrainChanged"].includes(line.event.event)],
  ["books", "All", () => true],
]);
/** How many lines are shown at once; older ones come with a press. */
const SHOWN = 160;
let more = 0;
/** The first line that is shown. */
let first = 0;
/** Whether the end of the log is what is shown. Only a reader who goes up in it stops that, and going back to its end begins it again. */
let follows = true;
/** When somebody last did something that scrolls: what scrolls by itself stops nothing. */
let touched = -Infinity;
const touching = () => { touched = performance.now(); };
/** @param {Event} event */
function scrolled({ target }) {
  const list = /** @type {HTMLElement} */ (target), low = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  if (!list.clientHeight || follows === low || !low && performance.now() - touched > 700) return;
  follows = low;
  change({ filter: state.filter });
}

/** A link to a rule.  @param {string} rule  @param {...(Node | string)} children */
export const ruleLink = (rule, ...children) => rule ? make("a", { href: `#/rules/${state.welcome?.ruleset ?? ""}/${rule}`, "data-rule": rule }, ...children) : make("span", {}, ...children);

/** Links to the rule that forbids something, and to those that forbid it too.  @param {string} rule  @param {string[]} also  @param {string} words */
export const ruleLinks = (rule, also, words) => (rule ? [ruleLink(rule, words), ...also.flatMap((one) => [" · ", ruleLink(one, "and this")])] : []);

/** Whose event it is, as far as it says.  @param {import("./types.js").AnyEvent} event */
export function sideOf(event) {
  const things = state.table?.things ?? {}, e = /** @type {any} */ (event);
  for (const id of [e.by, e.actor, e.model, e.thing, e.who, e.target]) if (typeof id === "string" && id) {
    if (state.table?.sides.includes(id)) return id;
    if (things[id]?.side) return things[id].side;
  }
  return state.table?.sides.includes(e.side) ? e.side : "";
}

/** Dice, parts and verdict of a roll.  @param {Rolled} roll */
export function rollNode(roll) {
  if (!roll.dice) return roll.outcome ? make("p.roll-end", {}, verdictOf(roll)) : null;
  const op = (/** @type {string} */ text) => make("span.op", {}, text), parts = roll.parts ?? [], sum = parts.reduce((a, part) => a + part.value, 0);
  const line = make("div.roll-sum", {}, ...(roll.faces ?? []).map(die), ...((roll.faces ?? []).length > 1 || parts.length ? [String(roll.natural)] : []));
  if (parts.length && sum) line.append(" ", op(sum < 0 ? "−" : "+"), ` ${Math.abs(sum)} `, op("="), ` ${roll.total}`);
  if (roll.needs !== undefined && roll.needs !== null) line.append(" ", op("needs"), ` ${figure(roll.needs)}`);
  const all = [...parts, ...(roll.needs_parts ?? []), ...(roll.dice_parts ?? [])];
  return make("div.roll", {}, line, all.length > 0 && make("p.roll-parts", {}, ...all.map((part) => ruleLink(part.rule, `${part.label} `, make("b", {}, (roll.needs_parts ?? []).includes(part) ? figure(part.value) : worth(part))))), roll.outcome && make("p.roll-end", {}, verdictOf(roll)));
}

/** @param {Rolled} roll */
function verdictOf(roll) {
  const margin = roll.margin, by = margin === undefined || margin === null ? "" : ` by ${Math.abs(margin)}`;
  return make("span", { class: `verdict${(margin ?? 0) < 0 ? " not" : ""}` }, `${roll.outcome ? nameOf(roll.outcome) : ""}${by}`);
}

/** @param {LogLine} line  @param {number} n */
function lineNode(line, n) {
  const { event } = line, side = sideOf(event);
  if (event.event === "PhaseBegan") return make("p.turn-line.label", { "data-key": `line-${n}` }, line.words.replace(/\.$/, ""));
  const words = event.event === "Rolled" && event.dice ? line.words.split(" — ")[0] : line.words;
  return make("div", { class: `line${side ? ` side-${side}` : ""}${state.moment === n ? " looked" : ""}`, "data-key": `line-${n}` }, mark(side), make("p", {}, words, "\u00a0", event.rule && ruleSign(event.rule)), momentButton(n), event.event === "Rolled" && rollNode(event));
}

/** @param {string} rule */
const ruleSign = (rule) => ruleLink(rule, make("span.rule-sign", { title: rule, role: "img", "aria-label": "the rule" }, "§"));
/** @param {number} n */
const momentButton = (n) => make("button.n", { "aria-label": `Moment ${n}`, title: "See the table at this moment", onclick: () => lookAt(n), "data-key": `moment-${n}` }, String(n));

/** A scene: what somebody did and what came of it; its dice below, and their parts once they are unfolded.
 *  @param {import("./types.js").Scene} scene  @param {number} seen how many lines of the log have been seen */
function sceneNode(scene, seen) {
  const lines = state.log.slice(scene.first - 1, Math.min(scene.upto, seen)), rolls = lines.flatMap(({ event }) => (event.event === "Rolled" && (event.dice || event.outcome) ? [event] : [])), done = scene.upto <= seen;
  if (lines.every(({ event }) => event.event === "PhaseBegan" || !("actor" in event) && !rolls.length) && state.log[scene.upto - 1] && lines.some(({ event }) => event.event === "PhaseBegan")) return make("p.turn-line.label", { "data-key": `scene-${scene.first}` }, scene.lead);
  const looked = state.moment !== null && state.moment >= scene.first && state.moment <= scene.upto, rule = lines.find(({ event }) => event.event !== "StepBegan" && event.event !== "DeckChanged" && event.rule)?.event.rule ?? "";
  const dice = rolls.length > 0 && make("details.dice", { "data-key": `dice-${scene.first}` }, make("summary", { "data-key": `unfold-${scene.first}` }, ...rolls.slice(0, 4).map((roll) => make("span.thrown-dice", {}, ...(roll.faces ?? []).slice(0, 5).map(die))), make("span", {}, rolls.length > 4 ? `${rolls.length} rolls` : "")),
    ...rolls.map((roll) => make("div.unfolded", {}, make("p.roll-of", {}, roll.by ? `${nameOf(roll.by)}, ` : "", said(roll.what), " ", roll.rule && ruleSign(roll.rule)), rollNode(roll))));
  return make("div", { class: `line scene-line${scene.side ? ` side-${scene.side}` : ""}${looked ? " looked" : ""}`, "data-key": `scene-${scene.first}` }, mark(scene.side), make("p", {}, scene.lead, done && scene.came.length > 0 && make("b.came-words", {}, `: ${scene.came.join(", ")}`), ".\u00a0", rule && ruleSign(rule)), momentButton(scene.upto), dice);
}

/** @param {HTMLElement} place  @param {Set<string>} changed */
export function drawLog(place, changed) {
  if (!["log", "scenes", "filter", "moment", "head", "route", "tab", "welcome"].some((name) => changed.has(name))) return;
  const log = seenLog(), story = state.filter === "all", keep = FILTERS.find(([id]) => id === state.filter)?.[2] ?? (() => true);
  const lines = story ? [] : log.map((line, i) => ({ line, n: i + 1 })).filter(({ line }) => keep(line) || line.event.event === "PhaseBegan");
  const tidy = lines.filter(({ line }, i) => line.event.event !== "PhaseBegan" || lines[i + 1] && lines[i + 1].line.event.event !== "PhaseBegan"), scenes = story ? state.scenes.filter((scene) => scene.lead && scene.first <= log.length) : [];
  const count = story ? scenes.length : tidy.length;
  // Whoever reads further up, or looks at a moment, keeps the lines where they are.
  if (follows && state.moment === null || first > count || changed.has("filter") && follows) first = Math.max(0, count - SHOWN - more);
  const chips = FILTERS.map(([id, name]) => make("button.chip", { "aria-pressed": state.filter === id, onclick: () => { follows = true; change({ filter: id }); }, "data-key": `filter-${id}` }, name));
  const now = make("div.lines", { tabindex: 0, role: "log", "aria-label": "Events", onscroll: scrolled, onwheel: touching, ontouchmove: touching, onpointerdown: touching, onkeydown: touching },
    first > 0 && make("button.else.earlier", { onclick: () => { more += 400; follows = false; first = Math.max(0, first - 400); change({ filter: state.filter }); } }, icon("step"), "Earlier"),
    ...(story ? scenes.slice(first).map((scene) => sceneNode(scene, log.length)) : tidy.slice(first).map(({ line, n }) => lineNode(line, n))), !count && make("p.empty", {}, "Nothing has happened yet."));
  renew(place, make("div.log-head", {}, make("h2.label", {}, "Log"), make("div.filters", {}, ...chips)), now, !follows && state.moment === null && make("button.else.latest", { "data-key": "latest", onclick: () => { follows = true; change({ filter: state.filter }); } }, "To the latest"));
  const stays = state.moment === null && follows, moved = changed.has("moment");
  const down = () => {
    const stands = place.querySelector(".lines");
    if (stands && stays) stands.scrollTop = stands.scrollHeight;
    else if (moved) stands?.querySelector(".looked")?.scrollIntoView({ block: "nearest" });
  };
  down();
  requestAnimationFrame(down);
}
