// Terrain and scenario: place, move and delete pieces, roll terrain by the ruleset, save and load the scenario's file.

import { land } from "./board.js";
import { ask } from "./connection.js";
import { Lay, apart, inside, outline, round, shapePath } from "./geometry.js";
import { icon } from "./icons.js";
import { draw, fill, make, saveFile, settle } from "./pen.js";
import { pageBar } from "./rules.js";
import { change, state, watch } from "./state.js";

/** @typedef {import("./types.js").Scenario} Form */
/** @typedef {import("./types.js").PieceForm} PieceForm */
/** @typedef {import("./types.js").Point} Point */

/** What is on the editor's table. */
const desk = { name: "", form: /** @type {Form | null} */ (null), ground: /** @type {import("./types.js").Ground | null} */ (null), text: "", wrong: "", picked: -1, kind: "", busy: false };
/** The size of a fresh piece, in thousandths. */
const FRESH = 3000;

const again = () => change({ path: state.path });
const base = () => `/rulesets/${encodeURIComponent(desk.name)}`;
const pieces = () => (Array.isArray(desk.form?.board.terrain) ? desk.form.board.terrain : []);

/** @param {import("./types.js").ScenarioChecked} checked */
function take(checked) {
  desk.wrong = checked.wrong ? `${checked.line ? `Line ${checked.line}: ` : ""}${checked.wrong}` : "";
  if (checked.form) Object.assign(desk, { form: checked.form, text: checked.text, ground: checked.ground ?? desk.ground });
  again();
}

/** @param {() => Promise<void>} work */
async function busy(work) {
  desk.busy = true;
  try { await work(); } catch (problem) { desk.wrong = String(/** @type {Error} */ (problem).message); }
  desk.busy = false;
  again();
}

/** The form as it is now, written and checked by the server.  @param {PieceForm[]} terrain */
const write = (terrain) => busy(async () => { if (desk.form) take(await ask(`${base()}/scenarios/write`, { form: { ...desk.form, board: { ...desk.form.board, terrain } } })); });
/** @param {string} scenario */
const load = (scenario) => busy(async () => { Object.assign(desk, { picked: -1, form: null }); take(await ask(`${base()}/scenarios/${encodeURIComponent(scenario)}`)); });
/** @param {string} text */
const read = (text) => busy(async () => take(await ask(`${base()}/scenarios/check`, { text })));
const roll = () => busy(async () => {
  if (!desk.form) return;
  const { width, height } = desk.form.board, made = await ask(`${base()}/terrain`, { width, height });
  desk.picked = -1;
  take(await ask(`${base()}/scenarios/write`, { form: { ...desk.form, board: { ...desk.form.board, terrain: made.pieces } } }));
});

/** @param {Point} p  @param {number} dx  @param {number} dy  @returns {Point} */
const by = ([x, y], dx, dy) => [x + dx, y + dy];

/** An outline moved by so much.  @template {any} T  @param {T} form  @param {number} dx  @param {number} dy  @returns {T} */
function moved(form, dx, dy) {
  const f = /** @type {any} */ (form), next = { ...f };
  if (f.circle) next.circle = [f.circle[0] + dx, f.circle[1] + dy, f.circle[2]];
  if (f.rectangle) next.rectangle = [f.rectangle[0] + dx, f.rectangle[1] + dy, ...f.rectangle.slice(2)];
  if (f.polygon) next.polygon = f.polygon.map((/** @type {Point} */ p) => by(p, dx, dy));
  if (f.band) next.band = { ...f.band, points: f.band.points.map((/** @type {Point} */ p) => by(p, dx, dy)) };
  for (const list of ["contours", "parts"]) if (f[list]) next[list] = f[list].map((/** @type {any} */ one) => moved(one, dx, dy));
  return next;
}

/** @param {Point} at  @returns {PieceForm} */
const freshPiece = ([x, y]) => ({ kind: desk.kind, id: "", label: "", height: null, contours: [], parts: [], traits: {}, circle: /** @type {any} */ ([x, y, FRESH]), polygon: null, rectangle: null, band: null });

/** @param {number} dx  @param {number} dy */
const shift = (dx, dy) => { if (desk.picked >= 0) write(pieces().map((piece, i) => (i === desk.picked ? moved(piece, dx, dy) : piece))); };
const remove = () => { const gone = desk.picked; desk.picked = -1; if (gone >= 0) write(pieces().filter((_, i) => i !== gone)); };

