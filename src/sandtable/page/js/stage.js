// What is being played, on the board: the way that is walked, the shot from muzzle to mark and what lies under it, what falls on whom.

import { apart, between, inside, lineOf, outline, round } from "./geometry.js";
import { draw, group, steady } from "./pen.js";
import { still } from "./player.js";
import { nameOf, state } from "./state.js";
import { shown } from "./moments.js";

/** @import { Dot, Lay } from "./geometry.js" */

/** Where a thing stands: in the middle of its models, or where it is carried.  @param {string} id  @param {Lay} lay  @returns {Dot | null} */
export function placeOf(id, lay, deep = 0) {
  const things = shown().table?.things ?? {}, thing = things[id] ?? state.table?.things[id];
  if (!thing || deep > 3) return null;
  if (thing.place.place === "at") return lay.dot(thing.place.point);
  if (thing.place.place === "in") return placeOf(thing.place.holder, lay, deep + 1);
  const dots = Object.values(things).flatMap((one) => (one.unit === id && one.place.place === "at" ? [lay.dot(one.place.point)] : []));
  return dots.length ? [dots.reduce((sum, dot) => sum + dot[0], 0) / dots.length, dots.reduce((sum, dot) => sum + dot[1], 0) / dots.length] : last.get(id) ?? null;
}
/** Where those were seen last who are not there any more. @type {Map<string, Dot>} */
const last = new Map();

/** Remember where everybody stands, for whoever is lost leaves an empty place.  @param {Lay} lay */
export function remember(lay) {
  for (const thing of Object.values(shown().table?.things ?? {})) if (thing.place.place === "at") last.set(thing.id, lay.dot(thing.place.point));
}

/** What a shot passes over on the map: its pieces that rise, where it enters them and where it leaves. It is a picture and no verdict.
 *  @param {Dot} a  @param {Dot} b  @param {Lay} lay */
function crossed(a, b, lay) {
  const found = /** @type {{from: Dot, to: Dot}[]} */ ([]), steps = Math.max(8, Math.ceil(apart(a, b) * 4));
  for (const piece of state.ground?.pieces ?? []) {
    if (piece.height <= 0 && !piece.contours.length) continue;
    const edge = outline(piece.outline, lay), hits = Array.from({ length: steps + 1 }, (_, i) => between(a, b, i / steps)).filter((dot) => inside(dot, edge));
    if (hits.length && !inside(a, edge)) found.push({ from: hits[0], to: hits[hits.length - 1] });
  }
  return found;
}

/** How far a beat has come, as a delay that an animation drawn anew goes on from.  @param {SVGElement} node  @param {number} began */
function goingOn(node, began) {
  node.style.animationDelay = `${-Math.round(performance.now() - began)}ms`;
  return node;
}

/** A shot, a call, a charge: from who does it to whom.  @param {import("./types.js").Aim} aim  @param {import("./player.js").Beat} beat  @param {Lay} lay */
function shot(aim, beat, lay) {
  const a = placeOf(aim.by, lay), b = placeOf(aim.at, lay), things = shown().table?.things ?? {};
  if (!a || !b || apart(a, b) < .1) return [];
  const friendly = things[aim.by]?.side === things[aim.at]?.side, name = `shot side-${things[aim.by]?.side ?? "grey"}${friendly ? " call" : ""}${beat.kind === "say" ? " meant" : ""}`, d = lineOf([a, b]);
  const line = (/** @type {string} */ more) => { const node = draw("path", { class: `${name} ${more}`, d, pathLength: 1 }); return goingOn(node, beat.began); };
  const over = friendly ? [] : crossed(a, b, lay).slice(0, 4);
  return [line("shot-under"), line("shot-line"), draw("circle", { class: `${name} muzzle`, cx: round(a[0]), cy: round(a[1]), r: .28 }),
    ...over.flatMap(({ from, to }) => [draw("path", { class: "shot-over", d: lineOf([from, to]) }), ...[from, to].map(([cx, cy]) => draw("circle", { class: "shot-bead", cx: round(cx), cy: round(cy), r: .17 }))])];
}

/** A few words at a place of the board.  @param {Dot} at  @param {string} text  @param {string} kind  @param {number} [row] */
function words(at, text, kind, row = 0) {
  const wide = text.length * 7.2 + 16, y = -34 - row * 24;
  return steady(at, draw("rect", { class: `stage-back ${kind}`, x: -wide / 2, y: y - 12, width: wide, height: 22, rx: 3 }), draw("text", { class: `stage-words ${kind}`, y, dy: ".3em", "text-anchor": "middle" }, text));
}

