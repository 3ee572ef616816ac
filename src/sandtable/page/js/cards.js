// Forces: the catalogue of a ruleset as cards, and a roster beside them; the browser prints the cards.

import { ask } from "./connection.js";
import { GLYPHS, icon } from "./icons.js";
import { draw, fill, make, renew } from "./pen.js";
import { bought, buyButton, drawRoster, openDesk } from "./roster.js";
import { pageBar } from "./page-bar.js";
import { change, spaced, state, watch } from "./state.js";

/** @type {Map<string, import("./types.js").CardShown[]>} */
const catalogues = new Map();
let trouble = "";

/** @param {string} name */
async function load(name) {
  if (!name || catalogues.has(name)) return;
  try { catalogues.set(name, await ask(`/rulesets/${encodeURIComponent(name)}/cards`)); trouble = ""; } catch (problem) { catalogues.set(name, []); trouble = String(/** @type {Error} */ (problem).message); }
  change({ path: state.path });
}

/** @param {string} word  @param {Record<string, string>} words */
const inWords = (word, words) => words[word] ?? spaced(String(word));
/** @param {any} one */
const plain = (one) => one === null || typeof one !== "object";
/** A cell: a number, a pair, a gap.  @param {any} one */
const cell = (one) => (one === null || one === undefined ? "–" : Array.isArray(one) ? one.map(String).join("/") : String(one));

/** Rows that have a value for each of the same columns: a table, such as a track that goes down.  @param {[string, any[]][]} rows  @param {Record<string, string>} words */
const grid = (rows, words) => make("table.grid", {}, make("tbody", {}, ...rows.map(([key, values], i) => make("tr", { class: i ? undefined : "head" }, make("th", { scope: "row" }, inWords(key, words)), ...values.map((value) => make("td", {}, cell(value)))))));

/** Any value of a card in words, whatever its shape.  @param {any} value  @param {Record<string, string>} words  @returns {Node | string} */
function stat(value, words) {
  if (value === null || value === undefined || value === "") return "—";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (plain(value)) return typeof value === "string" ? inWords(value, words) : String(value);
  if (Array.isArray(value)) return value.every(plain) ? value.map((one) => inWords(one, words)).join(" · ") || "—" : value.every((one) => Array.isArray(one) && one.every(plain)) ? value.map(cell).join("  ") : make("ul.entries", {}, ...value.map((one) => make("li", {}, stat(one, words))));
  const entries = /** @type {[string, any][]} */ (Object.entries(value)), lists = entries.filter(([, one]) => Array.isArray(one) && one.length > 4), even = lists.length > 1 && lists.every(([, one]) => one.length === lists[0][1].length);
  const title = typeof value.name === "string" ? make("b.entry-name", {}, value.name) : null, rest = entries.filter(([key, one]) => !(title && key === "name") && !(even && lists.some(([name]) => name === key)) && !(Array.isArray(one) && !one.length));
  // An entry of a list is a line or two: its plain values one after the other, then whatever is longer.
  const short = title ? rest.filter(([, one]) => plain(one)) : [], long = title ? rest.filter(([, one]) => !plain(one)) : rest;
  return make("div", {}, title, short.length > 0 && make("p.entry", {}, ...short.flatMap(([key, one]) => [make("span.pair", {}, make("span.n", {}, inWords(key, words)), " ", make("b", {}, stat(one, words))), " "])), make("dl.data", {}, ...long.flatMap(([key, one]) => [make("dt", {}, inWords(key, words)), make("dd", {}, stat(one, words))])), even && grid(/** @type {[string, any[]][]} */ (lists), words));
}

/** @param {import("./types.js").CardShown} card  @param {boolean} wanted  @param {string} name */
function cardNode(card, wanted, name) {
  const words = state.rulesets.find((one) => one.name === name)?.words ?? {}, { name: _, id: __, points: ___, ...stats } = typeof card.stats === "object" && card.stats ? card.stats : { name: "", id: "", points: 0 };
  return make("article", { class: `data-card${wanted ? " wanted" : ""}${bought().has(card.id) ? " bought-card" : ""}` }, make("header", {}, draw("svg", { class: "glyph-cell", viewBox: "0 0 24 24", "aria-hidden": "true" }, draw("path", { d: GLYPHS[card.glyph] ?? GLYPHS.unknown, "fill-rule": "evenodd" })), make("h2", {}, card.name || card.id), card.points > 0 && make("span.figure", {}, `${card.points} points`), buyButton(card)), make("p.n", {}, [inWords(card.kind, words), card.height ? `height ${card.height}` : "", card.base ? `${cell(card.base.form)} base ${card.base.size / 1000}` : ""].filter(Boolean).join(" · ")), stat(stats, words), card.rule && make("a", { href: `#/rules/${name}/${card.rule}` }, "its rule"));
}

/** @param {HTMLElement} root */
export function cardsPage(root) {
  const bar = make("header.bar"), body = make("div.cards"), roster = make("aside.roster", { "aria-label": "Roster", hidden: true });
  root.append(bar, make("main.forces-desk", { id: "forces-main", tabindex: -1 }, body, roster));
  watch((changed) => {
    if (state.route !== "forces" || !["route", "path", "rulesets"].some((name) => changed.has(name))) return;
    const name = state.path[0] || state.rulesets[0]?.name || "", cards = catalogues.get(name);
    load(name);
    openDesk(name);
    fill(bar, ...pageBar("forces", "Forces", name), make("button.tool.print", { onclick: () => print() }, icon("print"), "Print cards"));
    renew(body, !cards && make("p", {}, "The catalogue is being opened …"), cards?.length === 0 && make("p", {}, trouble || "This ruleset has no cards."), ...(cards ?? []).map((card) => cardNode(card, card.id === state.path[1], name)));
    drawRoster(roster, cards ?? []);
    root.classList.toggle("has-roster", bought().size > 0 && !roster.hidden);
    if (changed.has("route")) body.querySelector(".wanted")?.scrollIntoView({ block: "center" });
  });
}
