// Stencils: icons, model types, states, flags, marks, dice, the wordmark. Shape words, no rules.

import { draw, make } from "./pen.js";

/** Model types, in a box of 24.  @type {Record<string, string>} */
export const GLYPHS = {
  walker: "M9.6 1.8h4.8l1.2 3.6H8.4zM7 6.2h10l-1.2 6.2-2.2 1.8h-3.2l-2.2-1.8zM1.6 5.4h4.2v9.2H1.6zM18.2 5.4h4.2v9.2h-4.2zM5.8 8h1.7v2.4H5.8zM16.5 8h1.7v2.4h-1.7zM9.4 15.2h2l-.6 2.2-2.6 1.8.8 2.6h.8V24h-6v-2.2h1.8l-1-3.4zM14.6 15.2h-2l.6 2.2 2.6 1.8-.8 2.6h-.8V24h6v-2.2h-1.8l1-3.4z",
  tracked: "M8 4.6h7.4l1.2 4.2H6.4zM16.6 5.4h6v2h-5.4zM3 10h18l1.2 3.2H1.8zM4.4 14.4h15.2a3.3 3.3 0 0 1 0 6.6H4.4a3.3 3.3 0 0 1 0-6.6zM5 16.6v2.2h2.2v-2.2zM10.9 16.6v2.2h2.2v-2.2zM16.8 16.6v2.2H19v-2.2z",
  foot: "M12 1.8a2.9 2.9 0 1 1-.01 0zM8 8.6h8l1.6 7h-2.2L14.8 23h-2.2v-6h-1.2v6H9.2l-.6-7.4H6.4z",
  gun: "M2.2 13.2l14.4-9 1.6 2.6-14.4 9zM10 13.6a4.6 4.6 0 1 1-.01 0zM10 16.4a1.8 1.8 0 1 0 .01 0zM14.8 15.4l7.4 4.8-1.2 2-7.2-4z",
  flyer: "M12 1.6l1.8 6.2 8 5.2v2.4l-8-1.8-.6 4 2.4 2v1.4H8.4v-1.4l2.4-2-.6-4-8 1.8V13l8-5.2z",
  carrier: "M1.8 6h11.4v9.4H1.8zM14.4 8.4h4.2l3.6 4v3h-7.8zM6 16.6a2.8 2.8 0 1 1-.01 0zM17.6 16.6a2.8 2.8 0 1 1-.01 0z",
  command: "M12 2l2.9 6.3 6.7.7-5 4.6 1.4 6.7-6-3.4-6 3.4 1.4-6.7-5-4.6 6.7-.7z",
  skimmer: "M2 14l4-6h5l1-3h3l1 3h2l4 6-3 2H5zM5 18h14v2H5z",
  unknown: "M7.4 8.4C7.4 5 9.4 3 12.2 3c3 0 5 1.9 5 4.6 0 3.6-3.7 4-3.7 7h-3.2c0-4.6 3.6-4.8 3.6-7 0-1.1-.7-1.8-1.8-1.8s-1.9.9-1.9 2.6zM10.2 17h3.4v3.4h-3.4z",
};

/** States, around the origin; a ruleset picks shape words for its own.  @type {Record<string, string>} */
export const STATES = {
  shaken: "M-4.5 3.5L-1.5-4 1.5 3.5 4.5-4", watching: "M-5.5 0Q0-5.5 5.5 0Q0 5.5-5.5 0ZM0-1.6a1.6 1.6 0 1 0 .01 0Z", locked: "M-5.5 0H5.5M0-5.5V5.5M3.2 0a3.2 3.2 0 1 0-6.4 0a3.2 3.2 0 1 0 6.4 0Z",
  down: "M-5 3.5H5M0-5V1M-3-2L0 1.4 3-2", held: "M-3.4-1V-2.2a3.4 3.4 0 0 1 6.8 0V-1M-4.6-1H4.6V4.6H-4.6Z", broken: "M1.5-5.5L-3.5 1H.5L-1.5 5.5 3.8-1.6H0Z", hidden: "M-5 4L5-4M-5.5 0Q0-5.5 5.5 0Q0 5.5-5.5 0Z",
};

