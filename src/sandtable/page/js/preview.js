// What a draft would bring: explained numbers, odds, path costs, distances. Every part links to its rule.

import { ruleLink } from "./log.js";
import { threatList } from "./overlay.js";
import { make } from "./pen.js";
import { distance, nameOf, spent, state, worth } from "./state.js";
/** @import { Chance, Explanation, PathNote, Preview } from "./types.js" */

/** Chances as whole percents that add up to a hundred.  @param {Chance[]} odds */
export function percents(odds) {
  const exact = odds.map((one) => 100 * one.numerator / Math.max(1, one.denominator)), whole = exact.map(Math.floor);
  const total = Math.round(exact.reduce((a, b) => a + b, 0));
  let missing = total - whole.reduce((a, b) => a + b, 0);
  for (const i of exact.map((_, i) => i).sort((a, b) => (exact[b] - whole[b]) - (exact[a] - whole[a]))) if (missing-- > 0) whole[i] += 1;
  return whole;
}

/** @param {Chance} one */
const share = (one) => one.numerator / Math.max(1, one.denominator);
/** @param {number} part */
const percent = (part) => (part > 0 && part < .005 ? "under 1" : part < 1 && part > .995 ? "over 99" : String(Math.round(part * 100)));

/** Whether chances are the parts of one whole: all outcomes there are, of which just one comes. Two such wholes are none together.
 *  @param {Chance[]} odds */
export const exclusive = (odds) => odds.length > 1 && odds.every((one) => one.one_of) && Math.abs(odds.reduce((sum, one) => sum + share(one), 0) - 1) < (odds.some((one) => one.range) ? .02 : 1e-9);

/** Whether each chance is that of so much or more, of one victim: "1 or more, 2 or more".  @param {Chance[]} odds */
const rising = (odds) => odds.length > 0 && odds.every((one, i) => one.at_least && !one.one_of && one.amount === i + 1);

/** The numbers a player wants first: how likely it does something, how much is to be expected, how likely the worst.
 *  @param {Chance[]} odds  @returns {[string, string][]} */
export function headline(odds) {
  if (!odds.length) return [];
  const words = (/** @type {Chance} */ one) => (one.range ? `${Math.round(one.range[0] / 10)}–${Math.round(one.range[1] / 10)} %` : `${percent(share(one))} %`), whole = exclusive(odds), steps = rising(odds), sum = (/** @type {(one: Chance) => number} */ of) => odds.reduce((all, one) => all + of(one), 0);
  if (!whole && !steps) return [[words(odds[0]), odds[0].label]];
  const ends = odds.filter((one) => one.final), worst = /** @type {[string, string][]} */ (ends.length ? [[`${percent(ends.reduce((all, one) => all + share(one), 0))} %`, ends[0].label]] : []);
  if (whole && odds.every((one) => one.amount === null)) { const likely = odds.reduce((a, b) => (share(b) > share(a) ? b : a)); return [[words(likely), likely.label], ...worst.filter(([, label]) => label !== likely.label)]; }
  // So much or more adds up to what is to be expected; where a whole ends with so much or more, at least that much is.
  const some = steps ? share(odds[0]) : sum((one) => (one.final || (one.amount ?? 0) > 0 ? share(one) : 0)), mean = sum((one) => (steps ? 1 : one.amount ?? 0) * share(one));
  return [[`${percent(some)} %`, "any harm"], [`${mean.toFixed(mean < 10 ? 1 : 0)}${whole && odds.some((one) => one.at_least && share(one)) ? "+" : ""}`, "harm expected"], ...worst];
}

/** Outcomes of which one comes are parts of one bar: hollow, hatched, solid, ink, from nothing to worst. Chances that stand side by
 *  side, or alone, have a bar each, filled as far as they go.  @param {Preview} preview */
function oddsNodes({ odds, odds_note }) {
  if (!odds.length) return [];
  const note = odds_note && make("p.note", {}, odds_note), figures = make("div.numbers", {}, ...headline(odds).map(([figure, words]) => make("div", {}, make("b", {}, figure), make("span", {}, words))));
  const said = (/** @type {Chance} */ one) => (one.range ? `${Math.round(one.range[0] / 10)} to ${Math.round(one.range[1] / 10)}` : percent(share(one)));
  if (!exclusive(odds)) {
    const row = (/** @type {Chance} */ one) => {
      const fill = make("i"), bar = make("span.chance-bar", { role: "img", "aria-label": `${one.label} ${said(one)} percent` }, fill), [low, high] = one.range ? one.range.map((n) => n / 1000) : [share(one), share(one)];
      fill.style.width = `${low * 100}%`;
      if (high > low) { const maybe = make("i.maybe"); maybe.style.width = `${(high - low) * 100}%`; bar.append(maybe); }
      return make("li", {}, make("span", {}, one.label), bar, make("span.figure", {}, `${said(one)} %`));
    };
    return [(odds.length === 1 || rising(odds)) && figures, make("ul.chances", {}, ...odds.map(row)), note].filter(Boolean);
  }
  const shares = percents(odds), tone = (/** @type {number} */ i) => 1 + Math.min(3, Math.round(i * 3 / (odds.length - 1)));
  const cell = (/** @type {string} */ name, /** @type {number} */ i) => { const node = make("span", { class: name }, shares[i] >= 8 ? String(shares[i]) : ""); node.style.flex = `${Math.max(.5, shares[i])} 0 0`; return node; };
  return [figures, make("div.odds", { role: "img", "aria-label": odds.map((one) => `${one.label} ${said(one)} percent`).join(", ") }, ...odds.map((_, i) => cell(`o${tone(i)}`, i))),
    make("ul.odds-key", {}, ...odds.map((one, i) => make("li", {}, make("i", { class: `o${tone(i)}` }), `${one.label} ${said(one)} %`))), note].filter(Boolean);
}

