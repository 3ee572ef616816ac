// The log: every event in words, every roll with its faces and parts, each part a link to its rule.

import { die, icon, mark } from "./icons.js";
import { lookAt } from "./moments.js";
import { make, renew } from "./pen.js";
import { change, nameOf, ruleset, state, worth } from "./state.js";

/** @typedef {import("./types.js").LogLine} LogLine */
/** @typedef {import("./types.js").Rolled} Rolled */

/** Events that only keep the books: shown when everything is. */
const BOOKS = new Set(["Counted", "Spent", "DeckChanged", "StepBegan", "Grouped", "HarmNoted", "Sealed"]);
/** Whether a line only keeps the books: so does a state that rules keep for themselves or that stays as it is, and whatever the
 *  ruleset notes as going without saying.  @param {LogLine} line */
function booked({ event }) {
  const notes = ruleset()?.notes ?? [];
  if (event.event === "Left") return notes.includes(event.to);
  if (event.event === "Placed") return !event.made && !event.piece && event.where.place === "off" && notes.includes(event.where.why ?? "");
  if (event.event !== "StateChanged") return BOOKS.has(event.event);
  const was = JSON.stringify(event.before ?? null), now = JSON.stringify(event.after ?? null);
  return !event.rule || was === now || notes.includes(event.state) || now === "null" && notes.includes(`not ${event.state}`);
}
const FILTERS = /** @type {[string, string, (line: LogLine) => boolean][]} */ ([
  ["all", "All", (line) => !booked(line)],
  ["rolls", "Rolls", (line) => line.event.event === "Rolled"],
  ["harm", "Harm", (line) => ["HarmApplied", "ModelLost", "HarmCancelled", "TerrainChanged"].includes(line.event.event)],
  ["books", "Everything", () => true],
]);
/** How many lines are shown at once; older ones come with a press. */
const SHOWN = 160;
let more = 0;
/** The first line that is shown. */
let first = 0;
/** Whether whoever reads is at the end of the log, or has not come to it yet: then its end is what is shown. Told by scrolling, and
 *  not asked of the page while it is being drawn: that would have it laid out once more. */
let low = true;
/** @param {Event} event */
const scrolled = ({ target }) => { const list = /** @type {HTMLElement} */ (target); if (list.clientHeight) low = list.scrollHeight - list.scrollTop - list.clientHeight < 60; };

/** A link to a rule.  @param {string} rule  @param {...(Node | string)} children */
export const ruleLink = (rule, ...children) => rule ? make("a", { href: `#/rules/${state.welcome?.ruleset ?? ""}/${rule}`, "data-rule": rule }, ...children) : make("span", {}, ...children);

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
function rollNode(roll) {
  if (!roll.dice) return roll.outcome ? make("p.roll-end", {}, verdictOf(roll)) : null;
  const op = (/** @type {string} */ text) => make("span.op", {}, text), parts = roll.parts ?? [], sum = parts.reduce((a, part) => a + part.value, 0);
  const line = make("div.roll-sum", {}, ...(roll.faces ?? []).map(die), ...((roll.faces ?? []).length > 1 || parts.length ? [String(roll.natural)] : []));
  if (parts.length && sum) line.append(" ", op(sum < 0 ? "−" : "+"), ` ${Math.abs(sum)} `, op("="), ` ${roll.total}`);
  if (roll.needs !== undefined && roll.needs !== null) line.append(" ", op("needs"), ` ${roll.needs}`);
  const all = [...parts, ...(roll.needs_parts ?? []), ...(roll.dice_parts ?? [])];
  return make("div.roll", {}, line, all.length > 0 && make("p.roll-parts", {}, ...all.map((part) => ruleLink(part.rule, `${part.label} `, make("b", {}, (roll.needs_parts ?? []).includes(part) ? String(part.value) : worth(part))))), roll.outcome && make("p.roll-end", {}, verdictOf(roll)));
}

/** @param {Rolled} roll */
function verdictOf(roll) {
  const margin = roll.margin, by = margin === undefined || margin === null ? "" : ` by ${Math.abs(margin)}`;
  return make("span", { class: `verdict${(margin ?? 0) < 0 ? " not" : ""}` }, `${roll.outcome ? nameOf(roll.outcome) : ""}${by}`);
}

/** Who an event happens to, where the same befalls one model of a unit after the other.  @param {LogLine} line */
const befalls = ({ event }) => (event.event === "Moved" || event.event === "Halted" || event.event === "ModelLost" ? event.model : event.event === "Placed" || event.event === "Left" ? event.thing : event.event === "StateChanged" ? event.who : "");

