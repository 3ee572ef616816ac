// The scenario that is being edited: pieces of terrain and zones, laid, moved, changed, taken away; its file.

import { ask } from "./connection.js";
import { change, state } from "./state.js";
/** @import { Circle, Ground, PieceForm, Point, Rectangle, Scenario, ScenarioChecked, Shape, ZoneForm } from "./types.js" */

/** @typedef {Scenario} Form */
/** @typedef {"piece" | "zone"} What */
/** @typedef {{what: What, n: number}} Picked */

/** What is on the editor's table. */
export const desk = {
  name: "", form: /** @type {Form | null} */ (null), ground: /** @type {Ground | null} */ (null), text: "", wrong: "", busy: false,
  picked: /** @type {Picked | null} */ (null), kind: "", shape: "circle", cursor: /** @type {Point} */ ([0, 0]), past: /** @type {Form[]} */ ([]),
};
/** The kind that lays a zone. It is no kind of ground, so no ruleset has it. */
export const ZONE = " zone";
/** The size of a fresh piece, and how far apart its places are, in thousandths. */
const FRESH = 3000, GRID = 100;

export const again = () => change({ path: state.path });
const base = () => `/rulesets/${encodeURIComponent(desk.name)}`;
/** @returns {PieceForm[]} */
export const pieces = () => (Array.isArray(desk.form?.board.terrain) ? desk.form.board.terrain : []);
export const zones = () => desk.form?.zones ?? [];
/** What is chosen, as its form. */
export const chosen = () => (!desk.picked ? null : desk.picked.what === "piece" ? pieces()[desk.picked.n] ?? null : zones()[desk.picked.n] ?? null);
/** @param {number} n */
const onGrid = (n) => Math.round(n / GRID) * GRID;

/** @param {ScenarioChecked} checked */
function take(checked) {
  desk.wrong = checked.wrong ? `${checked.line ? `Line ${checked.line}: ` : ""}${checked.wrong}` : "";
  if (checked.form) Object.assign(desk, { form: checked.form, text: checked.text, ground: checked.ground ?? desk.ground });
}

/** One thing at a time, in the order in which it was asked for. @type {Promise<void>} */
let queue = Promise.resolve();
/** @param {() => Promise<void>} work */
export function busy(work) {
  desk.busy = true;
  queue = queue.then(work).catch((problem) => { desk.wrong = String(problem.message); }).then(() => { desk.busy = false; again(); });
  return queue;
}

/** Change the form; the server writes and checks it, and what it refuses is not done.  @param {(form: Form) => Form} edit  @param {Picked | null} [pick] */
export const write = (edit, pick = desk.picked) => busy(async () => {
  if (!desk.form) return;
  const before = desk.form;
  take(await ask(`${base()}/scenarios/write`, { form: edit(before) }));
  if (!desk.wrong) { desk.past.push(before); desk.picked = pick; }
});
export const takeBack = () => busy(async () => {
  const before = desk.past.pop();
  if (!before) return;
  desk.picked = null;
  take(await ask(`${base()}/scenarios/write`, { form: before }));
});
/** @param {string} scenario */
export const load = (scenario) => busy(async () => {
  Object.assign(desk, { picked: null, form: null, past: [] });
  take(await ask(`${base()}/scenarios/${encodeURIComponent(scenario)}`));
  if (desk.form) desk.cursor = [onGrid(desk.form.board.width / 2), onGrid(desk.form.board.height / 2)];
});
/** @param {string} text */
export const read = (text) => busy(async () => { if (desk.form) desk.past.push(desk.form); desk.picked = null; take(await ask(`${base()}/scenarios/check`, { text })); });
/** Terrain as the rules lay it; the same seed lays the same. */
export const roll = () => busy(async () => {
  if (!desk.form) return;
  const { width, height } = desk.form.board, made = await ask(`${base()}/terrain`, { width, height });
  desk.past.push(desk.form);
  desk.picked = null;
  take(await ask(`${base()}/scenarios/write`, { form: { ...desk.form, board: { ...desk.form.board, terrain: made.pieces } } }));
});

// Forms ------------------------------------------------------------------------------------------------------------

/** An outline moved by so much.  @template T  @param {T} form  @param {number} dx  @param {number} dy  @returns {T} */
export function moved(form, dx, dy) {
  const f = /** @type {any} */ (form), next = { ...f }, by = (/** @type {Point} */ [x, y]) => [x + dx, y + dy];
  if (f.circle) next.circle = [f.circle[0] + dx, f.circle[1] + dy, f.circle[2]];
  if (f.rectangle) next.rectangle = [f.rectangle[0] + dx, f.rectangle[1] + dy, ...f.rectangle.slice(2)];
  if (f.polygon) next.polygon = f.polygon.map(by);
  if (f.band) next.band = { ...f.band, points: f.band.points.map(by) };
  for (const list of ["contours", "parts"]) if (f[list]) next[list] = f[list].map((/** @type {any} */ one) => moved(one, dx, dy));
  return next;
}