/** @param {Explanation} explained  @param {number} times */
function explainedNode(explained, times) {
  return make("div.explained", {}, make("div.part-title", {}, make("h3.label", {}, times > 1 ? `${explained.what} (${times} ×)` : explained.what), make("span.end", {}, String(explained.total))),
    make("ul.parts", {}, ...explained.parts.map((part) => make("li", { class: part.value ? undefined : "idle" }, ruleLink(part.rule, part.label), make("span.dots"), make("span.figure", {}, worth(part))))));
}

/** The path: each unit as wide as its cost; what is dear says why.  @param {PathNote} path  @param {string} whose */
function pathNode(path, whose) {
  const long = path.allowance >= 1000, much = (/** @type {number} */ cost) => spent(cost, path.allowance), unit = long ? 1000 : 1;
  const cells = path.costs.slice(0, 40).map((cost) => {
    const cell = make("span", { class: `inch${!long && cost.total > 1 ? " two" : ""}${cost.total === 0 ? " free" : ""}`, title: cost.what }, much(cost.total));
    cell.style.flex = `${Math.max(.45, cost.total / unit)} 0 0`;
    return cell;
  });
  const dear = path.costs.filter((cost) => cost.parts.length > 1 || !long && cost.total > 1 || cost.total === 0).slice(0, 6);
  return make("div.path-cost", {}, make("div.part-title", {}, make("h3.label", {}, whose), make("span.end", {}, `${much(path.total)} of ${much(path.allowance)}`)),
    cells.length > 0 && make("div.meter", { role: "img", "aria-label": path.costs.map((cost) => `${cost.what} ${much(cost.total)}`).join(", ") }, ...cells),
    make("ul.legs", {}, ...dear.map((cost) => make("li", {}, ruleLink(cost.parts[cost.parts.length - 1]?.rule ?? "", [cost.what, ...cost.parts.slice(cost.parts.length > 1 ? 1 : 0).map((part) => part.label)].filter((words, i, all) => all.indexOf(words) === i).join(": ")), make("span.dots"), make("span.figure", {}, cost.total ? cost.parts.map((part) => much(part.value)).join(" + ") : "free")))));
}

/** The paths one by one; of a whole unit the dearest alone, for all of them have the same to spend.  @param {PathNote[]} paths */
function pathNodes(paths) {
  const walked = paths.filter((path) => path.costs.length || path.total);
  if (walked.length < 3) return walked.map((path) => pathNode(path, `The path of ${nameOf(path.model)}`));
  const dearest = walked.reduce((a, b) => (b.total * a.allowance > a.total * b.allowance ? b : a));
  return [pathNode(dearest, `The dearest of ${walked.length} paths: ${state.table?.things[dearest.model]?.label || nameOf(dearest.model)}`)];
}

/** @param {Preview | null | undefined} preview */
export function previewNodes(preview) {
  if (!preview) return [];
  const { explanations, notes, paths } = preview, far = Object.entries(preview.distances).slice(0, 6), blocked = preview.sight.length > 0 && preview.sight.every((one) => one.blocked);
  const costs = new Set(paths.flatMap((path) => path.costs.map((cost) => JSON.stringify(cost))));
  const alike = /** @type {Map<string, Explanation[]>} */ (new Map());
  for (const one of explanations) { const key = JSON.stringify(one); if (!costs.has(key)) alike.set(key, [...(alike.get(key) ?? []), one]); }
  const inside = [...[...alike.values()].map((all) => explainedNode(all[0], all.length)), ...oddsNodes(preview), ...notes.map((note) => make("p.note", {}, note))];
  const said = Object.entries(preview.targets);
  if (said.length) inside.push(make("ul.parts.targets", {}, ...said.slice(0, 6).map(([id, words]) => make("li", {}, make("span", {}, `to ${nameOf(id)}`), make("span.dots"), make("span.figure", {}, words)))));
  else if (far.length) inside.push(make("ul.parts", {}, ...far.map(([id, n]) => make("li", {}, make("span", {}, `to ${nameOf(id)}`), make("span.dots"), make("span.figure", {}, distance(n))))));
  // Many lines may cross the same: it is said once.
  const met = new Map(preview.sight.flatMap((sight) => sight.beads).map((bead) => [JSON.stringify([bead.label, bead.blocks, bead.counts]), bead]));
  for (const bead of met.values()) inside.push(make("p.note", {}, ruleLink(bead.rule, bead.label), bead.blocks ? " blocks the line" : bead.counts ? " counts" : " is seen over"));
  const nodes = [threatList(preview), ...pathNodes(paths)].filter(Boolean);
  if (!inside.length) return nodes;
  const best = explanations.find((one) => !costs.has(JSON.stringify(one))), short = [best ? `${best.what} ${best.total}` : "", headline(preview.odds).slice(0, 2).map(([figure, words]) => `${figure} ${words}`).join(" · "), blocked ? "no sight" : ""].filter(Boolean).join(" · ");
  const fold = make("details.preview", { open: innerWidth > 700 || folded === false, ontoggle: (/** @type {Event} */ e) => { folded = !(/** @type {HTMLDetailsElement} */ (e.target).open); } }, make("summary", { "data-key": "preview" }, make("span.label", {}, "What it brings"), make("span.end", {}, short)), ...inside);
  return [...nodes, fold];
}
/** @type {boolean | null} */
let folded = null;
