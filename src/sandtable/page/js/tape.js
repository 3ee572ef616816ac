// The measuring tape: from one spot to another, whenever the table lets anybody measure. It tells a distance and no rule.

import { round } from "./geometry.js";
import { draw, group } from "./pen.js";
import { tag } from "./pencil.js";
import { change, distance, measuring, nameOf, state } from "./state.js";

/** @import { Point } from "./types.js" */

/** @param {Point} a  @param {Point} b */
const far = (a, b) => distance(Math.hypot(b[0] - a[0], b[1] - a[1]));

/** Take the tape into the hand, or put it away. */
export function takeTape() {
  if (!measuring()) change({ tape: null, notice: "Nobody may measure now." });
  else change(state.tape ? { tape: null } : { tape: { from: null, to: null, at: "" }, notice: "The tape is in your hand: drag it over the board, or go from model to model." });
}

/** Hold an end of the tape to a spot: the first, or the other one.  @param {Point} point  @param {boolean} begins */
export function stretch(point, begins) {
  const from = begins ? null : state.tape?.from;
  change({ tape: { from: from ?? point, to: from ? point : null, at: "" } });
}

/** Hold the tape to a model: from the one it was held to before.  @param {string} id */
export function stretchTo(id) {
  const place = state.table?.things[id]?.place, tape = state.tape;
  if (!tape || place?.place !== "at" || tape.at === id) return;
  if (!tape.from) change({ tape: { from: place.point, to: null, at: id }, notice: `From ${nameOf(id)}.` });
  else change({ tape: { ...tape, to: place.point, at: id }, notice: `${far(tape.from, place.point)} to the middle of ${nameOf(id)}.` });
}

/** The tape as it lies.  @param {import("./geometry.js").Lay} lay */
export function tapeNode(lay) {
  const { tape } = state, layer = group("tape-layer");
  if (!tape?.from || !measuring()) return layer;
  const a = lay.dot(tape.from), b = tape.to ? lay.dot(tape.to) : a, d = `M${a.map(round)}L${b.map(round)}`;
  layer.append(...["path-under", "tape"].map((name) => draw("path", { class: name, d })), ...[a, b].map(([cx, cy]) => draw("circle", { class: "bead counts", cx, cy, r: .18 })));
  if (tape.to) layer.append(tag(b, far(tape.from, tape.to), { full: true, dx: 16, dy: -20, lead: false }));
  return layer;
}