/** With whom it befalls: the unit, or the terrain that is laid.  @param {LogLine} line */
const groupOf = (line) => (line.event.event === "Placed" && line.event.piece ? "the terrain" : state.table?.things[befalls(line)]?.unit ?? "");

/** What befalls a whole unit at once is one line, with a count: the first of them stands for the others, also where each of them
 *  goes through several things in turn.
 *  @param {{line: LogLine, n: number}[]} lines  @returns {{line: LogLine, n: number, more: number}[]} */
function folded(lines) {
  const out = /** @type {{line: LogLine, n: number, more: number}[]} */ ([]), run = /** @type {Map<string, {more: number}>} */ (new Map());
  let last = "";
  for (const { line, n } of lines) {
    const unit = groupOf(line), key = `${line.event.event} ${line.event.rule} ${line.event.event === "StateChanged" ? line.event.state : ""}`;
    if (unit !== last) { run.clear(); last = unit; }
    const first = unit ? run.get(key) : undefined, told = { line, n, more: 0 };
    if (first) first.more += 1; else { out.push(told); run.set(key, told); }
  }
  return out;
}

/** @param {LogLine} line  @param {number} n  @param {number} more how many others the same befalls */
function lineNode(line, n, more) {
  const { event } = line, side = sideOf(event);
  if (event.event === "PhaseBegan") return make("p.turn-line.label", { "data-key": `line-${n}` }, line.words.replace(/\.$/, ""));
  const current = state.moment === n ? " looked" : "";
  const words = event.event === "Rolled" && event.dice ? line.words.split(" — ")[0] : line.words;
  return make("div", { class: `line${side ? ` side-${side}` : ""}${current}`, "data-key": `line-${n}` }, mark(side), make("p", {}, words, " ", more > 0 && make("span.more", {}, `and ${more} more of ${nameOf(groupOf(line))} `), event.rule && ruleLink(event.rule, make("span.rule-sign", { title: event.rule }, "§"), make("span.visually-hidden", {}, "the rule"))),
    make("button.n", { "aria-label": `Moment ${n}`, title: "See the table at this moment", onclick: () => lookAt(n), "data-key": `moment-${n}` }, String(n)), event.event === "Rolled" && rollNode(event));
}

/** @param {HTMLElement} place  @param {Set<string>} changed */
export function drawLog(place, changed) {
  if (!["log", "filter", "moment", "route", "tab", "welcome"].some((name) => changed.has(name))) return;
  const keep = FILTERS.find(([id]) => id === state.filter)?.[2] ?? (() => true), lines = state.log.map((line, i) => ({ line, n: i + 1 })).filter(({ line }) => keep(line) || line.event.event === "PhaseBegan");
  const tidy = lines.filter(({ line }, i) => line.event.event !== "PhaseBegan" || lines[i + 1] && lines[i + 1].line.event.event !== "PhaseBegan");
  const told = state.filter === "all" ? folded(tidy) : tidy.map((one) => ({ ...one, more: 0 }));
  // Whoever reads further up, or looks at a moment, keeps the lines where they are.
  if (low && state.moment === null || first > told.length || changed.has("filter")) first = Math.max(0, told.length - SHOWN - more);
  const from = first;
  const chips = FILTERS.map(([id, name]) => make("button.chip", { "aria-pressed": state.filter === id, onclick: () => change({ filter: id }), "data-key": `filter-${id}` }, name));
  const now = make("div.lines", { tabindex: 0, role: "log", "aria-label": "Events", onscroll: scrolled },
    from > 0 && make("button.else.earlier", { onclick: () => { more += 400; change({ filter: state.filter }); } }, icon("step"), "Earlier"),
    ...told.slice(from).map(({ line, n, more: others }) => lineNode(line, n, others)), !tidy.length && make("p.empty", {}, "Nothing has happened yet."));
  renew(place, make("div.log-head", {}, make("h2.label", {}, "Log"), make("div.filters", {}, ...chips)), now);
  const stays = state.moment === null && low, moved = changed.has("moment");
  requestAnimationFrame(() => {
    const stands = place.querySelector(".lines");
    if (stands && stays) stands.scrollTop = stands.scrollHeight;
    else if (moved) stands?.querySelector(".looked")?.scrollIntoView({ block: "nearest" });
  });
}
