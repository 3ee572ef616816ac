// What is said aside: asking to take back what cannot be taken back alone, and the clocks that were agreed on.

import { icon, mark, sideClass } from "./icons.js";
import { make } from "./pen.js";
import { say, undo } from "./session.js";
import { change, state } from "./state.js";
import { capital } from "./table-words.js";

/** A side, and who plays it.  @param {string} side */
export function sideWords(side) {
  const seat = state.seats.find((one) => one.side === side);
  return `${capital(side)}${seat?.name ? ` (${seat.name})` : ""}`;
}

/** Take back what one may; where a die or another's answer has come since, ask first what that means. */
export function takeBack() {
  const { situation } = state;
  if (situation?.may_undo) undo();
  else if (situation?.may_ask_undo && !situation.asks_undo) change({ panel: "undo" });
  else if (situation && state.welcome?.role === "seat") change({ notice: situation.asks_undo ? "That is being asked already." : "There is nothing of yours that could be taken back." });
  return true;
}

/** The others of whom somebody has to agree.  @returns {{people: string[], computer: boolean}} */
export function whoAgrees() {
  const shared = state.welcome?.sides ?? [], others = state.seats.filter((seat) => seat.side !== state.situation?.side && !shared.includes(seat.side));
  return { people: others.filter((seat) => seat.kind !== "bot").map((seat) => seat.side), computer: others.some((seat) => seat.kind === "bot") };
}

export function askUndo() {
  const { people } = whoAgrees();
  change({ panel: "" });
  say({ say: "ask undo" }, people.length ? `${people.map(sideWords).join(" and ")} ${people.length > 1 ? "are" : "is"} asked.` : "Taken back.");
}

/** Somebody asks to take an answer back: told where one looks, to who asks and to who is asked. */
export function pleaNode() {
  const { situation, welcome } = state, asks = situation?.asks_undo ?? "", mine = welcome?.role === "seat" && Boolean(situation?.side);
  if (!asks || state.table?.ending) return null;
  const way = (/** @type {string} */ key, /** @type {string} */ words, /** @type {() => void} */ press) => make("button.else", { "data-key": key, onclick: press }, words);
  const [words, small, ...ways] = !mine || !situation ? [`${sideWords(asks)} asks to take its last answer back.`, ""]
    : asks === situation.side ? ["You ask to take your last answer back.", `${whoAgrees().people.map(sideWords).join(" and ") || "The computer"} has to agree; an answer ends the asking.`, way("ask-no-more", "Ask no more", () => say({ say: "ask undo", asks: false }, "You ask no more."))]
      : [`${sideWords(asks)} asks to take its last answer back.`, "All that came since goes with it. Dice that fell fall again as they fell.", way("agree-undo", `Let ${asks} take it back`, () => say({ say: "answer undo", agrees: true }, "It is taken back.")), way("refuse-undo", "No, play on", () => say({ say: "answer undo", agrees: false }, "You play on."))];
  return make("div", { class: `mood plea ${sideClass(asks)}`, role: "status" }, make("span.label", {}, mark(asks), " Taking back"), make("p", {}, words), small && make("small", {}, small), ways.length > 0 && make("div.ways", {}, ...ways));
}

// Clocks ----

/** @import { ClockShown } from "./types.js" */
/** What a clock shows, in minutes and seconds.  @param {number} left  milliseconds */
function figures(left) {
  const seconds = Math.max(0, Math.ceil(left / 1000)), hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
  return `${hours ? `${hours}:${String(minutes).padStart(2, "0")}` : minutes}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param {ClockShown} clock */
const leftNow = (clock) => clock.left - (clock.runs && !state.table?.ending ? performance.now() - state.heardAt : 0);
/** Under a minute a clock says so. */
const LOW = 60000;

/** @param {HTMLElement} node  @param {ClockShown} clock */
function setClock(node, clock) {
  const left = leftNow(clock), low = left < LOW;
  node.textContent = figures(left);
  node.className = `clock${clock.runs ? " runs" : ""}${low ? " low" : ""}`;
}

/** The clock of a side, if there is one; it goes on by itself.  @param {string} side */
export function clockNode(side) {
  const clock = state.situation?.clocks.find((one) => one.side === side);
  if (!clock) return null;
  const node = make("span.clock", { role: "timer", "aria-label": `${capital(side)}’s clock`, "data-clock": side });
  setClock(node, clock);
  return node;
}

/** What was agreed on, in words; nothing where everybody thinks as long as he likes.  @param {number} minutes  @param {number} increment */
export const clockWords = (minutes, increment) => (minutes ? `${minutes} ${minutes === 1 ? "minute" : "minutes"} each${increment ? `, ${increment} seconds more whenever the move passes on` : ""}` : "");

/** Let the clocks that are shown go on. */
export function keepClocks() {
  setInterval(() => {
    if (!state.situation?.clocks.some((one) => one.runs)) return;
    for (const node of document.querySelectorAll("[data-clock]")) {
      const clock = state.situation.clocks.find((one) => one.side === /** @type {HTMLElement} */ (node).dataset.clock);
      if (clock && node instanceof HTMLElement) setClock(node, clock);
    }
  }, 250);
}

export const undoTool = () => make("button.tool.kept", { "data-key": "undo", title: state.situation?.may_undo ? "Take back my last answer" : "Ask to take back my last answer", "aria-disabled": !state.situation?.may_undo && !state.situation?.may_ask_undo || undefined, onclick: takeBack }, icon("undo"), "Undo");