/** The board to work on: press to pick, drag to move, press the sand to lay the chosen kind.  @param {HTMLElement} place */
function drawBoard(place) {
  const { ground } = desk;
  if (!ground?.width) { fill(place, make("p.empty", {}, desk.busy ? "One moment …" : "Choose a scenario to begin with.")); return; }
  const lay = new Lay(ground.width, ground.height, false), u = 1.9 * Math.max(lay.width, lay.height) / 48, svg = /** @type {SVGSVGElement} */ (draw("svg", { class: "board", viewBox: `${-u} ${-u} ${lay.width + 2 * u} ${lay.height + 2 * u}`, role: "group", tabindex: 0, "aria-label": "The board. Arrow keys move the chosen piece, Delete takes it away." }, ...land(ground, lay)));
  const zones = (desk.form?.zones ?? []).map((zone) => zone.polygon ? draw("path", { class: "zone", d: shapePath({ shape: "polygon", points: zone.polygon }, lay) }) : draw("g"));
  const chosen = ground.pieces[desk.picked];
  svg.append(...zones, ...(chosen ? [draw("path", { class: "piece-picked", d: shapePath(chosen.outline, lay) })] : []));
  const dot = (/** @type {PointerEvent} */ e) => { const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(/** @type {DOMMatrix} */ (svg.getScreenCTM()).inverse()); return /** @type {[number, number]} */ ([p.x, p.y]); };
  let start = /** @type {[number, number] | null} */ (null), hit = -1;
  svg.addEventListener("pointerdown", (e) => {
    start = dot(e);
    hit = ground.pieces.reduce((found, piece, i) => (inside(/** @type {any} */ (start), outline(piece.outline, lay)) ? i : found), -1);
    if (hit >= 0) svg.setPointerCapture(e.pointerId);
  });
  svg.addEventListener("pointermove", (e) => {
    if (!start || hit < 0) return;
    const now = dot(e), node = svg.querySelector(`[data-piece="${CSS.escape(ground.pieces[hit].id)}"]`);
    node?.setAttribute("transform", `translate(${round(now[0] - start[0])} ${round(now[1] - start[1])})`);
  });
  svg.addEventListener("pointerup", (e) => {
    const end = dot(e), from = start;
    start = null;
    if (!from) return;
    if (hit >= 0) {
      desk.picked = hit;
      if (apart(from, end) > .15) shift(Math.round((end[0] - from[0]) * 10) * 100, Math.round((end[1] - from[1]) * 10) * 100); else again();
    } else if (desk.kind) { desk.picked = pieces().length; write([...pieces(), freshPiece([Math.round(end[0] * 10) * 100, Math.round(end[1] * 10) * 100])]); } else { desk.picked = -1; again(); }
  });
  svg.addEventListener("keydown", (e) => {
    const way = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] })[e.key], far = e.shiftKey ? 100 : 1000;
    if (way) { e.preventDefault(); shift(way[0] * far, way[1] * far); }
    if (e.key === "Delete" || e.key === "Backspace") { e.preventDefault(); remove(); }
  });
  const focus = place.contains(document.activeElement);
  fill(place, svg);
  settle(svg);
  if (focus) svg.focus();
}

