// Models: base at true size, wedge at the facing, type glyph, harm ring, flag with the call sign, badges of states.

import { hull, pointsOf, round, towards } from "./geometry.js";
import { GLYPHS, badge, clothOf, letters, sideClass } from "./icons.js";
import { draw, group, steady } from "./pen.js";

/** @import { Dot } from "./geometry.js" */
/** @import { Thing } from "./types.js" */
/** @typedef {{at: Dot, facing: number, active?: boolean, acted?: boolean, lifted?: boolean, pick?: "" | "may" | "chosen", looked?: boolean, faces?: boolean, plain?: boolean}} Pose
 *  Where and how a thing is drawn: in drawn units and degrees. */

/** Where the top of a flag's pole is, in pixels from its foot. */
export const POLE = -29;

/** The drawings are made for a base of this size and scaled to the true one. */
const DRAWN = 1.5;
/** @param {Thing} thing */
export const scaleOf = (thing) => Math.max(thing.base?.size ?? 1500, thing.base?.depth ?? 0) / 1000 / DRAWN;

/** @param {Thing} thing  @param {number} facing  @param {number} [share]  @returns {Dot[]} the base around the origin */
export function baseDots(thing, facing, share = 1) {
  const base = thing.base ?? { form: "circle", size: 1500, depth: 0 }, half = base.size / 2000 * share;
  const at = /** @type {Dot} */ ([0, 0]);
  if (base.form === "hexagon") return [30, 90, 150, 210, 270, 330].map((a) => towards(at, facing + a, half / Math.cos(Math.PI / 6)));
  if (base.form === "circle") return Array.from({ length: 36 }, (_, i) => towards(at, i * 10, half));
  const long = (base.depth || base.size) / 2000 * share;
  return [[long, half], [-long, half], [-long, -half], [long, -half]].map(([x, y]) => {
    const a = facing * Math.PI / 180;
    return [x * Math.cos(a) - y * Math.sin(a), x * Math.sin(a) + y * Math.cos(a)];
  });
}

/** @param {number} far  @param {number} from  @param {number} to */
export function ringSegment(far, from, to) {
  const a = towards([0, 0], from, far), b = towards([0, 0], to, far);
  return `M${a.map(round)}A${round(far)} ${round(far)} 0 ${to - from > 180 ? 1 : 0} 1 ${b.map(round)}`;
}

/** Read clockwise from the facing; what is gone is a hair line.  @param {Thing} thing  @param {number} facing  @param {number} s */
function harmRing(thing, facing, s) {
  if (!thing.track) return group("harm-ring");
  const open = 36, gap = Math.min(4, 60 / thing.track), each = (360 - 2 * open) / thing.track, far = 1.14 * s;
  let left = "", gone = "";
  for (let i = 0; i < thing.track; i++) {
    const from = facing + open + i * each + gap / 2, d = ringSegment(far, from, from + each - gap);
    if (i < thing.track - thing.harm) left += d; else gone += d;
  }
  return group("harm-ring", draw("path", { class: "harm-track", d: ringSegment(far, facing + open, facing + 360 - open) }),
    draw("path", { class: "harm-left", d: left }), draw("path", { class: "harm-gone", d: gone }));
}

/** How large what is drawn on a base may be: by its shorter side.  @param {Thing} thing */
const roomOn = (thing) => Math.min(thing.base?.size ?? 1500, thing.base?.depth || (thing.base?.size ?? 1500)) / 1000 / DRAWN;

/** Where it faces: over the edge of a round base, before the front of a long one.  @param {Thing} thing  @param {number} facing */
function wedgeOf(thing, facing) {
  const long = (thing.base?.depth ?? 0) / 1000, wide = (thing.base?.size ?? 1500) / 1000;
  if (!long) return wedge(facing, scaleOf(thing));
  const front = towards([0, 0], facing, long / 2);
  return pointsOf([towards(front, facing - 90, wide * .34), towards(front, facing, wide * .36), towards(front, facing + 90, wide * .34)]);
}

