// Points and shapes for drawing. Nothing here decides anything: verdicts come from the server.

/** @typedef {[number, number]} Dot  A point in table units, ready to be drawn. */
/** @import { Point, Shape } from "./types.js" */

/** How the board lies before the viewer: thousandths become units, and the far edge may be turned to the near one. */
export class Lay {
  /** @param {number} width  @param {number} height  @param {boolean} turned  both in thousandths */
  constructor(width, height, turned) {
    this.width = width / 1000;
    this.height = height / 1000;
    this.turned = turned;
  }

  /** @param {Point} point  @returns {Dot} */
  dot([x, y]) {
    return this.turned ? [this.width - x / 1000, this.height - y / 1000] : [x / 1000, y / 1000];
  }

  /** @param {Dot} dot  @returns {Point} */
  point([x, y]) {
    const [tx, ty] = this.turned ? [this.width - x, this.height - y] : [x, y];
    return [Math.round(tx * 1000), Math.round(ty * 1000)];
  }

  /** A facing of the table as it is drawn.  @param {number} facing */
  facing(facing) {
    return this.turned ? (facing + 180) % 360 : facing;
  }
}

/** @param {number} n */
export const round = (n) => Math.round(n * 1000) / 1000;
/** @param {Dot} at  @param {number} degrees clockwise from east  @param {number} far  @returns {Dot} */
export const towards = ([x, y], degrees, far) =>
  [x + far * Math.cos(degrees * Math.PI / 180), y + far * Math.sin(degrees * Math.PI / 180)];
/** @param {Dot} a  @param {Dot} b  @param {number} t  @returns {Dot} */
export const between = (a, b, t) => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
/** @param {readonly number[]} a  @param {readonly number[]} b */
export const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
/** The direction from one point to another, whole degrees clockwise from east. @param {readonly number[]} a  @param {readonly number[]} b */
export const direction = (a, b) => (Math.round(Math.atan2(b[1] - a[1], b[0] - a[0]) * 180 / Math.PI) + 360) % 360;
/** @param {Dot[]} dots */
export const pointsOf = (dots) => dots.map((p) => p.map(round).join(",")).join(" ");
/** @param {Dot[]} dots  @param {boolean} [closed] */
export const lineOf = (dots, closed = false) => dots.map((p, i) => `${i ? "L" : "M"}${round(p[0])} ${round(p[1])}`).join("") + (closed ? "Z" : "");

