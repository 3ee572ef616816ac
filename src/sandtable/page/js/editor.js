// Terrain and scenario: place, move and delete pieces and zones, roll terrain by the ruleset, save and load the file.

import { ask } from "./connection.js";
import { drawEditorBoard } from "./editor-board.js";
import { icon } from "./icons.js";
import { fill, make, renew, saveFile } from "./pen.js";
import { pageBar } from "./page-bar.js";
import { ZONE, again, busy, chosen, desk, edit, load, pieces, read, remove, roll, takeBack, write, zones } from "./scenario-desk.js";
import { spaced, state, watch } from "./state.js";

/** @param {Event} event */
const valueOf = (event) => /** @type {HTMLInputElement} */ (event.target).value;
/** @param {string} name  @param {string} value  @param {(value: string) => void} set  @param {string} [type] */
const field = (name, value, set, type = "text") => make("label.field", {}, make("span.label", {}, name), make("input.box", { type, step: "any", value, maxlength: 60, "data-key": `piece-${name}`, onchange: (/** @type {Event} */ e) => set(valueOf(e)) }));
/** @param {string} name  @param {string} value  @param {[string, string][]} ways  @param {(value: string) => void} set */
const select = (name, value, ways, set) => make("label.field", {}, make("span.label", {}, name), make("select.box", { "data-key": `piece-${name}`, onchange: (/** @type {Event} */ e) => set(valueOf(e)) }, ...ways.map(([id, words]) => make("option", { value: id, selected: id === value }, words))));

const rulesNow = () => state.rulesets.find((one) => one.name === desk.name);
/** @param {string} kind */
const kindWords = (kind) => rulesNow()?.kinds.find((one) => one.id === kind)?.words ?? spaced(kind);

/** Numbers of an outline that may be typed: its size and how it is turned.  @param {any} one */
function sizes(one) {
  const number = (/** @type {string} */ name, /** @type {number} */ n, /** @type {(n: number) => any} */ set, scale = 1000) => field(name, String(+(n / scale).toFixed(2)), (value) => { if (Number.isFinite(Number(value)) && value !== "") edit((old) => ({ ...old, ...set(Math.round(Number(value) * scale)) })); }, "number");
  const swap = (/** @type {number[]} */ list, /** @type {number} */ i, /** @type {number} */ n) => list.map((old, k) => (k === i ? n : old));
  if (one.circle) return [number("Radius", one.circle[2], (n) => ({ circle: swap(one.circle, 2, Math.max(100, n)) }))];
  if (one.rectangle) return [number("Width", one.rectangle[2], (n) => ({ rectangle: swap(one.rectangle, 2, Math.max(100, n)) })), number("Depth", one.rectangle[3], (n) => ({ rectangle: swap(one.rectangle, 3, Math.max(100, n)) })), number("Turned", one.rectangle[4] ?? 0, (n) => ({ rectangle: swap([...one.rectangle, 0].slice(0, 5), 4, ((n % 360) + 360) % 360) }), 1)];
  if (one.band) return [number("Width", one.band.width, (n) => ({ band: { ...one.band, width: Math.max(100, n) } }))];
  return one.edge ? [number("Depth", one.depth ?? 0, (n) => ({ depth: Math.max(100, n) }))] : [];
}

/** What is chosen, and what may be changed about it. */
function chosenNode() {
  const one = /** @type {any} */ (chosen()), zone = desk.picked?.what === "zone";
  if (!one) return null;
  const sides = Object.entries(desk.form?.sides ?? {}), owner = sides.find(([, side]) => side.zone === one.id)?.[0] ?? "";
  const give = (/** @type {string} */ to) => write((form) => ({ ...form, sides: Object.fromEntries(Object.entries(form.sides).map(([name, side]) => [name, { ...side, zone: name === to ? one.id : side.zone === one.id ? "" : side.zone }])) }));
  return make("section.chosen", { "aria-label": "What is chosen" }, make("h2.label", {}, zone ? `The zone ${one.label || one.id}` : `The ${kindWords(one.kind)}`), field("Name", one.label, (label) => edit((old) => ({ ...old, label }))),
    make("div.sizes", {}, !zone && field(rulesNow()?.level === 1 ? "Levels high" : "Height", String(one.height ?? ""), (value) => edit((old) => ({ ...old, height: value === "" ? null : Number(value) })), "number"), ...sizes(one)),
    zone && select("Side", owner, [["", "nobody’s"], ...sides.map(([name]) => /** @type {[string, string]} */ ([name, name]))], give),
    make("button.else", { "data-key": "remove", onclick: () => remove() }, icon("close"), "Take it away"));
}

