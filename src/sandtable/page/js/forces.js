// Forces: a row a model, its track, its states; press a row to look at the model.

import { STATES, icon, letters, mark, pennant, sideClass } from "./icons.js";
import { actingNow, hasActed, shown } from "./moments.js";
import { draw, make, renew } from "./pen.js";
import { callOf, change, nameOf, ruleset, said, state } from "./state.js";
import { capital } from "./table-words.js";
import { heldModule, signsOf, unitsOf } from "./units.js";

/** @import { Thing } from "./types.js" */

/** @param {import("./units.js").Sign} of */
export function stateBadge({ words, shape, helps, sign }) {
  const path = STATES[shape];
  return make("span", { class: `badge${helps ? " ready" : ""}`, title: words, role: "img", "aria-label": words }, path ? draw("svg", { class: "icon", viewBox: "-8 -8 16 16", "aria-hidden": "true" }, draw("path", { d: path })) : null, sign || (path ? null : letters(words)));
}

/** @param {Thing} thing */
function trackNode(thing) {
  const cells = Array.from({ length: Math.min(40, thing.track) }, (_, i) => make("i", { class: i >= thing.track - thing.harm ? "gone" : undefined }));
  return thing.track ? make("span.track", { role: "img", "aria-label": `harm ${thing.harm} of ${thing.track}` }, ...cells) : null;
}

/** Where a thing is, or what has become of it, in a word.  @param {Thing} thing  @param {boolean} acts  @param {boolean} acted */
const endWords = (thing, acts, acted) => thing.gone ? said(thing.gone) : acts ? "acts" : thing.place.place === "off" ? said(thing.place.why) || "off" : thing.place.place === "in" ? `in ${nameOf(thing.place.holder)}` : acted ? "acted" : "";

/** The numbers a ruleset keeps of a thing and shows no other way.
 *  @param {Record<string, number>} counts */
function countWords(counts) {
  const looks = ruleset()?.looks ?? {}, notes = ruleset()?.notes ?? [];
  return Object.entries(counts).filter(([what, n]) => !looks[what] && !notes.some((note) => what === note || what.startsWith(`${note} of `))).map(([what, n]) => `${said(what)} ${n}`);
}

/** What several models have among them.  @param {Thing[]} members */
function amongThem(members) {
  const sum = /** @type {Record<string, number>} */ ({});
  for (const one of members) for (const [what, n] of Object.entries(one.counts)) sum[what] = (sum[what] ?? 0) + n;
  return sum;
}

/** The states a row shows as badges, in words.  @param {Thing} thing */
const stateWords = (thing) => signsOf(thing).map((sign) => sign.words.split(": ").at(-1) ?? "");

/** What is left of something that is hurt point by point.  @param {Thing[]} models */
function leftWords(models) {
  const whole = models.reduce((sum, one) => sum + one.track, 0), left = models.reduce((sum, one) => sum + (one.gone ? 0 : Math.max(0, one.track - one.harm)), 0);
  return models.some((one) => one.track > 2) ? [`${left} of ${whole} left`] : [];
}

/** @param {string} id */
const has = (id) => { const { table } = shown(); return table !== null && hasActed(table, id); };

/** @param {Thing} thing  @param {boolean} acts  @param {string} end  @param {Node | null} under  @param {string[]} also */
function rowNode(thing, acts, end, under, also) {
  const acted = has(thing.id), name = thing.kind === "unit" ? thing.label : state.cards[thing.card] || said(thing.card) || said(thing.glyph) || thing.kind;
  return make("button", { class: `model-row ${sideClass(thing.side)}${acts ? " active" : ""}${thing.gone ? " lost" : ""}${state.looked === thing.id ? " looked" : ""}`, "aria-pressed": state.looked === thing.id, "data-key": `row-${thing.id}`, onclick: () => change({ looked: state.looked === thing.id ? "" : thing.id }) },
    pennant(callOf(thing.id), thing.side, acted), make("span", {}, make("span.model-name", {}, thing.kind !== "unit" && make("span.visually-hidden", {}, thing.label || thing.id), name), under),
    make("span.row-end", {}, ...signsOf(thing).slice(0, 4).map(stateBadge), end), also.length > 0 && make("span.facts", {}, also.join(" · ")));
}

/** @param {Thing} thing  @param {Set<string>} acting */
function row(thing, acting) {
  const acts = acting.has(thing.id) || Boolean(thing.unit && acting.has(thing.unit));
  return rowNode(thing, acts, endWords(thing, acts, has(thing.id)), trackNode(thing), thing.gone ? [] : [...leftWords([thing]), ...countWords(thing.counts), ...stateWords(thing)]);
}

