// What stands on the board: models, the ground their units hold, markers; and the flags and badges above them.

import { asked } from "./drafting.js";
import { GLYPHS, sideClass } from "./icons.js";
import { POLE, badgeNodes, flagNode, modelNode, scaleOf, shortNames, tokenNodes } from "./models.js";
import { actingNow, hasActed } from "./moments.js";
import { draw, steady } from "./pen.js";
import { picks } from "./pencil.js";
import { callOf, ruleset, state } from "./state.js";
import { modelWords } from "./table-words.js";
import { bearer, signsOf, stands, unitGround, unitsOf } from "./units.js";

/** @import { Dot } from "./geometry.js" */
/** @import { Thing } from "./types.js" */
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
  const chosen = picks(), acting = new Set(actingNow(table).slice(1)), held = lifted(), faces = ruleset()?.faces ?? true, units = unitsOf(table);
  const nodes = /** @type {SVGElement[]} */ ([]), signs = /** @type {SVGElement[]} */ ([]), grounds = /** @type {SVGElement[]} */ ([]);
  // A model does what its unit does; a unit that belongs to another does not.
  const above = (/** @type {Thing} */ thing) => (thing.kind === "model" ? thing.unit : "");
  const pickOf = (/** @type {Thing} */ thing) => (state.lit && [thing.id, above(thing)].includes(state.lit) ? "chosen" : chosen.get(thing.id) ?? (above(thing) ? chosen.get(above(thing)) : undefined) ?? "");
  const acts = (/** @type {Thing} */ thing) => acting.has(thing.id) || acting.has(above(thing)), acted = (/** @type {Thing} */ thing) => hasActed(table, thing.id) || hasActed(table, above(thing));
  const sign = (/** @type {string} */ id, /** @type {SVGElement[]} */ ...made) => { for (const one of made) one.dataset.of = id; signs.push(...made); };
  const dot = (/** @type {Thing} */ thing) => lay.dot(/** @type {import("./types.js").At} */ (thing.place).point);
  const there = Object.values(table.things).filter(stands).sort((a, b) => dot(a)[1] - dot(b)[1]), called = markerNames(there.filter(isMarker));
  for (const thing of there) {
    if (held.has(thing.id)) continue;
    const unit = units.get(thing.unit), at = dot(thing), words = modelWords(table, state.ground, thing), looked = state.looked === thing.id;
    if (isMarker(thing)) { nodes.push(markerNode(thing, table, at, words, { pick: pickOf(thing), looked, name: state.ground?.pieces.some((piece) => piece.id === thing.id && piece.label) ? "" : called.get(thing.id) ?? thing.id })); continue; }
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
    const flag = flagNode(thing, pose, thing.label.length > LONG ? callOf(thing.id) : thing.label), { x, y } = flag.dataset;
    // Whoever carries it, it may stand by another of the unit where it would hide somebody.
    flag.dataset.poles = JSON.stringify([pose.at, ...dots].map((at) => [Number(x) + at[0] - pose.at[0], Number(y) + at[1] - pose.at[1]]));
    sign(first.id, flag);
    sign(members[dots.indexOf(low)].id, ...badgeNodes(signsOf(thing), low, 1, 1));
  }
  return { nodes: [...grounds, ...nodes], signs };
}

/** The call sign of one of many.  @param {Thing} thing  @param {Dot} at */
const callNode = (thing, at) => steady(at, draw("text", { class: "member-call", y: -16, "text-anchor": "middle" }, callOf(thing.id)));

/** @param {Thing} thing */
const isMarker = (thing) => thing.kind !== "model" && !thing.base;

/** What markers are called beside each other.  @param {Thing[]} markers  @returns {Map<string, string>} */
function markerNames(markers) {
  const names = shortNames(markers.map((one) => one.label));
  return new Map(markers.map((one, i) => [one.id, names[i] || one.id]));
}

/** A marker: a token that keeps its size, its name beside it; in the colours of the side that one of its states names.
 *  @param {Thing} thing  @param {Table} table  @param {Dot} at  @param {string} words  @param {{pick: string, looked: boolean, name: string}} how */
