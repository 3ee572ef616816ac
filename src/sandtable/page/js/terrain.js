// Terrain: one drawing a look. The outline seen is the outline judged; one light comes from the north-west.

import { apart, between, boxOf, direction, grains, hull, inside, lineOf, outline, pointsOf, roomiest, round, scatter, shapePath, towards } from "./geometry.js";
import { draw, group, word } from "./pen.js";
import { said } from "./state.js";

/** @import { Dot } from "./geometry.js" */
/** @import { Piece } from "./types.js" */
/** @typedef {{lay: import("./geometry.js").Lay, names: SVGElement[], clear: [Dot, number][], defs: SVGElement, unit: number, level: number, outlines: [string, Dot[]][], seats: [number, number, number][]}} Sheet
 *  `unit` is how large a drawn stroke or tree is, for tables that are not measured in inches. */

/** Each level throws so much shadow to the south-east. */
const SHADOW = 0.21;

/** Words for ground, and the look each is drawn in. @type {Record<string, string>} */
const LOOKS = {
  open: "open", hill: "hill", ridge: "hill", water: "water", river: "water", stream: "water", lake: "water", pond: "water",
  marsh: "marsh", swamp: "marsh", bog: "marsh", rough: "rough", scree: "rough", rubble: "rubble", ruins: "rubble", wreck: "rubble",
  road: "road", track: "road", bridge: "bridge", woods: "woods", "light-woods": "woods", "heavy-woods": "heavy", forest: "heavy",
  structure: "structure", building: "structure", house: "structure", obstruction: "block", wall: "block",
};
/** Looks that say more than the plain one of their kind: drawn wherever a kind has such a word and nothing else is wanted. @type {Record<string, string>} */
const FINER = {
  hedge: "hedge", hedgerow: "hedge", bocage: "hedge", scrub: "bushes", brush: "bushes", heath: "bushes", cultivated: "field", field: "field", crops: "field", orchard: "woods",
  rocks: "rocks", rocky: "rocks", boulders: "rocks", trench: "dug", foxhole: "dug", ditch: "dug", crater: "dug", berm: "bank", bank: "bank", embankment: "bank",
};
const ORDER = ["open", "plain", "field", "hill", "water", "marsh", "rough", "bushes", "dug", "road", "rubble", "rocks", "bridge", "bank", "woods", "heavy", "hedge", "block", "structure"];

/** How a piece is drawn: as what its kind says finely, its trait `look`, its kind, or a word of its kind that names ground.  @param {Piece} piece */
export function lookOf(piece) {
  const wanted = String(piece.traits.look ?? piece.kind), coarse = LOOKS[wanted];
  const finer = !coarse || ["rough", "block", "plain"].includes(coarse) ? piece.kind.split("-").map((part) => FINER[part]).find(Boolean) : undefined;
  return finer ?? LOOKS[wanted] ?? wanted.split("-").map((part) => LOOKS[part]).find(Boolean) ?? (piece.contours.length ? "hill" : "plain");
}

/** @param {Dot[]} dots  @param {number} levels  @returns {Dot[]} */
const shifted = (dots, levels) => dots.map(([x, y]) => [x + SHADOW * levels, y + SHADOW * levels]);

/** Every piece, lowest look first; its words go to `names`.  @param {Piece[]} pieces  @param {Omit<Sheet, "outlines" | "seats">} paper */
export function landscape(pieces, paper) {
  const sheet = /** @type {Sheet} */ ({ ...paper, outlines: pieces.map((piece) => [piece.id, outline(piece.outline, paper.lay)]), seats: [] });
  const sorted = [...pieces].sort((a, b) => ORDER.indexOf(lookOf(a)) - ORDER.indexOf(lookOf(b)));
  const roads = sorted.filter((piece) => lookOf(piece) === "road"), nodes = [];
  for (const piece of sorted) {
    const look = lookOf(piece);
    if (look === "road") {
      if (piece === roads[0]) nodes.push(...road(roads, sheet));
      name(piece, sheet, "place-name small", true);
      continue;
    }
    const node = group(`terrain ${look}`, draw("title", {}, [piece.label, said(piece.kind)].filter(Boolean).join(", ")), ...DRAWINGS[look](piece, sheet));
    node.dataset.piece = piece.id;
    nodes.push(node);
  }
  return nodes;
}

