// What is only being tried: regions, reach, paths, sight, distances, the thing in the hand. All of it in pencil.

import { answer, asked, handful, inHand, middleOf, walked } from "./drafting.js";
import { apart, between, direction, lineOf, pointsOf, round, shapePath, towards } from "./geometry.js";
import { sideClass } from "./icons.js";
import { baseDots, flagNode, leftBehind, modelNode, shortNames, tokenNodes } from "./models.js";
import { aimedAt, reticle, ringNodes, threatNodes } from "./overlay.js";
import { draw, group, steady, word } from "./pen.js";
import { distance, measuring, nameOf, spent, state } from "./state.js";
import { about } from "./units.js";
/** @import { Dot, Lay } from "./geometry.js" */
/** @import { MoveModels, PathNote, PlaceThings, Preview, SightNote, Thing, Walk } from "./types.js" */

/** A label on a lead. Where it sits is settled once all of them are there.
 *  @param {readonly number[]} at  @param {string} text  @param {{full?: boolean, dx?: number, dy?: number, lead?: boolean, told?: boolean}} [how]  `told`: the slip says it too */
export function tag(at, text, { full = false, dx = 34, dy = -30, lead = true, told = false } = {}) {
  const w = text.length * 6.15 + 14, x = dx < 0 ? dx - w : dx, parts = lead ? [draw("path", { class: "tag-lead", d: `M0 0L${dx} ${dy}` })] : [];
  const node = steady(at, ...parts, draw("g", { class: "tag-seat", "data-w": w, "data-dx": x, "data-dy": dy }, draw("rect", { class: `tag-back${full ? " full" : ""}`, x, y: dy - 11, width: w, height: 22, rx: 3 }),
    draw("text", { class: `tag${full ? " full" : ""}`, x: x + w / 2, y: dy, dy: ".36em", "text-anchor": "middle" }, text)));
  node.dataset.says = text;
  if (told) node.dataset.told = "slip";
  return node;
}

/** Eight seats round the anchor of a label, in pixels, and eight more farther out, and farther still: the one it has comes first. */
const SEATS = [1, 1.9, 2.8, 3.7, 4.6, 5.5].flatMap((far) => [[24, -30], [-24, -30], [24, 30], [-24, 30], [30, 0], [-30, 0], [0, -46], [0, 46]].map(([x, y]) => [x * far, y * far]));

/** Let no label repeat another, cover one, hide a model or stick out of what is seen, as far as there is a seat for it.
 *  @param {SVGElement} layer  @param {SVGElement} pieces  @param {SVGElement} flags  @param {number} scale pixels a unit
 *  @param {{x: number, y: number, w: number, h: number}} view what is seen of the table */
