// The table page: bar, slip, board, table in words, forces, log, timeline; and the hand-over of a hot seat.

import { Board } from "./board.js";
import { keepClocks, undoTool } from "./asides.js";
import { styled } from "./first.js";
import { drawForces } from "./forces.js";
import { icon, mark, sideClass, wordmark } from "./icons.js";
import { drawLog } from "./log.js";
import { actingNow, momentShown, shown } from "./moments.js";
import { make, renew } from "./pen.js";
import { changeSide, clear, commit, decline, deed, give, open, reopen, undo } from "./session.js";
import { switchLamp } from "./shelf.js";
import { dragSheet } from "./sheet.js";
import { drawSlip } from "./slip.js";
import { drawStakes } from "./stakes.js";
import { callOf, change, ruleset, state, watch } from "./state.js";
import { capital, tableInWords, turnWords, whoActs } from "./table-words.js";
import { drawTimeline } from "./timeline.js";

/** The order of the turn as cards: the last activations, the one that acts, what is left in the decks. */
function orderCards() {
  const { table } = shown();
  if (!table) return null;
  const n = momentShown() ?? state.log.length, done = /** @type {{side: string, unit: string}[]} */ ([]);
  for (let i = n - 1; i >= 0 && done.length < 6; i--) {
    const { event } = state.log[i];
    if (event.event === "PhaseBegan") break;
    const first = event.event === "StepBegan" ? event.units?.[0] : undefined, squad = /** @type {string} */ (first && table.things[first]?.kind === "model" ? table.things[first].unit : ""), unit = squad && table.things[squad] ? squad : first;
    // Whatever units only belong to has no card: those who act for it have.
    if (event.event === "StepBegan" && unit && ["model", "unit"].includes(table.things[unit]?.kind ?? "unit") && done[0]?.unit !== unit) done.unshift({ side: event.side ?? table.things[unit]?.side ?? "", unit });
  }
  const now = actingNow(table)[1], cards = done.map(({ side, unit }, i) => {
    const acts = i === done.length - 1 && (unit === now || unit === table.things[now ?? ""]?.unit) && !table.ending;
    return make("li", { class: `card ${sideClass(side)}${acts ? " now" : " done"}`, "aria-current": acts ? "step" : undefined }, mark(side), callOf(unit));
  });
  const deck = Object.values(table.decks)[0], left = deck ? Object.entries(deck.contents).filter(([card]) => table.sides.includes(card)) : [];
  return make("ol.order", { "aria-label": "Order of the turn" }, ...cards, left.length > 0 && !table.ending && make("li.deck-left", {}, ...left.flatMap(([side, n]) => [mark(side), `${n} `]), "left"));
}

/** @param {HTMLElement} bar */
function drawBar(bar) {
  const { table } = shown(), { welcome, situation } = state, tool = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void} */ press, /** @type {string} */ more = "") => make(`button.tool${more}`, { "aria-label": label, title: label, "data-key": `bar-${name}`, onclick: press }, icon(name));
  const acting = table ? actingNow(table) : [], acts = table && acting[0] ? `${acting[0]}${acting.length > 1 ? `: ${whoActs(table)} acts` : " acts"}` : "";
  const asks = whoIsAsked(), words = table?.ending ? `${table.ending.winner ? `${capital(table.ending.winner)} has won` : "A draw"}` : acts || (situation?.waiting.length && !asks.words ? `${situation.waiting.join(" and ")} to answer` : "");
  document.title = `${asks.mine ? "Your move" : asks.words || words || "The table"} · ${scenarioTitle()} · Sandtable`;
  renew(bar, wordmark(), make("p.battle-name", {}, make("b", {}, scenarioTitle()), make("span", {}, [ruleset()?.title || welcome?.ruleset, welcome?.seed !== null && welcome?.seed !== undefined ? `seed ${welcome.seed}` : "seed hidden", welcome?.role === "spectator" ? "watching" : ""].filter(Boolean).join(" · "))),
    make("div.turn", {}, make("p.turn-words", {}, make("b", {}, table ? turnWords(table) : "Sandtable"), make("span", {}, words, asks.words && make("span", { class: `asked${asks.mine ? " mine" : ""}${words ? " too" : ""}` }, asks.words))), orderCards()),
    make("nav.tools", { "aria-label": "Table" }, make("button.tool.drawer", { "aria-expanded": state.tab === "forces", onclick: () => change({ tab: state.tab === "forces" ? "table" : "forces" }), "data-key": "bar-forces" }, icon("forces"), "Forces"), make("button.tool.drawer", { "aria-expanded": state.tab === "log", onclick: () => change({ tab: state.tab === "log" ? "table" : "log" }), "data-key": "bar-log" }, icon("more"), "Log"),
      undoTool(), make("button.tool.kept.narrow-only", { "aria-label": "More", title: "More", "data-key": "bar-more", onclick: () => change({ panel: "more" }) }, icon("more")), tool("orders", "Orders, draw and giving up", () => change({ panel: "orders" })), make("a.tool", { href: `#/rules/${welcome?.ruleset ?? ""}`, "aria-label": "Rules", title: "Rules" }, icon("rules")), chatTool(), tool("text", "Briefing: who you are, what wins", () => change({ panel: "brief" })), tool("gear", "Settings", () => change({ panel: "settings" })), tool("lamp", "Daylight or lamplight", switchLamp)));
}

