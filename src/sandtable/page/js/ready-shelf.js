// Ready battles: every scenario with a picture of its table, what it is about, how large and how long; a press begins it against the computer.

import { make } from "./pen.js";
import { lengthWords, scenarioOf, thumbnail } from "./ready.js";
import { state } from "./state.js";

/** How large and how long a ready battle is, as far as it is known.  @param {string} ruleset  @param {string} scenario */
function cardWords(ruleset, scenario) {
  const one = state.rulesets.find((rules) => rules.name === ruleset)?.scenarios.find((scene) => scene.name === scenario);
  return [one ? sizeWords(one) || strengthWords(ruleset, scenario) : "", scenarioOf(ruleset, scenario) ? lengthWords(ruleset, scenario) : ""].filter(Boolean).join(" · ");
}

/** How large a scenario is.  @param {import("./types.js").ScenarioShown} scenario */
function sizeWords({ size_default: size, size_counts: counts }) {
  if (!size) return "";
  return size > 1 ? `${size} ${counts}` : counts.startsWith("times ") ? counts.slice(6) : `1 ${counts.replace(/^(\w+)ies\b/, "$1y").replace(/^(\w+)s\b/, "$1")}`;
}

/** How many each side has, where the file of a scenario says it and nobody may choose.  @param {string} ruleset  @param {string} scenario */
function strengthWords(ruleset, scenario) {
  const sides = Object.values(scenarioOf(ruleset, scenario)?.form?.sides ?? {}).map(({ force, roster }) => [...force, ...(roster?.units ?? []).flatMap((unit) => unit.models)].reduce((sum, one) => sum + Number(one.count), 0)).filter(Boolean);
  return sides.length < 2 ? "" : new Set(sides).size === 1 ? `${sides[0]} a side` : sides.join(" against ");
}

/** @param {(ruleset: string, scenario: string) => void} begin */
export function readyBattles(begin) {
  const group_ = (/** @type {import("./types.js").RulesetShown} */ rules) => make("section.ready-group", { "aria-label": `Ready battles: ${rules.title || rules.name}` }, make("h3.label", {}, rules.title || rules.name), make("div.ready-row", { tabindex: 0, role: "group", "aria-label": rules.title || rules.name },
    ...[...rules.scenarios].sort((a, b) => Number(b.name === rules.begin_with) - Number(a.name === rules.begin_with) || a.title.localeCompare(b.title)).map((one) => make("button.ready-card", { "data-key": `ready-${rules.name}-${one.name}`, title: one.about, onclick: () => begin(rules.name, one.name) }, thumbnail(rules.name, one.name), make("b", {}, one.title || one.name), make("span.n", {}, cardWords(rules.name, one.name)), make("span.ready-about", {}, one.about)))));
  // The battles that newcomers begin with come first, whatever else there is to draw.
  for (const rules of state.rulesets) scenarioOf(rules.name, rules.begin_with);
  return make("div.ready-battles", {}, make("h2", {}, "Play at once, against the computer"), ...state.rulesets.filter((rules) => rules.scenarios.length).map(group_));
}

// A file has come: what it tells is put on its card, and nothing else is drawn anew on a shelf of many.
addEventListener("scenario", (event) => {
  const [ruleset, scenario] = /** @type {CustomEvent} */ (event).detail, words = document.querySelector(`.ready-card[data-key="ready-${ruleset}-${scenario}"] .n`);
  if (words) words.textContent = cardWords(ruleset, scenario);
});
