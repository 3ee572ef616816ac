// Beside the board, never instead of it: a rule, or the card of a model, with the column it has come to.

import { ask } from "./connection.js";
import { icon, mark, sideClass } from "./icons.js";
import { make, renew } from "./pen.js";
import { change, nameOf, plainly, said, state } from "./state.js";
import { modelWords } from "./table-words.js";
import { shown } from "./moments.js";

/** @type {Map<string, import("./types.js").RuleShown>} */
const rules = new Map();
/** @type {Map<string, import("./types.js").CardShown[]>} */
const catalogues = new Map();

/** @param {string} id */
async function loadRule(id) {
  try { rules.set(id, await ask(`/rulesets/${encodeURIComponent(state.welcome?.ruleset ?? "")}/rules/${encodeURIComponent(id)}`)); change({ beside: state.beside }); } catch { change({ notice: "That rule does not come. Is the server running?" }); }
}

async function loadCards() {
  const name = state.welcome?.ruleset ?? "";
  catalogues.set(name, []);
  try { catalogues.set(name, await ask(`/rulesets/${encodeURIComponent(name)}/cards`)); change({ beside: state.beside }); } catch { catalogues.delete(name); }
}

/** @param {string} id */
function ruleNodes(id) {
  const rule = rules.get(id);
  if (!rule) { loadRule(id); return [make("p", {}, "One moment …")]; }
  return [make("h2", {}, rule.title || rule.id), make("p", {}, plainly(rule.text)), rule.ruling && make("div.ruling", {}, make("span.label", {}, "Ruling"), make("p", {}, plainly(rule.ruling))), ...rule.examples.map((one) => one.map(plainly)).map(([given, when, then]) => make("p.example", {}, make("b", {}, "Given "), `${given} `, make("b", {}, "when "), `${when} `, make("b", {}, "then "), then)), make("p", {}, make("a", { href: `#/rules/${state.welcome?.ruleset}/${id}`, "data-leave": true }, "In the rules"))];
}

/** @param {any} one  @returns {string} */
const cell = (one) => (one === null || one === undefined ? "–" : Array.isArray(one) ? one.map(cell).join("/") : typeof one === "string" ? said(one) : String(one));

/** Values of a card: tables that go down as harm is done have the column marked that holds now.  @param {any} stats  @param {import("./types.js").Thing} thing  @returns {Node[]} */
function statNodes(stats, thing) {
  const nodes = /** @type {Node[]} */ ([]), plain = /** @type {[string, string][]} */ ([]), rows = /** @type {[string, any[]][]} */ ([]);
  const walk = (/** @type {any} */ value, /** @type {string} */ name) => {
    if (value === null || value === undefined || value === "" || name === "name") return;
    if (Array.isArray(value) && value.length > 4 && value.every((one) => typeof one !== "object" || one === null || Array.isArray(one))) rows.push([name, value]);
    else if (Array.isArray(value)) { const words = value.map((one) => (one && typeof one === "object" ? [one.name ?? said(String(one.id ?? "")), ...Object.entries(one).filter(([key, n]) => key !== "name" && key !== "id" && typeof n !== "object" && n !== "" && n !== 0).map(([key, n]) => `${said(key)} ${typeof n === "string" ? said(n) : n}`)].join(" · ") : said(String(one)))); if (words.length) plain.push([name, words.join("; ")]); } else if (typeof value === "object") for (const [key, one] of Object.entries(value)) walk(one, key);
    else plain.push([name, typeof value === "boolean" ? (value ? "yes" : "no") : typeof value === "string" ? said(value) : String(value)]);
  };
  walk(stats, "");
  if (rows.length) {
    const long = Math.max(...rows.map(([, values]) => values.length)), now = [thing.track, thing.track + 1].includes(long) ? Math.min(thing.harm, long - 1) : -1;
    nodes.push(make("div.grid-place", { tabindex: 0, role: "group", "aria-label": "As harm is done" }, make("table.grid", {}, make("tbody", {}, ...rows.map(([name, values]) => make("tr", {}, make("th", { scope: "row" }, said(name)), ...values.map((one, i) => make("td", { class: i === now ? "now" : i < now ? "past" : undefined, "aria-current": i === now ? "true" : undefined }, cell(one)))))))));
  }
  nodes.push(make("dl.data", {}, ...plain.slice(0, 30).flatMap(([name, words]) => [make("dt", {}, said(name)), make("dd", {}, words)])));
  return nodes;
}

/** @param {string} id */
function cardNodes(id) {
  const { table, ground } = shown(), thing = table?.things[id];
  if (!table || !thing) return [make("p", {}, "It is not here.")];
  const name = state.welcome?.ruleset ?? "";
  if (!catalogues.has(name)) loadCards();
  const card = catalogues.get(name)?.find((one) => one.id === thing.card);
  return [make("h2", {}, mark(thing.side), ` ${nameOf(id)}`, card && make("small", {}, ` ${card.name}`)), make("p.note", {}, modelWords(table, ground, thing)), ...(card ? statNodes(card.stats, thing) : [])];
}

/** @param {HTMLElement} place */
export function drawBeside(place) {
  const [kind, id] = [state.beside.slice(0, 4), state.beside.slice(5)], side = kind === "card" ? state.table?.things[id]?.side ?? "" : "";
  renew(place, make("header.panel-head", {}, make("span.label", {}, kind === "rule" ? "The rule" : "The card"), make("button.tool", { "aria-label": "Close", "data-key": "close-beside", onclick: () => change({ beside: "" }) }, icon("close"))), make("div", { class: `beside-body ${side ? sideClass(side) : ""}`, tabindex: 0, role: "region", "aria-label": kind === "rule" ? "The rule" : "The card" }, ...(kind === "rule" ? ruleNodes(id) : cardNodes(id)).filter((one) => one)));
}