function markerNode(thing, table, at, words, { pick, looked, name }) {
  const owner = thing.side || Object.values(thing.states).map((mark) => String(mark.value)).find((value) => table.sides.includes(value)) || "";
  const node = steady(at, draw("circle", { class: "marker-focus", r: 17 }), ...tokenNodes(thing.glyph),
    draw("title", {}, words), draw("text", { class: "marker-name", y: 27, "text-anchor": "middle" }, name));
  for (const [key, value] of Object.entries({ role: "button", tabindex: -1, "aria-label": owner && !thing.side ? `${words}, ${owner}` : words, "data-thing": thing.id, "data-key": thing.id })) node.setAttribute(key, String(value));
  node.classList.add("model", "marker", owner ? sideClass(owner) : "nobody");
  if (pick) node.classList.add(`pick-${pick}`);
  if (looked) node.classList.add("looked");
  return node;
}

/** How flags may hang from their poles: to the right, to the left, lower, higher on a longer pole. */
const WAYS = /** @type {[number, number][]} */ ([[0, 0], [-1, 0], [0, 18], [-1, 18], [0, -18], [-1, -18], [0, -36], [-1, -36], [0, -54], [-1, -54]]);

/** Where the call sign of one of many may stand: above it, below it, to its right, to its left. */
const CALLS = /** @type {[number, number][]} */ ([[0, -16], [0, 27], [1, 5], [-1, 5]]);

/** @typedef {[number, number, number, number]} Box  Left, top, width and height, in pixels. */
/** @param {Box} a  @param {Box} b */
const meet = (a, b) => a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3];

/** Where the name of a marker may stand: below it, above it, to its right, to its left. */
const SEATS = /** @type {[string, number, number][]} */ ([["middle", 0, 27], ["middle", 0, -18], ["start", 17, 5], ["end", -17, 5]]);

/** Let no name of a marker cover another, a token or a flag; one that finds no room is not said, unless it is looked at.
 *  @param {SVGElement} layer  @param {number} scale pixels a unit  @param {Box[]} taken */
export function seatNames(layer, scale, taken) {
  const markers = /** @type {SVGElement[]} */ ([...layer.querySelectorAll(".marker")]), at = (/** @type {SVGElement} */ node) => [Number(node.dataset.x) * scale, Number(node.dataset.y) * scale];
  for (const node of markers) { const [x, y] = at(node); taken.push([x - 12, y - 12, 24, 24]); }
  for (const node of markers) {
    const text = /** @type {SVGElement} */ (node.querySelector(".marker-name")), wide = (text.textContent?.length ?? 0) * 6.2, [x, y] = at(node);
    const boxes = SEATS.map(([anchor, dx, dy]) => /** @type {Box} */ ([x + dx - (anchor === "middle" ? wide / 2 : anchor === "end" ? wide : 0), y + dy - 11, wide, 14]));
    const free = boxes.findIndex((box) => !taken.some((one) => meet(one, box))), [anchor, dx, dy] = SEATS[Math.max(0, free)];
    if (free >= 0) taken.push(boxes[free]);
    node.classList.toggle("unsaid", free < 0);
    for (const [key, value] of Object.entries({ "text-anchor": anchor, x: dx, y: dy })) text.setAttribute(key, String(value));
  }
}

/** Let no word on the map cover another or hang over the rim, seen from however far: names of places come first, what finds no room is
 *  not said.  @param {SVGElement} layer  @param {number} scale pixels a unit  @param {number} width of the table */
export function thinWords(layer, scale, width) {
  const taken = /** @type {Box[]} */ ([]), words = /** @type {SVGElement[]} */ ([...layer.querySelectorAll(".names .steady")]), named = (/** @type {SVGElement} */ node) => node.querySelector(".place-name") !== null;
  for (const node of [...words.filter(named), ...words.filter((one) => !named(one))]) {
    const wide = (node.textContent?.length ?? 0) * (node.querySelector(".made") ? 9 : 7), x = Number(node.dataset.x) * scale, y = Number(node.dataset.y) * scale, left = Math.max(3, Math.min(x - wide / 2, width * scale - wide - 3)), box = /** @type {Box} */ ([left, y - 9, wide, 18]), unsaid = wide > width * scale || taken.some((one) => meet(one, box));
    node.classList.toggle("unsaid", unsaid);
    node.firstElementChild?.setAttribute("x", String(Math.round(left + wide / 2 - x)));
    if (!unsaid) taken.push(box);
  }
}

