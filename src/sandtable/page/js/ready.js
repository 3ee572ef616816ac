// Ready battles: every scenario with a picture of its table, drawn from its own file; a press begins it against the computer.

import { land } from "./board.js";
import { ask } from "./connection.js";
import { Lay } from "./geometry.js";
import { sideClass } from "./icons.js";
import { draw, group, make } from "./pen.js";
import { state, change } from "./state.js";

/** @typedef {import("./types.js").ScenarioChecked} Checked */

/** @type {Map<string, Checked | null>} */
const read = new Map();
/** @type {Promise<unknown>} */
let line = Promise.resolve();

/** A scenario as its file has it, once it has come.  @param {string} ruleset  @param {string} scenario  @returns {Checked | null} */
export function scenarioOf(ruleset, scenario) {
  const key = `${ruleset}/${scenario}`;
  if (!ruleset || !scenario) return null;
  if (!read.has(key)) {
    read.set(key, null);
    // One after the other: a shelf of pictures must not crowd out whoever plays.
    line = line.then(() => ask(`/rulesets/${encodeURIComponent(ruleset)}/scenarios/${encodeURIComponent(scenario)}`)).then((found) => { read.set(key, found); come(ruleset, scenario); }, () => { read.delete(key); });
  }
  return read.get(key) ?? null;
}

/** A picture has come: it is put in its places, and nothing else is drawn anew on a shelf of many.  @param {string} ruleset  @param {string} scenario */
function come(ruleset, scenario) {
  for (const old of document.querySelectorAll(`.thumb[data-of="${ruleset}/${scenario}"]`)) {
    const words = old.parentElement?.querySelector(".ready-card .n");
    if (words) words.textContent = cardWords(ruleset, scenario);
    old.replaceWith(thumbnail(ruleset, scenario));
  }
  change({ briefed: state.briefed });
}

/** How large and how long a ready battle is, as far as it is known.  @param {string} ruleset  @param {string} scenario */
function cardWords(ruleset, scenario) {
  const one = state.rulesets.find((rules) => rules.name === ruleset)?.scenarios.find((scene) => scene.name === scenario);
  return [one ? sizeWords(one) : "", scenarioOf(ruleset, scenario)?.form?.turn_limit ? lengthWords(ruleset, scenario) : ""].filter(Boolean).join(" · ");
}

/** @type {Map<string, SVGElement>} */
const drawn = new Map();
/** The table of a scenario, small: its ground, and where the sides begin.  @param {string} ruleset  @param {string} scenario */
export function thumbnail(ruleset, scenario) {
  const key = `${ruleset}/${scenario}`, found = scenarioOf(ruleset, scenario), board = found?.form?.board;
  if (!drawn.has(key) && found) {
    const ground = found.ground ?? { width: board?.width ?? 48000, height: board?.height ?? 48000, pieces: [] }, lay = new Lay(ground.width, ground.height, false), rim = 1.6 * Math.max(lay.width, lay.height) / 48;
    const starts = Object.entries(found.form?.sides ?? {}).flatMap(([side, { force }]) => force.flatMap((one) => (one.at ? [draw("circle", { class: `thumb-model ${sideClass(side)}`, cx: one.at[0] / 1000, cy: one.at[1] / 1000, r: Math.max(lay.width, lay.height) / 40 })] : [])));
    drawn.set(key, draw("svg", { class: "thumb", "data-of": key, viewBox: `${-rim} ${-rim} ${lay.width + 2 * rim} ${lay.height + 2 * rim}`, preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" }, ...land(ground, lay, { ticks: false, level: state.rulesets.find((one) => one.name === ruleset)?.level, unit: lay.width > 60 ? 1.6 : 1 }), group("thumb-models", ...starts)));
  }
  return drawn.get(key)?.cloneNode(true) ?? draw("svg", { class: "thumb", "data-of": key, viewBox: "0 0 10 10", "aria-hidden": "true" }, draw("rect", { class: "sand", width: 10, height: 10 }));
}

/** How long a scenario is, as far as its file says.  @param {string} ruleset  @param {string} scenario */
export function lengthWords(ruleset, scenario) {
  const limit = scenarioOf(ruleset, scenario)?.form?.turn_limit;
  return limit ? `${limit} turns` : "until one side is beaten";
}

/** How large a scenario is.  @param {import("./types.js").ScenarioShown} scenario */
function sizeWords({ size_default: size, size_counts: counts }) {
  if (!size) return "";
  return size > 1 ? `${size} ${counts}` : counts.startsWith("times ") ? counts.slice(6) : `1 ${counts.replace(/^(\w+)ies\b/, "$1y").replace(/^(\w+)s\b/, "$1")}`;
}

/** @param {(ruleset: string, scenario: string) => void} begin */
export function readyBattles(begin) {
  const group_ = (/** @type {import("./types.js").RulesetShown} */ rules) => make("section.ready-group", { "aria-label": `Ready battles: ${rules.title || rules.name}` }, make("h3.label", {}, rules.title || rules.name), make("div.ready-row", { tabindex: 0, role: "group", "aria-label": rules.title || rules.name },
    ...[...rules.scenarios].sort((a, b) => Number(b.name === rules.begin_with) - Number(a.name === rules.begin_with) || a.title.localeCompare(b.title)).map((one) => make("button.ready-card", { "data-key": `ready-${rules.name}-${one.name}`, title: one.about, onclick: () => begin(rules.name, one.name) }, thumbnail(rules.name, one.name), make("b", {}, one.title || one.name), make("span.n", {}, cardWords(rules.name, one.name)), make("span.ready-about", {}, one.about)))));
  // The battles that newcomers begin with come first, whatever else there is to draw.
  for (const rules of state.rulesets) scenarioOf(rules.name, rules.begin_with);
  return make("div.ready-battles", {}, make("h2", {}, "Play at once, against the computer"), ...state.rulesets.filter((rules) => rules.scenarios.length).map(group_));
}
