// The bar of a page that is read.

import { icon, wordmark } from "./icons.js";
import { make } from "./pen.js";
import { state } from "./state.js";

/** The bar of a page that is not the table: back, title, rulesets.  @param {string} route  @param {string} title  @param {string} name */
export function pageBar(route, title, name) {
  const back = state.token ? make("a.tool", { href: `#/table/${state.token}` }, icon("step"), "Back to the table") : make("a.tool", { href: "#/" }, icon("step"), "Start");
  return [wordmark(), make("h1.page-title", {}, title), make("nav.tools", { "aria-label": "Pages" }, back, state.rulesets.length > 1 && make("select.box.small", { "aria-label": "Ruleset", onchange: (/** @type {Event} */ e) => { location.hash = `#/${route}/${/** @type {HTMLSelectElement} */ (e.target).value}`; } }, ...state.rulesets.map((one) => make("option", { value: one.name, selected: one.name === name }, one.title || one.name))))];
}
