// The table in words: what a screen reader, or anybody, plays by. Squares A1 to H8 are eighths of the board.

import { compass, inside, outline, squareOf, Lay } from "./geometry.js";
import { make } from "./pen.js";
import { nameOf, ruleset, said, state } from "./state.js";
import { actingNow, shown } from "./moments.js";
import { lookOf } from "./terrain.js";
import { heldModule, signsOf, unitsOf } from "./units.js";
/** @import { Ground, Piece, TableShown, Thing, Zone } from "./types.js" */

/** @typedef {TableShown} Table */
/** @typedef {Ground | null} MaybeGround */

/** @param {MaybeGround} ground  @param {Thing} thing */
function where(ground, thing) {
  const { place } = thing;
  const slot = place.place === "in" ? state.situation?.slots[place.holder]?.[place.slot] ?? place.slot : "";
  if (place.place === "in") return [`in ${nameOf(place.holder)}${slot ? `, ${slot}` : ""}`];
  if (place.place === "off") return [`off the table${place.why ? `, ${said(place.why)}` : ""}`];
  if (!ground) return [];
  const flat = new Lay(ground.width, ground.height, false), at = flat.dot(place.point), words = [squareOf(place.point, ground)];
  let height = place.level;
  const on = [];
  for (const piece of ground.pieces) {
    if (!inside(at, outline(piece.outline, flat))) continue;
    height += Math.max(0, ...piece.contours.filter((c) => inside(at, outline(c.outline, flat))).map((c) => c.level)) / (ruleset()?.level ?? 1);
    const look = lookOf(piece);
    if (look !== "hill") on.push(`${["road", "bridge", "open", "plain"].includes(look) ? "on" : "in"} ${piece.label || said(piece.kind)}`);
  }
  return [...words, ...(height ? [`level ${height}`] : []), ...on];
}

/** One thing in a sentence: call sign, side, type, square, level, ground, facing, harm, states.
 *  @param {Table} table  @param {MaybeGround} ground  @param {Thing} thing */
export function modelWords(table, ground, thing) {
  const words = [thing.label || thing.id, thing.side, thing.glyph].filter(Boolean), looks = ruleset()?.looks ?? {};
  words.push(...where(ground, thing));
  if (thing.unit && table.things[thing.unit]?.label) words.splice(1, 0, `of ${table.things[thing.unit].label}`);
  if (thing.place.place === "at" && thing.kind === "model" && (ruleset()?.faces ?? true)) words.push(`facing ${compass(thing.facing)}`);
  if (thing.track) words.push(`harm ${thing.harm} of ${thing.track}`);
  for (const [state, mark] of Object.entries(thing.states)) words.push(`${looks[state]?.words || said(state)}${mark.value === 1 || mark.value === "" ? "" : ` ${Array.isArray(mark.value) ? mark.value.map(nameOf).join(" ") : typeof mark.value === "string" ? nameOf(mark.value) : mark.value}`}`);
  const acting = actingNow(table).slice(1);
  if (acting.includes(thing.id) || thing.unit && acting.includes(thing.unit)) words.push("acts now");
  return words.join(", ");
}

/** Who acts: a unit by its name, without its models.  @param {Table} table */
export function whoActs(table) {
  const acting = actingNow(table).slice(1);
  return acting.filter((id) => !acting.includes(table.things[id]?.unit ?? "")).map(nameOf).join(", ");
}

/** Which turn it is; before the first, what is done then.  @param {Table} table */
export const turnWords = (table) => `${table.turn ? `Turn ${table.turn}` : "Set-up"}${table.phase ? `, ${said(table.phase)}` : ""}`;

