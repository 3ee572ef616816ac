// Units: models that act together are shown together. One flag, one outline, their states once.

import { hull, lineOf, towards } from "./geometry.js";
import { sideClass } from "./icons.js";
import { draw } from "./pen.js";
import { change, ruleset, said, state } from "./state.js";

/** @import { Dot } from "./geometry.js" */
/** @import { Thing } from "./types.js" */
/** @typedef {import("./types.js").TableShown} Table */
/** @typedef {{thing: Thing, members: Thing[]}} Unit  A unit and its models, the lost ones too. */
/** @typedef {{name: string, words: string, shape: string, helps: boolean, sign: string}} Sign  A state or a count as a badge. */

/** The units that have models of their own, by their id.  @param {Table} table  @returns {Map<string, Unit>} */
export function unitsOf(table) {
  const units = /** @type {Map<string, Unit>} */ (new Map());
  for (const thing of Object.values(table.things)) {
    const unit = thing.kind === "model" && thing.unit ? table.things[thing.unit] : undefined;
    if (unit?.kind !== "unit") continue;
    const known = units.get(unit.id);
    if (known) known.members.push(thing); else units.set(unit.id, { thing: unit, members: [thing] });
  }
  return units;
}

/** @param {Thing} thing */
export const stands = (thing) => thing.place.place === "at" && !thing.gone;

/** Who carries the flag: whoever the unit names among its models, or the first of them.  @param {Unit} unit */
export function bearer({ thing, members }) {
  const there = members.filter(stands), named = Object.values(thing.states).map((mark) => mark.value);
  return there.find((one) => named.includes(one.id)) ?? there[0];
}

/** The ground a unit holds: a rounded outline about its models.  @param {Dot[]} dots  @param {number} far */
export const about = (dots, far) => hull(dots.flatMap((dot) => Array.from({ length: 12 }, (_, i) => towards(dot, i * 30, far))));

/** Models farther apart than this, in the table's unit, hold ground of their own and are tied by a line. */
const APART = 8;

/** Dots that lie together, and the lines that tie them.  @param {Dot[]} dots  @returns {{groups: Dot[][], ties: [Dot, Dot][]}} */
function grouped(dots) {
  const far = (/** @type {Dot} */ a, /** @type {Dot} */ b) => Math.hypot(a[0] - b[0], a[1] - b[1]), groups = /** @type {Dot[][]} */ ([]), ties = /** @type {[Dot, Dot][]} */ ([]), left = [...dots];
  while (left.length) {
    const group = left.splice(0, 1), near = (/** @type {Dot} */ dot) => group.some((one) => far(one, dot) <= APART), done = groups.flat();
    for (let next = left.findIndex(near); next >= 0; next = left.findIndex(near)) group.push(...left.splice(next, 1));
    if (done.length) ties.push(group.flatMap((a) => done.map((b) => /** @type {[Dot, Dot]} */ ([a, b]))).reduce((a, b) => (far(...b) < far(...a) ? b : a)));
    groups.push(group);
  }
  return { groups, ties };
}

/** @param {Unit} unit  @param {Dot[]} dots  @param {{active: boolean, pick: string, looked: boolean}} how */
export function unitGround({ thing, members }, dots, { active, pick, looked }) {
  const far = Math.max(...members.map((one) => Math.max(one.base?.size ?? 1000, one.base?.depth ?? 0) / 1000)) * .5 + .55, { groups, ties } = grouped(dots), d = groups.map((group) => lineOf(about(group, far), true)).join("");
  return draw("g", { class: `unit ${sideClass(thing.side)}${active ? " active" : ""}${pick ? ` ${pick}` : ""}${looked ? " looked" : ""}` }, draw("path", { class: "unit-under", d }), draw("path", { class: "unit-ground", d }), draw("path", { class: "unit-tie", d: ties.map((tie) => lineOf(tie)).join("") }));
}

/** What a ruleset shows of a thing: those of its states and counts that have a look; all states where it has no looks.
 *  @param {Thing} thing  @returns {Sign[]} */
export function signsOf(thing) {
  const looks = ruleset()?.looks ?? {}, notes = ruleset()?.notes ?? [], all = !Object.keys(looks).length, signs = /** @type {Sign[]} */ ([]);
  for (const [name, mark] of Object.entries(thing.states)) {
    const look = looks[name];
    // What goes without saying has no badge: a flag that is lowered says that its unit has acted.
    if (!look && !all || notes.includes(name)) continue;
    const value = typeof mark.value === "number" || Array.isArray(mark.value) ? "" : said(String(mark.value)), words = look?.words || said(name), shown = look?.shape === "value";
    signs.push({ name, words: shown && value ? `${words}: ${value}` : words, shape: look?.shape ?? "", helps: Boolean(look?.helps && !look.hinders.includes(String(mark.value))), sign: shown ? value.slice(0, 2).toUpperCase() : "" });
  }
  for (const [name, n] of Object.entries(thing.counts)) if (looks[name] && n > 0) signs.push({ name, words: `${looks[name].words || said(name)} ${n}`, shape: looks[name].shape, helps: looks[name].helps, sign: String(n) });
  // Of whom nothing is left, that it is broken is all that counts.
  const broken = thing.track && thing.harm >= thing.track ? signs.filter((sign) => sign.shape === "broken") : [];
  return broken.length ? broken.slice(0, 1) : signs;
}

/** What shows cards in hand, fetched where somebody has some.  @type {typeof import("./held.js") | null} */
let held = null, fetched = false;
/** @param {import("./types.js").TableShown} table */
export function heldModule(table) {
  if (!fetched && Object.values(table.things).some((one) => one.kind === "card")) { fetched = true; import("./held.js").then((module) => { held = module; change({ table: state.table }); }); }
  return held;
}
