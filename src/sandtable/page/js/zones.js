// Zones: parts of the table that mean something. A side's own in its colour and its pattern, everybody's a dotted line.

import { boxOf, outline, shapePath } from "./geometry.js";
import { sideClass } from "./icons.js";
import { draw, group, word } from "./pen.js";
import { capital } from "./table-words.js";

/** @import { Lay } from "./geometry.js" */
/** @import { Zone } from "./types.js" */

/** The patterns of the sides, as stripes of their ink: diagonals, bars, dots, lattice. */
export function zonePatterns() {
  const marks = { red: "M-.2 1.4L1.4-.2M-.2.2L.2-.2M1 1.4L1.4 1", blue: "M0 .3H1.2M0 .9H1.2", green: "M.28.3h.04M.88.9h.04", grey: "M-.2 1.4L1.4-.2M-.2-.2L1.4 1.4" };
  return Object.entries(marks).map(([side, d]) => draw("pattern", { id: `zone-${side}`, width: 1.2, height: 1.2, patternUnits: "userSpaceOnUse" }, draw("path", { class: `area-mark side-${side}`, d })));
}

/** Where the name of a zone stands: in its far left corner, or below the ring that it is.  @param {Zone} zone  @param {Lay} lay  @returns {import("./geometry.js").Dot} */
function nameDot(zone, lay) {
  const [x0, y0, x1, y1] = boxOf(outline(zone.shape, lay)), middle = (y0 + y1) / 2;
  return zone.shape.shape === "disc" ? [(x0 + x1) / 2, y1 + .55] : [x0 + .6, middle > lay.height / 2 ? y0 + .75 : y1 - .5];
}

/** @param {Zone[]} zones  @param {Lay} lay */
export const zoneNodes = (zones, lay) => zones.map((zone) => {
  const d = shapePath(zone.shape, lay), name = word(nameDot(zone, lay), capital(zone.label), `area-name${zone.shape.shape === "disc" ? " ring" : ""}`);
  return group(`area ${zone.side ? sideClass(zone.side) : "nobody"}`, ...(zone.side ? [draw("path", { class: "area-ground", d }), draw("path", { class: "area-pattern", d, fill: `url(#zone-${zone.side})` })] : []), draw("path", { class: "area-under", d }), draw("path", { class: "area-edge", d }), name);
});
