// The editor's board: press to pick, drag to move, press the sand to lay the chosen kind; the same by keyboard.

import { land } from "./board.js";
import { Lay, apart, inside, outline, roomiest, round, shapePath } from "./geometry.js";
import { draw, fill, make, settle, word } from "./pen.js";
import { spaced, state } from "./state.js";
import { again, chosen, desk, lay as layDown, pieces, remove, shift, takeBack, zones, zoneShape } from "./scenario-desk.js";

/** @import { Dot } from "./geometry.js" */
/** @import { Picked } from "./scenario-desk.js" */

const ARROWS = /** @type {Record<string, Dot>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });

/** Everything that may be picked, with its outline; zones lie under pieces.  @param {Lay} lay  @returns {{pick: Picked, dots: Dot[], shape: import("./types.js").Shape}[]} */
function pickable(lay) {
  const found = /** @type {{pick: Picked, dots: Dot[], shape: import("./types.js").Shape}[]} */ ([]);
  zones().forEach((zone, n) => { const shape = zoneShape(zone); if (shape) found.push({ pick: { what: "zone", n }, dots: outline(shape, lay), shape }); });
  (desk.ground?.pieces ?? []).slice(0, pieces().length).forEach((piece, n) => found.push({ pick: { what: "piece", n }, dots: outline(piece.outline, lay), shape: piece.outline }));
  return found;
}

/** @param {Picked | null} a  @param {Picked | null} b */
const same = (a, b) => a?.what === b?.what && a?.n === b?.n;

/** The next thing to be picked, or the one before.  @param {Lay} lay  @param {1 | -1} way */
function step(lay, way) {
  const all = pickable(lay), at = all.findIndex(({ pick }) => same(pick, desk.picked));
  desk.picked = all.length ? all[(at + way + all.length + (at < 0 && way < 0 ? 1 : 0)) % all.length].pick : null;
  again();
}

/** Zones, what is picked and the cursor of the keyboard.  @param {Lay} lay */
function overlay(lay) {
  const nodes = pickable(lay).flatMap(({ pick, dots, shape }) => (pick.what === "zone" ? [draw("path", { class: "zone", d: shapePath(shape, lay), "data-zone": String(pick.n) }), word(roomiest(dots), zones()[pick.n].label || spaced(zones()[pick.n].id), "place-name small zone-name")] : []));
  const picked = pickable(lay).find(({ pick }) => same(pick, desk.picked));
  if (picked) nodes.push(draw("path", { class: "piece-picked", d: shapePath(picked.shape, lay) }));
  else if (desk.kind) { const [x, y] = lay.dot(desk.cursor); nodes.push(draw("path", { class: "cursor", d: `M${round(x - 1.2)} ${round(y)}h2.4M${round(x)} ${round(y - 1.2)}v2.4` })); }
  return nodes;
}

/** @param {HTMLElement} place */
export function drawEditorBoard(place) {
  const { ground } = desk;
  if (!ground?.width) { fill(place, make("p.empty", {}, desk.busy ? "One moment …" : "Choose a scenario to begin with.")); return; }
  const lay = new Lay(ground.width, ground.height, false), u = 1.9 * Math.max(lay.width, lay.height) / 48, rules = state.rulesets.find((one) => one.name === desk.name), unit = rules?.unit === "inch" ? 1 : 2.5;
  const svg = /** @type {SVGSVGElement} */ (draw("svg", { class: "board", viewBox: `${-u} ${-u} ${lay.width + 2 * u} ${lay.height + 2 * u}`, role: "group", tabindex: 0, "data-key": "editor-board", "aria-label": "The board. N and P choose a piece or a zone, arrow keys move it, Delete takes it away; with a kind chosen, arrow keys move the cross and Enter lays it there." }, ...land(ground, lay, { unit, level: rules?.level }), ...overlay(lay)));
  listen(svg, lay);
  const focus = place.contains(document.activeElement);
  place.replaceChildren(svg);
  settle(svg);
  if (focus) svg.focus();
}

/** @param {SVGSVGElement} svg  @param {Lay} lay */
function listen(svg, lay) {
  const dot = (/** @type {PointerEvent} */ e) => { const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(/** @type {DOMMatrix} */ (svg.getScreenCTM()).inverse()); return /** @type {Dot} */ ([p.x, p.y]); };
  let start = /** @type {Dot | null} */ (null), hit = /** @type {Picked | null} */ (null);
  svg.addEventListener("pointerdown", (e) => {
    const from = start = dot(e);
    hit = pickable(lay).reduce((found, { pick, dots }) => (inside(from, dots) ? pick : found), /** @type {Picked | null} */ (null));
    // A zone covers much ground: with a kind in the hand, the sand inside it is still sand.
    if (hit?.what === "zone" && desk.kind) hit = null;
    if (hit) svg.setPointerCapture(e.pointerId);
  });
  svg.addEventListener("pointermove", (e) => {
    if (!start || !hit) return;
    const now = dot(e), id = hit.what === "piece" ? `[data-piece="${CSS.escape(desk.ground?.pieces[hit.n]?.id ?? "")}"]` : `[data-zone="${hit.n}"]`;
    svg.querySelector(id)?.setAttribute("transform", `translate(${round(now[0] - start[0])} ${round(now[1] - start[1])})`);
  });
  svg.addEventListener("pointerup", (e) => {
    const end = dot(e), from = start;
    start = null;
    if (!from) return;
    if (!hit && desk.kind && end[0] >= 0 && end[1] >= 0 && end[0] <= lay.width && end[1] <= lay.height) { layDown(lay.point(end)); return; }
    desk.picked = hit;
    if (hit && apart(from, end) > .15) shift((end[0] - from[0]) * 1000, (end[1] - from[1]) * 1000); else again();
  });
  svg.addEventListener("keydown", (e) => { if (key(e, lay)) e.preventDefault(); });
}

/** @param {KeyboardEvent} e  @param {Lay} lay */
function key(e, lay) {
  const way = ARROWS[e.key], far = e.shiftKey ? 100 : 1000;
  if ((e.ctrlKey || e.metaKey) && e.key === "z") { takeBack(); return true; }
  if (e.ctrlKey || e.metaKey || e.altKey) return false;
  if (way && chosen()) { shift(way[0] * far, way[1] * far); return true; }
  if (way) { desk.cursor = [Math.min(lay.width * 1000, Math.max(0, desk.cursor[0] + way[0] * far)), Math.min(lay.height * 1000, Math.max(0, desk.cursor[1] + way[1] * far))]; again(); return true; }
  switch (e.key) {
    case "Enter": if (desk.kind && !desk.picked) layDown(desk.cursor); return true;
    case "Escape": desk.picked = null; again(); return true;
    case "Delete": case "Backspace": remove(); return true;
    case "n": step(lay, 1); return true;
    case "p": step(lay, -1); return true;
    default: return false;
  }
}