/** How much was said that nobody here has read. */
const unread = () => Math.max(0, state.chat.length - (state.tab === "chat" ? state.chat.length : state.read));
const chatTool = () => make("button.tool", { "aria-label": `Chat${unread() ? `, ${unread()} unread` : ""}`, title: "Chat", "aria-expanded": state.tab === "chat", "data-key": "bar-chat", onclick: () => change({ tab: state.tab === "chat" ? "table" : "chat" }) }, icon("chat"), unread() > 0 && make("b.unread", {}, String(unread())));

/** The chat comes when it is first opened. @type {typeof import("./chat.js") | null} */
let chat = null;
/** @param {HTMLElement} place */
async function showChat(place) {
  place.hidden = state.tab !== "chat";
  if (place.hidden) return;
  if (state.read !== state.chat.length) change({ read: state.chat.length });
  try { chat ??= (await Promise.all([import("./chat.js"), styled("panels.css")]))[0]; chat.drawChat(place); } catch { change({ tab: "table", notice: "The chat does not come. Is the server running?" }); }
}

/** What lies beside the board comes when something is first laid there. @type {typeof import("./beside.js") | null} */
let besides = null;
/** @param {HTMLElement} place */
async function showBeside(place) {
  place.hidden = !state.beside;
  if (place.hidden) return;
  try { besides ??= await import("./beside.js"); besides.drawBeside(place); } catch { change({ beside: "", notice: "That does not come. Is the server running?" }); }
}

/** At the table a rule opens beside the board.  @param {HTMLElement} root */
function rulesBeside(root) {
  root.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? /** @type {HTMLAnchorElement | null} */ (event.target.closest("a[data-rule]")) : null;
    if (!link || link.dataset.leave !== undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    change({ beside: `rule ${link.dataset.rule}` });
  });
}

/** Who has to answer now, in words; not while something is still being shown. */
function whoIsAsked() {
  const { situation, welcome, table } = state, waiting = situation?.waiting ?? [], mine = Boolean(situation?.question) && state.head === null;
  if (!situation || table?.ending || state.head !== null) return { mine: false, words: "" };
  const others = waiting.filter((side) => side !== situation.side || welcome?.role !== "seat").map(capital);
  return { mine, words: mine ? "you are asked" : others.length ? `${others.join(" and ")} ${others.length > 1 ? "are" : "is"} asked` : "" };
}

const scenarioTitle = () => ruleset()?.scenarios.find((one) => one.name === state.welcome?.scenario)?.title || state.welcome?.title || "A battle";

/** The hot seat changes hands: nothing is seen until the other says so.  @param {HTMLElement} cover */
function drawCover(cover) {
  const next = state.situation?.waiting.find((side) => state.welcome?.sides.includes(side) && side !== state.situation?.side);
  const covered = state.covered && state.head === null;
  cover.hidden = !covered;
  if (covered && next) renew(cover, make("div", { class: `slip ${sideClass(next)}` }, make("div.slip-band"), make("div.slip-body", {}, make("h2.prompt", {}, `Hand over to ${next}.`), make("p", {}, `${capital(next)} is asked. Nobody else should look now.`)), make("footer.slip-foot", {}, make("button.do", { "data-key": "hand-over", onclick: () => { changeSide(next); change({ covered: false }); } }, `I am ${next}`))));
}

