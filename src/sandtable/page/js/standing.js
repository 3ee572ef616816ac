// What stands on the board: models, the ground their units hold, markers; and the flags and badges above them.

import { asked } from "./drafting.js";
import { GLYPHS, sideClass } from "./icons.js";
import { badgeNodes, flagNode, modelNode, scaleOf } from "./models.js";
import { draw, steady } from "./pen.js";
import { picks } from "./pencil.js";
import { callOf, ruleset, state } from "./state.js";
import { modelWords } from "./table-words.js";
import { bearer, signsOf, stands, unitGround, unitsOf } from "./units.js";

/** @typedef {import("./geometry.js").Dot} Dot */
/** @typedef {import("./types.js").Thing} Thing */
/** @typedef {import("./types.js").TableShown} Table */

/** A name longer than this is shortened on a flag. */
const LONG = 14;

/** What is in the player's hand is drawn there, not where it stands. */
function lifted() {
  const now = asked(), { kind } = now?.question ?? {};
  if (!now || kind !== "move" && kind !== "place") return new Set();
  return new Set(Object.entries(now.value ?? {}).filter(([, v]) => kind === "place" || v.legs.length).map(([id]) => id));
}

/** Everything that stands, and its signs.  @param {Table} table  @param {import("./geometry.js").Lay} lay  @returns {{nodes: SVGElement[], signs: SVGElement[]}} */
export function standing(table, lay) {
  const chosen = picks(), acting = new Set(table.acting.slice(1)), held = lifted(), faces = ruleset()?.faces ?? true, units = unitsOf(table);
  const nodes = /** @type {SVGElement[]} */ ([]), signs = /** @type {SVGElement[]} */ ([]), grounds = /** @type {SVGElement[]} */ ([]);
  const pickOf = (/** @type {Thing} */ thing) => (state.lit && [thing.id, thing.unit].includes(state.lit) ? "chosen" : chosen.get(thing.id) ?? (thing.unit ? chosen.get(thing.unit) : undefined) ?? "");
  const acts = (/** @type {Thing} */ thing) => acting.has(thing.id) || Boolean(thing.unit && acting.has(thing.unit)), acted = (/** @type {Thing} */ thing) => state.acted.has(thing.id) || Boolean(thing.unit && state.acted.has(thing.unit));
  const sign = (/** @type {string} */ id, /** @type {SVGElement[]} */ ...made) => { for (const one of made) one.dataset.of = id; signs.push(...made); };
  const dot = (/** @type {Thing} */ thing) => lay.dot(/** @type {import("./types.js").At} */ (thing.place).point);
  const there = Object.values(table.things).filter(stands).sort((a, b) => dot(a)[1] - dot(b)[1]);
  for (const thing of there) {
    if (held.has(thing.id)) continue;
    const unit = units.get(thing.unit), at = dot(thing), words = modelWords(table, state.ground, thing), looked = state.looked === thing.id;
    if (thing.kind !== "model" && !thing.base) { nodes.push(markerNode(thing, table, at, words, { pick: pickOf(thing), looked })); continue; }
    const pose = /** @type {import("./models.js").Pose} */ ({ at, facing: lay.facing(thing.facing), active: !unit && acts(thing), acted: acted(thing), pick: unit && chosen.get(thing.id) === undefined ? "" : pickOf(thing), looked, faces: faces || (thing.base?.form ?? "circle") !== "circle", plain: Boolean(unit) });
    nodes.push(modelNode(thing, pose, words));
    if (!unit) sign(thing.id, flagNode(thing, pose));
    else if (looked || chosen.has(thing.id)) sign(thing.id, callNode(thing, at));
    sign(thing.id, ...badgeNodes(signsOf(thing), at, scaleOf(thing)));
  }
  for (const unit of units.values()) {
    const members = unit.members.filter((one) => stands(one) && !held.has(one.id)), first = bearer({ ...unit, members });
    if (!first) continue;
    const { thing } = unit, dots = members.map(dot), pose = /** @type {import("./models.js").Pose} */ ({ at: dot(first), facing: 0, active: acts(thing) || members.some(acts), acted: acted(thing) }), pick = pickOf(thing);
    grounds.push(unitGround({ thing, members }, dots, { active: Boolean(pose.active), pick, looked: state.looked === thing.id }));
    const low = dots.reduce((a, b) => (b[1] + b[0] * .2 > a[1] + a[0] * .2 ? b : a));
    sign(first.id, flagNode(thing, pose, thing.label.length > LONG ? callOf(thing.id) : thing.label));
    sign(members[dots.indexOf(low)].id, ...badgeNodes(signsOf(thing), low, 1, 1));
  }
  return { nodes: [...grounds, ...nodes], signs };
}

