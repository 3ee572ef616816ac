// What is at stake, in a line that is always there: how much each side has left, its points, what wins, what happened last.

import { clockNode } from "./asides.js";
import { mark, sideClass } from "./icons.js";
import { momentShown, shown } from "./moments.js";
import { make, renew } from "./pen.js";
import { lengthWords, scenarioOf } from "./ready.js";
import { ruleset, said, state } from "./state.js";
import { capital } from "./table-words.js";

/** How much of a side is left, in hundredths: what its models can still take; one without a track counts as one.
 *  @param {import("./types.js").TableShown} table  @param {string} side */
export function strength(table, side) {
  let left = 0, whole = 0;
  for (const thing of Object.values(table.things)) if (thing.kind === "model" && thing.side === side) {
    whole += thing.track || 1;
    left += thing.gone ? 0 : Math.max(0, (thing.track || 1) - (thing.track ? thing.harm : 0));
  }
  return whole ? Math.round(100 * left / whole) : 0;
}

/** What wins, and how long it lasts, in words; nothing while that is on its way. */
export function winsWords() {
  const { welcome } = state, form = welcome ? scenarioOf(welcome.ruleset, welcome.scenario)?.form : null;
  if (!welcome || welcome.scenario && !form) return "";
  // Here there is room for little: a ruleset may say shortly what wins; whoever wins as the last needs no other end.
  const wins = form?.victory ? capital(ruleset()?.words[`goal ${form.victory}`] ?? said(form.victory)) : "Whoever is left on the table", lasts = lengthWords(welcome.ruleset, welcome.scenario).replace(/^until one side is beaten,? ?/, "");
  return [wins, lasts].filter(Boolean).join(", ");
}

/** @param {HTMLElement} place  @param {Set<string>} changed */
export function drawStakes(place, changed) {
  if (!["table", "moment", "head", "scenes", "log", "welcome", "rulesets", "briefed", "battles", "situation", "route"].some((name) => changed.has(name))) return;
  const { table } = shown(), seen = momentShown() ?? state.log.length;
  if (!table) return;
  const last = [...state.scenes].reverse().find((scene) => scene.lead && scene.upto <= seen);
  const sides = table.sides.map((side) => make("span", { class: `stake ${sideClass(side)}` }, mark(side), make("b", {}, `${strength(table, side)} %`), table.scores[side] !== undefined && ` ${table.scores[side]} point${table.scores[side] === 1 ? "" : "s"}`, clockNode(side)));
  renew(place, make("p.stake-line", {}, ...sides, winsWords() && make("span.wins", {}, make("span.label", {}, "Wins"), ` ${winsWords()}`)),
    last && make("p.stake-last", {}, `${last.lead}${last.came.length ? `: ${last.came.join(", ")}` : ""}.`));
}