/** @param {Piece} piece  @param {Sheet} sheet  @param {string} style  @param {boolean} [within] */
function name(piece, sheet, style, within = false) {
  if (!piece.label) return;
  sheet.names.push(word(within ? roomiest(outline(piece.outline, sheet.lay), sheet.clear) : seat(piece, sheet), piece.label, style));
}

/** Where a name covers least: below its piece, above it, or to a side of that.  @param {Piece} piece  @param {Sheet} sheet  @returns {Dot} */
function seat(piece, sheet) {
  const { lay, unit } = sheet, [x0, y0, x1, y1] = boxOf(outline(piece.outline, lay)), x = (x0 + x1) / 2, wide = piece.label.length * .26 * unit, others = sheet.outlines.filter(([id]) => id !== piece.id);
  const seats = /** @type {Dot[]} */ ([[x, y1 + .8 * unit], [x, y0 - .8 * unit], [x1 - wide, y1 + .8 * unit], [x0 + wide, y1 + .8 * unit], [x1 - wide, y0 - .8 * unit], [x0 + wide, y0 - .8 * unit]]);
  const cost = (/** @type {Dot} */ [sx, sy]) => {
    const spots = [-1, -.5, 0, .5, 1].flatMap((i) => [-.35, .35].map((j) => /** @type {Dot} */ ([sx + i * wide, sy + j * unit])));
    return spots.filter((spot) => spot[0] < 0 || spot[1] < 0 || spot[0] > lay.width || spot[1] > lay.height || others.some(([, dots]) => inside(spot, dots)) || sheet.clear.some(([at, far]) => apart(at, spot) < far)).length + 12 * sheet.seats.filter(([ox, oy, far]) => Math.abs(ox - sx) < far + wide && Math.abs(oy - sy) < unit).length;
  };
  const costs = seats.map(cost), best = seats[costs.indexOf(Math.min(...costs))];
  sheet.seats.push([...best, wide]);
  return best;
}

/** @param {Piece} piece  @param {Sheet} sheet  @param {number} levels  @param {string} under  @param {Dot} [at] */
function height(piece, sheet, levels, under, at) {
  if (levels) sheet.names.push(group(under, word(at ?? roomiest(outline(piece.outline, sheet.lay), sheet.clear), `▲${round(levels)}`, "height")));
}

/** Short strokes downhill, longer away from the light.  @param {Dot[]} dots  @param {number} unit */
function hachures(dots, unit) {
  let area = 0;
  dots.forEach((a, i) => { const b = dots[(i + 1) % dots.length]; area += a[0] * b[1] - b[0] * a[1]; });
  const out = area > 0 ? 1 : -1;
  let d = "", walked = 0;
  for (let i = 0; i < dots.length; i++) {
    const a = dots[i], b = dots[(i + 1) % dots.length], far = apart(a, b) || 1, nx = out * (b[1] - a[1]) / far, ny = -out * (b[0] - a[0]) / far;
    for (; walked < far; walked += 0.3 * unit) {
      const p = between(a, b, walked / far), long = unit * (0.13 + 0.3 * Math.max(0, (nx + ny) / Math.SQRT2));
      d += `M${round(p[0] + nx * 0.06)} ${round(p[1] + ny * 0.06)}l${round(nx * long)} ${round(ny * long)}`;
    }
    walked -= far;
  }
  return draw("path", { class: "hachure", d });
}

/** @param {Piece} piece  @param {Sheet} sheet */
function hill(piece, sheet) {
  const nodes = /** @type {SVGElement[]} */ ([]), levels = (piece.contours.length ? piece.contours : [{ level: Math.max(sheet.level, piece.height), outline: piece.outline, cliff: false }]).map((one) => ({ ...one, level: one.level / sheet.level }));
  levels.forEach((contour, i) => {
    const dots = outline(contour.outline, sheet.lay), d = shapePath(contour.outline, sheet.lay), tint = Math.min(3, Math.max(1, Math.floor(contour.level)));
    nodes.push(draw("path", { class: "shadow soft", d, transform: "translate(.48 .48)" }), draw("path", { class: "shadow", d, transform: `translate(${SHADOW} ${SHADOW})` }),
      draw("path", { class: `level-${tint}`, d }), draw("path", { class: "edge-lit", d }), hachures(dots, sheet.unit), draw("path", { class: "contour", d }));
    if (contour.cliff) nodes.push(draw("path", { class: "cliff-teeth", d, "stroke-dasharray": ".12 .26" }));
    const top = i === levels.length - 1;
    const west = dots.reduce((a, b) => (b[0] - b[1] < a[0] - a[1] ? b : a));
    if (top) height(piece, sheet, contour.level, `on-${tint}`, roomiest(dots, sheet.clear));
    if (levels.length > 1) sheet.names.push(group(`on-${tint}`, word(west, String(round(contour.level)), "height")));
  });
  name(piece, sheet, "place-name");
  return nodes;
}