/** The call sign of one of many.  @param {Thing} thing  @param {Dot} at */
const callNode = (thing, at) => steady(at, draw("text", { class: "member-call", y: -16, "text-anchor": "middle" }, thing.label || thing.id));

/** A marker: a token that keeps its size, its name below; in the colours of the side that one of its states names.
 *  @param {Thing} thing  @param {Table} table  @param {Dot} at  @param {string} words  @param {{pick: string, looked: boolean}} how */
function markerNode(thing, table, at, words, { pick, looked }) {
  const owner = thing.side || Object.values(thing.states).map((mark) => String(mark.value)).find((value) => table.sides.includes(value)) || "";
  const node = steady(at, draw("circle", { class: "marker-focus", r: 17 }), draw("path", { class: "marker-shadow", d: "M-9 3L3 15 15 3 3-9Z" }), draw("path", { class: "marker-token", d: "M0-13L13 0 0 13-13 0Z" }), draw("path", { class: "marker-sign", d: GLYPHS[thing.glyph] ?? GLYPHS.command, "fill-rule": "evenodd", transform: "translate(-7.2 -7.4) scale(.6)" }),
    draw("text", { class: "marker-name", y: 27, "text-anchor": "middle" }, thing.label || thing.id));
  for (const [key, value] of Object.entries({ role: "button", tabindex: -1, "aria-label": owner && !thing.side ? `${words}, ${owner}` : words, "data-thing": thing.id, "data-key": thing.id })) node.setAttribute(key, String(value));
  node.classList.add("model", "marker", owner ? sideClass(owner) : "nobody");
  if (pick) node.classList.add(`pick-${pick}`);
  if (looked) node.classList.add("looked");
  return node;
}

/** How flags may hang from their poles: to the right, to the left, lower, and lower to the left. */
const WAYS = /** @type {[number, number][]} */ ([[0, 0], [-1, 0], [0, 18], [-1, 18], [0, -18], [-1, -18]]);

/** Let no flag cover another or hang over the rim, as far as it can be helped.  @param {SVGElement} layer  @param {number} scale pixels a unit  @param {number} width of the table */
export function spread(layer, scale, width) {
  const taken = /** @type {[number, number, number, number][]} */ ([]);
  for (const cloth of layer.querySelectorAll(".flying")) {
    const { w = "0", y = "0" } = /** @type {SVGElement} */ (cloth).dataset, pole = /** @type {SVGElement} */ (cloth.parentNode).dataset, wide = Number(w), px = Number(pole.x) * scale, py = Number(pole.y) * scale + Number(y);
    const boxes = WAYS.map(([left, down]) => /** @type {[number, number, number, number]} */ ([px + left * (wide + 2), py + down, wide, 17]));
    const free = Math.max(0, boxes.findIndex((box) => box[0] + box[2] < (width + 1.2) * scale && !taken.some((one) => box[0] < one[0] + one[2] && one[0] < box[0] + box[2] && box[1] < one[1] + one[3] && one[1] < box[1] + box[3])));
    taken.push(boxes[free]);
    cloth.setAttribute("transform", `translate(${WAYS[free][0] ? -wide - .8 : .8} ${Number(y) + WAYS[free][1]})`);
  }
}
