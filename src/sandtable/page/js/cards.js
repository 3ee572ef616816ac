// Forces: the catalogue of a ruleset as cards; print them through the browser's print.

import { ask } from "./connection.js";
import { GLYPHS, icon } from "./icons.js";
import { draw, fill, make } from "./pen.js";
import { pageBar } from "./rules.js";
import { change, state, watch } from "./state.js";

/** @type {Map<string, import("./types.js").CardShown[]>} */
const catalogues = new Map();
let trouble = "";

/** @param {string} name */
async function load(name) {
  if (!name || catalogues.has(name)) return;
  try { catalogues.set(name, await ask(`/rulesets/${encodeURIComponent(name)}/cards`)); trouble = ""; } catch (problem) { catalogues.set(name, []); trouble = String(/** @type {Error} */ (problem).message); }
  change({ path: state.path });
}

/** Any value of a card in words, whatever its shape.  @param {any} value  @param {Record<string, string>} words  @returns {Node | string} */
function stat(value, words) {
  if (value === null || value === undefined || value === "") return "—";
  if (Array.isArray(value)) return value.every((one) => typeof one !== "object") ? value.map((one) => words[one] ?? String(one)).join(" · ") : make("ul", {}, ...value.map((one) => make("li", {}, stat(one, words))));
  if (typeof value === "object") return make("dl.data", {}, ...Object.entries(value).flatMap(([key, one]) => [make("dt", {}, words[key] ?? key.replaceAll("_", " ")), make("dd", {}, stat(one, words))]));
  return words[value] ?? String(value);
}

/** @param {import("./types.js").CardShown} card  @param {boolean} wanted  @param {string} name */
function cardNode(card, wanted, name) {
  const words = state.rulesets.find((one) => one.name === name)?.words ?? {};
  return make(`article.data-card${wanted ? ".wanted" : ""}`, {}, make("header", {}, draw("svg", { class: "glyph-cell", viewBox: "0 0 24 24", "aria-hidden": "true" }, draw("path", { d: GLYPHS[card.glyph] ?? GLYPHS.unknown, "fill-rule": "evenodd" })), make("h2", {}, card.name || card.id), card.points > 0 && make("span.figure", {}, `${card.points} points`)), make("p.n", {}, [card.kind, `height ${card.height}`].join(" · ")), stat(card.stats, words), card.rule && make("a", { href: `#/rules/${name}/${card.rule}` }, "its rule"));
}

/** @param {HTMLElement} root */
export function cardsPage(root) {
  const bar = make("header.bar"), body = make("main.cards", { id: "forces-main", tabindex: -1 });
  root.append(bar, body);
  watch((changed) => {
    if (state.route !== "forces" || !["route", "path", "rulesets"].some((name) => changed.has(name))) return;
    const name = state.path[0] || state.rulesets[0]?.name || "", cards = catalogues.get(name);
    load(name);
    fill(bar, ...pageBar("forces", "Forces", name), make("button.tool.print", { onclick: () => print() }, icon("print"), "Print cards"));
    fill(body, !cards && make("p", {}, "The catalogue is being opened …"), cards?.length === 0 && make("p", {}, trouble || "This ruleset has no cards."), ...(cards ?? []).map((card) => cardNode(card, card.id === state.path[1], name)));
    body.querySelector(".wanted")?.scrollIntoView({ block: "center" });
  });
}