/** @param {HTMLElement} side */
function drawSide(side) {
  const rules = state.rulesets.find((one) => one.name === desk.name), kinds = [...new Set([...(desk.ground?.pieces ?? []).map((piece) => piece.kind), ...kindsKnown(desk.name)])].sort(), piece = pieces()[desk.picked];
  const field = (/** @type {string} */ name, /** @type {string} */ value, /** @type {(value: string) => void} */ set, type = "text") => make("label.field", {}, make("span.label", {}, name), make("input.box", { type, value, "data-key": `piece-${name}`, onchange: (/** @type {Event} */ e) => set(/** @type {HTMLInputElement} */ (e.target).value) }));
  const edit = (/** @type {Partial<PieceForm>} */ news) => write(pieces().map((one, i) => (i === desk.picked ? { ...one, ...news } : one)));
  const text = /** @type {HTMLTextAreaElement} */ (make("textarea", { "aria-label": "The scenario as a file", spellcheck: "false", value: desk.text, "data-key": "text" }));
  const file = /** @type {HTMLInputElement} */ (make("input", { type: "file", accept: ".yaml,.yml", hidden: true, "aria-label": "A scenario file", onchange: async () => { const chosen = file.files?.[0]; if (chosen) read(await chosen.text()); } }));
  fill(side, make("label.field", {}, make("span.label", {}, "Scenario"), make("select.box", { "data-key": "scenario", onchange: (/** @type {Event} */ e) => { const name = /** @type {HTMLSelectElement} */ (e.target).value; if (name) load(name); } }, make("option", { value: "" }, "Choose one"), ...(rules?.scenarios ?? []).map((one) => make("option", { value: one.name, selected: one.name === desk.form?.name }, one.title || one.name)))),
    desk.wrong && make("div.refusal", { role: "alert" }, icon("no"), make("p", {}, desk.wrong)),
    desk.form && make("div", {}, make("h2.label", {}, "Lay a piece"), make("div.kinds", { role: "group", "aria-label": "Kind of piece" }, ...kinds.map((kind) => make("button.chip", { "aria-pressed": desk.kind === kind, "data-key": `kind-${kind}`, onclick: () => { desk.kind = desk.kind === kind ? "" : kind; again(); } }, rules?.words[kind] ?? kind.replaceAll("-", " "))))),
    desk.form && make("button.else", { "data-key": "roll", onclick: roll }, icon("dice"), "Roll terrain by the rules"),
    piece && make("div", {}, make("h2.label", {}, "The chosen piece"), field("Name", piece.label, (label) => edit({ label })), field("Height", String(piece.height ?? ""), (value) => edit({ height: value === "" ? null : Number(value) }), "number"), piece.circle && field("Radius", String(/** @type {any} */ (piece.circle)[2] / 1000), (value) => edit({ circle: /** @type {any} */ ([.../** @type {any} */ (piece.circle).slice(0, 2), Math.round(Number(value) * 1000)]) }), "number"), make("button.else", { "data-key": "remove", onclick: remove }, icon("close"), "Take it away")),
    desk.form && make("div", {}, make("h2.label", {}, "The file"), text, make("div.ways", {}, make("button.else", { "data-key": "read", onclick: () => read(text.value) }, "Read this text"), make("button.else", { "data-key": "save", onclick: () => saveFile(desk.text, `${desk.form?.name ?? "scenario"}.yaml`) }, icon("save"), "Save"))),
    make("button.else", { "data-key": "open-file", onclick: () => file.click() }, icon("open"), "Open a file"), file, desk.form && make("button.do", { "data-key": "play", onclick: playIt }, "Play it against yourself"));
}

/** Kinds of ground that any scenario of this ruleset has shown so far. @type {Map<string, Set<string>>} */
const seen = new Map();
/** @param {string} name */
const kindsKnown = (name) => seen.get(name) ?? new Set();

const playIt = () => busy(async () => {
  const sides = Object.keys(desk.form?.sides ?? {});
  const made = await ask("/battles", { ruleset: desk.name, text: desk.text, seats: (sides.length ? sides : ["red", "blue"]).map((side) => ({ side, kind: "hot seat" })), title: desk.form?.title ?? "" });
  location.hash = `#/table/${made.links[0].token}`;
});

/** @param {HTMLElement} root */
export function editorPage(root) {
  const bar = make("header.bar"), place = make("main.board-place", { "aria-label": "The board", id: "terrain-main", tabindex: -1 }), side = make("section.editor-side", { "aria-label": "Scenario" });
  root.append(bar, make("div.editor", {}, place, side));
  watch((changed) => {
    if (state.route !== "terrain" || !["route", "path", "rulesets"].some((name) => changed.has(name))) return;
    const name = state.path[0] || state.rulesets[0]?.name || "", rules = state.rulesets.find((one) => one.name === name);
    if (name !== desk.name) Object.assign(desk, { name, form: null, ground: null, text: "", wrong: "", picked: -1, kind: "" });
    if (rules?.scenarios[0] && !desk.form && !desk.busy && !desk.wrong) { load(rules.scenarios[0].name); return; }
    seen.set(name, new Set([...kindsKnown(name), ...(desk.ground?.pieces ?? []).map((piece) => piece.kind)]));
    fill(bar, ...pageBar("terrain", "Terrain and scenario", name));
    drawBoard(place);
    drawSide(side);
  });
}
