// The board: tray, ground, terrain, models, pencil. One unit of the drawing is one unit of the table.

import { ALL, dragHand, pressGround, pressThing, asked, inHand, turnTowards } from "./drafting.js";
import { amber } from "./session.js";
import { Lay, apart, boxOf, outline, round } from "./geometry.js";
import { icon, sideClass } from "./icons.js";
import { draw, group, make, settle } from "./pen.js";
import { pencilHigh, pencilLow, picks, seatLabels } from "./pencil.js";
import { seatNames, spread, standing, thinWords } from "./standing.js";
import { change, measuring, ruleset, state } from "./state.js";
import { landscape } from "./terrain.js";
import { shown } from "./moments.js";
import { offsets, playedAt, remember, stageNodes } from "./stage.js";
import { stands } from "./units.js";
import { stretch, takeTape, tapeNode } from "./tape.js";
import { zoneNodes, zonePatterns } from "./zones.js";

/** @import { Dot } from "./geometry.js" */

/** Patterns and lights, once a page. */
export function definitions() {
  let seed = 7;
  const random = () => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return seed / 0x7fffffff; };
  const grain = draw("pattern", { id: "grain", width: 9, height: 9, patternUnits: "userSpaceOnUse" });
  for (let i = 0; i < 150; i++) grain.append(draw("circle", { class: "grain-dot", cx: round(random() * 9), cy: round(random() * 9), r: round(.018 + random() * .035), opacity: round(.2 + random() * .5) }));
  const hatch = (/** @type {string} */ id, /** @type {number} */ gap, /** @type {number} */ wide) => draw("pattern", { id, width: gap, height: gap, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, draw("rect", { width: wide, height: gap, fill: "#fff", opacity: .42 }));
  const bars = (/** @type {string} */ id, /** @type {number} */ gap, /** @type {number} */ wide) => draw("pattern", { id, width: gap, height: gap, patternUnits: "userSpaceOnUse" }, draw("rect", { width: gap, height: wide, fill: "#fff", opacity: .45 }));
  const stop = (/** @type {number} */ offset, /** @type {string} */ name, /** @type {number | undefined} */ opacity = undefined) => draw("stop", { offset, class: name, "stop-opacity": opacity });
  const defs = draw("defs", {}, grain, ...zonePatterns(), hatch("hatch-red", .42, .17), bars("bars-blue", .3, .12), hatch("hatch-red-strip", 5, 2), bars("bars-blue-strip", 4, 1.5), hatch("hatch-no", .9, .18),
    draw("pattern", { id: "furrows", width: .5, height: .5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(-18)" }, draw("path", { class: "furrow", d: "M0 .25H.5" })),
    draw("linearGradient", { id: "edge-light", x1: 0, y1: 0, x2: 1, y2: 1 }, stop(.05, "lit-stop", .9), stop(.45, "lit-stop", 0), stop(.55, "shade-stop", 0), stop(1, "shade-stop", .4)),
    draw("radialGradient", { id: "dune" }, stop(0, "dune-lit", 1), stop(1, "dune-lit", 0)), draw("radialGradient", { id: "hollow" }, stop(0, "dune-deep", .1), stop(1, "dune-deep", 0)),
    draw("radialGradient", { id: "lamp-light", cx: .45, cy: .5, r: .8 }, stop(0, "lamp-in"), stop(.45, "lamp-mid"), stop(1, "lamp-out")),
    draw("radialGradient", { id: "active-lamp" }, stop(.35, "active-lamp-in"), stop(1, "active-lamp-out")));
  return draw("svg", { class: "defs", width: 0, height: 0, "aria-hidden": "true" }, defs);
}

/** The rim, with ticks where measuring is open, and squares.  @param {Lay} lay  @param {boolean} ticks */
export function tray(lay, ticks) {
  const { width: W, height: H } = lay, u = Math.max(W, H) / 48, layer = group("tray", draw("rect", { class: "rim", x: -1.6 * u, y: -1.6 * u, width: W + 3.2 * u, height: H + 3.2 * u, rx: .5 * u }),
    draw("rect", { class: "rim-lit", x: -1.5 * u, y: -1.5 * u, width: W + 3 * u, height: H + 3 * u, rx: .42 * u }));
  if (ticks) for (const [span, across] of [[W, false], [H, true]]) {
    let short = "", long = "";
    for (let i = 0; i <= Number(span); i++) {
      const far = (i % 6 ? .26 : .62) * u, near = .34 * u, d = across ? `M${-near} ${i}h${-far}M${W + near} ${i}h${far}` : `M${i} ${-near}v${-far}M${i} ${H + near}v${far}`;
      if (i % 6) short += d; else long += d;
    }
    layer.append(draw("path", { class: "rim-tick", d: short }), draw("path", { class: "rim-tick long", d: long }));
  }
  for (let i = 0; i < 8; i++) {
    const n = lay.turned ? 7 - i : i, x = (i + .5) * W / 8, y = (i + .5) * H / 8 + .23 * u, text = (/** @type {number} */ tx, /** @type {number} */ ty, /** @type {string} */ t) => draw("text", { class: "rim-name", x: tx, y: ty, "font-size": .68 * u }, t);
    layer.append(text(x, -.7 * u, "ABCDEFGH"[n]), text(x, H + 1.16 * u, "ABCDEFGH"[n]), text(-.95 * u, y, String(n + 1)), text(W + .95 * u, y, String(n + 1)));
  }
  for (const [x, y, sx, sy] of [[-1.6 * u, -1.6 * u, 1, 1], [W + 1.6 * u, -1.6 * u, -1, 1], [-1.6 * u, H + 1.6 * u, 1, -1], [W + 1.6 * u, H + 1.6 * u, -1, -1]]) {
    layer.append(draw("g", { transform: `translate(${x} ${y}) scale(${sx * u} ${sy * u})` }, draw("path", { class: "bracket", d: "M0 .5Q0 0 .5 0H2.5L2.1 .95H1.15Q.95 .95 .95 1.15V2.1L0 2.5Z" }), draw("circle", { class: "screw", cx: 1.75, cy: .48, r: .13 }), draw("circle", { class: "screw", cx: .48, cy: 1.75, r: .13 })));
  }
  return layer;
}

/** Sand with dunes, and crosses at the eighths where measuring is open.  @param {Lay} lay */
export function sand(lay) {
  const { width: W, height: H } = lay, layer = group("ground", draw("rect", { class: "sand", width: W, height: H }));
  for (const [cx, cy, rx, ry, turn, id] of /** @type {[number, number, number, number, number, string][]} */ ([[31, 5, 14, 3, -8, "dune"], [5, 27, 3, 12, 12, "dune"], [25, 33, 11, 3, -20, "dune"], [44, 43, 9, 3, -14, "dune"], [20, 45, 13, 3, 6, "hollow"], [10, 3, 10, 3, -6, "hollow"], [46, 8, 4, 11, 14, "hollow"], [33, 32, 7, 3, -24, "hollow"]])) {
    layer.append(draw("ellipse", { cx: cx * W / 48, cy: cy * H / 48, rx: rx * W / 48, ry: ry * H / 48, fill: `url(#${id})`, class: id, transform: `rotate(${turn} ${cx * W / 48} ${cy * H / 48})` }));
  }
  layer.append(draw("rect", { class: "grain", width: W, height: H }));
  return layer;
}

/** @param {Lay} lay */
function crosses({ width: W, height: H }) {
  let d = "";
  for (let i = 1; i < 8; i++) for (let j = 1; j < 8; j++) d += `M${round(W * i / 8 - .3)} ${round(H * j / 8)}h.6M${round(W * i / 8)} ${round(H * j / 8 - .3)}v.6`;
  return draw("path", { class: "grid-mark", d });
}

/** The ground with its terrain, its words on top: what stays while models move.
 *  @param {import("./types.js").Ground} ground  @param {Lay} lay  @param {{clear?: [Dot, number][], unit?: number, level?: number, ticks?: boolean}} [how] */
export function land(ground, lay, { clear = [], unit = 1, level = 1, ticks = true } = {}) {
  const names = /** @type {SVGElement[]} */ ([]), defs = draw("defs");
  const clip = `tabletop-${++clips}`;
  defs.append(draw("clipPath", { id: clip }, draw("rect", { width: lay.width, height: lay.height })));
  const pieces = landscape(ground.pieces, { lay, names, clear, defs, unit, level });
  return [defs, tray(lay, ticks), draw("g", { "clip-path": `url(#${clip})` }, sand(lay), ...pieces, ...(ticks ? [crosses(lay)] : []), draw("rect", { class: "lamp-light", width: lay.width, height: lay.height }), group("names", ...names)),
    draw("rect", { class: "rim-deep", x: -.02, y: -.02, width: lay.width + .04, height: lay.height + .04 })];
}
let clips = 0;

/** Coloured homes along the edges where sides began.  @param {Lay} lay  @param {Map<string, string>} homes */
function homeEdges(lay, homes) {
  const u = .3 * Math.max(lay.width, lay.height) / 48;
  return [...homes].flatMap(([side, edge]) => {
    const at = edge === "near" || edge === "far" ? { x: 0, y: edge === "near" ? lay.height : -u, width: lay.width, height: u } : { x: edge === "left" ? -u : lay.width, y: 0, width: u, height: lay.height };
    return [draw("rect", { class: `home ${sideClass(side)}`, ...at }), draw("rect", { class: side === "red" ? "home-hatch" : "home-bars", ...at })];
  });
}

/** Where the sides stand, by the middle of their models: near and far, or left and right.  @param {import("./types.js").TableShown} table  @param {Lay} lay */
function homesOf(table, lay) {
  const middles = table.sides.flatMap((side) => {
    const dots = Object.values(table.things).flatMap((t) => (t.kind === "model" && t.side === side && t.place.place === "at" ? [lay.dot(t.place.point)] : []));
    return dots.length ? [{ side, at: [0, 1].map((axis) => dots.reduce((sum, dot) => sum + dot[axis], 0) / dots.length) }] : [];
  }), gap = (/** @type {number} */ axis) => Math.abs((middles[0]?.at[axis] ?? 0) - (middles[1]?.at[axis] ?? 0));
  const homes = new Map(middles.map(({ side, at }) => [side, gap(0) > gap(1) ? (at[0] > lay.width / 2 ? "right" : "left") : at[1] > lay.height / 2 ? "near" : "far"]));
  return homes.size > 1 && new Set(homes.values()).size > 1 ? homes : new Map();
}

/** Where a view of so much begins that has a middle, holds what it is about, and shows little of what lies beside the table.
 *  @param {number} middle  @param {number} focus  @param {number} span  @param {number} all  @param {number} [before] how much lies beside it before it begins */
const held = (middle, focus, span, all, before = 2) => (span > all + before + 2 ? (all - span - before + 2) / 2 : Math.min(Math.max(Math.min(Math.max(middle - span / 2, focus - .85 * span), focus - .15 * span), -before), all + 2 - span));

/** How many pixels of the place the tools take up at its foot. */
const TOOLS = 46;
/** How many pixels the flags take up above those who stand at its head. */
const FLAG = 40;

/** The board on the screen. */
export class Board {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.svg = /** @type {SVGSVGElement} */ (draw("svg", { class: "board", role: "group", tabindex: 0 }));
    this.layers = { land: group("land"), zones: group("zones"), low: group("low"), pieces: group("pieces"), flags: group("flags"), stage: group("stage"), high: group("high") };
    this.svg.append(...Object.values(this.layers));
    this.loupe = make("div.loupe", { "aria-hidden": "true", hidden: true }, draw("svg", { class: "board" }));
    this.tools = make("div.map-tools", { role: "group", "aria-label": "View" }, ...[["plus", "Closer", () => this.zoom(1.4)], ["minus", "Farther", () => this.zoom(1 / 1.4)], ["fit", "Whole table", () => this.fit()],
      ["turnleft", "Turn the table round", () => change({ turned: !state.turned })], ["text", "Table in words", () => change({ words: !state.words })], ["ruler", "Measure", takeTape]].map(([name, label, press]) => make("button.tool", { "aria-label": label, title: label, "data-key": `map-${name}`, onclick: press }, icon(String(name)))));
    place.append(this.svg, this.loupe, this.tools);
    this.lay = new Lay(48000, 48000, false);
    this.view = { x: 0, y: 0, w: 1, h: 1 };
    this.whole = true;
    this.homes = /** @type {Map<string, string>} */ (new Map());
    /** @type {unknown[]} */
    this.drawn = [];
    this.scale = 1;
    this.walked = false;
    this.frame = 0;
    /** The question that was last looked for. */
    this.asks = "";
    /** What is being played, once it was looked for. */
    this.attended = "";
    /** Where it is played, and how much of the table is seen by whoever looks as closely as he likes. */
    this.played = /** @type {Dot[]} */ ([]);
    this.close = 0;
    /** Where a finger aims, while it does. @type {Dot | null} */
    this.finger = null;
    /** How large the place is; asked again only when it changes, for asking has the page laid out. */
    this.size = { width: 0, height: 0 };
    new ResizeObserver(() => { this.measure(); this.refit(); }).observe(place);
    this.listen();
  }

  /** Whether everything that the board shows must be drawn anew, or only part of it.  @param {Set<string>} changed */
  draw(changed) {
    const { table, ground } = shown();
    if (!table || !ground?.width) return;
    const lay = new Lay(ground.width, ground.height, state.turned), size = `${lay.width} ${lay.height} ${lay.turned}`;
    const models = Object.values(table.things).filter((t) => t.place.place === "at" && !t.gone);
    const key = [ground, size, ruleset()?.unit, measuring()];
    if (key.some((one, i) => one !== this.drawn[i])) {
      const same = this.drawn[1] === size;
      this.drawn = key;
      this.lay = lay;
      this.svg.setAttribute("aria-label", `Board, ${lay.width} by ${lay.height}, squares A1 to H8. Arrow keys go from model to model.`);
      const unit = ruleset()?.unit === "inch" || !ruleset() ? 1 : 2.5;
      const clear = models.map((t) => /** @type {[Dot, number]} */ ([lay.dot(/** @type {any} */ (t.place).point), (t.base?.size ?? 1500) / 1000 * 1.2]));
      this.layers.land.replaceChildren(...land(ground, lay, { clear, unit, level: ruleset()?.level, ticks: measuring() }));
      if (!same) this.fit();
    }
    this.layers.zones.replaceChildren(...zoneNodes(state.moment === null ? state.situation?.zones ?? [] : [], lay));
    const homes = homesOf(table, lay);
    if (homes.size) this.homes = homes;
    this.drawModels(table, lay);
    this.layers.stage.replaceChildren(stageNodes(lay));
    remember(lay);
    this.drawPencil();
    this.settle();
    this.walk();
    this.attend();
    this.follow();
  }

  /** Whoever sees only a part of the table is taken to what is being played: who walks, who shoots at whom, on whom something falls.
   *  @param {boolean} [anew] whether the place has another size now, so that it may be seen from closer by */
  attend(anew = false) {
    const { beat } = state, key = beat ? `${beat.kind} ${beat.from} ${beat.upto}` : "", next = key !== this.attended;
    this.attended = key;
    if (!key || this.whole) this.played = [];
    else if (next) { const dots = playedAt(this.lay); if (dots.length) this.played = dots; else if (!anew) return; }
    if (!this.played.length || !next && !anew) return;
    const { width, height } = this.lay, { x, y, w, h } = this.view, [x0, y0, x1, y1] = boxOf(this.played), bare = innerWidth <= 700 ? this.bare() : 1, rim = 2.5;
    const wide = Math.max(this.close, (x1 - x0 + 2 * rim) / bare, (y1 - y0 + 2 * rim) * w / h), tall = wide * h / w, middle = [(x0 + x1) / 2, (y0 + y1) / 2];
    if (x0 - rim >= x && x1 + rim <= x + w * bare && y0 - rim >= y && y1 + rim <= y + h && (!anew || w < 1.1 * wide)) return;
    this.view = { x: held(middle[0], middle[0], wide * bare, width), y: held(middle[1], middle[1], tall, height), w: wide, h: tall };
    // The question that comes after it is looked for anew.
    this.asks = "";
    this.apply();
  }

  /** Whoever looks closely is taken to what the next question is about, if that lies out of sight. */
  follow() {
    const asks = state.situation?.asks ? `${state.situation.asks} ${state.part}` : "";
    if (asks === this.asks || state.moment !== null || state.head !== null) return;
    this.asks = asks;
    if (innerWidth <= 700 && !asks && state.table?.ending) { this.fit(); return; }
    const { x, y, w, h } = this.view, [at, down] = this.focusDot();
    if (this.whole && innerWidth > 700 || !asks || innerWidth > 700 && at > x + .12 * w && at < x + .88 * w && down > y + .15 * h && down < y + .85 * h) return;
    if (innerWidth <= 700) this.near(); else this.view = { ...this.view, x: at - w / 2, y: down - h / 2 };
    this.apply();
  }

  /** @param {import("./types.js").TableShown} table  @param {Lay} lay */
  drawModels(table, lay) {
    const { nodes, signs } = standing(table, lay), focused = document.activeElement instanceof SVGElement && this.svg.contains(document.activeElement) ? document.activeElement.dataset.thing : "";
    this.layers.pieces.replaceChildren(...homeEdges(lay, this.homes), ...nodes);
    this.layers.flags.replaceChildren(...signs);
    if (focused) this.focus(focused);
  }

  /** Whoever walks is drawn on its way, as far as it has come by now: a board that is drawn anew goes on where it was. */
  walk() {
    const there = offsets(this.lay), moving = there.size > 0;
    if (moving || this.walked) {
      for (const node of /** @type {NodeListOf<SVGElement>} */ (this.svg.querySelectorAll(".pieces [data-thing], .flags [data-of]"))) {
        const by = there.get(node.dataset.thing ?? node.dataset.of ?? "");
        node.style.translate = by ? `${round(by[0])}px ${round(by[1])}px` : "";
      }
      this.layers.pieces.classList.toggle("walking", moving);
    }
    this.walked = moving;
    cancelAnimationFrame(this.frame);
    if (moving) this.frame = requestAnimationFrame(() => this.walk());
  }

  drawPencil() {
    const drafting = asked(), pencilled = drafting?.question.kind === "move" || drafting?.question.kind === "place";
    this.layers.low.replaceChildren(pencilLow(this.lay));
    this.layers.high.replaceChildren(pencilHigh(this.lay, this.scale > 18), tapeNode(this.lay));
    this.svg.classList.toggle("taping", state.tape !== null);
    this.drawLoupe(Boolean(pencilled));
  }

  /** Under 18 pixels a unit, drafting opens a loupe in the farthest corner; under a finger, it follows the finger.  @param {boolean} drafting */
  drawLoupe(drafting) {
    const handle = this.layers.high.querySelector(".handle"), show = drafting && handle !== null && (this.finger !== null || this.scale < 18 && innerWidth > 700);
    this.loupe.hidden = !show;
    if (!show || !handle) { this.loupe.firstElementChild?.replaceChildren(); return; }
    const x = Number(handle.getAttribute("cx")), y = Number(handle.getAttribute("cy")), svg = /** @type {SVGSVGElement} */ (this.loupe.firstElementChild), half = (this.finger ? 70 : 116) / 30;
    svg.setAttribute("viewBox", `${x - half} ${y - half} ${2 * half} ${2 * half}`);
    svg.replaceChildren(...[...this.svg.children].map((layer) => layer.cloneNode(true)));
    for (const node of svg.querySelectorAll("[role],[tabindex],[id]")) for (const name of ["role", "tabindex", "aria-label", "data-thing", "data-key"]) node.removeAttribute(name);
    const left = x > this.view.x + this.view.w / 2, top = y > this.view.y + this.view.h / 2;
    this.loupe.className = this.finger ? "loupe finger" : `loupe ${left ? "west" : "east"} ${top ? "north" : "south"}`;
    const box = this.place.getBoundingClientRect(), at = this.finger;
    this.loupe.style.left = at ? `${Math.max(8, Math.min(box.width - 148, at[0] - box.left - 70))}px` : "";
    this.loupe.style.top = at ? `${at[1] - box.top > 190 ? at[1] - box.top - 190 : at[1] - box.top + 50}px` : "";
    settle(svg);
    svg.classList.add("near");
  }

  settle() {
    this.scale = settle(this.svg, this.size) || this.scale;
    thinWords(this.layers.land, this.scale, this.lay.width);
    spread(this.layers.flags, this.layers.pieces, this.scale, this.lay.width);
    seatNames(this.layers.high, this.scale, []);
    seatLabels(this.layers.high, this.layers.pieces, this.layers.flags, this.scale, this.view);
  }

  // Looking around ----

  measure() {
    this.size = { width: this.svg.clientWidth, height: this.svg.clientHeight };
    this.tools.classList.toggle("low", innerWidth <= 700 && this.size.height < 4 * 44 + 34);
  }

  /** The whole table, clear of the tools below it. */
  fit() {
    if (!this.size.width) this.measure();
    const { width, height } = this.lay, u = 1.9 * Math.max(width, height) / 48, w = width + 2 * u, h = height + 2 * u, across = this.size.width, down = this.size.height - TOOLS;
    const scale = across > 0 && down > 0 ? Math.min(across / w, down / h) : 0;
    this.view = scale ? { x: (width - across / scale) / 2, y: (height - down / scale) / 2, w: across / scale, h: (down + TOOLS) / scale } : { x: -u, y: -u, w, h };
    this.whole = true;
    if (innerWidth <= 700 && asked()) this.near();
    this.apply();
  }

  /** A phone shows what the question is about: who is asked for, all that may be chosen, the zone, and how far somebody gets;
   *  and none of it under the tools at its right. */
  near() {
    const { width, height } = this.lay, at = this.focusDot(), tall = Math.max(.2, this.size.height / Math.max(1, this.size.width)), [x0, y0, x1, y1] = boxOf(this.sought());
    const whole = Math.max(width, height), moves = asked()?.question.kind === "move", bare = this.bare(), w = Math.min(moves ? whole * .8 : Math.max((width + 4) / bare, (height + 4) / tall), Math.max(whole * .52, (x1 - x0 + 4) / bare, (y1 - y0 + 4) / tall)), h = w * tall, over = Math.max(2, FLAG / Math.max(1, this.size.height) * h);
    this.view = { x: held((x0 + x1) / 2, at[0], w * bare, width), y: held((y0 + y1 - 1) / 2, at[1], h, height, over), w, h };
    this.whole = false;
    this.close = w;
  }

  /** How much of the width of a phone is clear of the tools. */
  bare() { return Math.max(.5, this.tools.offsetLeft / Math.max(1, this.size.width)); }

  /** What a question is about, where it lies.  @returns {Dot[]} */
  sought() {
    const now = asked(), at = this.focusDot(), { table } = shown();
    if (!now) return [at];
    const { question } = now, named = new Set([...picks().keys(), ...question.about, ...(state.situation?.question?.about ?? [])]), zone = question.kind === "place" ? (question.where[inHand(question, now.value)] ?? question.where[""])?.inside[0] : undefined;
    const there = Object.values(table?.things ?? {}).filter((t) => stands(t) && (named.has(t.id) || t.unit && named.has(t.unit))), far = question.kind === "move" ? Math.max(0, ...Object.values(question.allowance)) : 0, reach = far >= 1000 ? far / 1000 : far;
    return [at, [at[0] - reach, at[1] - reach], [at[0] + reach, at[1] + reach], ...there.map((t) => this.at(t)), ...(zone ? outline(zone, this.lay) : [])];
  }

  /** Where a thing stands.  @param {any} thing */
  at(thing) { return this.lay.dot(thing.place.point); }

  /** @returns {Dot} */
  focusDot() {
    const { table } = shown(), now = asked(), hand = now ? inHand(now.question, now.value) : "", wanted = now ? (hand === ALL && now.question.kind === "move" ? now.question.models[0] : hand) || now.question.about[0] || state.situation?.question?.about[0] : table?.acting[1];
    const there = Object.values(table?.things ?? {}).filter(stands), named = there.filter((t) => t.id === wanted), unit = there.filter((t) => t.kind === "model" && t.unit === wanted && wanted), mine = there.filter((t) => t.kind === "model" && (!state.welcome?.side || t.side === state.welcome.side));
    const found = named.length ? named : unit.length ? unit : mine.slice(0, 1), dots = found.map((t) => this.at(t));
    const mean = (/** @type {0 | 1} */ axis) => dots.reduce((sum, dot) => sum + dot[axis], 0) / dots.length;
    return dots.length ? [mean(0), mean(1)] : [this.lay.width / 2, this.lay.height * .7];
  }

  refit() {
    if (this.whole) { this.fit(); return; }
    const { height } = this.lay, h = this.view.w * this.size.height / Math.max(1, this.size.width);
    // A place that has grown shows more of the table, not more of the room beside it.
    this.view = { ...this.view, h, y: h > height + 4 ? (height - h) / 2 : Math.max(-2, Math.min(this.view.y, height + 2 - h)) };
    // A sheet that grows must not hide what it asks about.
    const drawing = ["move", "place"].includes(asked()?.question.kind ?? ""), dots = drawing ? [this.focusDot()] : this.sought(), edge = drawing ? .12 * h : 0;
    if (innerWidth <= 700 && asked() && dots.some(([at, down]) => down < this.view.y + edge || down > this.view.y + h - edge || !drawing && at > this.view.x + this.view.w * this.bare())) this.near();
    this.apply();
    this.attend(true);
  }

  apply() {
    const { x, y, w, h } = this.view;
    this.svg.setAttribute("viewBox", `${round(x)} ${round(y)} ${round(w)} ${round(h)}`);
    this.scale = settle(this.svg, this.size) || this.scale;
    this.drawPencil();
    this.settle();
  }

  /** @param {number} factor  @param {Dot} [at] */
  zoom(factor, at) {
    const { x, y, w, h } = this.view, [cx, cy] = at ?? [x + w / 2, y + h / 2], most = Math.max(this.lay.width, this.lay.height) * 1.6;
    const to = Math.min(most, Math.max(4, w / factor)), f = to / w;
    this.view = { x: cx - (cx - x) * f, y: cy - (cy - y) * f, w: to, h: h * f };
    this.whole = false;
    this.close = to;
    this.apply();
  }

  /** @param {number} dx  @param {number} dy  in pixels */
  pan(dx, dy) {
    this.view.x -= dx / this.scale;
    this.view.y -= dy / this.scale;
    this.whole = false;
    this.apply();
  }

  /** @param {{clientX: number, clientY: number}} event  @returns {Dot} */
  dotAt(event) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return [0, 0];
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [p.x, p.y];
  }

  listen() {
    /** @type {Map<number, PointerEvent>} */
    const down = new Map();
    let start = /** @type {PointerEvent | null} */ (null), moved = false, holding = false, turning = false;
    this.svg.addEventListener("pointerleave", () => { if (state.hover) change({ hover: null }); });
    this.svg.addEventListener("wheel", (event) => { event.preventDefault(); this.zoom(Math.exp(-event.deltaY * .0015), this.dotAt(event)); }, { passive: false });
    this.svg.addEventListener("pointerdown", (event) => {
      down.set(event.pointerId, event);
      if (down.size === 1) {
        [start, moved] = [event, false];
        if (state.tape) stretch(this.lay.point(this.dotAt(event)), true);
        turning = event.target instanceof Element && event.target.classList.contains("turn-handle");
        holding = turning || !state.tape && this.takes(event.target) || !state.tape && event.pointerType === "touch" && this.nearHandle(event);
      }
    });
    this.svg.addEventListener("pointermove", (event) => {
      const last = down.get(event.pointerId);
      if (!last) { if (event.pointerType === "mouse" && asked()?.question.kind === "move" && !state.tape) change({ hover: this.lay.point(this.dotAt(event)) }); return; }
      if (state.hover) change({ hover: null });
      if (down.size === 2) this.pinch(down, event);
      else if (state.tape) stretch(this.lay.point(this.dotAt(event)), false);
      else if (start && (moved || apart([event.clientX, event.clientY], [start.clientX, start.clientY]) > 5)) {
        if (!moved) this.svg.setPointerCapture(event.pointerId);
        moved = true;
        if (holding && event.pointerType === "touch") this.finger = /** @type {Dot} */ ([event.clientX, event.clientY]);
        if (turning) turnTowards(this.lay.point(this.dotAt(event)));
        else if (holding) dragHand(this.lay.point(this.dotAt(event)));
        else this.pan(event.clientX - last.clientX, event.clientY - last.clientY);
      }
      down.set(event.pointerId, event);
    });
    const up = (/** @type {PointerEvent} */ event) => {
      const was = down.delete(event.pointerId);
      if (was && start && !moved && !turning && !state.tape && event.type === "pointerup" && down.size === 0) this.press(event);
      if (down.size === 0) start = null;
      if (this.finger) { this.finger = null; this.drawLoupe(true); }
    };
    this.svg.addEventListener("pointerup", up);
    this.svg.addEventListener("pointercancel", up);
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  /** A finger is broad: near the handle is on it.  @param {PointerEvent} event */
  nearHandle(event) {
    const box = this.layers.high.querySelector(".handle")?.getBoundingClientRect();
    return Boolean(box && apart([event.clientX, event.clientY], [box.x + box.width / 2, box.y + box.height / 2]) < 36);
  }

  /** Whether a press takes something into the hand: the handle of a draft, or a model that may be moved.  @param {EventTarget | null} target */
  takes(target) {
    const now = asked();
    if (!now || !(target instanceof Element)) return false;
    if (target.classList.contains("handle")) return true;
    const id = /** @type {SVGElement | null} */ (target.closest("[data-thing]"))?.dataset.thing ?? "";
    if (now.question.kind !== "move" || !now.question.models.includes(id)) return false;
    if (inHand(now.question, now.value) !== ALL) change({ hand: id });
    return true;
  }

  /** @param {Map<number, PointerEvent>} down  @param {PointerEvent} event */
  pinch(down, event) {
    const other = [...down.values()].find((one) => one.pointerId !== event.pointerId), last = down.get(event.pointerId);
    if (!other || !last) return;
    const far = (/** @type {PointerEvent} */ e) => Math.max(1, apart([e.clientX, e.clientY], [other.clientX, other.clientY]));
    this.zoom(far(event) / far(last), this.dotAt({ clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 }));
  }

  /** @param {PointerEvent} event */
  press(event) {
    // Browsers give a finger to what can be pressed nearby; who draws a way means the spot itself.
    const draws = ["move", "place"].includes(asked()?.question.kind ?? ""), hit = draws && event.pointerType === "touch" ? document.elementFromPoint(event.clientX, event.clientY) : event.target;
    const node = hit instanceof Element ? hit.closest("[data-thing]") : null, id = node instanceof SVGElement ? node.dataset.thing ?? "" : "";
    if (id) {
      if (!pressThing(id)) change({ looked: state.looked === id ? "" : id });
      return;
    }
    if (!pressGround(this.lay.point(this.dotAt(event)), { backwards: event.shiftKey, snaps: true })) change({ looked: "" });
  }

  // By keyboard: one tab stop; arrows go to the nearest model that way ----

  /** @param {string} id */
  focus(id) {
    const node = /** @type {SVGElement | null} */ (this.svg.querySelector(`[data-thing="${CSS.escape(id)}"]`));
    node?.setAttribute("tabindex", "0");
    node?.focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = event.target instanceof SVGElement ? event.target.dataset.thing ?? "" : "";
    // Enter does what the amber button says, as everywhere; where there is none yet, it looks at a model or chooses it, as Space does.
    if (state.head !== null || state.playing || state.parting || !state.briefed) return;
    if ((event.key === "Enter" && !amber() || event.key === " ") && target) {
      event.preventDefault();
      event.stopPropagation();
      if (!pressThing(target)) change({ looked: target });
    }
  }

  /** Go to the nearest model that way.  @param {number} dx  @param {number} dy */
  step(dx, dy) {
    const { table } = shown(), from = document.activeElement instanceof SVGElement ? document.activeElement.dataset.thing : "";
    const models = Object.values(table?.things ?? {}).filter((t) => t.place.place === "at" && !t.gone), here = models.find((t) => t.id === from);
    if (!here) { if (models[0]) this.focus(models[0].id); return; }
    const at = this.at(here);
    const best = models.map((t) => { const p = this.at(t), x = p[0] - at[0], y = p[1] - at[1], ahead = x * dx + y * dy; return { t, cost: ahead > .01 ? Math.hypot(x, y) + 2 * Math.abs(x * dy - y * dx) : Infinity }; }).sort((a, b) => a.cost - b.cost)[0];
    if (best && best.cost < Infinity) this.focus(best.t.id);
  }
}