/** Several tables may be drawn on a page, each with shores of its own. */
let shores = 0;

/** @param {Piece} piece  @param {Sheet} sheet */
function water(piece, sheet) {
  const d = shapePath(piece.outline, sheet.lay), id = `shore-${++shores}`;
  sheet.defs.append(draw("clipPath", { id }, draw("path", { d })));
  const lines = draw("g", { "clip-path": `url(#${id})` }, draw("path", { class: "water", d }));
  for (const [far, wide, opacity] of [[1.75, .045, .4], [1.1, .055, .55], [.52, .07, .75]]) {
    lines.append(draw("path", { class: "water-line", d, "stroke-width": (far * 2 + wide) * sheet.unit, opacity }), draw("path", { class: "water-wash", d, "stroke-width": (far * 2 - wide) * sheet.unit }));
  }
  lines.append(draw("path", { class: "bank-shade", d }));
  const depth = piece.traits.depth;
  if (piece.outline.shape !== "band" && depth !== undefined) sheet.names.push(word(roomiest(outline(piece.outline, sheet.lay), sheet.clear), `depth ${depth}`, "place-name wet small"));
  name(piece, sheet, "place-name");
  return [lines, draw("path", { class: "shore", d })];
}

/** @param {Piece[]} pieces  @param {Sheet} sheet */
function road(pieces, sheet) {
  const drawn = pieces.map((piece) => {
    if (piece.outline.shape !== "band") return { d: shapePath(piece.outline, sheet.lay), wide: 0 };
    return { d: lineOf(piece.outline.points.map((p) => sheet.lay.dot(p))), wide: piece.outline.width / 1000 };
  });
  return [
    ...drawn.map(({ d, wide }) => wide ? draw("path", { class: "road-edge", d, "stroke-width": wide }) : draw("path", { class: "road-area", d })),
    ...drawn.filter(({ wide }) => wide).map(({ d, wide }) => draw("path", { class: "road", d, "stroke-width": round(wide * 0.91) })),
    ...drawn.filter(({ wide }) => wide).map(({ d }) => draw("path", { class: "road-rut", d })),
  ];
}

/** @param {Piece} piece  @param {Sheet} sheet */
function bridge(piece, sheet) {
  name(piece, sheet, "place-name small");
  if (piece.outline.shape !== "band") return [draw("path", { class: "road-area", d: shapePath(piece.outline, sheet.lay) })];
  const line = piece.outline.points.map((p) => sheet.lay.dot(p)), wide = piece.outline.width / 1000, d = lineOf(line);
  let planks = "";
  for (let i = 1; i < line.length; i++) {
    const along = direction(line[i - 1], line[i]), far = apart(line[i - 1], line[i]);
    for (let t = 0.15; t < far; t += 0.3) { const p = between(line[i - 1], line[i], t / far); planks += lineOf([towards(p, along - 90, wide * .45), towards(p, along + 90, wide * .45)]); }
  }
  return [draw("path", { class: "shadow-line", d, "stroke-width": wide, transform: "translate(.21 .21)" }), draw("path", { class: "bridge", d, "stroke-width": wide }),
    draw("path", { class: "bridge-deck", d, "stroke-width": wide * 0.84 }), draw("path", { class: "bridge-plank", d: planks })];
}