/** @type {Record<string, string>} */
export const ICONS = {
  close: "M5 5l10 10M15 5L5 15", next: "M7 4l8 6-8 6z", turnright: "M15 3v5h-5M15 8a6 6 0 1 0-1 7", gear: "M10 7a3 3 0 1 0 .01 0ZM10 2v2.5M10 15.5V18M2 10h2.5M15.5 10H18M4.4 4.4l1.7 1.7M13.9 13.9l1.7 1.7M15.6 4.4l-1.7 1.7M6.1 13.9l-1.7 1.7", print: "M6 8V3h8v5M6 14H3V8h14v6h-3M6 12h8v5H6z", save: "M4 3h10l2 2v12H4zM7 3v5h6V3M7 17v-5h6v5",
  undo: "M7 4L3 8l4 4M3 8h8a5 5 0 0 1 0 10H8", ruler: "M2 13L13 2l5 5L7 18zM6 9l2 2M9 6l2 2M12 3l2 2", rules: "M4 3h9a3 3 0 0 1 3 3v11H7a3 3 0 0 1-3-3zM4 14a3 3 0 0 1 3-3h9M8 6h5", orders: "M10 3a7 7 0 1 0 .01 0ZM10 6v4l3 2", chat: "M3 4h14v9H9l-4 4v-4H3z",
  lamp: "M7 3h6l3 8H4zM10 11v4M6 17h8", plus: "M10 4v12M4 10h12", minus: "M4 10h12", fit: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4", layers: "M10 3l7 4-7 4-7-4zM3 11l7 4 7-4", text: "M3 5h14M3 9h14M3 13h9M3 17h6",
  back: "M14 4L6 10l8 6zM4 4v12", step: "M13 4L5 10l8 6z", play: "M6 4l10 6-10 6z", forth: "M6 4l8 6-8 6zM16 4v12", fork: "M5 3v14M5 11c0-4 9-2 9-7M11 6l3-3 3 3", share: "M12 3h5v5M17 3l-8 8M8 4H4v12h12v-4", aim: "M10 2v4M10 14v4M2 10h4M14 10h4M6 10a4 4 0 1 0 8 0a4 4 0 1 0-8 0", turnleft: "M5 3v5h5M5 8a6 6 0 1 1 1 7", shaken: "M3 15L8 5l4 10 5-10", watching: "M2 10Q10 2 18 10Q10 18 2 10ZM10 8a2 2 0 1 0 .01 0Z", locked: "M2 10h16M10 2v16M15 10a5 5 0 1 0-10 0a5 5 0 1 0 10 0Z",
  path: "M3 16c2-6 8-1 9-7M12 9l-2-5 6 2zM3 16h.01", table: "M3 4h14v12H3zM3 10c4-3 6 3 14-1", forces: "M5 18V3M5 4h10l-3 3 3 3H5", more: "M4 6h12M4 10h12M4 14h12", one: "M10 3a7 7 0 1 0 .01 0ZM10 7.5a2.5 2.5 0 1 0 .01 0Z", several: "M3 4h5v5H3zM3 12h5v5H3zM11 6h6M11 14h6M4 6l1 1 2-2", allocate: "M4 4v4l12 4v4M16 4v4L4 12v4", place: "M10 18s6-6 6-10a6 6 0 0 0-12 0c0 4 6 10 6 10ZM10 6a2 2 0 1 0 .01 0Z", confirm: "M3 10l5 5 9-10", react: "M11 2L4 11h5l-1 7 8-10h-5z", plan: "M4 4h3v3H4zM4 13h3v3H4zM10 5h7M10 14h7M5.5 7v6", no: "M10 3a7 7 0 1 0 .01 0ZM5 5l10 10", eye: "M2 10Q10 2 18 10Q10 18 2 10ZM10 8a2 2 0 1 0 .01 0Z", dice: "M3 3h14v14H3zM7 7h.01M13 13h.01M10 10h.01", link: "M8 12l4-4M9 6l2-2a3.5 3.5 0 0 1 5 5l-2 2M11 14l-2 2a3.5 3.5 0 0 1-5-5l2-2", open: "M3 5h5l2 2h7v9H3zM3 9h14",
};

const LETTERS = ["M8.9 3.5C8.2 1.9 6.8 1.25 5 1.25 2.7 1.25 1.25 2.4 1.25 4.05 1.25 5.6 2.5 6.3 4.3 6.65M5.7 7.2C7.6 7.6 8.8 8.4 8.8 9.95 8.8 11.6 7.4 12.75 5 12.75 3 12.75 1.6 12 .9 10.4", "M.9 14L4.2.4M6 .4L9.3 14M3.4 9.6h3.5", "M1.25 0V14M8.75 0V14M2.6 1L7.4 13", "M1.25 0V14M3.4 1.25H4.2C7.2 1.25 8.75 3.4 8.75 7S7.2 12.75 4.2 12.75H3.4", "M0 1.25H10M5 3.4V14", "M.9 14L4.2.4M6 .4L9.3 14M3.4 9.6h3.5", "M1.25 0V14M3.4 1.25H5C6.9 1.25 7.9 2.3 7.9 3.95S6.9 6.7 5 6.7H3.4M6 6.7C8 6.9 8.8 8.1 8.8 9.7 8.8 11.7 7.5 12.75 5.4 12.75H3.4", "M1.25 0V14M3.4 12.75H8.6", "M1.25 0V14M3.4 1.25H8.6M3.4 6.9H7.8M3.4 12.75H8.6"];

/** @type {Record<number, number[][]>} */
const PIPS = { 1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]], 4: [[-1, -1], [1, -1], [-1, 1], [1, 1]], 5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], 6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]] };