/** Let no flag or name cover another or hang over the rim, as far as it can be helped.
 *  @param {SVGElement} layer of flags  @param {SVGElement} pieces  @param {number} scale pixels a unit  @param {number} width of the table */
export function spread(layer, pieces, scale, width) {
  const taken = /** @type {SVGElement[]} */ ([...layer.querySelectorAll("[data-badge]")]).map((sign) => { const at = /** @type {SVGElement} */ (sign.parentNode).dataset; return /** @type {Box} */ ([Number(at.x) * scale + Number(sign.dataset.badge) - 9, Number(at.y) * scale - 2, Number(sign.dataset.wide) - 3, 18]); });
  for (const call of layer.querySelectorAll(".member-call")) {
    const { x, y } = /** @type {SVGElement} */ (call.parentNode).dataset, wide = (call.textContent?.length ?? 0) * 7.5, boxes = CALLS.map(([dx, dy]) => /** @type {Box} */ ([Number(x) * scale + dx * (wide / 2 + 14) - wide / 2, Number(y) * scale + dy - 11, wide, 14])), free = Math.max(0, boxes.findIndex((box) => !taken.some((one) => meet(one, box))));
    taken.push(boxes[free]);
    for (const [key, value] of Object.entries({ x: CALLS[free][0] * (wide / 2 + 14), y: CALLS[free][1] })) call.setAttribute(key, String(value));
  }
  const bases = /** @type {SVGElement[]} */ ([...pieces.querySelectorAll(".model[data-r]")]).map((model) => { const { x = "0", y = "0", r = "0" } = model.dataset, half = Number(r) * scale; return { of: model.dataset.thing, box: /** @type {Box} */ ([Number(x) * scale - half, Number(y) * scale - half, 2 * half, 2 * half]) }; });
  for (const cloth of layer.querySelectorAll(".flying")) {
    const flag = /** @type {SVGElement} */ (cloth.parentNode), pole = flag.dataset, { w = "0", y = "0" } = /** @type {SVGElement} */ (cloth).dataset, wide = Number(w), poles = /** @type {Dot[]} */ (JSON.parse(pole.poles ?? `[[${pole.x},${pole.y}]]`));
    const seats = poles.flatMap((at) => WAYS.map((way) => ({ at, way }))), boxes = seats.map(({ at, way: [left, down] }) => /** @type {Box} */ ([at[0] * scale + left * (wide + 2), at[1] * scale + Number(y) + down, wide, 17]));
    // Another flag or a badge is never covered while there is another way, and of models as few as can be.
    const inside = (/** @type {Box} */ box) => box[0] > -1.2 * scale && box[0] + box[2] < (width + 1.2) * scale, cost = boxes.map((box) => (inside(box) ? 0 : 1000) + 100 * taken.filter((one) => meet(one, box)).length + bases.filter((one) => one.of !== pole.of && meet(one.box, box)).length);
    const free = cost.indexOf(Math.min(...cost)), { at, way: [left, down] } = seats[free], up = Math.min(0, down);
    taken.push(boxes[free]);
    [pole.x, pole.y] = at.map(String);
    flag.setAttribute("transform", `translate(${at}) scale(${1 / scale})`);
    cloth.setAttribute("transform", `translate(${left ? -wide - .8 : .8} ${Number(y) + down})`);
    for (const line of flag.querySelectorAll("line")) line.setAttribute("y2", String(POLE + up));
    flag.querySelector(".finial")?.setAttribute("cy", String(POLE + up - 1));
  }
  seatNames(pieces, scale, taken);
}
