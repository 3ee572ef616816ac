// Cards in hand: one's own with what they say, of others how many they have; what lies open, is discarded, is left to draw.

import { ruleLink } from "./log.js";
import { make } from "./pen.js";
import { nameOf, ruleset } from "./state.js";

/** @import { Thing } from "./types.js" */
/** @typedef {import("./types.js").TableShown} Table */
/** @typedef {{deck: string, hand: Thing[], open: Thing[], out: Thing[], left: number}} Held */

/** @param {Table} table  @param {string} side @returns {Held[]} the cards of a side, deck by deck */
export function heldBy(table, side) {
  const cards = Object.values(table.things).filter((one) => one.kind === "card" && one.side === side);
  return [...new Set(cards.map((one) => one.unit))].map((deck) => {
    const at = (/** @type {string} */ why) => cards.filter((one) => one.unit === deck && one.place.place === "off" && one.place.why === why);
    return { deck, hand: at("in hand"), open: at("laid open"), out: at("discarded"), left: Object.values(table.decks[deck]?.contents ?? {}).reduce((a, b) => a + b, 0) };
  });
}

/** @param {Thing} card */
const named = (card) => (card.card ? ruleset()?.held[card.card]?.name || card.label : card.label);
/** @param {number} n  @param {string} [what] */
const many = (n, what = "card") => `${n} ${what}${n === 1 ? "" : "s"}`;

/** A card that one may read.  @param {Thing} card */
function cardNode(card) {
  const says = ruleset()?.held[card.card], on = card.states["played on"]?.value;
  return make("li.held-card", {}, make("b", {}, named(card)), typeof on === "string" && on && make("span.on", {}, `on ${nameOf(on)}`), says && make("p", {}, says.text, " ", ruleLink(says.rule, "rule")));
}

/** The cards of a side in its force; nothing where it has none.  @param {Table} table  @param {string} side */
export function heldNodes(table, side) {
  return heldBy(table, side).map(({ deck, hand, open, out, left }) => {
    const known = hand.filter((one) => one.card);
    return make("section.held", { "aria-label": `${nameOf(deck)}: cards` }, make("h3.label", {}, "In hand", make("span.figure", {}, `${many(hand.length)} · ${left} left to draw`)),
      known.length > 0 ? make("ul.hand-cards", {}, ...known.map(cardNode)) : hand.length > 0 && make("p.backs", { role: "img", "aria-label": `${many(hand.length)}, face down` }, ...hand.map(() => make("i"))),
      open.length > 0 && make("ul.hand-cards.open", { "aria-label": "Laid open" }, ...open.map(cardNode)),
      out.length > 0 && make("details.discards", { "data-key": `discards-${side}` }, make("summary", { "data-key": `discards-summary-${side}` }, `${many(out.length)} discarded`), make("ul", {}, ...out.map((one) => make("li", {}, named(one))))));
  });
}

/** The same in sentences.  @param {Table} table  @param {string} side @returns {string[]} */
export function heldWords(table, side) {
  return heldBy(table, side).flatMap(({ hand, open, out, left }) => {
    const known = hand.filter((one) => one.card).map((one) => `In hand: ${named(one)}. ${ruleset()?.held[one.card]?.text ?? ""}`);
    return [`${many(hand.length)} in hand, ${left} left to draw${out.length ? `, discarded: ${out.map(named).join(", ")}` : ""}`, ...open.map((one) => `Laid open: ${named(one)}`), ...known];
  });
}