/** Each side has its own cut of cloth.  @type {Record<string, (w: number, h: number) => string>} */
const CLOTHS = {
  red: (w, h) => `M0 0H${w}L${w - 5} ${h / 2}L${w} ${h}H0Z`, blue: (w, h) => `M0 0H${w - 2}V${h}H0Z`,
  green: (w, h) => `M0 0H${w - h / 2 - 1}a${h / 2} ${h / 2} 0 0 1 0 ${h}H0Z`, grey: (w, h) => `M0 0L${w + 2} ${h * .32}V${h * .68}L0 ${h}Z`,
};

/** @type {Record<string, string>} */
const MARKS = { red: "M5.5 0L11 5.5 5.5 11 0 5.5Z", blue: "M.8.8H10.2V10.2H.8Z", green: "M5.5.3a5.2 5.2 0 1 0 .01 0Z", grey: "M5.5.4L11 10.4H0Z" };

export const SIDES = ["red", "blue", "green", "grey"];
/** The look of a side; one with an unknown name is grey.  @param {string} side */
export const sideClass = (side) => `side-${SIDES.includes(side) ? side : "grey"}`;
/** @param {string} side  @param {number} w  @param {number} h */
export const clothOf = (side, w, h) => (CLOTHS[side] ?? CLOTHS.grey)(w, h);

/** @param {string} name */
export const icon = (name) =>
  draw("svg", { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true" }, draw("path", { d: ICONS[name] ?? ICONS.more }));

/** A side's mark, with its name for those who do not see it.  @param {string} side */
export const mark = (side) => side
  ? draw("svg", { class: `mark ${sideClass(side)}`, viewBox: "0 0 11 11", role: "img", "aria-label": side }, draw("path", { d: MARKS[side] ?? MARKS.grey }))
  : make("span.no-mark");

/** A call sign on its side's cloth.  @param {string} call  @param {string} side  @param {boolean} [lowered] */
export const pennant = (call, side, lowered = false) =>
  draw("svg", { class: `flag ${sideClass(side)}${lowered ? " lowered" : ""}`, width: 36, height: 22, viewBox: "-1 -1 36 22", "aria-hidden": "true" },
    draw("path", { class: "cloth", d: clothOf(side, 33, 19) }), draw("text", { x: side === "red" ? 13 : 15, y: 10, dy: ".36em" }, call.slice(0, 4)));

/** One die as it fell: pips up to six, a numeral beyond.  @param {number} face */
export function die(face) {
  const pips = (PIPS[face] ?? []).map(([x, y]) => draw("circle", { cx: 10.5 + x * 4.9, cy: 10.5 + y * 4.9, r: 1.9 }));
  const numeral = pips.length ? [] : [draw("text", { x: 10.5, y: 11, dy: ".34em", "text-anchor": "middle" }, String(face))];
  return draw("svg", { class: "die", viewBox: "0 0 21 21", role: "img", "aria-label": `rolled ${face}` },
    draw("rect", { x: 1, y: 1, width: 19, height: 19, rx: 4 }), ...pips, ...numeral);
}

/** The sign of a state or a count on the board: its shape word, its value, or two letters.
 *  @param {{words: string, shape: string, helps: boolean, sign: string}} of */
export function badge({ words, shape, helps, sign }) {
  const path = STATES[shape], ready = helps ? " ready" : "", text = sign || (path ? "" : letters(words)), wide = path && text ? 27 : 17;
  return draw("g", {}, draw("title", {}, words), draw("rect", { class: `state${ready}`, x: -8.5, y: -8.5, width: wide, height: 17, rx: 4 }), ...(path ? [draw("path", { class: `state-icon${ready}`, d: path })] : []),
    ...(text ? [draw("text", { class: `state-letters${ready}`, x: path ? 12.5 : 0, dy: ".36em", "text-anchor": "middle" }, text)] : []));
}

/** Words that say nothing by their letter. */
const SMALL = /^(a|an|by|for|has|in|is|its|must|of|on|the|this|to|with)$/i;

/** Two letters for a word.  @param {string} name */
export function letters(name) {
  const all = name.split(/[\s-]+/).filter(Boolean), telling = all.filter((word) => !SMALL.test(word)), words = telling.length ? telling : all;
  name = words.join(" ");
  return (words.length > 1 ? words[0][0] + words[1][0] : name.slice(0, 2)).toUpperCase();
}

/** The name of the house, in stencil. */
export function wordmark() {
  const crest = draw("svg", { class: "crest", viewBox: "0 0 30 30", "aria-hidden": "true" }, draw("path", { d: "M3 19c0-6 5-9 11-9s13 3 13 9-6 8-12 8S3 25 3 19Z" }),
    draw("path", { d: "M8 19c0-3 3-5 6-5s8 2 8 5-4 4-7 4-7-1-7-4Z" }), draw("path", { class: "pennant", d: "M15 19V2l9 3.5L15 9" }));
  const name = draw("svg", { class: "letters", viewBox: "0 0 117 14", "aria-hidden": "true" }, ...LETTERS.map((d, i) => draw("path", { d, transform: `translate(${i * 13.3} 0)` })));
  return make("a.wordmark", { href: "#/", "aria-label": "Sandtable, to the start page" }, crest, name);
}
