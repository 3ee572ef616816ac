// When it is over: how it ended, where it turned, what the dice gave, and another go.

import { icon, mark, sideClass } from "./icons.js";
import { lookAt } from "./moments.js";
import { make } from "./pen.js";
import { sceneWords } from "./player.js";
import { state } from "./state.js";
import { capital } from "./table-words.js";

/** How many ways there are to throw so many dice for each sum.  @param {number} count  @param {number} sides */
function sums(count, sides) {
  let ways = new Map([[0, 1]]);
  for (let i = 0; i < count; i++) {
    const next = /** @type {Map<number, number>} */ (new Map());
    for (const [sum, n] of ways) for (let face = 1; face <= sides; face++) next.set(sum + face, (next.get(sum + face) ?? 0) + n);
    ways = next;
  }
  return ways;
}

/** How likely a roll was to reach what it needed, where that can be read off its dice.  @param {import("./types.js").Rolled} roll */
export function chanceOf(roll) {
  const dice = /^(\d*)d(\d+)$/.exec(roll.dice ?? ""), parts = (roll.parts ?? []).reduce((sum, part) => sum + part.value, 0);
  // Dice that are read one by one have no margin, and no sum that meets anything.
  if (!dice || roll.needs === null || roll.needs === undefined || roll.margin === null || roll.margin === undefined) return null;
  const count = Number(dice[1] || 1), sides = Number(dice[2]), all = sides ** count;
  // Dice that were thrown on top of others are not of this kind.
  if ((roll.faces ?? []).length !== count || count > 6) return null;
  return [...sums(count, sides)].reduce((sum, [total, ways]) => sum + (total + parts >= /** @type {number} */ (roll.needs) ? ways : 0), 0) / all;
}

/** What each side's dice gave and what was to be expected of them.  @param {import("./types.js").LogLine[]} log */
export function luck(log) {
  const found = /** @type {Map<string, {rolls: number, met: number, expected: number}>} */ (new Map());
  for (const { event } of log) {
    const side = event.event === "Rolled" ? state.table?.things[event.by ?? ""]?.side ?? event.by ?? "" : "", chance = event.event === "Rolled" ? chanceOf(event) : null;
    if (event.event !== "Rolled" || chance === null || !state.table?.sides.includes(side)) continue;
    const one = found.get(side) ?? { rolls: 0, met: 0, expected: 0 };
    found.set(side, { rolls: one.rolls + 1, met: one.met + ((event.margin ?? 0) >= 0 ? 1 : 0), expected: one.expected + chance });
  }
  return found;
}

/** The scenes that cost most.  @param {number} most */
function turningPoints(most) {
  const cost = (/** @type {import("./types.js").Scene} */ scene) => state.log.slice(scene.first - 1, scene.upto).reduce((sum, { event }) => sum + (event.event === "HarmApplied" ? Math.max(0, event.after - event.before) : event.event === "ModelLost" ? 3 : event.event === "Scored" ? Math.abs(event.points) : 0), 0);
  return state.scenes.map((scene) => ({ scene, cost: cost(scene) })).filter((one) => one.cost > 0 && one.scene.lead).sort((a, b) => b.cost - a.cost).slice(0, most).sort((a, b) => a.scene.first - b.scene.first);
}

/** @param {{rematch: () => void, saveJournal: () => void, reasons: () => void}} deeds */
export function summaryNode(deeds) {
  const { table } = state, ending = table?.ending;
  if (!table || !ending) return null;
  const left = (/** @type {string} */ side) => { const models = Object.values(table.things).filter((one) => one.kind === "model" && one.side === side); return `${models.filter((one) => !one.gone && !(one.track && one.harm >= one.track)).length} of ${models.length} left`; };
  const dice = [...luck(state.log)], points = Object.entries(ending.points);
  return make("div", { class: `slip summary ${sideClass(ending.winner)}` }, make("div.slip-band"), make("header.slip-head", {}, make("span.label", {}, "The battle is over")), make("div.slip-body", {}, make("h2.prompt", {}, ending.winner ? `${capital(ending.winner)} has won` : "A draw"), ending.reason && make("p", {}, `${capital(ending.reason)}. It took ${table.turn} ${table.turn === 1 ? "turn" : "turns"}.`),
    make("ul.parts", {}, ...table.sides.map((side) => make("li", {}, mark(side), make("span", {}, ` ${capital(side)}`), make("span.dots"), make("span.figure", {}, [left(side), ...points.filter(([of]) => of === side).map(([, n]) => `${n} point${Math.abs(n) === 1 ? "" : "s"}`)].join(" · "))))),
    turningPoints(3).length > 0 && make("h3.label", {}, "Where it turned"), make("ol.turning", {}, ...turningPoints(3).map(({ scene }) => make("li", {}, make("button.turning-point", { "data-key": `turn-${scene.first}`, onclick: () => lookAt(scene.upto) }, mark(scene.side), make("span", {}, sceneWords(scene)))))),
    dice.length > 0 && make("h3.label", {}, "What the dice gave"), make("ul.parts", {}, ...dice.map(([side, { rolls, met, expected }]) => make("li", {}, mark(side), make("span", {}, ` ${met} of ${rolls} came off, ${expected.toFixed(1)} to be expected`), make("span.dots"), make("span.figure", {}, `${met - expected >= 0 ? "+" : "−"}${Math.abs(met - expected).toFixed(1)}`))))),
  make("footer.slip-foot", {}, make("button.do", { "data-key": "rematch", onclick: deeds.rematch }, icon("play"), "Fight it again"), make("button.else", { "data-key": "save-journal", onclick: deeds.saveJournal }, icon("save"), "Save the journal"), state.seats.some((seat) => seat.kind === "bot") && make("button.else", { "data-key": "reasons", onclick: deeds.reasons }, icon("chat"), "What the computer thought")));
}