/** @param {number} facing  @param {number} s */
const wedge = (facing, s) => pointsOf([towards(towards([0, 0], facing, .7 * s), facing - 90, .42 * s), towards([0, 0], facing, 1.48 * s), towards(towards([0, 0], facing, .7 * s), facing + 90, .42 * s)]);

const CORNERS = "M-1.5-.9V-1.5H-.9M.9-1.5H1.5V-.9M1.5.9V1.5H.9M-.9 1.5H-1.5V.9";

/** @param {Thing} thing  @param {Pose} pose  @param {string} words */
export function modelNode(thing, pose, words) {
  const { at, facing } = pose, s = scaleOf(thing), corners = baseDots(thing, facing), deep = pose.lifted ? 4.2 : Math.min(4, Math.max(.6, thing.height));
  const node = draw("g", { class: `model ${sideClass(thing.side)}${pose.acted ? " has-acted" : ""}${pose.active ? " active" : ""}${pose.lifted ? " lifted" : ""}`, transform: `translate(${round(at[0])} ${round(at[1])})`, "data-x": round(at[0]), "data-y": round(at[1]), "data-r": round(s * DRAWN / 2) });
  if (words) {
    for (const [key, value] of Object.entries({ role: "button", tabindex: -1, "aria-label": GLYPHS[thing.glyph] ? words : `${words}, marked ${signOf(thing)}`, "data-thing": thing.id })) node.setAttribute(key, String(value));
    node.dataset.key = thing.id;
  }
  const shade = /** @type {Dot[]} */ (corners.map(([x, y]) => [x + .21 * deep * s, y + .21 * deep * s]));
  if (pose.active) node.append(draw("circle", { class: "active-lamp", r: 2.5 * s }));
  node.append(draw("polygon", { class: "model-shadow", points: pointsOf(pose.lifted ? shade : hull([...corners, ...shade])) }));
  if (!pose.lifted && !(pose.plain && !thing.harm)) node.append(harmRing(thing, facing, s));
  if (pose.active) for (const under of [" under", ""]) node.append(draw("circle", { class: `active-ring${under}`, r: (pose.lifted ? 1.16 : 1.58) * s }));
  node.append(draw("circle", { class: "focus", r: 1.85 * s }));
  if (pose.faces !== false) node.append(draw("polygon", { class: "wedge", points: wedgeOf(thing, facing) }));
  node.append(draw("polygon", { class: "base", points: pointsOf(corners) }), draw("polygon", { class: "base-rim", points: pointsOf(baseDots(thing, facing, .89)) }), glyph(thing, roomOn(thing)));
  if (pose.pick) {
    const d = [45, 135, 225, 315].map((a) => ringSegment(1.66 * s, a - 26, a + 26)).join("") + (pose.pick === "chosen" ? [0, 90, 180, 270].map((a) => `M${towards([0, 0], a, 1.42 * s).map(round)}L${towards([0, 0], a, 2.05 * s).map(round)}`).join("") : "");
    for (const name of ["reticle-under", "reticle"]) node.append(draw("path", { class: name + (pose.pick === "may" ? " may" : ""), d }));
  }
  if (pose.looked) for (const name of ["corner-under", "corner"]) node.append(draw("path", { class: name, d: CORNERS, transform: `scale(${round(s * 1.15)})` }));
  return node;
}

/** @param {Thing} thing  @param {number} s */
function glyph(thing, s) {
  const path = GLYPHS[thing.glyph];
  if (path) return draw("path", { class: "glyph", "fill-rule": "evenodd", d: path, transform: `translate(${round(-.564 * s)} ${round(-.6 * s)}) scale(${round(.047 * s)})` });
  return draw("text", { class: "glyph-letters", "aria-hidden": "true", "font-size": round(.7 * s), dy: ".36em", "text-anchor": "middle" }, signOf(thing));
}