/** Every piece and zone as a list: to choose from by keyboard, and to be read. */
function itemList() {
  const item = (/** @type {"piece" | "zone"} */ what, /** @type {number} */ n, /** @type {string} */ words) => make("li", {}, make("button.chip", { "aria-pressed": desk.picked?.what === what && desk.picked.n === n, "data-key": `item-${what}-${n}`, onclick: () => { desk.picked = { what, n }; again(); } }, words));
  return make("details.items", { open: true }, make("summary.label", {}, `On the board: ${pieces().length} ${pieces().length === 1 ? "piece" : "pieces"}, ${zones().length} ${zones().length === 1 ? "zone" : "zones"}`), make("ul.kinds", {}, ...pieces().map((piece, n) => item("piece", n, piece.label || `${kindWords(piece.kind)} ${n + 1}`)), ...zones().map((zone, n) => item("zone", n, zone.label || spaced(zone.id)))));
}

/** What may be laid, and in which shape. */
function layNode() {
  const chip = (/** @type {string} */ id, /** @type {string} */ words) => make("button.chip", { "aria-pressed": desk.kind === id, "data-key": `kind-${id.trim()}`, onclick: () => { desk.kind = desk.kind === id ? "" : id; desk.picked = null; again(); } }, words);
  const shape = (/** @type {string} */ id, /** @type {string} */ words) => make("button.chip", { "aria-pressed": desk.shape === id, "data-key": `shape-${id}`, onclick: () => { desk.shape = id; again(); } }, words);
  return make("section", { "aria-label": "Lay a piece" }, make("h2.label", {}, "Lay a piece"), make("div.kinds", { role: "group", "aria-label": "Kind of piece" }, ...(rulesNow()?.kinds ?? []).map((kind) => chip(kind.id, kind.words)), chip(ZONE, "a zone")), make("div.kinds", { role: "group", "aria-label": "Shape" }, shape("circle", "round"), shape("rectangle", "square")),
    desk.kind && make("p.note", {}, "Press the sand where it goes; by keyboard, move the cross on the board and press Enter."));
}

/** @param {HTMLElement} side */
function drawSide(side) {
  const rules = rulesNow(), { form } = desk, busyNow = desk.busy || undefined;
  renew(side, make("label.field", {}, make("span.label", {}, "Scenario"), make("select.box", { "data-key": "scenario", onchange: (/** @type {Event} */ e) => { if (valueOf(e)) load(valueOf(e)); } }, make("option", { value: "" }, "Choose one"), ...(rules?.scenarios ?? []).map((one) => make("option", { value: one.name, selected: one.name === form?.name }, one.title || one.name)))),
    desk.wrong && make("div.refusal", { role: "alert" }, icon("no"), make("p", {}, desk.wrong)),
    form && chosenNode(), form && layNode(),
    form && make("div.ways", {}, make("button.else", { "data-key": "roll", "aria-disabled": busyNow, onclick: () => roll() }, icon("dice"), "Roll terrain by the rules"), make("button.else", { "data-key": "take-back", "aria-disabled": !desk.past.length || undefined, onclick: () => takeBack() }, icon("undo"), "Undo")),
    form && itemList(),
    form && make("section", { "aria-label": "The file" }, make("h2.label", {}, "The file"), make("textarea", { "aria-label": "The scenario as a file", spellcheck: "false", value: desk.text, "data-key": "text" }),
      make("div.ways", {}, make("button.else", { "data-key": "read", onclick: () => read(/** @type {HTMLTextAreaElement} */ (side.querySelector("[data-key=text]")).value) }, "Read this text"), make("button.else", { "data-key": "save", onclick: () => saveFile(desk.text, `${form.name || "scenario"}.yaml`) }, icon("save"), "Save"))),
    make("label.else.file", { "data-key": "open-file" }, icon("open"), "Open a file", make("input.visually-hidden", { type: "file", accept: ".yaml,.yml", "data-key": "file", onchange: async (/** @type {Event} */ e) => { const file = /** @type {HTMLInputElement} */ (e.target).files?.[0]; if (file) read(await file.text()); } })),
    form && make("button.do", { "data-key": "play", onclick: playIt }, "Play it against yourself"));
}

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
    if (name !== desk.name) Object.assign(desk, { name, form: null, ground: null, text: "", wrong: "", picked: null, kind: "", past: [] });
    if (rules?.scenarios[0] && !desk.form && !desk.busy && !desk.wrong) { load(rules.scenarios[0].name); return; }
    fill(bar, ...pageBar("terrain", "Terrain and scenario", name));
    drawEditorBoard(place);
    drawSide(side);
  });
}
