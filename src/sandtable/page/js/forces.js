// Forces: a row a model, its track, its states; press a row to look at the model.

import { HELPS, STATES, icon, letters, mark, pennant, sideClass } from "./icons.js";
import { shown } from "./moments.js";
import { draw, make, renew } from "./pen.js";
import { change, nameOf, ruleset, said, state } from "./state.js";
import { capital } from "./table-words.js";

/** @typedef {import("./types.js").Thing} Thing */

/** @param {string} name */
export function stateBadge(name) {
  const look = ruleset()?.looks[name], helps = look?.helps ?? HELPS.has(look?.shape ?? ""), words = look?.words || said(name), path = STATES[look?.shape ?? ""];
  return make("span", { class: `badge${helps ? " ready" : ""}`, title: words, role: "img", "aria-label": words }, path ? draw("svg", { class: "icon", viewBox: "-8 -8 16 16", "aria-hidden": "true" }, draw("path", { d: path })) : letters(words));
}

/** The states of a thing that the ruleset shows.  @param {Thing} thing */
const statesOf = (thing) => { const looks = ruleset()?.looks ?? {}; return Object.keys(thing.states).filter((one) => !Object.keys(looks).length || one in looks); };

/** @param {Thing} thing */
function trackNode(thing) {
  const cells = Array.from({ length: Math.min(40, thing.track) }, (_, i) => make("i", { class: i >= thing.track - thing.harm ? "gone" : undefined }));
  return thing.track ? make("span.track", { role: "img", "aria-label": `harm ${thing.harm} of ${thing.track}` }, ...cells) : null;
}

/** @param {Thing} thing  @param {Set<string>} acting */
function row(thing, acting) {
  const acts = acting.has(thing.id) || Boolean(thing.unit && acting.has(thing.unit)), counts = Object.entries(thing.counts).map(([what, n]) => `${n} ${said(what)}`);
  const end = thing.gone ? said(thing.gone) : acts ? "acts" : thing.place.place === "off" ? said(thing.place.why) || "off" : thing.place.place === "in" ? `in ${nameOf(thing.place.holder)}` : state.acted.has(thing.id) ? "acted" : "";
  return make("button", { class: `model-row ${sideClass(thing.side)}${acts ? " active" : ""}${thing.gone ? " lost" : ""}${state.looked === thing.id ? " looked" : ""}`, "aria-pressed": state.looked === thing.id, "data-key": `row-${thing.id}`, onclick: () => change({ looked: state.looked === thing.id ? "" : thing.id }) },
    pennant(thing.label || thing.id, thing.side, state.acted.has(thing.id)), make("span", {}, make("span.model-name", {}, make("span.visually-hidden", {}, thing.label || thing.id), state.cards[thing.card] || said(thing.card) || said(thing.glyph) || thing.kind, make("span.facts", {}, counts.slice(0, 2).join(" · "))), trackNode(thing)),
    make("span.row-end", {}, ...statesOf(thing).slice(0, 3).map(stateBadge), end));
}

/** Everything about the model that is looked at.  @param {Thing} thing */
function details(thing) {
  const facts = [...Object.entries(thing.counts).map(([what, n]) => [said(what), String(n)]), ...Object.entries(thing.states).map(([name, m]) => [ruleset()?.looks[name]?.words || said(name), `${m.value === 1 ? "" : Array.isArray(m.value) ? m.value.map(nameOf).join(", ") : typeof m.value === "string" ? nameOf(m.value) : m.value}${m.until ? ` until ${m.until}` : ""}`])];
  return make("div.details", {}, make("ul.parts", {}, ...facts.map(([what, much]) => make("li", {}, make("span", {}, what), make("span.dots"), make("span.figure", {}, much || "yes")))),
    thing.card && make("a.card-link", { href: `#/forces/${state.welcome?.ruleset}/${thing.card}` }, icon("forces"), "Its card"));
}

/** @param {HTMLElement} place  @param {Set<string>} changed */
export function drawForces(place, changed) {
  if (!["table", "moment", "looked", "seats", "acted", "rulesets", "cards"].some((name) => changed.has(name))) return;
  const { table } = shown();
  if (!table) return;
  const acting = new Set(table.acting.slice(1)), mine = state.situation?.side ?? "", sides = [...table.sides.filter((side) => side !== mine), ...table.sides.filter((side) => side === mine)];
  renew(place, ...sides.map((side) => {
    const seat = state.seats.find((one) => one.side === side), models = Object.values(table.things).filter((t) => t.kind === "model" && t.side === side);
    const who = side === mine && state.welcome?.role === "seat" ? "you" : seat?.kind === "bot" ? `computer, ${seat.bot}` : `${seat?.name || "a player"}${seat && !seat.here ? ", away" : ""}`;
    const score = table.scores[side];
    return make("div", { class: `force ${sideClass(side)}` }, make("h2.force-head", {}, mark(side), make("span.label", {}, capital(side)), score !== undefined && make("span.figure", {}, `${score} points`), make("span.who", {}, who)),
      ...models.flatMap((thing) => state.looked === thing.id ? [row(thing, acting), details(thing)] : [row(thing, acting)]), !models.length && make("p.empty", {}, "Nothing on the table yet."));
  }));
}