/** The same random numbers every time, so that a wood keeps its trees.  @param {string} name */
export function grains(name) {
  let seed = 7;
  for (const letter of name) seed = Math.imul(seed ^ letter.charCodeAt(0), 0x01000193);
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** The outline of a shape as dots; a disc has 32 of them, a band is walked along both sides.
 *  @param {Shape} shape  @param {Lay} lay  @returns {Dot[]} */
export function outline(shape, lay) {
  if (shape.shape === "polygon") return shape.points.map((p) => lay.dot(p));
  if (shape.shape === "disc") {
    const centre = lay.dot(shape.center);
    return Array.from({ length: 32 }, (_, i) => towards(centre, i * 11.25, shape.radius / 1000));
  }
  const line = shape.points.map((p) => lay.dot(p)), half = shape.width / 2000, left = [], right = [];
  for (let i = 0; i < line.length; i++) {
    const along = direction(line[Math.max(0, i - 1)], line[Math.min(line.length - 1, i + 1)]);
    left.push(towards(line[i], along - 90, half));
    right.unshift(towards(line[i], along + 90, half));
  }
  return [...left, ...right];
}

/** A shape as an SVG path: a disc as the circle it is.  @param {Shape} shape  @param {Lay} lay */
export function shapePath(shape, lay) {
  if (shape.shape !== "disc") return lineOf(outline(shape, lay), true);
  const [x, y] = lay.dot(shape.center), r = shape.radius / 1000;
  return `M${round(x - r)} ${round(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}

/** @param {Dot} dot  @param {Dot[]} polygon */
export function inside([x, y], polygon) {
  let is = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i], [xj, yj] = polygon[j];
    if ((yi > y) !== (yj > y) && x < (xj - xi) * (y - yi) / (yj - yi) + xi) is = !is;
  }
  return is;
}

/** @param {Dot} p  @param {Dot[]} polygon */
export function fromEdge(p, polygon) {
  let least = Infinity;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const a = polygon[j], b = polygon[i], len = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2;
    const t = len ? Math.max(0, Math.min(1, ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / len)) : 0;
    least = Math.min(least, apart(p, between(a, b, t)));
  }
  return least;
}

/** @param {Dot[]} dots  @returns {[number, number, number, number]} */
export function boxOf(dots) {
  const xs = dots.map((p) => p[0]), ys = dots.map((p) => p[1]);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Points strewn over a polygon, apart from each other and from its edge.
 *  @param {Dot[]} polygon  @param {number} spacing  @param {number} margin  @param {() => number} random
 *  @param {[Dot, number][]} [keepClear]  @returns {Dot[]} */
export function scatter(polygon, spacing, margin, random, keepClear = []) {
  const [x0, y0, x1, y1] = boxOf(polygon), cells = new Map(), found = /** @type {Dot[]} */ ([]);
  const key = (/** @type {number} */ x, /** @type {number} */ y) => `${Math.floor(x / spacing)} ${Math.floor(y / spacing)}`;
  const tries = Math.min(6000, Math.ceil((x1 - x0) * (y1 - y0) / spacing / spacing * 9));
  for (let i = 0; i < tries; i++) {
    const p = /** @type {Dot} */ ([x0 + random() * (x1 - x0), y0 + random() * (y1 - y0)]);
    if (!inside(p, polygon) || fromEdge(p, polygon) < margin) continue;
    let near = keepClear.some(([q, far]) => apart(p, q) < far);
    for (let dx = -1; dx <= 1 && !near; dx++) for (let dy = -1; dy <= 1 && !near; dy++) {
      near = (cells.get(key(p[0] + dx * spacing, p[1] + dy * spacing)) ?? []).some((/** @type {Dot} */ q) => apart(p, q) < spacing);
    }
    if (near) continue;
    const cell = key(p[0], p[1]);
    cells.set(cell, [...(cells.get(cell) ?? []), p]);
    found.push(p);
  }
  return found.sort((a, b) => a[1] - b[1]);
}

/** The roomiest point of a polygon among a grid of candidates: where its words go.
 *  @param {Dot[]} polygon  @param {[Dot, number][]} [keepClear]  @returns {Dot} */
export function roomiest(polygon, keepClear = []) {
  const [x0, y0, x1, y1] = boxOf(polygon);
  let best = /** @type {Dot} */ ([(x0 + x1) / 2, (y0 + y1) / 2]), room = -Infinity;
  for (let i = 1; i < 12; i++) for (let j = 1; j < 12; j++) {
    const p = /** @type {Dot} */ ([x0 + (x1 - x0) * i / 12, y0 + (y1 - y0) * j / 12]);
    if (!inside(p, polygon)) continue;
    const here = Math.min(fromEdge(p, polygon), ...keepClear.map(([q, far]) => apart(p, q) - far));
    if (here > room) [best, room] = [p, here];
  }
  return best;
}

/** @param {Dot[]} dots  @returns {Dot[]} */
export function hull(dots) {
  const sorted = [...dots].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (/** @type {Dot[]} */ list) => {
    const out = /** @type {Dot[]} */ ([]);
    for (const p of list) {
      while (out.length > 1) {
        const [a, b] = out.slice(-2);
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        out.pop();
      }
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** The square a point lies in, A1 in the north-west to H8, whichever way the board lies.
 *  @param {Point} point  @param {{width: number, height: number}} ground */
export function squareOf([x, y], ground) {
  const eighth = (/** @type {number} */ n, /** @type {number} */ all) => Math.min(7, Math.max(0, Math.floor(n * 8 / Math.max(1, all))));
  return `${"ABCDEFGH"[eighth(x, ground.width)]}${eighth(y, ground.height) + 1}`;
}

const COMPASS = ["east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east"];
/** @param {number} facing */
export const compass = (facing) => COMPASS[Math.floor(((2 * facing + 45) % 720) / 90)];
