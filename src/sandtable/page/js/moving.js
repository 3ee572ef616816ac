// Drafts of place and move: where the thing in the hand goes, by square, numbers and buttons beside the board.

import { ALL, dropLeg, handful, inHand, middleOf, pressGround, toggleMark, tryValue, turnHand, walked } from "./drafting.js";
import { compass, squareOf } from "./geometry.js";
import { icon } from "./icons.js";
import { ruleLink } from "./log.js";
import { overlaySwitches } from "./overlay.js";
import { make } from "./pen.js";
import { change, distance, measuring, nameOf, spent, state } from "./state.js";
/** @import { Point, PlaceThings, Spot, MoveModels, Walk } from "./types.js" */

/** Which of several things is in the hand.  @param {string[]} things  @param {string} hand  @param {(id: string) => boolean} done  @param {boolean} [all] whether they may be moved as one */
function hands(things, hand, done, all = false) {
  if (things.length < 2) return null;
  return make("div.hands", { role: "group", "aria-label": "In your hand" }, all && make("button.chip", { "aria-pressed": hand === ALL, "data-key": "hand-all", onclick: () => change({ hand: ALL }) }, "All together"), ...things.map((id) => make("button.chip", { "aria-pressed": id === hand, "data-key": `hand-${id}`, onclick: () => change({ hand: id }) }, `${nameOf(id)}${done(id) ? " ✓" : ""}`)));
}

/** Two numbers for a point, for those who do not point.  @param {string} key  @param {Point | null} point  @param {(p: Point) => void} set */
function pointFields(key, point, set) {
  const ground = state.ground, shown = (/** @type {number} */ axis) => point ? String(+(point[axis] / 1000).toFixed(3)) : "";
  const field = (/** @type {string} */ name, /** @type {number} */ axis, /** @type {number} */ most) => make("label.number", {}, make("span", {}, name), make("input.box", { type: "number", step: "0.1", min: 0, max: most / 1000, inputmode: "decimal", value: shown(axis), "data-key": `${key}-${name}`, onchange: (/** @type {Event} */ e) => {
    const node = /** @type {HTMLInputElement} */ (e.target), n = Math.round(Number(node.value) * 1000), other = point ?? [Math.round((ground?.width ?? 0) / 2), Math.round((ground?.height ?? 0) / 2)];
    if (node.value !== "" && Number.isFinite(n)) set(axis ? [other[0], n] : [n, other[1]]);
  } }));
  return make("div.point-fields", {}, field("east", 0, ground?.width ?? 0), field("south", 1, ground?.height ?? 0));
}

const turnButtons = () => [[-15, "Turn 15° left", "turnleft"], [15, "Turn 15° right", "turnright"]].map(([by, label, name]) => make("button", { "aria-label": label, title: label, "data-key": `turn${by}`, onclick: () => turnHand(Number(by)) }, icon(String(name)), `${Number(by) > 0 ? "+" : "−"}15°`));

/** @param {PlaceThings} question  @param {Record<string, Spot>} value */
export function placeThings(question, value = {}) {
  const hand = inHand(question, value), spot = value[hand], region = question.where[hand] ?? question.where[""], at = spot?.where.place === "at" ? spot.where : null;
  const set = (/** @type {Spot} */ next) => { change({ hand }); tryValue({ ...value, [hand]: next }); };
  const where = at && state.ground ? make("div.spot", {}, make("b.figure", {}, squareOf(at.point, state.ground)), make("span", {}, question.faces ? `facing ${compass(spot.facing)}, ${spot.facing}°` : ""), make("span.figure", {}, measuring() ? `${distance(at.point[0])}, ${distance(at.point[1])}` : ""))
    : spot?.where.place === "in" ? make("div.spot", {}, make("b.figure", {}, `in ${nameOf(spot.where.holder)}`), spot.where.slot) : make("p.note", {}, `Press the board where ${nameOf(hand) || "it"} goes${region?.label ? `: ${region.label}` : ""}.`);
  const levels = region && region.levels.length > 1 && at ? make("label.number", {}, make("span", {}, "level"), make("select.box", { "data-key": "level", onchange: (/** @type {Event} */ e) => set({ ...spot, where: { ...at, level: Number(/** @type {HTMLSelectElement} */ (e.target).value) } }) }, ...region.levels.map((n) => make("option", { value: String(n), selected: n === at.level }, String(n))))) : null;
  const slots = (region?.slots ?? []).map((slot) => make("button.option", { "data-key": `slot-${slot.holder}-${slot.slot}`, role: "radio", "aria-checked": JSON.stringify(spot?.where) === JSON.stringify(slot), onclick: () => set({ where: slot, facing: 0 }) }, make("span"), make("b", {}, `in ${nameOf(slot.holder)}${slot.slot ? `, ${slot.slot}` : ""}`)));
  const facing = question.faces && spot ? make("div.aim", {}, ...turnButtons(), make("label.dial", {}, make("span.visually-hidden", {}, "Facing in degrees"), make("input", { type: "range", min: 0, max: 359, step: 5, value: String(spot.facing), "data-key": "dial", oninput: (/** @type {Event} */ e) => set({ ...spot, facing: Number(/** @type {HTMLInputElement} */ (e.target).value) }) }))) : null;
  return make("div", {}, hands(question.things, hand, (id) => id in value), where, slots.length > 0 && make("div.options", { role: "radiogroup", "aria-label": "Inside" }, ...slots), Boolean(region?.inside.length || !slots.length) && pointFields("spot", at?.point ?? null, (point) => pressGround(point)), levels, facing,
    question.together && make("p.note", {}, question.together.label || [question.together.within !== null ? `each within ${distance(question.together.within)} of another` : "", question.together.touching ? "touching" : ""].filter(Boolean).join(", ")));
}

