// What a draft would bring: explained numbers, odds, path costs, distances. Every part links to its rule.

import { ruleLink } from "./log.js";
import { make } from "./pen.js";
import { distance, nameOf, spent, state, worth } from "./state.js";

/** @typedef {import("./types.js").Preview} Preview */
/** @typedef {import("./types.js").Explanation} Explanation */

/** Chances as whole percents that add up to a hundred.  @param {import("./types.js").Chance[]} odds */
export function percents(odds) {
  const exact = odds.map((one) => 100 * one.numerator / Math.max(1, one.denominator)), whole = exact.map(Math.floor);
  const total = Math.round(exact.reduce((a, b) => a + b, 0));
  let missing = total - whole.reduce((a, b) => a + b, 0);
  for (const i of exact.map((_, i) => i).sort((a, b) => (exact[b] - whole[b]) - (exact[a] - whole[a]))) if (missing-- > 0) whole[i] += 1;
  return whole;
}

/** Hollow, hatched, solid, ink: from nothing to worst.  @param {Preview} preview */
function oddsNodes({ odds, odds_note }) {
  if (!odds.length) return [];
  const shares = percents(odds), tone = (/** @type {number} */ i) => odds.length < 2 ? 3 : 1 + Math.min(3, Math.round(i * 3 / (odds.length - 1)));
  const words = odds.map((one, i) => `${one.label} ${one.range ? `${Math.round(one.range[0] / 10)} to ${Math.round(one.range[1] / 10)}` : shares[i]} percent`);
  const cell = (/** @type {string} */ name, /** @type {string} */ text, /** @type {number} */ i) => { const node = make("span", { class: name }, text); node.style.flex = `${Math.max(7, shares[i])} 0 0`; return node; };
  return [make("div.odds", { role: "img", "aria-label": words.join(", ") }, ...odds.map((one, i) => cell(`o${tone(i)}`, one.range ? `${Math.round(one.range[0] / 10)}–${Math.round(one.range[1] / 10)}` : String(shares[i]), i))),
    make("ul.odds-key", {}, ...odds.map((one, i) => make("li", {}, make("i", { class: `o${tone(i)}` }), `${one.label} ${shares[i]} %`))), odds_note && make("p.note", {}, odds_note)].filter(Boolean);
}

/** @param {Explanation} explained */
function explainedNode(explained) {
  return make("div.explained", {}, make("div.part-title", {}, make("h3.label", {}, explained.what), make("span.end", {}, String(explained.total))),
    make("ul.parts", {}, ...explained.parts.map((part) => make("li", { class: part.value ? undefined : "idle" }, ruleLink(part.rule, part.label), make("span.dots"), make("span.figure", {}, worth(part))))));
}

/** The path: each unit as wide as its cost; what is dear says why.  @param {import("./types.js").PathNote} path  @param {string} whose */
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
    make("ul.legs", {}, ...dear.map((cost) => make("li", {}, ruleLink(cost.parts[cost.parts.length - 1]?.rule ?? "", [cost.what, ...cost.parts.slice(1).map((part) => part.label)].join(": ")), make("span.dots"), make("span.figure", {}, cost.total ? cost.parts.map((part) => much(part.value)).join(" + ") : "free")))));
}

/** The paths one by one; of a whole unit the dearest alone, for all of them have the same to spend.  @param {import("./types.js").PathNote[]} paths */
function pathNodes(paths) {
  const walked = paths.filter((path) => path.costs.length || path.total);
  if (walked.length < 3) return walked.map((path) => pathNode(path, `The path of ${nameOf(path.model)}`));
  const dearest = walked.reduce((a, b) => (b.total * a.allowance > a.total * b.allowance ? b : a));
  return [pathNode(dearest, `The dearest of ${walked.length} paths: ${state.table?.things[dearest.model]?.label || nameOf(dearest.model)}`)];
}

/** @param {Preview | null | undefined} preview */
export function previewNodes(preview) {
  if (!preview) return [];
  const { explanations, notes, paths } = preview, far = Object.entries(preview.distances).slice(0, 6), blocked = preview.sight.filter((one) => one.blocked).length;
  const costs = new Set(paths.flatMap((path) => path.costs.map((cost) => JSON.stringify(cost))));
  const inside = [...explanations.filter((one) => !costs.has(JSON.stringify(one))).map(explainedNode), ...oddsNodes(preview), ...notes.map((note) => make("p.note", {}, note))];
  if (far.length) inside.push(make("ul.parts", {}, ...far.map(([id, n]) => make("li", {}, make("span", {}, `to ${nameOf(id)}`), make("span.dots"), make("span.figure", {}, distance(n))))));
  for (const sight of preview.sight) for (const bead of sight.beads) inside.push(make("p.note", {}, ruleLink(bead.rule, bead.label), bead.blocks ? " blocks the line" : bead.counts ? " counts" : " is seen over"));
  const nodes = pathNodes(paths);
  if (!inside.length) return nodes;
  const best = explanations.find((one) => !costs.has(JSON.stringify(one))), short = [best ? `${best.what} ${best.total}` : "", preview.odds.length ? `${percents(preview.odds)[preview.odds.length - 1]} % ${preview.odds[preview.odds.length - 1].label}` : "", blocked ? "no sight" : ""].filter(Boolean).join(" · ");
  const fold = make("details.preview", { open: innerWidth > 700 || folded === false, ontoggle: (/** @type {Event} */ e) => { folded = !(/** @type {HTMLDetailsElement} */ (e.target).open); } }, make("summary", { "data-key": "preview" }, make("span.label", {}, "What it brings"), make("span.end", {}, short)), ...inside);
  return [...nodes, fold];
}
/** @type {boolean | null} */
let folded = null;