/** @param {Piece} piece  @param {Sheet} sheet */
function rough(piece, sheet) {
  const dots = outline(piece.outline, sheet.lay), d = shapePath(piece.outline, sheet.lay), random = grains(piece.id), u = sheet.unit;
  let scree = "";
  for (const [x, y] of scatter(dots, .66 * u, .35 * u, random, sheet.clear)) { const s = u * (.12 + random() * .17); scree += `M${round(x - s)} ${round(y + s * .5)}l${round(s)} ${round(-s * 1.1)}l${round(s * .9)} ${round(s * .9)}`; }
  name(piece, sheet, "place-name small");
  return [draw("path", { class: "rough", d }), draw("path", { class: "scree", d: scree }), draw("path", { class: "rough-edge", d })];
}

/** @param {Piece} piece  @param {Sheet} sheet */
function rubble(piece, sheet) {
  const dots = outline(piece.outline, sheet.lay), d = shapePath(piece.outline, sheet.lay), random = grains(piece.id), u = sheet.unit;
  let stones = "";
  for (const at of scatter(dots, .42 * u, .2 * u, random, sheet.clear)) {
    const turn = random() * 360, s = u * (.14 + random() * .18);
    stones += lineOf([0, 95, 170, 260].map((a) => towards(at, turn + a, s * (.7 + random() * .5))), true);
  }
  name(piece, sheet, "place-name small");
  return [draw("path", { class: "rough", d }), draw("path", { class: "rough-edge", d }), draw("path", { class: "stone", d: stones })];
}

/** @param {Piece} piece  @param {Sheet} sheet */
function marsh(piece, sheet) {
  const dots = outline(piece.outline, sheet.lay), d = shapePath(piece.outline, sheet.lay), u = sheet.unit;
  let tufts = "";
  for (const [x, y] of scatter(dots, .85 * u, .45 * u, grains(piece.id), sheet.clear)) tufts += `M${round(x - .3 * u)} ${round(y)}h${.6 * u}M${round(x)} ${round(y)}v${-.3 * u}M${round(x - .14 * u)} ${round(y)}l${-.1 * u} ${-.2 * u}M${round(x + .14 * u)} ${round(y)}l${.1 * u} ${-.2 * u}`;
  name(piece, sheet, "place-name small");
  return [draw("path", { class: "marsh", d }), draw("path", { class: "tuft", d: tufts }), draw("path", { class: "marsh-edge", d })];
}

/** Light woods stand apart, heavy ones touch; trees step aside for bases.  @param {boolean} dense */
const woods = (dense) => (/** @type {Piece} */ piece, /** @type {Sheet} */ sheet) => {
  const dots = outline(piece.outline, sheet.lay), d = shapePath(piece.outline, sheet.lay), heavy = dense ? " heavy" : "", random = grains(piece.id), u = sheet.unit;
  const at = roomiest(dots, sheet.clear);
  const trees = scatter(dots, (dense ? .9 : 1.4) * u, (dense ? .5 : .62) * u, random, [...sheet.clear, [at, .8 * u]]).map((p) => /** @type {[Dot, number]} */ ([p, u * ((dense ? .48 : .43) + random() * .15)]));
  let shade = "", crowns = "", lit = "";
  for (const [[x, y], r] of trees) {
    const disc = (/** @type {number} */ cx, /** @type {number} */ cy, /** @type {number} */ s) => `M${round(cx - s)} ${round(cy)}a${round(s)} ${round(s)} 0 1 0 ${round(2 * s)} 0a${round(s)} ${round(s)} 0 1 0 ${round(-2 * s)} 0Z`;
    const lobes = 7, turn = random() * 50, edge = Array.from({ length: lobes }, (_, k) => towards([x, y], turn + k * 360 / lobes, r * (.9 + random() * .2)));
    shade += disc(x + .32 * u, y + .32 * u, r);
    crowns += `M${edge[0].map(round)}` + edge.map((_, k) => `A${round(r * .5)} ${round(r * .5)} 0 0 1 ${edge[(k + 1) % lobes].map(round)}`).join("") + "Z";
    lit += disc(x - r * .26, y - r * .28, r * .46);
  }
  height(piece, sheet, piece.height / sheet.level, `on-woods${heavy}`, at);
  name(piece, sheet, "place-name");
  return [draw("path", { class: `woods${heavy}`, d }), draw("path", { class: `woods-edge${heavy}`, d }), draw("path", { class: "shadow", d: shade }),
    draw("path", { class: `tree${heavy}`, d: crowns }), draw("path", { class: `tree-lit${heavy}`, d: lit })];
};

