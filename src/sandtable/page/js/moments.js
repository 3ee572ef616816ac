// Which moment is shown: now, as the server says it, or a past one, folded from the log.

import { Past } from "./fold.js";
import { change, state } from "./state.js";

/** @typedef {import("./types.js").TableShown} Table */

/** @type {Past | null} */
let past = null;
let owner = "";
/** @type {{n: number, log: unknown, moment: import("./fold.js").Moment} | null} */
let last = null;

/** Which moment is on the screen: one that is looked at, one that is being played, or now.  @returns {number | null} */
export const momentShown = () => state.moment ?? state.head;

/** The log as far as it has been seen. */
export const seenLog = () => (state.head === null || state.moment !== null ? state.log : state.log.slice(0, state.head));

/** The table as it is shown: at the moment looked at.  @returns {{table: Table | null, ground: import("./types.js").Ground | null}} */
export function shown() {
  const { table, ground, log } = state, moment = momentShown();
  if (moment === null || !table) return { table, ground };
  const whose = `${state.token} ${state.situation?.side}`;
  if (!past || owner !== whose) [past, owner, last] = [new Past(table.sides, table.options), whose, null];
  if (last?.n !== moment || last.log !== log) last = { n: moment, log, moment: past.at(log, Math.min(moment, log.length)) };
  return last.moment;
}

/** Look at the table after so many events; at the last one or beyond it is now.  @param {number} n */
export function lookAt(n) {
  const to = Math.max(0, Math.round(n));
  change({ moment: to >= state.log.length && !state.table?.ending ? null : Math.min(to, state.log.length), looked: "" });
}

/** Of those whom a step is about, the ones who do something.  @param {Table} table */
const doers = ({ acting, things }) => acting.filter((id, i) => !i || !acting[0] || !things[id]?.side || things[id].side === acting[0]);

/** Who acts now: a side, then its units, and not those to whom they do something. While somebody is asked which of the own comes next, whoever acted before has done, and nobody
 *  acts.  @param {Table} table  @returns {string[]} */
export function actingNow(table) {
  const question = momentShown() === null ? state.situation?.question : null, acting = doers(table), units = acting.slice(1);
  if (question?.kind !== "choose one" || question.about.some((id) => units.includes(id) && !question.options.some((one) => one.id === id))) return acting;
  const next = question.options.some(({ id, about }) => about.includes(id) && table.things[id]?.side === question.side && !question.about.includes(table.things[id].unit));
  return next ? [] : acting;
}

/** Whether somebody has acted this turn: also who acted last, once nobody acts.  @param {Table} table  @param {string} id */
export const hasActed = (table, id) => state.acted.has(id) || doers(table).includes(id) && !actingNow(table).includes(id);

/** Who has acted this turn, as far as the log tells: those whose step has begun, and not the one acting now.
 *  @param {import("./types.js").LogLine[]} log  @param {number} n */
export function actedBy(log, n) {
  const acted = /** @type {Set<string>} */ (new Set());
  let now = /** @type {string[]} */ ([]);
  for (let i = 0; i < n; i++) {
    const { event } = log[i];
    if (event.event === "PhaseBegan") { acted.clear(); now = []; }
    if (event.event === "StepBegan") { for (const id of now) acted.add(id); now = event.units ?? []; }
  }
  for (const id of now) acted.delete(id);
  return acted;
}
