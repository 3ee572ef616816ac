// What may be switched on while a move is drawn: range bands and arcs, and who threatens the place; and what each ring of reach costs.

import { between, lineOf, outline, round, shapePath, towards } from "./geometry.js";
import { icon, mark, sideClass } from "./icons.js";
import { ruleLink } from "./log.js";
import { draw, group, make, steady, word } from "./pen.js";
import { setSettings, settings } from "./shelf.js";
import { nameOf, state } from "./state.js";

/** @import { Dot, Lay } from "./geometry.js" */
/** @import { Preview } from "./types.js" */
/** @typedef {"ranges" | "threats"} Overlay */

/** What is switched on.  @param {Overlay} name */
export const switchedOn = (name) => settings()[name] === "on";
/** What a draft asks for besides.  @param {import("./types.js").AnyQuestion} question  @returns {("costs" | "ranges" | "threats")[]} */
export const wanted = (question) => (question.kind !== "move" ? [] : [...(question.shows.includes("reach") ? [/** @type {"costs"} */ ("costs")] : []), ...(question.shows.includes("distance") ? /** @type {Overlay[]} */ (["ranges", "threats"]).filter(switchedOn) : [])]);

/** @param {Overlay} name  @param {() => void} again */
export function switchOver(name, again) {
  setSettings({ [name]: switchedOn(name) ? "" : "on" });
  again();
}

const NAMES = /** @type {[Overlay, string, string, string][]} */ ([["ranges", "ruler", "Ranges and arcs", "R"], ["threats", "eye", "Who threatens it", "E"]]);
/** The switches, where something is moved and may be measured.  @param {import("./types.js").AnyQuestion} question  @param {() => void} again */
export const overlaySwitches = (question, again) => (question.shows.includes("distance") ? make("div.aim.overlays", { role: "group", "aria-label": "Shown on the board" }, ...NAMES.map(([name, sign, words, key]) => make("button", { class: switchedOn(name) ? "set" : undefined, "aria-pressed": switchedOn(name), "data-key": `overlay-${name}`, onclick: () => switchOver(name, again) }, icon(sign), words, make("kbd", {}, key)))) : null);

/** Where the words of a ring stand: on its edge, on the table, as far to one side as may be.  @param {Dot[]} dots  @param {Lay} lay  @param {Dot} way */
function edgeDot(dots, lay, [x, y]) {
  const there = dots.filter((dot) => dot[0] > 1 && dot[1] > 1 && dot[0] < lay.width - 3 && dot[1] < lay.height - 1);
  return there.length ? there.reduce((a, b) => (b[0] * x + b[1] * y > a[0] * x + a[1] * y ? b : a)) : null;
}

/** Rings and arcs, under the models.  @param {Preview} preview  @param {Lay} lay */
export function ringNodes(preview, lay) {
  const clip = draw("clipPath", { id: "on-the-table" }, draw("rect", { width: lay.width, height: lay.height })), layer = draw("g", { class: "rings", "clip-path": "url(#on-the-table)" }), words = group("ring-words"), said = new Set();
  preview.rings.forEach((ring, i) => {
    const last = ring.what === "cost" && !preview.rings.slice(i + 1).some((one) => one.what === "cost" && one.label !== ring.label);
    // The last ring is the edge of what is in reach, which is drawn already.
    if (!last) for (const under of ring.what === "range" ? [" under", ""] : [""]) layer.append(draw("path", { class: `ring ring-${ring.what}${under}`, d: shapePath(ring.shape, lay) }));
    const at = said.has(ring.what + ring.label) ? null : edgeDot(outline(ring.shape, lay), lay, ring.what === "cost" ? [.8, .6] : ring.what === "arc" ? [0, 0] : [.55, -.84]);
    if (at) words.append(word(at, ring.label, `ring-word ${ring.what}`));
    said.add(ring.what + ring.label);
  });
  return [clip, layer, words];
}

/** Who threatens it: a line from each, over the models.  @param {Preview} preview  @param {Lay} lay */
export const threatNodes = (preview, lay) => preview.threats.map((threat) => {
  const a = lay.dot(threat.start), b = lay.dot(threat.end), side = state.table?.things[threat.by]?.side ?? "", d = lineOf([a, b]), from = between(a, b, .5), facing = Math.atan2(b[1] - a[1], b[0] - a[0]) * 180 / Math.PI, head = [towards(b, facing + 155, .8), b, towards(b, facing - 155, .8)];
  const node = draw("g", { class: `threat ${sideClass(side)}` }, draw("path", { class: "threat-under", d }), draw("path", { class: "threat-line", d }), draw("path", { class: "threat-head", d: lineOf(/** @type {Dot[]} */ (head), true) }), steady(from, draw("title", {}, `${nameOf(threat.by)}: ${threat.words}`)));
  return node;
});

/** The same in the slip, with what they would need.  @param {Preview} preview */
export function threatList(preview) {
  if (!switchedOn("threats") || state.situation?.question?.kind === "choose one") return null;
  return make("div.threats", {}, make("h3.label", {}, "Who threatens it"), preview.threats.length ? make("ul.parts", {}, ...preview.threats.map((one) => make("li", {}, mark(state.table?.things[one.by]?.side ?? ""), make("span", {}, make("b", {}, `${nameOf(one.by)}: `), ruleLink(one.rule, one.words))))) : make("p.note", {}, "Nobody, from where they stand now."));
}

/** What is aimed at: corners of a reticle, and how far it is.  @param {string} id  @param {Lay} lay */
export function aimedAt(id, lay) {
  const things = state.table?.things ?? {}, ids = things[id]?.place.place === "at" ? [id] : Object.values(things).filter((one) => one.unit === id && one.place.place === "at" && !one.gone).map((one) => one.id);
  const dots = ids.map((one) => lay.dot(/** @type {import("./types.js").At} */ (things[one].place).point));
  return dots.length ? /** @type {Dot} */ ([dots.reduce((sum, dot) => sum + dot[0], 0) / dots.length, dots.reduce((sum, dot) => sum + dot[1], 0) / dots.length]) : null;
}

/** @param {Dot} at */
export const reticle = ([x, y]) => ["reticle-under", "reticle"].map((name) => draw("path", { class: `${name} aimed`, d: [0, 90, 180, 270].map((a) => `M${towards([x, y], a, 1.5).map(round)}L${towards([x, y], a, 2.3).map(round)}`).join("") + `M${round(x - 1.9)} ${round(y)}a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0 -3.8 0` }));
