// The table as you sit down at it: the start page's picture, made of the same drawings, stacked in levels.

import { sand, tray } from "./board.js";
import { Lay, lineOf, pointsOf, towards, grains, scatter } from "./geometry.js";
import { GLYPHS, clothOf, sideClass } from "./icons.js";
import { draw, make } from "./pen.js";

/** @import { Dot } from "./geometry.js" */

/** Pixels a level stands up. */
const STEP = 9;
const VIEW = "-1.9 -1.9 51.8 51.8";
const HILL = /** @type {Dot[][]} */ ([[[7.6, 27], [8.3, 23.9], [10.6, 21.9], [13.4, 22], [15.4, 20.9], [17.9, 21.5], [19.2, 24.2], [18.6, 26.8], [19.4, 29.2], [17.9, 31.2], [15.2, 31.7], [12.6, 30.9], [9.9, 30.4]], [[9.6, 26.2], [10.2, 24.2], [12.2, 23.4], [14.2, 24.2], [15.9, 23.3], [17, 24.5], [16.3, 26.4], [14.6, 27.4], [13, 28.5], [10.9, 28.1]]]);
const FAR_HILL = /** @type {Dot[][]} */ ([[[33.2, 13.6], [33.9, 10.8], [36.2, 9.6], [38, 7.9], [41, 8.2], [43.2, 10.4], [42.6, 13.2], [43.4, 15.4], [41.2, 17.2], [38.4, 16.4], [35.4, 17]], [[37.9, 12.2], [38.8, 10.2], [40.6, 9.9], [41.6, 11.6], [41, 13.6], [41.4, 15.2], [39.8, 15.4], [38.7, 14.2]]]);
const WATER = /** @type {Dot[]} */ ([[35.9, 29.6], [36.9, 27.1], [39.5, 27], [41.3, 24.9], [44.4, 25.2], [46.4, 27.6], [45.5, 30.2], [46.2, 32.6], [43.9, 34.4], [41.2, 33.1], [38.7, 33.9], [36.4, 32.4]]);
const WOODS = /** @type {[Dot[], boolean][]} */ ([[[[3, 13.6], [3.6, 10.6], [6, 8.9], [8.6, 9.4], [10.9, 7.9], [13.6, 9], [14, 11.6], [12.2, 13.4], [12.6, 15.6], [10.2, 17], [7.6, 15.9], [5.2, 16.4]], true], [[[23.4, 15.6], [24, 13], [26.4, 12.4], [28.4, 11.2], [30.8, 12.2], [31.4, 14.8], [30, 16.4], [30.2, 18.2], [27.8, 18.6], [25.8, 17.6], [24.2, 17.8]], false], [[[18.4, 39], [19, 36.8], [21, 36.2], [22.4, 34.9], [24.6, 35.8], [25.2, 38.2], [24, 39.4], [24.4, 41], [22.2, 41.7], [20.4, 40.8]], true], [[[2.6, 39.6], [3.6, 37.2], [5.8, 37], [7.4, 35.6], [9.8, 36.6], [10.4, 38.6], [8.8, 39.8], [8.6, 41.6], [6, 41.8], [4.2, 41.2]], false]]);
const ROAD = /** @type {Dot[]} */ ([[29.7, 48], [29.4, 42], [28.5, 35], [26.9, 29.2], [26.1, 24.6], [24.9, 20.6], [21.6, 17.2], [18.9, 12.6], [17.6, 6], [17.4, 0]]);
const HOUSES = /** @type {[Dot, number, number, number, number][]} */ ([[[21.8, 22.7], 5, 3, -9, 3], [[30.6, 22.9], 2.6, 2.2, -24, 1], [[33.2, 27.3], 3.2, 2.3, -24, 2], [[30.2, 29.9], 2.3, 2.2, -16, 1]]);
const MODELS = /** @type {[string, string, Dot, number, number][]} */ ([["R1", "red", [17, 30], 285, 1], ["R2", "red", [28.9, 38], 262, 0], ["R3", "red", [13.2, 38.4], 306, 0], ["B1", "blue", [35.9, 13.2], 113, 1], ["B2", "blue", [26.3, 15.8], 115, 0], ["B3", "blue", [35.4, 23.4], 148, 0]]);

/** @param {[Dot, number, number, number, number]} house  @returns {Dot[]} */
function corners([[x, y], w, h, turn]) {
  const a = turn * Math.PI / 180;
  return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, j]) => [x + i * w / 2 * Math.cos(a) - j * h / 2 * Math.sin(a), y + i * w / 2 * Math.sin(a) + j * h / 2 * Math.cos(a)]);
}