/** The moment in a line.  @param {Table} table */
export function heading(table) {
  const words = [`${turnWords(table)}.`];
  const [side, ...units] = actingNow(table);
  if (side) words.push(`${capital(side)} acts${units.length ? `: ${whoActs(table)}` : ""}.`);
  if (Object.keys(table.scores).length) words.push(`Points: ${Object.entries(table.scores).map(([side, n]) => `${side} ${n}`).join(", ")}.`);
  if (table.ending) words.push(`${table.ending.winner ? `${capital(table.ending.winner)} has won` : "Nobody has won"}${table.ending.reason ? `: ${table.ending.reason}` : ""}.`);
  return words.join(" ");
}

/** @param {string} word */
export const capital = (word) => word.slice(0, 1).toUpperCase() + word.slice(1);

/** @param {Ground} ground  @param {Piece} piece */
function pieceWords(ground, piece) {
  const dots = outline(piece.outline, new Lay(ground.width, ground.height, false)), squares = [...new Set(dots.map(([x, y]) => squareOf([x * 1000, y * 1000], ground)))].sort();
  const height = Math.max(piece.height, ...piece.contours.map((c) => c.level)) / (ruleset()?.level ?? 1);
  return `${piece.label ? `${piece.label}, ` : ""}${said(piece.kind)}${height > 0 ? `, height ${height}` : ""}, ${squares[0]}${squares.length > 1 ? ` to ${squares.at(-1)}` : ""}`;
}

/** The parts of the table that mean something now.  @param {Ground} ground */
function zoneWords(ground) {
  const zones = state.moment === null ? state.situation?.zones ?? [] : [], flat = new Lay(ground.width, ground.height, false);
  const reach = (/** @type {Zone} */ zone) => { const squares = [...new Set(outline(zone.shape, flat).map(([x, y]) => squareOf([x * 1000, y * 1000], ground)))].sort(); return `${capital(zone.label)}: ${squares[0]}${squares.length > 1 ? ` to ${squares.at(-1)}` : ""}`; };
  return zones.length ? [make("h3", {}, "Zones"), make("ul.words-list", {}, ...zones.map((zone) => make("li", {}, reach(zone))))] : [];
}

/** The whole table as a list that can be read, the draft and its preview too. */
export function tableInWords() {
  const { table, ground } = shown();
  if (!table || !ground) return make("div", {}, "Nothing on the table yet.");
  const units = unitsOf(table), list = (/** @type {string[]} */ items) => make("ul.words-list", {}, ...items.map((text) => make("li", {}, text)));
  const sides = table.sides.flatMap((side) => {
    const mine = Object.values(table.things).filter((t) => t.kind === "model" && t.side === side), there = mine.filter((t) => !t.gone);
    const grouped = [...units.values()].filter((unit) => unit.thing.side === side).map(({ thing, members }) => [thing.label || thing.id, `${members.filter((one) => !one.gone).length} of ${members.length} in play`, ...signsOf(thing).map((one) => one.words), ...(actingNow(table).includes(thing.id) ? ["acts now"] : [])].join(", "));
    return [make("h3", {}, `${capital(side)}: ${there.length} in play`), grouped.length > 0 && list(grouped), list([...(heldModule(table)?.heldWords(table, side) ?? []), ...there.map((t) => modelWords(table, ground, t)), ...mine.filter((t) => t.gone).map((t) => `${t.label || t.id} is lost: ${said(t.gone)}`)])];
  });
  const others = Object.values(table.things).filter((t) => (t.kind === "marker" || t.kind === "holder") && t.place.place === "at");
  return make("div.in-words", {}, make("p", {}, heading(table)), ...sides, others.length > 0 && make("h3", {}, "Markers"), others.length > 0 && list(others.map((t) => modelWords(table, ground, t))),
    make("h3", {}, "Ground"), list([`The board is ${ground.width / 1000} by ${ground.height / 1000}, squares A1 in the north-west to H8 in the south-east.`, ...ground.pieces.map((piece) => pieceWords(ground, piece))]),
    ...zoneWords(ground), state.moment !== null && make("p", {}, `This is moment ${state.moment} of ${state.log.length}.`));
}