/** @param {Piece} piece  @param {Sheet} sheet */
function structure(piece, sheet) {
  const corners = outline(piece.outline, sheet.lay), whole = piece.parts.length === 0;
  const nodes = [draw("polygon", { class: "shadow deep-shadow", points: pointsOf(hull([...corners, ...shifted(corners, Math.max(1, piece.height / sheet.level))])) })];
  if (whole && corners.length === 4) nodes.push(...hipRoof(corners));
  else nodes.push(draw("polygon", { class: "roof lit", points: pointsOf(corners) }));
  for (const part of piece.parts) nodes.push(...section(part, sheet));
  nodes.push(draw("polygon", { class: "walls", points: pointsOf(corners) }));
  height(piece, sheet, piece.height / sheet.level, "on-roof");
  name(piece, sheet, "place-name made");
  return nodes;
}

/** A roof of four slopes over any four corners.  @param {Dot[]} corners */
function hipRoof(corners) {
  const long = apart(corners[0], corners[1]) >= apart(corners[1], corners[2]);
  const [a, b, c, d] = long ? corners : [corners[1], corners[2], corners[3], corners[0]];
  const inset = Math.min(.5, apart(b, c) / 2 / Math.max(.01, apart(a, b)));
  const left = between(a, d, .5), right = between(b, c, .5), p = between(left, right, inset), q = between(right, left, inset);
  /** How much light a slope gets, by where its eave lies from the ridge.  @param {Dot} e  @param {Dot} f */
  const light = (e, f) => { const m = between(e, f, .5), r = between(p, q, .5), s = (r[0] - m[0]) + (r[1] - m[1]); return s > .4 ? "lit" : s > -.1 ? "" : s > -.6 ? "dim" : "dimmer"; };
  const slope = (/** @type {Dot[]} */ dots, /** @type {string} */ how) => draw("polygon", { class: `roof ${how}`, points: pointsOf(dots) });
  let courses = "";
  for (const t of [.28, .52, .76]) courses += lineOf([between(a, p, t), between(b, q, t)]) + lineOf([between(d, p, t), between(c, q, t)]);
  return [slope([a, b, q, p], light(a, b)), slope([b, c, q], light(b, c)), slope([c, d, p, q], light(c, d)), slope([d, a, p], light(d, a)), draw("path", { class: "course", d: courses })];
}

/** A section of a building: its outline, its letter, and cracks where it is not what it was.
 *  @param {import("./types.js").Part} part  @param {Sheet} sheet */
function section(part, sheet) {
  if (!part.outline) return [];
  const dots = outline(part.outline, sheet.lay), [x0, y0, x1, y1] = boxOf(dots), nodes = [draw("polygon", { class: `roof ${part.state ? "dimmer" : "lit"}`, points: pointsOf(dots) }), draw("polygon", { class: "section-line", points: pointsOf(dots) })];
  if (part.state) {
    const random = grains(part.id), across = Array.from({ length: 6 }, (_, i) => /** @type {Dot} */ ([x0 + (x1 - x0) * (.3 + random() * .4), y0 + (y1 - y0) * i / 5]));
    nodes.push(draw("polyline", { class: "crack", points: pointsOf(across) }));
  }
  sheet.names.push(word([x0 + (x1 - x0) * .2, y1 - (y1 - y0) * .2], part.id.split("-").at(-1) ?? "", "section-name"));
  return nodes;
}

/** @param {Piece} piece  @param {Sheet} sheet */
function block(piece, sheet) {
  const dots = outline(piece.outline, sheet.lay);
  height(piece, sheet, piece.height / sheet.level, "on-roof");
  name(piece, sheet, "place-name made");
  return [draw("polygon", { class: "shadow deep-shadow", points: pointsOf(hull([...dots, ...shifted(dots, Math.max(1, piece.height / sheet.level))])) }),
    draw("polygon", { class: "roof", points: pointsOf(dots) }), draw("polygon", { class: "walls", points: pointsOf(dots) })];
}