/** @param {Point} at  @param {boolean} round */
const fresh = ([x, y], round) => ({ circle: round ? /** @type {Circle} */ ([x, y, FRESH]) : null, rectangle: round ? null : /** @type {Rectangle} */ ([x - FRESH, y - FRESH * .75, FRESH * 2, FRESH * 1.5, 0]), polygon: null, band: null });

/** @param {Point} at  @returns {PieceForm} */
function freshPiece(at) {
  const kind = state.rulesets.find((one) => one.name === desk.name)?.kinds.find((one) => one.id === desk.kind), none = { circle: null, rectangle: null, polygon: null, band: null };
  const contours = kind?.contoured ? [1, 2].map((level) => ({ ...none, circle: /** @type {Circle} */ ([at[0], at[1], FRESH * (3 - level) / 2]), level, cliff: false })) : [];
  return { ...(contours.length ? none : fresh(at, desk.shape === "circle")), kind: desk.kind, id: "", label: "", height: null, contours, parts: [], traits: {} };
}

/** @param {Point} at  @returns {ZoneForm} */
function freshZone(at) {
  let n = zones().length + 1;
  while (zones().some((zone) => zone.id === `zone-${n}`)) n += 1;
  return { ...fresh(at, desk.shape === "circle"), id: `zone-${n}`, label: "", rule: "", edge: null, depth: null };
}

/** Lay what is chosen to be laid.  @param {Point} point */
export function lay(point) {
  const at = /** @type {Point} */ ([onGrid(point[0]), onGrid(point[1])]);
  desk.cursor = at;
  if (desk.kind === ZONE) return write((form) => ({ ...form, zones: [...form.zones, freshZone(at)] }), { what: "zone", n: zones().length });
  return write((form) => ({ ...form, board: { ...form.board, terrain: [...pieces(), freshPiece(at)] } }), { what: "piece", n: pieces().length });
}

/** Change what is chosen.  @param {(one: any) => any} how */
export function edit(how) {
  const pick = desk.picked;
  if (!pick) return Promise.resolve();
  const each = (/** @type {any} */ one, /** @type {number} */ n) => (n === pick.n ? how(one) : one);
  return write((form) => (pick.what === "zone" ? { ...form, zones: form.zones.map(each) } : { ...form, board: { ...form.board, terrain: pieces().map(each) } }));
}

/** @param {number} dx  @param {number} dy */
export const shift = (dx, dy) => edit((one) => moved(one, onGrid(dx), onGrid(dy)));

export function remove() {
  const pick = desk.picked, gone = pick?.what === "zone" ? zones()[pick.n]?.id : "";
  if (!pick) return Promise.resolve();
  const keep = (/** @type {unknown} */ _, /** @type {number} */ n) => n !== pick.n;
  const sides = (/** @type {Form} */ form) => Object.fromEntries(Object.entries(form.sides).map(([name, side]) => [name, side.zone === gone ? { ...side, zone: "" } : side]));
  return write((form) => (pick.what === "zone" ? { ...form, zones: form.zones.filter(keep), sides: sides(form) } : { ...form, board: { ...form.board, terrain: pieces().filter(keep) } }), null);
}

/** The outline of a zone as it is drawn.  @param {ZoneForm} zone  @returns {Shape | null} */
export function zoneShape(zone) {
  const { width, height } = desk.form?.board ?? { width: 0, height: 0 }, box = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ w, /** @type {number} */ h) => /** @type {Shape} */ ({ shape: "polygon", points: [[x, y], [x + w, y], [x + w, y + h], [x, y + h]] });
  if (zone.edge && zone.depth) return { north: box(0, 0, width, zone.depth), south: box(0, height - zone.depth, width, zone.depth), west: box(0, 0, zone.depth, height), east: box(width - zone.depth, 0, zone.depth, height) }[zone.edge];
  if (zone.circle) return { shape: "disc", center: [zone.circle[0], zone.circle[1]], radius: zone.circle[2] };
  if (zone.polygon) return { shape: "polygon", points: zone.polygon };
  if (zone.band) return { shape: "band", points: zone.band.points, width: zone.band.width };
  if (!zone.rectangle) return null;
  const [x, y, w, h, turn] = zone.rectangle, a = turn * Math.PI / 180, mx = x + w / 2, my = y + h / 2;
  return { shape: "polygon", points: [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, j]) => [mx + i * w / 2 * Math.cos(a) - j * h / 2 * Math.sin(a), my + i * w / 2 * Math.sin(a) + j * h / 2 * Math.cos(a)]) };
}