/** What a roll has come to.  @param {import("./types.js").Rolled} roll */
const verdict = (roll) => (roll.outcome ? nameOf(roll.outcome) : roll.needs === null || roll.needs === undefined ? "" : (roll.margin ?? 0) < 0 ? "not enough" : "enough");

/** Who does something to whom in a beat.  @param {import("./player.js").Beat} beat */
const aimsOf = (beat) => (beat.kind === "told" ? [] : (beat.scene?.aims ?? []).filter((aim) => aim.line > beat.from && aim.line <= beat.upto));

/** Where on the board the beat is played: whoever wants to see it has to see all of that.  @param {Lay} lay  @returns {Dot[]} */
export function playedAt(lay) {
  const { beat } = state;
  if (!beat) return [];
  const event = state.log[beat.upto - 1]?.event, by = event?.event === "Rolled" ? event.by : event?.event === "Placed" && beat.kind === "say" ? event.thing : "";
  const ids = [...aimsOf(beat).flatMap((aim) => [aim.by, aim.at]), ...(beat.fell ?? []).map(({ id }) => id), by ?? ""];
  return [...ids.flatMap((id) => { const at = id && placeOf(id, lay); return at ? [at] : []; }), ...(beat.ways ?? []).flatMap((way) => way.points.map((p) => lay.dot(p))), ...(beat.kind === "land" && event?.event === "Landed" ? [lay.dot(event.aimed), lay.dot(event.at)] : [])];
}

/** Everything that the beat shows on the board.  @param {Lay} lay */
export function stageNodes(lay) {
  const { beat } = state, layer = group("stage-layer");
  if (!beat) return layer;
  const aims = aimsOf(beat);
  for (const aim of aims) layer.append(...shot(aim, beat, lay));
  if (beat.kind === "walk") for (const way of beat.ways ?? []) layer.append(draw("path", { class: "trail", d: lineOf(way.points.map((p) => lay.dot(p))) }));
  if (beat.kind === "roll" && beat.settled) {
    const event = state.log[beat.upto - 1]?.event, roll = event?.event === "Rolled" ? event : null, at = roll && placeOf(aims[0]?.at ?? roll.by ?? "", lay), text = roll ? verdict(roll) : "";
    if (at && text) layer.append(words(at, text, (roll?.margin ?? 0) < 0 ? "not" : ""));
  }
  if (beat.kind === "land") {
    const event = state.log[beat.upto - 1]?.event;
    if (event?.event === "Landed") { const [x, y] = lay.dot(event.at); layer.append(draw("path", { class: "trail", d: lineOf([lay.dot(event.aimed), [x, y]]) }), goingOn(draw("circle", { class: "burst", cx: x, cy: y, r: 1.6 }), beat.began)); }
  }
  if (beat.kind === "harm") {
    const rows = /** @type {Map<string, number>} */ (new Map());
    for (const { id, words: text } of beat.fell ?? []) {
      const at = placeOf(id, lay);
      if (!at) continue;
      const key = at.map((n) => Math.round(n * 2)).join(" "), row = rows.get(key) ?? 0;
      rows.set(key, row + 1);
      layer.append(goingOn(draw("circle", { class: "burst", cx: round(at[0]), cy: round(at[1]), r: 1.5 }), beat.began), words(at, text, "harm-word", row));
    }
  }
  return layer;
}

/** How far those who walk are from where they will stand: by their paths, and by the time that has passed.
 *  @param {Lay} lay  @returns {Map<string, Dot>} */
export function offsets(lay) {
  const { beat } = state, found = /** @type {Map<string, Dot>} */ (new Map());
  if (beat?.kind !== "walk" || still()) return found;
  const share = Math.min(1, (performance.now() - beat.began) / Math.max(1, beat.ms)), eased = 1 - (1 - share) ** 2;
  if (share >= 1) return found;
  for (const way of beat.ways ?? []) {
    const dots = way.points.map((p) => lay.dot(p)), end = dots[dots.length - 1];
    let left = way.length / 1000 * eased, at = dots[0];
    for (let i = 1; i < dots.length; i++) {
      const far = apart(dots[i - 1], dots[i]);
      at = left >= far ? dots[i] : between(dots[i - 1], dots[i], far ? left / far : 1);
      left -= far;
      if (left <= 0) break;
    }
    found.set(way.model, [at[0] - end[0], at[1] - end[1]]);
  }
  return found;
}