/** Bushes along a line.  @param {Piece} piece  @param {Sheet} sheet */
function hedge(piece, sheet) {
  const d = shapePath(piece.outline, sheet.lay);
  name(piece, sheet, "place-name small");
  return [draw("path", { class: "shadow", d, transform: `translate(${SHADOW} ${SHADOW})` }), draw("path", { class: "hedge", d }), draw("path", { class: "hedge-leaves", d }), draw("path", { class: "hedge-lit", d })];
}

/** Low bushes far apart.  @param {Piece} piece  @param {Sheet} sheet */
function bushes(piece, sheet) {
  const dots = outline(piece.outline, sheet.lay), d = shapePath(piece.outline, sheet.lay), random = grains(piece.id), u = sheet.unit;
  let leaves = "", shade = "";
  for (const [x, y] of scatter(dots, .95 * u, .3 * u, random, sheet.clear)) {
    const r = round(u * (.13 + random() * .12)), bush = (/** @type {number} */ by) => `M${round(x + by - r)} ${round(y + by)}a${r} ${round(r * .8)} 0 1 0 ${2 * r} 0a${r} ${round(r * .8)} 0 1 0 ${-2 * r} 0Z`;
    leaves += bush(0);
    shade += bush(.1 * u);
  }
  name(piece, sheet, "place-name small");
  return [draw("path", { class: "bushes", d }), draw("path", { class: "shadow", d: shade }), draw("path", { class: "bush", d: leaves }), draw("path", { class: "bushes-edge", d })];
}

/** Rows of what somebody grows.  @param {Piece} piece  @param {Sheet} sheet */
function field(piece, sheet) {
  const d = shapePath(piece.outline, sheet.lay);
  name(piece, sheet, "place-name small");
  return [draw("path", { class: "field", d }), draw("path", { class: "furrows", d }), draw("path", { class: "bushes-edge", d })];
}

/** Boulders on bare ground, within a hard edge.  @param {Piece} piece  @param {Sheet} sheet */
function rocks(piece, sheet) {
  const dots = outline(piece.outline, sheet.lay), d = shapePath(piece.outline, sheet.lay), random = grains(piece.id), u = sheet.unit;
  let stones = "", shade = "";
  for (const at of scatter(dots, .98 * u, .44 * u, random, sheet.clear)) {
    const turn = random() * 360, s = u * (.3 + random() * .2), corners = [0, 62, 128, 190, 250, 305].map((a) => towards(at, turn + a, s * (.72 + random() * .42)));
    stones += lineOf(corners, true);
    shade += lineOf(shifted(corners, u), true);
  }
  height(piece, sheet, piece.height / sheet.level, "on-rocks");
  name(piece, sheet, "place-name");
  return [draw("path", { class: "rocks", d }), draw("path", { class: "shadow deep-shadow", d: shade }), draw("path", { class: "boulder", d: stones }), draw("path", { class: "rocks-edge", d })];
}

/** Dug into the ground.  @param {Piece} piece  @param {Sheet} sheet */
function dug(piece, sheet) {
  const d = shapePath(piece.outline, sheet.lay);
  name(piece, sheet, "place-name small");
  return [draw("path", { class: "dug-heap", d }), draw("path", { class: "dug", d })];
}

/** Heaped up.  @param {Piece} piece  @param {Sheet} sheet */
function bank(piece, sheet) {
  const d = shapePath(piece.outline, sheet.lay);
  name(piece, sheet, "place-name small");
  return [draw("path", { class: "shadow", d, transform: `translate(${SHADOW} ${SHADOW})` }), draw("path", { class: "level-2", d }), hachures(outline(piece.outline, sheet.lay), sheet.unit * .7), draw("path", { class: "contour", d })];
}

/** @param {Piece} piece  @param {Sheet} sheet */
function plain(piece, sheet) {
  const d = shapePath(piece.outline, sheet.lay);
  name({ ...piece, label: piece.label || piece.kind.replaceAll("-", " ") }, sheet, "place-name small", true);
  return [draw("path", { class: "rough plain", d }), draw("path", { class: "rough-edge", d })];
}

/** @type {Record<string, (piece: Piece, sheet: Sheet) => SVGElement[]>} */
const DRAWINGS = { open: plain, plain, hill, water, marsh, rough, rubble, bridge, woods: woods(false), heavy: woods(true), block, structure, hedge, bushes, field, rocks, dug, bank };
