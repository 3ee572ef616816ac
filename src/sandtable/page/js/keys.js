// Everything by keyboard: what the mouse does, keys do too.

import { takeBack } from "./asides.js";
import { putInto } from "./choosing.js";
import { ALL, ahead, asked, dropLeg, inHand, nudge, openParts, pressThing, toggleMark, tryValue, toggle, turnHand } from "./drafting.js";
import { begin, clear, commit, deed, give, open, partWith, reopen } from "./session.js";
import { change, state } from "./state.js";
import { switchOver } from "./overlay.js";
import { picks } from "./pencil.js";
import { stretchTo, takeTape } from "./tape.js";
import { skip } from "./player.js";
import { step } from "./timeline.js";

/** Whether keys belong to a field that somebody types in.  @param {EventTarget | null} target */
const typing = (target) => target instanceof HTMLElement && (target.matches("select, textarea, dialog *") || target instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(target.type));

/** The nth option that may be chosen.  @param {number} n */
function option(n) {
  const now = asked();
  if (!now) return false;
  const { question } = now;
  if (question.kind === "react") {
    const way = question.options[n - 1];
    if (way) tryValue({ option: way.id, along: now.value?.along ?? question.stretch?.[0] ?? null, amount: way.amount_least });
    return Boolean(way);
  }
  if (question.kind === "allocate") return putInto(question, now.value, n - 1);
  if (question.kind !== "choose one" && question.kind !== "choose several") {
    if (question.kind === "plan") { const part = openParts()[n - 1]; if (part) open(part.id); return Boolean(part); }
    return false;
  }
  const one = question.options.filter((o) => !o.refused)[n - 1];
  if (one) { if (question.kind === "choose one") tryValue(one.id); else toggle(one.id); }
  return Boolean(one);
}

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {KeyboardEvent} event  @param {import("./board.js").Board} board  @returns {boolean} whether the key meant something */
function press(event, board) {
  const now = asked(), kind = now?.question.kind, way = ARROWS[event.key], onButton = !pointed && event.target instanceof HTMLElement && event.target.matches("button, a, summary");
  // What is only being tried is set by the space bar: Enter does what the amber button says.
  const choosing = event.target instanceof HTMLElement && event.target.matches(".slip-body :is([role=radio], [role=checkbox], .chip, .aim button, .chip-item)");
  if (way) {
    if (event.target instanceof HTMLElement && event.target.matches(".lines, .forces, .slip-body, .chat-lines, .words")) return false;
    const far = event.shiftKey ? 100 : 1000, turn = state.turned ? -1 : 1;
    if (!state.tape && (kind === "place" || kind === "move")) return nudge(way[0] * far * turn, way[1] * far * turn);
    board.step(way[0], way[1]);
    stretchTo(document.activeElement instanceof SVGElement ? document.activeElement.dataset.thing ?? "" : "");
    return true;
  }
  // What lies over the table is closed first, also while something is being shown.
  if (state.panel && event.key === "Escape") { change({ panel: "" }); return true; }
  if ((state.head !== null || state.playing) && (event.key === "Escape" || [" ", "Enter"].includes(event.key) && !onButton)) return skip();
  if (!state.briefed && event.key === "Enter" && !onButton) { begin(); return true; }
  switch (event.key) {
    case "Enter": return onButton && !choosing ? false : state.parting !== null || deed();
    case "Escape": if (state.parting) change({ parting: null }); else if (state.beside) change({ beside: "" }); else if (state.tape) change({ tape: null }); else if (state.moment !== null) change({ moment: null }); else if (now) clear(); return true;
    case "[": return turnHand(-15);
    case "]": return turnHand(15);
    case "{": return turnHand(-1);
    case "}": return turnHand(1);
    case "Backspace": { const last = state.planned.at(-1); if (dropLeg()) return true; if (last) reopen(last.id); return Boolean(last); }
    case "+": case "=": board.zoom(1.4); return true;
    case "-": case "−": board.zoom(1 / 1.4); return true;
    case "0": board.fit(); return true;
    case ",": step(-1); return true;
    case ".": step(1); return true;
    case "?": change({ panel: "keys" }); return true;
    case "/": location.hash = `#/rules/${state.welcome?.ruleset ?? ""}`; return true;
    default: break;
  }
  if (/^[1-9]$/.test(event.key)) return option(Number(event.key));
  return letter(event.key.toLowerCase(), kind, board, event.shiftKey);
}

/** @param {string} key  @param {string | undefined} kind  @param {import("./board.js").Board} board  @param {boolean} shift */
function letter(key, kind, board, shift) {
  const now = asked();
  if (state.parting && (key === "y" || key === "n")) { if (key === "y") partWith(); else change({ parting: null }); return true; }
  if (key === "a" && ahead(shift ? 100 : 1000)) return true;
  if (key === "u") return takeBack();
  if (key === "m") { takeTape(); return true; }
  if (kind === "move" && (key === "r" || key === "e")) { switchOver(key === "r" ? "ranges" : "threats", () => tryValue(now?.value)); return true; }
  if (key === "w") { change({ words: !state.words }); return true; }
  if (kind === "confirm" && (key === "y" || key === "n")) { if (now?.part) commit(key === "y"); else give(key === "y"); return true; }
  if (kind === "react" && key === "b") return deed();
  if (kind === "move" && key === "b") { change({ backwards: !state.backwards }); return true; }
  if (key === "p") { const pass = /** @type {HTMLElement | null} */ (document.querySelector(".slip-foot :is([data-key=skip], [data-key=part-decline], [data-key=decline])")); pass?.click(); return Boolean(pass); }
  if (kind === "move" && key === "f" && now?.question.kind === "move" && now.question.marks[0]) { toggleMark(now.question.marks[0].id); return true; }
  if (key === "t") { nextPick(board); return true; }
  if (key === "h" && (now?.question.kind === "move" || now?.question.kind === "place")) {
    const things = now.question.kind === "move" ? [...now.question.models, ...(now.question.models.length > 1 ? [ALL] : [])] : now.question.things, at = things.indexOf(inHand(now.question, now.value));
    change({ hand: things[(at + 1) % things.length] });
    return true;
  }
  return false;
}

/** The next thing that may be chosen.  @param {import("./board.js").Board} board */
function nextPick(board) {
  const things = [...picks().keys()].filter((id) => state.table?.things[id]?.place.place === "at"), at = things.indexOf(state.looked);
  const next = things[(at + 1) % Math.max(1, things.length)];
  if (next) { change({ looked: next }); pressThing(next); board.focus(next); }
}

/** Whether what has the focus was pressed by a pointer: it has had its press, and Enter is for the amber button again. Who has come to
 *  it by Tab presses it. */
let pointed = false;

/** @param {import("./board.js").Board} board */
export function listenToKeys(board) {
  addEventListener("pointerdown", () => { pointed = true; }, true);
  addEventListener("keydown", (event) => { if (event.key === "Tab") pointed = false; }, true);
  addEventListener("keydown", (event) => {
    if (state.route !== "table" || event.ctrlKey || event.metaKey || event.altKey || typing(event.target) && event.key !== "Escape") return;
    if (press(event, board)) event.preventDefault();
  });
}