export function diorama() {
  const table = make("div.tilt"), lay = new Lay(48000, 48000, false), levels = [HILL, FAR_HILL];
  const plane = (/** @type {number} */ height, /** @type {string} */ name, /** @type {SVGElement[]} */ ...nodes) => {
    const svg = draw("svg", { class: `plane ${name}`, viewBox: VIEW, "aria-hidden": "true" }, ...nodes);
    svg.style.transform = `translateZ(${height}px)`;
    table.append(svg);
  };
  const path = (/** @type {string} */ name, /** @type {Dot[]} */ dots, /** @type {Record<string, unknown>} */ more = {}) => draw("path", { class: name, d: lineOf(dots, true), ...more });
  for (let z = -20; z < 0; z += 4) plane(z, "tray-side", draw("rect", { class: "rim", x: -1.6, y: -1.6, width: 51.2, height: 51.2, rx: .5 }));
  const floor = [tray(lay, true), sand(lay), path("water", WATER), path("shore", WATER), draw("path", { class: "road-edge", d: lineOf(ROAD), "stroke-width": 2 }), draw("path", { class: "road", d: lineOf(ROAD), "stroke-width": 1.82 }), draw("path", { class: "road-rut", d: lineOf(ROAD) }), ...WOODS.flatMap(([dots, heavy]) => [path(`woods${heavy ? " heavy" : ""}`, dots), path(`woods-edge${heavy ? " heavy" : ""}`, dots)])];
  for (const hill of levels) floor.push(path("shadow", hill[0], { transform: "translate(.7 .7)" }));
  for (const house of HOUSES) floor.push(path("shadow deep-shadow", corners(house), { transform: "translate(.6 .6)" }));
  for (const [, , at] of MODELS) floor.push(draw("circle", { class: "model-shadow", cx: at[0] + .6, cy: at[1] + .6, r: 1.1 }));
  plane(0, "floor", ...floor, draw("rect", { class: "lamp-light", width: 48, height: 48 }));
  [1, 2].forEach((level) => {
    for (let z = (level - 1) * STEP + 3; z < level * STEP; z += 3) plane(z, "slope", ...levels.map((hill) => path("cut", hill[level - 1])));
    plane(level * STEP, "top", ...levels.flatMap((hill) => [path(`level-${level}`, hill[level - 1]), path("edge-lit", hill[level - 1]), path("contour", hill[level - 1])]));
  });
  const random = grains("start"), trees = WOODS.flatMap(([dots, heavy]) => scatter(dots, heavy ? .95 : 1.5, .5, random, MODELS.map(([, , at]) => [at, 1.9])).map((at) => ({ at, r: .44 + random() * .16, tall: 20 + random() * 9, heavy })));
  for (let k = 0; k <= 6; k++) plane(5 + k * 3.6, "crown", ...trees.filter((t) => 5 + k * 3.6 < t.tall + 4).map(({ at, r, heavy, tall }) => draw("circle", { class: `crown-ring${heavy ? " heavy" : ""}${k > 3 ? " up" : ""}`, cx: at[0], cy: at[1], r: Math.max(.08, r * 1.12 * Math.sqrt(Math.max(.02, 1 - ((5 + k * 3.6) / (tall + 5)) ** 2))) })));
  for (let z = 3; z < 3 * STEP; z += 3) plane(z, "wall", ...HOUSES.filter((house) => z < house[4] * STEP).map((house) => path("wall", corners(house))));
  for (const house of HOUSES) plane(house[4] * STEP, "roofs", path("roof lit", corners(house)), path("walls", corners(house)));
  for (const [call, side, at, facing, level] of MODELS) {
    const hexagon = pointsOf([30, 90, 150, 210, 270, 330].map((a) => towards(at, facing + a, .866))), up = level * STEP;
    plane(up + 4, "hex-top", draw("g", { class: sideClass(side) }, draw("polygon", { class: "base", points: hexagon })));
    const stand = make(`div.stand.${sideClass(side)}`, {}, draw("svg", { viewBox: "-22 -66 64 68", width: 64, height: 68, "aria-hidden": "true" }, draw("path", { class: "figure-back", d: GLYPHS.walker, transform: "translate(-20.4 -40) scale(1.7)" }), draw("path", { class: "figure", "fill-rule": "evenodd", d: GLYPHS.walker, transform: "translate(-20.4 -40) scale(1.7)" }), draw("path", { class: "pole", d: "M10 -20V-62" }), draw("path", { class: "cloth", d: clothOf(side, 28, 17), transform: "translate(11 -61)" }), draw("text", { class: "call", x: 22.5, y: -52.5, dy: ".36em", "text-anchor": "middle" }, call)));
    Object.assign(stand.style, { left: `${(at[0] + 1.9) / 51.8 * 100}%`, top: `${(at[1] + 1.9) / 51.8 * 100}%` });
    stand.style.setProperty("--up", `${up + 5}px`);
    table.append(stand);
  }
  return make("div.diorama", { "aria-hidden": "true" }, table);
}
