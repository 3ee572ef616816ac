// Rules: the ledger of a ruleset, searchable, with its rulings.

import { ask } from "./connection.js";
import { pageBar } from "./page-bar.js";
import { fill, make } from "./pen.js";
import { change, plainly, state, watch } from "./state.js";

/** @type {Map<string, import("./types.js").RuleShown[]>} */
const ledgers = new Map();
let query = "", trouble = "";

/** @param {string} name */
async function load(name) {
  if (ledgers.has(name) || !name) return;
  try { ledgers.set(name, await ask(`/rulesets/${encodeURIComponent(name)}/rules`)); trouble = ""; } catch (problem) { trouble = String(/** @type {Error} */ (problem).message); }
  change({ path: state.path });
}

/** Data of a rule as a small table of names and values.  @param {any} data @returns {Node | string} */
function dataNode(data) {
  if (Array.isArray(data)) return data.every((one) => typeof one !== "object") ? data.map(String).map(plainly).join(", ") : make("ul", {}, ...data.map((one) => make("li", {}, dataNode(one))));
  if (data && typeof data === "object") return make("dl.data", {}, ...Object.entries(data).flatMap(([key, value]) => [make("dt", {}, key.replaceAll("_", " ")), make("dd", {}, dataNode(value))]));
  return plainly(String(data));
}

/** @param {import("./types.js").RuleShown} rule  @param {boolean} open  @param {string} name */
function ruleNode(rule, open, name) {
  const title = make("a.rule-title", { href: `#/rules/${name}/${rule.id}`, "aria-expanded": open, "data-key": rule.id }, make("b", {}, rule.title || rule.id), make("span.n", {}, rule.kind));
  if (!open) return make("li.rule", {}, title);
  return make("li.rule.open", {}, title, make("p", {}, plainly(rule.text)), rule.ruling && make("div.ruling", {}, make("span.label", {}, "Ruling"), make("p", {}, plainly(rule.ruling))), ...rule.examples.map((one) => one.map(plainly)).map(([given, when, then]) => make("p.example", {}, make("b", {}, "Given "), `${given} `, make("b", {}, "when "), `${when} `, make("b", {}, "then "), then)), rule.data && Object.keys(rule.data).length > 0 && dataNode(rule.data), make("p.rule-id", {}, rule.id));
}

/** @type {Map<string, import("./types.js").RuleShown>} */
const whole = new Map();
/** @param {string} name  @param {string} id */
async function loadOne(name, id) {
  if (whole.has(id)) return;
  try { whole.set(id, await ask(`/rulesets/${encodeURIComponent(name)}/rules/${encodeURIComponent(id)}`)); change({ path: state.path }); } catch { /* the list has it without its data */ }
}

/** @param {HTMLElement} root */
export function rulesPage(root) {
  const bar = make("header.bar"), search = /** @type {HTMLInputElement} */ (make("input.box.search", { type: "search", placeholder: "Search the rules", "aria-label": "Search the rules", oninput: () => { query = search.value; change({ path: state.path }); } })), body = make("main.reading", { id: "rules-main", tabindex: -1 });
  root.append(bar, make("search.search-place", {}, search), body);
  watch((changed) => {
    if (state.route !== "rules" || !["route", "path", "rulesets"].some((name) => changed.has(name))) return;
    const name = state.path[0] || state.rulesets[0]?.name || "", wanted = state.path[1] ?? "", rules = ledgers.get(name);
    load(name);
    if (wanted) loadOne(name, wanted);
    fill(bar, ...pageBar("rules", "Rules", name));
    const words = query.toLowerCase().split(/\s+/).filter(Boolean), found = (rules ?? []).filter((rule) => words.every((word) => `${rule.id} ${rule.title} ${rule.text} ${rule.ruling}`.toLowerCase().includes(word)));
    const chapters = [...new Set(found.map((rule) => rule.chapter))];
    fill(body, !rules && make("p", {}, trouble || "The ledger is being opened …"), rules && make("p.count", { role: "status" }, `${found.length} of ${rules.length} rules`), ...chapters.map((chapter) => make("section.chapter", {}, make("h2", {}, chapter.replaceAll("-", " ")), make("ul", {}, ...found.filter((rule) => rule.chapter === chapter).map((rule) => ruleNode(rule.id === wanted ? whole.get(wanted) ?? rule : rule, rule.id === wanted, name))))));
    if (wanted && (changed.has("route") || changed.has("path"))) body.querySelector(".rule.open")?.scrollIntoView({ block: "center" });
  });
}
