// Scenarios as their files have them: a picture of the table, how long it lasts.

import { land } from "./board.js";
import { ask } from "./connection.js";
import { Lay } from "./geometry.js";
import { sideClass } from "./icons.js";
import { draw, group } from "./pen.js";
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
  for (const old of document.querySelectorAll(`.thumb[data-of="${ruleset}/${scenario}"]`)) old.replaceWith(thumbnail(ruleset, scenario));
  dispatchEvent(new CustomEvent("scenario", { detail: [ruleset, scenario] }));
  change({ briefed: state.briefed });
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

/** How long a scenario is, as far as its file says; nothing while that is on its way.  @param {string} ruleset  @param {string} scenario */
export function lengthWords(ruleset, scenario) {
  const found = scenarioOf(ruleset, scenario), limit = found?.form?.turn_limit, words = state.rulesets.find((one) => one.name === ruleset)?.words;
  return scenario && !found ? "" : limit ? `${limit} turns` : words?.[`lasts ${found?.form?.victory}`] ?? "until one side is beaten";
}