/** Whether a model is out of the battle, though it may still lie on the table.  @param {Thing} one */
const isOut = (one) => Boolean(one.gone || one.track && one.harm >= one.track);

/** A unit in one row, a cell a model: what is lost is hollow, what is harmed is half.  @param {import("./units.js").Unit} unit  @param {Set<string>} acting */
function unitRows({ thing, members }, acting) {
  const acts = acting.has(thing.id), there = members.filter((one) => !isOut(one)), open = state.looked === thing.id || members.some((one) => one.id === state.looked);
  const cells = make("span.track.heads", { role: "img", "aria-label": `${there.length} of ${members.length} in play` }, ...members.map((one) => make("i", { class: isOut(one) ? "gone" : one.harm ? "half" : undefined })));
  const left = there.length ? thing : { ...thing, gone: thing.gone || "lost" };
  const end = there.every((one) => one.place.place !== "at") ? endWords(there[0] ?? left, acts, false) : acts ? "acts" : has(thing.id) ? "acted" : "";
  const hurt = there.filter((one) => one.harm).length, facts = [`${there.length}${there.length < members.length ? ` of ${members.length}` : ""} ${members.length > 1 ? "models" : "model"}`, ...leftWords(members), ...(hurt && !leftWords(members).length ? [`${hurt} hurt`] : []), ...countWords(thing.counts), ...countWords(amongThem(there)), ...stateWords(thing)];
  return [rowNode(left, acts, end, cells, there.length ? facts : []), ...(open ? [details(thing), make("div.members", {}, ...members.flatMap((one) => (state.looked === one.id ? [row(one, acting), details(one)] : [row(one, acting)])))] : [])];
}

/** Everything about the model that is looked at.  @param {Thing} thing */
function details(thing) {
  const facts = [...Object.entries(thing.counts).map(([what, n]) => [said(what), String(n)]), ...Object.entries(thing.states).map(([name, m]) => [ruleset()?.looks[name]?.words || said(name), `${m.value === 1 ? "" : Array.isArray(m.value) ? m.value.map(nameOf).join(", ") : typeof m.value === "string" ? nameOf(m.value) : m.value}${m.until ? ` until ${said(m.until)}` : ""}`])];
  return make("div.details", {}, make("ul.parts", {}, ...facts.map(([what, much]) => make("li", {}, make("span", {}, what), make("span.dots"), make("span.figure", {}, much || "yes")))),
    thing.card && make("button.card-link", { "data-key": `card-${thing.id}`, onclick: () => change({ beside: `card ${thing.id}` }) }, icon("forces"), "Its card"));
}

/** @param {HTMLElement} place  @param {Set<string>} changed */
export function drawForces(place, changed) {
  if (!["table", "moment", "head", "looked", "seats", "acted", "rulesets", "cards"].some((name) => changed.has(name))) return;
  const { table } = shown();
  if (!table) return;
  const acting = new Set(actingNow(table).slice(1)), units = unitsOf(table), mine = state.situation?.side ?? "", sides = [...table.sides.filter((side) => side !== mine), ...table.sides.filter((side) => side === mine)];
  const hand = (/** @type {string} */ side) => heldModule(table)?.heldNodes(table, side) ?? [], own = hand(mine);
  renew(place, own.length > 0 && make("div", { class: `force ${sideClass(mine)}` }, ...own), ...sides.map((side) => {
    const seat = state.seats.find((one) => one.side === side), models = Object.values(table.things).filter((t) => t.kind === "model" && t.side === side);
    const who = side === mine && state.welcome?.role === "seat" ? "you" : seat?.kind === "bot" ? `computer, ${seat.bot}` : `${seat?.name || "a player"}${seat && !seat.here ? ", away" : ""}`;
    const score = table.scores[side], alone = models.filter((thing) => !units.has(thing.unit)), grouped = [...units.values()].filter((unit) => unit.thing.side === side);
    return make("div", { class: `force ${sideClass(side)}` }, make("h2.force-head", {}, mark(side), make("span.label", {}, capital(side)), score !== undefined && make("span.figure", {}, `${score} points`), make("span.who", {}, who)),
      ...(side === mine ? [] : hand(side)), ...grouped.flatMap((unit) => unitRows(unit, acting)), ...alone.flatMap((thing) => state.looked === thing.id ? [row(thing, acting), details(thing)] : [row(thing, acting)]), !models.length && make("p.empty", {}, "Nothing on the table yet."));
  }));
}