export function seatLabels(layer, pieces, flags, scale, view) {
  const taken = /** @type {[number, number, number, number][]} */ ([]), said = new Set();
  for (const model of /** @type {SVGElement[]} */ ([...pieces.querySelectorAll("[data-thing]"), ...layer.querySelectorAll(".model")])) { const [, x, y] = /translate\(([-\d.]+)[ ,]+([-\d.]+)/.exec(model.getAttribute("transform") ?? "") ?? [], half = Math.max(12, Number(model.dataset.r ?? 0) * scale); if (x) taken.push([Number(x) * scale - half, Number(y) * scale - half, 2 * half, 2 * half]); }
  for (const cloth of /** @type {SVGElement[]} */ ([...flags.querySelectorAll(".flying"), ...layer.querySelectorAll(".flying")])) { const [, dx, dy] = /translate\(([-\d.]+)[ ,]+([-\d.]+)/.exec(cloth.getAttribute("transform") ?? "") ?? [], pole = /** @type {SVGElement} */ (cloth.parentNode).dataset; taken.push([Number(pole.x) * scale + Number(dx), Number(pole.y) * scale + Number(dy), Number(cloth.dataset.w), 17]); }
  const meet = (/** @type {number[]} */ a) => taken.some((b) => a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3]);
  const [left, top, right, bottom] = [view.x, view.y, view.x + view.w, view.y + view.h].map((n) => n * scale);
  for (const node of /** @type {NodeListOf<SVGElement>} */ (layer.querySelectorAll("[data-says]"))) {
    const seat = /** @type {SVGElement | null} */ (node.querySelector(".tag-seat")), { w = "0", dx = "0", dy = "0" } = seat?.dataset ?? {}, wide = Number(w), px = Number(node.dataset.x) * scale, py = Number(node.dataset.y) * scale;
    if (!seat) continue;
    if (said.has(node.dataset.says)) { node.remove(); continue; }
    said.add(node.dataset.says);
    const seats = [[Number(dx), Number(dy)], ...SEATS.map(([x, y]) => [x < 0 ? x - wide : x === 0 ? -wide / 2 : x, y])], box = (/** @type {number[]} */ [x, y]) => /** @type {[number, number, number, number]} */ ([px + x, py + y - 11, wide, 22]);
    // What is said of somebody out of sight is not said; a label as wide as what is seen begins at its edge.
    const away = px < left || px > right || py < top || py > bottom, inside = (/** @type {number[]} */ [x, y]) => px + x >= left && px + x + wide <= right && py + y - 11 >= top && py + y + 11 <= bottom;
    node.style.display = away ? "none" : "";
    if (away) continue;
    const open = seats.find((one) => inside(one) && !meet(box(one)));
    // What the slip says too need not cover anybody here.
    if (!open && node.dataset.told) { node.style.display = "none"; continue; }
    const [fx, fy] = open ?? seats.find(inside) ?? seats.find((one) => !meet(box(one))) ?? seats[0], free = [Math.max(left + 2 - px, Math.min(fx, right - 2 - wide - px)), Math.max(top + 13 - py, Math.min(fy, bottom - 13 - py))];
    taken.push(box(free));
    seat.setAttribute("transform", `translate(${round(free[0] - Number(dx))} ${round(free[1] - Number(dy))})`);
    node.querySelector(".tag-lead")?.setAttribute("d", `M0 0L${free[0] > 0 ? free[0] : free[0] + wide} ${free[1]}`);
  }
}

/** What lies under the models.  @param {Lay} lay */
export function pencilLow(lay) {
  const layer = group("pencil-low"), now = asked(), preview = state.verdict?.preview;
  if (!now) return layer;
  const { question, value } = now;
  if (question.kind === "place") {
    const region = question.where[inHand(question, value)] ?? question.where[""];
    for (const shape of region?.inside ?? []) layer.append(draw("path", { class: "region", d: shapePath(shape, lay) }));
    for (const shape of region?.outside ?? []) layer.append(draw("path", { class: "region not", d: shapePath(shape, lay) }));
  }
  if (question.kind === "move") for (const shape of question.ends?.inside ?? []) layer.append(draw("path", { class: "region", d: shapePath(shape, lay) }));
  if (preview?.rings.length) layer.append(...ringNodes(preview, lay));
  if (preview?.reach.length) layer.append(draw("path", { class: "reach", d: preview.reach.map((shape) => shapePath(shape, lay)).join("") }));
  if (question.kind === "move") for (const model of Object.keys(value ?? {})) {
    const thing = state.table?.things[model];
    if (!thing) continue;
    const dots = walked(thing, value[model]).points.map((p) => lay.dot(p));
    if (dots.length > 1 && Object.keys(value).length < 3) layer.append(draw("path", { class: "corridor", d: lineOf(dots), "stroke-width": (thing.base?.size ?? 1500) / 1000 }));
  }
  return layer;
}

/** What lies over the models.  @param {Lay} lay  @param {boolean} near whether there is room for costs and labels */
export function pencilHigh(lay, near) {
  const layer = group("pencil-high"), now = asked(), preview = state.verdict?.preview;
  if (!now) return layer;
  const told = /** @type {Set<string>} */ (new Set());
  for (const sight of preview?.sight ?? []) layer.append(...sightLine(sight, lay, told));
  if (preview) layer.append(...threatNodes(preview, lay));
  if (now.question.kind === "move") layer.append(...heldWalks(now.question, now.value ?? {}, lay, near));
  if (now.question.kind === "move") layer.append(...overdrawn(lay), ...ghost(now.question, now.value ?? {}, lay));
  if (now.question.kind === "place") for (const [thing, spot] of Object.entries(now.value ?? {})) layer.append(...heldSpot(thing, spot, now.question, lay));
  if (preview) layer.append(...distances(preview, lay));
  return layer;
}

/** What several lines cross is named once.  @param {SightNote} sight  @param {Lay} lay  @param {Set<string>} told */
function sightLine(sight, lay, told) {
  const a = lay.dot(sight.start), b = lay.dot(sight.end), nodes = /** @type {SVGElement[]} */ ([]), tags = /** @type {SVGElement[]} */ ([]), bar = direction(a, b);
  const line = (/** @type {Dot} */ from, /** @type {Dot} */ to, /** @type {string} */ name) => draw("path", { class: name, d: lineOf([from, to]) });
  nodes.push(line(a, b, "sight-under"));
  let last = a;
  sight.beads.forEach((bead, i) => {
    const from = lay.dot(bead.enters), to = lay.dot(bead.leaves);
    nodes.push(line(last, from, "sight"));
    if (bead.blocks) {
      for (const under of ["-under", ""]) nodes.push(line(towards(from, bar - 90, .7), towards(from, bar + 90, .7), `stop${under}`));
    } else {
      nodes.push(line(from, to, bead.counts ? "sight counts" : "sight over"));
      for (const [cx, cy] of bead.counts ? [from] : [from, to]) nodes.push(draw("circle", { class: `bead${bead.counts ? " counts" : ""}`, cx, cy, r: .2 }));
    }
    if (!told.has(bead.label)) tags.push(tag(between(from, to, .5), bead.label, { dx: i % 2 ? -34 : 34, dy: -28 - 6 * i }));
    told.add(bead.label);
    last = to;
  });
  nodes.push(line(last, b, sight.blocked ? "sight gone" : "sight"));
  return [...nodes, ...tags];
}

/** A reason as short as it may stand on the board: its first sentence, where it has several; the whole of it stands beside the board.
 *  @param {string} words */
const brief = (words) => { const first = /^.+?[^\d][.;:](?= )/.exec(words)?.[0].replace(/[;:]$/, ".") ?? words; return first.length > 60 ? `${first.slice(0, first.lastIndexOf(" ", 58))} …` : first; };

/** What was drawn beyond what may be walked: it stays, and says why.  @param {Lay} lay */
function overdrawn(lay) {
  if (!state.overdrawn) return [];
  const nodes = /** @type {SVGElement[]} */ ([]), { value, why } = state.overdrawn;
  for (const [id, walk] of Object.entries(value ?? {})) {
    const thing = state.table?.things[id], kept = thing && walked(thing, state.draft?.[id]);
    if (!thing || !kept) continue;
    const drawn = walked(thing, walk).points.map((p) => lay.dot(p)), end = lay.dot(kept.end);
    nodes.push(draw("path", { class: "too-far", d: lineOf([end, ...drawn.slice(kept.points.length - 1)]) }));
    if (nodes.length === 1) nodes.push(tag(drawn[drawn.length - 1], brief(why.sentence), { dx: 20, dy: -26, told: true }));
  }
  return nodes;
}

/** What is in the hand, where the pointer is: where the next leg would lead.
 *  @param {MoveModels} question  @param {Record<string, Walk>} value  @param {Lay} lay */
function ghost(question, value, lay) {
  const hand = inHand(question, value), { hover } = state;
  if (!hover) return [];
  const things = handful(question, hand), from = middleOf(things, value), far = Math.hypot(hover[0] - from[0], hover[1] - from[1]);
  if (far < 150) return [];
  const nodes = things.slice(0, 12).map((thing) => { const { end } = walked(thing, value[thing.id]), [x, y] = lay.dot([end[0] + hover[0] - from[0], end[1] + hover[1] - from[1]]); return draw("polygon", { class: "ghost-base", points: pointsOf(baseDots(thing, lay.facing(direction(from, hover)))), transform: `translate(${round(x)} ${round(y)})` }); });
  return [draw("path", { class: "ghost-line", d: lineOf([lay.dot(from), lay.dot(hover)]) }), ...nodes, ...(measuring() ? [word([lay.dot(hover)[0], lay.dot(hover)[1] + 1.6], `+${distance(Math.round(far / 10) * 10)}`, "ghost-word")] : [])];
}

/** The walks that are being tried: one by one, or as the one body that a unit is.
 *  @param {MoveModels} question  @param {Record<string, Walk>} value  @param {Lay} lay  @param {boolean} near */
function heldWalks(question, value, lay, near) {
  const walks = Object.entries(value).filter(([id, walk]) => walk.legs.length && state.table?.things[id]?.place.place === "at"), many = walks.length > 2;
  const idle = question.faces && !walks.length ? state.table?.things[inHand(question, value)] : undefined;
  if (idle?.place.place === "at") return [turnHandle(lay.dot(idle.place.point), lay.facing(idle.facing), idle)];
  const held = walks.flatMap(([id, walk], i) => heldWalk(id, walk, lay, { near, many, faces: question.faces, spoken: !many || i === 0 }));
  // What is said of a walk lies over all who walk.
  const said = held.filter((node) => node.querySelector(".tag-back")), nodes = [...held.filter((node) => !said.includes(node)), ...said];
  if (!many) return nodes;
  const ends = walks.map(([id, walk]) => lay.dot(walked(/** @type {any} */ (state.table?.things[id]), walk).end)), unit = state.table?.things[state.table.things[walks[0][0]].unit];
  const body = draw("path", { class: "held-body", d: lineOf(about(ends, 1.1), true) }), pose = { at: ends[0], facing: 0, active: true };
  return [body, ...nodes, ...(unit?.label ? [flagNode(unit, pose)] : [])];
}

/** @param {string} model  @param {any} walk  @param {Lay} lay  @param {{near: boolean, many: boolean, faces: boolean, spoken: boolean}} how */
function heldWalk(model, walk, lay, { near, many, faces, spoken }) {
  const thing = state.table?.things[model];
  if (!thing || thing.place.place !== "at") return [];
  const { points, facing, end, length } = walked(thing, walk), dots = points.map((p) => lay.dot(p)), nodes = [], d = lineOf(dots);
  const note = state.verdict?.preview?.paths.find((path) => path.model === model);
  nodes.push(leftBehind(thing, { at: lay.dot(thing.place.point), facing: lay.facing(thing.facing), faces }));
  if (!many) nodes.push(draw("path", { class: "path-under", d }));
  nodes.push(draw("path", { class: many ? "path thin" : "path", d }));
  if (measuring() && !many) nodes.push(...ticks(dots));
  for (const [mark, along] of Object.entries(walk.marks)) nodes.push(draw("circle", { class: "mark-on-path", cx: round(alongDots(dots, along / 1000)[0]), cy: round(alongDots(dots, along / 1000)[1]), r: .28 }), tag(alongDots(dots, along / 1000), mark, { dx: -30, dy: 24 }));
  const at = lay.dot(end), pose = { at, facing: lay.facing(facing), active: !many, lifted: true, faces };
  nodes.push(modelNode(thing, pose, ""), draw("circle", { class: "handle", cx: round(at[0]), cy: round(at[1]), r: Math.max(1, (thing.base?.size ?? 1500) / 1500) }));
  if (!many && faces) nodes.push(turnHandle(at, lay.facing(facing), thing));
  if (!many) nodes.push(flagNode(thing, pose));
  const words = [measuring() ? distance(length) : "", note ? costWords(note, length) : ""].filter(Boolean).join(" · ").replace(" · of ", " of ");
  if (spoken && words && (length || note)) nodes.push(tag(at, words, { full: true, dx: 30, dy: 22, lead: false }));
  if (near && note && !many) note.costs.forEach((cost, i) => { const p = dots[Math.min(i + 1, dots.length - 1)]; nodes.push(word([p[0] - 1.1, p[1]], spent(cost.total, note.allowance), "cost")); });
  return nodes;
}

/** What turns a model where it stands.  @param {Dot} at  @param {number} facing  @param {Thing} thing */
function turnHandle(at, facing, thing) {
  const [cx, cy] = towards(at, facing, Math.max(1.9, (thing.base?.size ?? 1500) / 1000 * 1.5));
  return draw("circle", { class: "turn-handle", cx: round(cx), cy: round(cy), r: .55 });
}

/** What a path costs of what may be spent; a cost that is its very length is said once.  @param {PathNote} note  @param {number} length */
const costWords = (note, length) => `${note.allowance >= 1000 && Math.abs(note.total - length) < 10 && measuring() ? "" : `${spent(note.total, note.allowance)} `}of ${spent(note.allowance, note.allowance)}`;

/** A tick every unit of a path.  @param {Dot[]} dots */
function ticks(dots) {
  let d = "", left = 1;
  for (let i = 1; i < dots.length; i++) {
    const far = apart(dots[i - 1], dots[i]), along = direction(dots[i - 1], dots[i]);
    for (; left < far - .05; left += 1) { const p = between(dots[i - 1], dots[i], left / far); d += lineOf([towards(p, along - 90, .42), towards(p, along + 90, .42)]); }
    left -= far;
    if (left <= 0) left += 1;
  }
  return [draw("path", { class: "tick-under", d }), draw("path", { class: "tick", d })];
}

/** @param {Dot[]} dots  @param {number} along  @returns {Dot} */
function alongDots(dots, along) {
  for (let i = 1; i < dots.length; i++) {
    const far = apart(dots[i - 1], dots[i]);
    if (along <= far && far) return between(dots[i - 1], dots[i], along / far);
    along -= far;
  }
  return dots[dots.length - 1];
}

/** @param {string} id  @param {any} spot  @param {PlaceThings} question  @param {Lay} lay */
function heldSpot(id, spot, question, lay) {
  if (spot.where.place !== "at") return [];
  const at = lay.dot(spot.where.point), thing = state.table?.things[id], facing = lay.facing(spot.facing), nodes = [];
  if (thing?.base) {
    const pose = { at, facing, lifted: true, active: true, faces: question.faces };
    nodes.push(modelNode(thing, pose, ""), flagNode(thing, pose));
  } else if (!question.outlines[id]?.length) {
    const token = steady(at, ...tokenNodes(thing?.glyph ?? ""), draw("text", { class: "marker-name" }, shortNames(question.things.map(nameOf))[question.things.indexOf(id)]));
    token.classList.add("marker", "lifted", sideClass(question.side));
    nodes.push(token);
  }
  for (const shape of question.outlines[id] ?? []) {
    const turn = question.faces ? facing : lay.turned ? 180 : 0;
    nodes.push(draw("g", { transform: `translate(${round(at[0])} ${round(at[1])}) rotate(${turn})` }, draw("path", { class: "ghost", d: shapePath(shape, FLAT) })));
  }
  const reach = thing?.base ? (thing.base.size / 1000) : 1.5;
  nodes.push(draw("circle", { class: "handle", cx: round(at[0]), cy: round(at[1]), r: Math.max(1, reach) }));
  return nodes;
}
const FLAT = /** @type {Lay} */ (/** @type {unknown} */ ({ dot: (/** @type {number[]} */ [x, y]) => [x / 1000, y / 1000] }));

/** What a draft's distances say, beside the things they lead to: with the range they lie in, where that is told.
 *  @param {Preview} preview  @param {Lay} lay */
function distances(preview, lay) {
  const near = { ...Object.fromEntries(Object.entries(preview.distances).map(([id, far]) => [id, distance(far)])), ...preview.targets }, aimed = Object.keys(preview.targets);
  return Object.entries(near).slice(0, 4).flatMap(([id, words]) => {
    const at = aimedAt(id, lay);
    return at ? [...(aimed.length === 1 && aimed[0] === id ? reticle(at) : []), tag(at, `${nameOf(id)} ${words}`, { dx: 24, dy: 30, lead: false })] : [];
  });
}

/** What the things of the board are to the question: may be chosen, chosen.  @returns {Map<string, "may" | "chosen">} */
export function picks() {
  const found = /** @type {Map<string, "may" | "chosen">} */ (new Map()), now = asked();
  if (!now) return found;
  const { question, value } = now;
  if (question.kind === "choose one" || question.kind === "choose several") {
    for (const option of question.options) if (!option.refused) for (const id of [option.id, ...option.about]) if (!found.get(id)) found.set(id, value === option.id || Array.isArray(value) && value.includes(option.id) ? "chosen" : "may");
  }
  if (question.kind === "react") for (const option of question.options) found.set(option.actor, value?.option === option.id ? "chosen" : "may");
  return found;
}

export { answer, baseDots, pointsOf };