/** Two letters where there is no glyph.  @param {Thing} thing */
const signOf = (thing) => letters(thing.card || thing.glyph || thing.kind);

/** The flag: up, ready; lowered and hollow, has acted; amber finial, acts now.  @param {Thing} thing  @param {Pose} pose  @param {string} [call] */
export function flagNode(thing, pose, call = thing.label || thing.id) {
  const tall = -POLE, down = pose.acted ? 13 : 0, h = 16.5, w = Math.max(28, call.length * 8 + 12), s = scaleOf(thing);
  const node = steady([pose.at[0] + .52 * s, pose.at[1] - .52 * s],
    draw("line", { class: "pole-under", x1: 0, y1: 0, x2: 0, y2: -tall }), draw("line", { class: "pole", x1: 0, y1: 0, x2: 0, y2: -tall }), draw("circle", { class: "finial", cx: 0, cy: -tall - 1, r: pose.active ? 4 : 2.2 }),
    draw("g", { class: "flying", transform: `translate(.8 ${-tall + 1.5 + down})`, "data-w": w, "data-y": -tall + 1.5 + down }, draw("path", { class: "cloth", d: clothOf(thing.side, w, h) }), draw("text", { class: "call", x: w / 2 - (thing.side === "red" ? 2 : 1), y: h / 2, dy: ".36em", "text-anchor": "middle" }, call)));
  node.classList.add(sideClass(thing.side));
  if (pose.acted) node.classList.add("lowered");
  if (pose.active) node.classList.add("active");
  return node;
}

/** What a thing shows of its states, lower left; four at most, then a count.
 *  @param {import("./units.js").Sign[]} signs  @param {Dot} at  @param {number} s  @param {1 | -1} [way] to the right or to the left */
export function badgeNodes(signs, at, s, way = -1) {
  const shown = signs.length > 5 ? [...signs.slice(0, 4), { name: "", words: signs.slice(4).map((one) => one.words).join(", "), shape: "", helps: false, sign: `+${signs.length - 4}` }] : signs;
  let x = 0;
  return shown.map((sign) => {
    const wide = sign.shape && sign.sign && sign.shape !== "value" ? 30 : 20, node = steady([at[0] + way * .8 * s, at[1] + .8 * s], draw("g", { transform: `translate(${way < 0 ? x - wide + 11 : x + 11} 7)`, "data-badge": way < 0 ? x - wide + 11 : x + 11, "data-wide": wide }, badge(sign)));
    x += way * wide;
    return node;
  });
}

/** The token of whatever is no model.  @param {string} glyph */
export const tokenNodes = (glyph) => [draw("path", { class: "marker-shadow", d: "M-9 3L3 15 15 3 3-9Z" }), draw("path", { class: "marker-token", d: "M0-13L13 0 0 13-13 0Z" }), draw("path", { class: "marker-sign", d: GLYPHS[glyph] ?? GLYPHS.command, "fill-rule": "evenodd", transform: "translate(-7.2 -7.4) scale(.6)" })];

/** What several are called beside each other: a first word that they share says nothing, nor does what stands in brackets.  @param {string[]} names */
export function shortNames(names) {
  const firsts = names.map((name) => name.split(" ")[0]), shared = new Set(firsts.filter((word, i) => firsts.indexOf(word) !== i));
  return names.map((name, i) => (shared.has(firsts[i]) && name.includes(" ") ? name.slice(firsts[i].length + 1) : name).replace(/ \(.*\)$/, ""));
}

/** Where a lifted model stood.  @param {Thing} thing  @param {Pose} pose */
export function leftBehind(thing, pose) {
  return draw("g", { class: `left-behind ${sideClass(thing.side)}`, transform: `translate(${round(pose.at[0])} ${round(pose.at[1])})` },
    draw("polygon", { class: "left-base", points: pointsOf(baseDots(thing, pose.facing)) }), ...(pose.faces === false ? [] : [draw("polygon", { class: "left-wedge", points: wedgeOf(thing, pose.facing) })]));
}