/** What is done with a battle as a whole comes when it is first done.  @param {"share" | "fork" | "saveJournal" | "reasons" | "rematch"} name */
const whole = (name) => async () => { try { await (await import("./whole-battle.js"))[name](); } catch (problem) { change({ notice: String(/** @type {Error} */ (problem).message) }); } };

/** Put the table page together, once.  @param {HTMLElement} root */
export function tablePage(root) {
  const bar = make("header.bar"), next = make("section.next", { "aria-label": "Question", id: "table-main", tabindex: -1 }), place = make("main.board-place", { "aria-label": "The board" }, make("h1.visually-hidden", {}, "The table")), words = make("section.words", { "aria-label": "Table in words", hidden: true }), forces = make("section.forces", { "aria-label": "Forces", tabindex: 0 }), log = make("section.log", { "aria-label": "Log" }), talk = make("section.chat", { "aria-label": "Chat", hidden: true }), past = make("aside.past", { "aria-label": "Forces, log and chat" }, forces, log, talk), time = make("section.time", { "aria-label": "Timeline" }), tabs = make("nav.tabs", { "aria-label": "Parts of the table" }), stakes = make("section.stakes", { "aria-label": "What is at stake" }), beside = make("aside.beside", { "aria-label": "Beside the board", hidden: true }), cover = make("div.cover", { hidden: true });
  root.append(bar, next, place, words, past, tabs, time, cover);
  place.append(stakes, beside);
  dragSheet(next);
  rulesBeside(root);
  const board = new Board(place), deeds = { give, decline, clear, commit, reopen, open, undo, deed, saveJournal: whole("saveJournal"), reasons: whole("reasons"), rematch: whole("rematch") };
  const acts = { share: whole("share"), fork: whole("fork") };
  let missed = /** @type {Set<string>} */ (new Set());
  watch((changes) => {
    if (state.route !== "table") return;
    // In whose words a table is told comes with the rulesets: until then it would be told in ids.
    const changed = missed.size ? new Set([...missed, ...changes]) : changes;
    missed = state.rulesets.length || state.unserved ? new Set() : changed;
    if (missed.size) return;
    if (changed.has("tab") || changed.has("route") || changed.has("welcome")) { root.dataset.tab = state.tab; drawTabs(tabs); }
    if (["welcome", "table", "moment", "head", "situation", "chat", "read", "rulesets", "tab", "route"].some((name) => changed.has(name))) drawBar(bar);
    drawSlip(next, changed, deeds);
    if (["table", "ground", "moment", "draft", "planned", "part", "verdict", "head", "beat", "situation", "tape", "looked", "lit", "hand", "hover", "overdrawn", "turned", "acted", "rulesets", "route"].some((name) => changed.has(name))) board.draw(changed);
    drawStakes(stakes, changed);
    if (["beside", "table", "moment", "head", "route"].some((one) => changed.has(one))) void showBeside(beside);
    drawForces(forces, changed);
    drawLog(log, changed);
    if (["tab", "chat", "seats", "spectators"].some((name) => changed.has(name))) void showChat(talk);
    drawTimeline(time, changed, acts);
    if (["words", "table", "moment", "head", "draft", "verdict"].some((name) => changed.has(name))) drawWords(words);
    if (changed.has("covered") || changed.has("situation") || changed.has("head")) drawCover(cover);
  });
  keepClocks();
  addEventListener("resize", () => change(/** @type {any} */ ({ size: innerWidth })));
  return board;
}

/** @param {HTMLElement} words */
function drawWords(words) {
  words.hidden = false;
  words.classList.toggle("visually-hidden", !state.words);
  renew(words, make("header.panel-head", {}, make("h2", {}, "Table in words"), make("button.tool", { "aria-label": "Hide the table in words", onclick: () => change({ words: false }), tabindex: state.words ? 0 : -1 }, icon("close"))), tableInWords());
}

/** @param {HTMLElement} tabs */
function drawTabs(tabs) {
  const tab = (/** @type {string} */ id, /** @type {string} */ name, /** @type {string} */ sign) => make("button.tab", { "aria-current": state.tab === id ? "page" : undefined, "data-key": `tab-${id}`, onclick: () => change({ tab: id }) }, icon(sign), name);
  renew(tabs, tab("table", "Table", "table"), tab("log", "Log", "more"), tab("forces", "Forces", "forces"), make("a.tab", { href: `#/rules/${state.welcome?.ruleset ?? ""}` }, icon("rules"), "Rules"));
}