/** @param {MoveModels} question  @param {Record<string, Walk>} value */
export function moveModels(question, value = {}) {
  const hand = inHand(question, value), held = handful(question, hand), thing = held[0], walk = value[thing?.id];
  if (!thing) return make("p.note", {}, "Nothing to move.");
  const { facing, length, level } = walked(thing, walk), end = middleOf(held, value), turns = question.faces, allowance = Math.min(...held.map(({ id }) => question.allowance[id] ?? Infinity));
  const legs = (walk?.legs ?? []).map((leg, i) => make("li", {}, make("span", {}, leg.by === "via" ? `to ${state.ground ? squareOf(leg.point, state.ground) : ""}${leg.level ? `, level ${leg.level}` : ""}` : [leg.turn ? `turn ${Math.abs(leg.turn)}° ${leg.turn > 0 ? "right" : "left"}` : "", leg.go ? `go ${measuring() ? distance(Math.abs(leg.go)) : "on"}${leg.go < 0 ? " backwards" : ""}` : ""].filter(Boolean).join(", ") || "stay"), make("span.dots"), i === (walk?.legs.length ?? 0) - 1 ? make("button.chip", { "data-key": "drop-leg", onclick: () => dropLeg() }, "take back") : make("span")));
  const marks = question.marks.map((one) => make("button", { class: walk?.marks[one.id] === undefined ? undefined : "set", "aria-pressed": walk?.marks[one.id] !== undefined, "data-key": `mark-${one.id}`, onclick: () => toggleMark(one.id) }, icon("aim"), `${one.label || one.id}${walk?.marks[one.id] === undefined ? "" : `, at ${measuring() ? distance(walk.marks[one.id]) : "the end so far"}`}${one.required ? " (needed)" : ""}`));
  const climb = (/** @type {number} */ by) => tryValue({ ...value, ...Object.fromEntries(held.map((one) => { const at = walked(one, value[one.id]); return [one.id, { legs: [...(value[one.id]?.legs ?? []), { by: "via", point: at.end, level: at.level + by }], marks: value[one.id]?.marks ?? {} }]; })) });
  const levels = state.ground?.pieces.some((piece) => piece.contours.length || piece.parts.some((part) => part.level > 0)) || level !== 0;
  const stairs = turns || !levels ? null : make("div.aim", {}, make("button", { "data-key": "up", onclick: () => climb(1) }, "one level up"), make("button", { "data-key": "down", onclick: () => climb(-1) }, "one level down"));
  const bound = question.bound_to[thing.id];
  return make("div", {}, hands(question.models, hand, (id) => Boolean(value[id]?.legs.length), true),
    make("div.spot", {}, make("b.figure", {}, state.ground ? squareOf(end, state.ground) : ""), make("span", {}, `${!length ? "where it stands" : measuring() ? `${distance(length)} on` : "on its way"}${turns ? `, facing ${facing}°` : ""}`), make("span.figure", {}, allowance < Infinity ? `may use ${spent(allowance, allowance)}` : "")),
    legs.length > 0 ? make("ol.legs", {}, ...legs) : make("p.note", {}, turns && !allowance ? "Turn it, or leave it as it is." : `Press the board where ${held.length > 1 ? "they go" : "it goes"}; each press is a leg.${turns && matchMedia("(pointer: fine)").matches ? " Shift backs up." : ""}`),
    state.overdrawn && make("p.note.cut-short", { role: "status" }, icon("no"), ` Cut short: ${state.overdrawn.why.sentence} `, state.overdrawn.why.rule && ruleLink(state.overdrawn.why.rule, "The rule")),
    turns && make("div.aim", {}, ...turnButtons(), allowance > 0 && make("button", { class: state.backwards ? "set" : undefined, "aria-pressed": state.backwards, "data-key": "backwards", onclick: () => change({ backwards: !state.backwards }) }, icon("undo"), "back up")), stairs, marks.length > 0 && make("div.aim", {}, ...marks),
    overlaySwitches(question, () => tryValue(value)),
    make("details.by-number", {}, make("summary", { "data-key": "by-number" }, "By numbers"), pointFields("leg", end, (point) => pressGround(point))),
    question.manner && make("p.note", {}, question.manner), bound && make("p.note", {}, "Its path is bound to what was declared."), question.ends?.label && make("p.note", {}, `It ends ${question.ends.label}.`), question.together && make("p.note", {}, question.together.label || "They keep together."));
}
