// Sitting at a battle: what the server tells goes into the state, what the player does goes to the server.

import { Line, ask } from "./connection.js";
import { alike, answer, asked, begun, filled, onDraft, openParts, plan, refusedNow, shaped } from "./drafting.js";
import { playOn, sceneWords } from "./player.js";
import { wanted } from "./overlay.js";
import { change, leaveBattle, nameOf, said, state } from "./state.js";
import { keepBattle, rememberBriefing, settings, wasBriefed } from "./shelf.js";
/** @import { AnyQuestion, CardShown, FromPage, Ring, Situation, ToPage, Verdict } from "./types.js" */

/** @type {Line | null} */
let line = null;
/** Drafts are sent at most so often, the last one always. */
const DRAFT_PAUSE = 90;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** Only the verdict on what is being tried now counts: 0 while that has not been sent. */
let lastDraft = 0;

/** @param {string} token */
export function sitDown(token) {
  if (line && state.token === token) return;
  getUp();
  change({ token });
  line = new Line(token, hear);
}

export function getUp() {
  line?.close();
  line = null;
  if (state.token) leaveBattle();
}

/** Sit at another side of a hot seat.  @param {string} side */
export function changeSide(side) {
  change({ log: [], scenes: [], head: null, beat: null, situation: null, draft: undefined, planned: [], part: "", verdict: null, refusal: null, moment: null });
  line?.sit(side, 0);
}

/** @param {ToPage} message */
function hear(message) {
  switch (message.tell) {
    case "welcome":
      change({ welcome: message, seats: message.seats, chat: message.chat, read: message.chat.length, briefed: message.role !== "seat" || wasBriefed(state.token) });
      keepBattle(state.token, message);
      loadCards(message.ruleset);
      introduce(message);
      break;
    case "situation": situation(message); break;
    case "presence": change({ seats: message.seats, spectators: message.spectators }); break;
    case "chat": change({ chat: [...state.chat, message.line], ...(state.tab === "chat" ? { spoken: spokenLine(message.line) } : { notice: spokenLine(message.line) }) }); break;
    case "wrong": change({ notice: message.words, sent: "" }); break;
    default: break;
  }
}

/** @param {import("./types.js").ChatLine} line */
const spokenLine = (line) => `${line.name || line.side || "Somebody"} says: ${line.text}`;

/** Say what one is called, where the table does not know it yet.  @param {import("./types.js").Welcome} welcome */
function introduce(welcome) {
  const { name } = settings(), seat = welcome.seats.find((one) => one.side === welcome.side);
  if (name && (!seat || seat.kind === "person" && seat.name !== name)) line?.say({ say: "name", name }, () => {});
}

/** The names of the catalogue, for the forces.  @param {string} name */
async function loadCards(name) {
  try {
    const cards = /** @type {CardShown[]} */ (await ask(`/rulesets/${encodeURIComponent(name)}/cards`));
    change({ cards: Object.fromEntries(cards.map((card) => [card.id, card.name])) });
  } catch { /* a ruleset without a catalogue names its models by their cards */ }
}

/** @param {Situation} news */
function situation(news) {
  const log = [...state.log.slice(0, news.log_from), ...news.log], fresh = news.asks !== state.situation?.asks || news.side !== state.situation?.side || keptAt > 0 && news.n >= keptAt;
  const hot = (state.welcome?.sides.length ?? 0) > 1 && !news.question ? news.waiting.find((side) => state.welcome?.sides.includes(side) && side !== news.side) : "";
  const known = state.situation === null ? 0 : Math.min(state.log.length, news.log_from), from = news.scenes[0]?.first ?? Infinity;
  change({ situation: { ...news, orders: news.orders ?? state.situation?.orders ?? [] }, table: news.table, ground: news.ground ?? state.ground, log, scenes: [...state.scenes.filter((scene) => scene.first < from), ...news.scenes], line: "up", heardAt: performance.now() });
  if (fresh) askAnew();
  playOn(known);
  const last = news.scenes.filter((scene) => scene.lead).at(-1);
  if (state.head !== null) { /* it is told as it is played */ } else if (news.question && fresh) change({ notice: news.question.prompt });
  else if (last && news.log.length) change({ spoken: sceneWords(last) });
  if (hot && !state.covered) change({ covered: true });
  if (news.side && !turnedFor.has(state.token + news.side)) turnToMe(news);
}

/** How much had been said once the answer on its way was kept: the same may be asked anew, and is another question. */
let keptAt = 0;

/** @type {Set<string>} */
const turnedFor = new Set();
/** Your edge is at the bottom: known once your models, or where they may be put, lie on one half.  @param {Situation} news */
function turnToMe(news) {
  const height = state.ground?.height ?? 0, zone = news.question?.kind === "place" && news.table.things[news.question.things[0]]?.kind === "model" ? Object.values(news.question.where)[0]?.inside[0] : undefined;
  const middle = zone?.shape === "disc" ? [zone.center[1]] : zone ? zone.points.map((p) => p[1]) : [];
  const ys = middle.length ? middle : Object.values(news.table.things).flatMap((t) => (t.kind === "model" && t.side === news.side && t.place.place === "at" ? [t.place.point[1]] : []));
  if (!ys.length || !height) return;
  turnedFor.add(state.token + news.side);
  change({ turned: ys.reduce((a, b) => a + b, 0) / ys.length < height * .42 });
}

/** A question has come, or has gone: begin its draft. */
function askAnew() {
  const question = state.situation?.question;
  change({ draft: question ? begun(question) : undefined, planned: [], part: "", verdict: null, refusal: null, hand: "", lit: "", sent: "", judging: false, parting: null, overdrawn: null, hover: null, backwards: false });
  [lastDraft, keptAt, rings, same, leaves, forfeits] = [0, 0, { asks: "", costs: [] }, false, [], []];
  if (question) draft(0);
}

// Drafts ----

/** @param {number} [pause] */
function draft(pause = DRAFT_PAUSE) {
  clearTimeout(timer);
  timer = setTimeout(sendDraft, pause);
  // What was tried before is judged in vain: it must not come back over what took its place.
  lastDraft = 0;
  if (!state.judging) change({ judging: true });
}

function sendDraft() {
  const question = state.situation?.question, asks = state.situation?.asks ?? "", idle = () => change({ judging: false });
  if (!question || !line) { idle(); return; }
  const open = question.kind === "plan" ? openParts().find((part) => part.id === state.part) : undefined;
  if (question.kind !== "plan" && state.draft === undefined && question.kind !== "confirm") { idle(); return; }
  const message = open && state.draft !== undefined ? { answer: plan(), part: open.id, value: shaped(open.question, state.draft) } : { answer: question.kind === "plan" ? plan() : question.kind === "confirm" ? true : answer() };
  lastDraft = line.say({ say: "draft", question: asks, ...message, wants: wanted(open?.question ?? question).filter((one) => one !== "costs" || rings.asks !== asks) }, (told) => {
    if (told.id !== lastDraft) return;
    if (told.tell === "wrong" && told.why === "limit") { draft(400); return; }
    idle();
    if (told.tell === "verdict" && state.situation?.asks === asks) judged(told, open?.id ?? "");
  });
  if (!lastDraft) idle();
}

/** What rings of reach cost does not change while a question is open: it is asked for once. */
let rings = { asks: "", costs: /** @type {Ring[]} */ ([]) };

/** A verdict with the rings that are known already.  @param {Verdict} verdict  @returns {Verdict} */
function ringed(verdict) {
  const costs = verdict.preview?.rings.filter((ring) => ring.what === "cost") ?? [], asks = state.situation?.asks ?? "";
  if (costs.length) rings = { asks, costs };
  return verdict.preview && !costs.length && rings.asks === asks ? { ...verdict, preview: { ...verdict.preview, rings: [...rings.costs, ...verdict.preview.rings] } } : verdict;
}

/** @param {Verdict} told  @param {string} part */
function judged(told, part) {
  const verdict = ringed(told);
  const parts = part ? state.verdict?.parts ?? verdict.parts : verdict.parts;
  if (!part) { leaves = verdict.preview?.loses ?? []; if (!state.planned.length) forfeits = leaves; }
  // A path that was drawn too far is cut to what may be walked; the rest stays to be seen, with the reason.
  if (verdict.clipped && verdict.refusal) change({ overdrawn: { value: state.draft, why: verdict.refusal }, draft: verdict.clipped, verdict: { ...verdict, refusal: null, parts } });
  else change({ verdict: { ...verdict, parts } });
  if (part || state.part || !parts) return;
  if (same && sayAgain()) return;
  // Where everything may be left out, as with shots, the next is asked for.
  const next = parts.find((one) => !one.optional) ?? (state.planned[0]?.optional ?? true ? parts[0] : undefined);
  if (next) open(next.id);
}

onDraft((value) => {
  const now = asked();
  if (now?.part && (now.question.kind === "choose one" || now.question.kind === "confirm")) commit(value);
  else draft();
});

// What the player does ----

/** Open a part of a plan, or none.  @param {string} part */
export function open(part) {
  const found = openParts().find((one) => one.id === part);
  change({ part, draft: found ? begun(found.question) : undefined, hand: "", verdict: state.verdict ? { ...state.verdict, preview: state.planned.length ? state.verdict.preview : null, refusal: null } : null });
  if (found && state.draft !== undefined) draft(0);
}

/** Say a part of a plan.  @param {any} value */
export function commit(value) {
  const part = openParts().find((one) => one.id === state.part);
  if (!part) return;
  change({ planned: [...state.planned, { id: part.id, question: part.question, optional: part.optional, value }], part: "", draft: undefined, hand: "" });
  draft(0);
}

/** Whether what was said last is being said of all the rest. */
let same = false;
/** @returns {boolean} whether there was one more to say it of */
function sayAgain() {
  const [next] = alike();
  same = Boolean(next);
  if (!next) return false;
  const { value } = state.planned[state.planned.length - 1];
  change({ part: next.id });
  commit(value);
  return true;
}
/** What was said last is meant for all the rest too. */
export function likewise() { if (!state.judging) sayAgain(); }

/** Take a part of a plan back, and all that was said after it.  @param {string} id */
export function reopen(id) {
  change({ planned: state.planned.slice(0, state.planned.findIndex((part) => part.id === id)), part: "", draft: undefined, refusal: null });
  draft(0);
}

export function clear() {
  change({ draft: state.situation?.question && state.situation.question.kind !== "plan" ? (typeof begun(state.situation.question) === "object" ? {} : undefined) : undefined, refusal: null, hand: asked()?.question.kind === "move" ? state.hand : "", overdrawn: null, verdict: state.verdict ? { ...state.verdict, preview: null, refusal: null } : null });
  draft(0);
}

/** Give an answer.  @param {any} value */
export function give(value) {
  const asks = state.situation?.asks ?? "";
  if (!asks || state.sent === asks) return;
  clearTimeout(timer);
  change({ sent: asks, refusal: null });
  keptAt = 0;
  const id = line?.say({ say: "answer", question: asks, answer: value }, (told) => {
    if (told.tell === "refused") change({ refusal: told.refusal, sent: "", notice: told.refusal.sentence });
    if (told.tell === "wrong") change({ sent: "", notice: told.words });
    if (told.tell === "kept" && state.sent === asks) {
      if ((state.situation?.n ?? 0) >= told.n) askAnew(); else keptAt = told.n;
    }
  });
  if (!id) change({ sent: "", notice: "The line is down; your draft is kept." });
}

/** The briefing has been read. */
export function begin() {
  rememberBriefing(state.token);
  change({ briefed: true });
}

/** What the plan, as far as it is said, would leave unused; and what one leaves that says nothing. @type {string[]} */
let leaves = [], /** @type {string[]} */ forfeits = [];

/** What the answer as it stands gives away for good: by its option, or, of a plan, by what was foretold of it.  @returns {string[]} */
function given() {
  const question = state.situation?.question;
  if (question?.kind === "choose one") { const open = question.options.filter((one) => !one.refused); return open.length > 1 ? open.find((one) => one.id === state.draft)?.loses ?? [] : []; }
  return question?.kind === "plan" ? leaves : [];
}

/** Give the answer; where that gives something away, only once it has been asked about.  @param {string} what */
function part(what) {
  const loses = given();
  if (loses.length && !state.parting) change({ parting: { how: "deed", what, loses } });
  else { change({ parting: null }); give(answer()); }
}

/** Whether there is an amber button: something to do as it stands, or to declare. */
export function amber() {
  const question = state.situation?.question, now = asked();
  if (!question || !now || question.kind === "confirm" || refusedNow() || state.parting) return false;
  return filled(now.question, now.value) && (question.kind !== "plan" || now.part !== "") || question.kind === "plan" && !now.part && state.planned.length > 0 && !openParts().some((one) => !one.optional);
}

/** Do it: the amber button, judged when it is pressed and not when it was drawn. */
export function deed() {
  const question = state.situation?.question;
  if (!question || state.moment !== null || question.kind === "confirm") return false;
  if (refusedNow()) { change({ notice: state.verdict?.refusal?.sentence ?? "" }); return true; }
  if (question.kind !== "plan") { if (filled(question, state.draft)) part(question.kind === "choose one" ? question.options.find((one) => one.id === state.draft)?.label ?? "" : ""); return true; }
  const open = openParts().find((one) => one.id === state.part);
  if (open && filled(open.question, state.draft)) commit(shaped(open.question, state.draft));
  else if (alike().length) likewise();
  else if (state.planned.length && !state.judging && !openParts().some((one) => !one.optional)) part("Declare no more than this");
  return true;
}

/** Declare a plan as far as it is said, though more might be. */
export const declare = () => part("Declare no more than this");

/** Yes: give it away. */
export function partWith() {
  const how = state.parting?.how;
  change({ parting: null });
  give(how === "decline" ? null : answer());
}

/** Decline; where that leaves a budget unspent, only after saying what is lost. */
export function decline() {
  const question = state.situation?.question, left = question?.kind === "plan" ? Object.entries(question.budget).filter(([, n]) => n > 0).map(([what, n]) => `${n} ${said(what)}`).concat(forfeits).slice(0, 1) : question?.kind === "choose one" ? question.options.find((one) => one.id === question.default)?.loses ?? [] : [];
  if (question && left.length && !state.parting) change({ parting: { how: "decline", what: nothingWords(question), loses: left } });
  else { change({ parting: null }); give(null); }
}

/** What declining comes to, in words.  @param {AnyQuestion} question */
export const nothingWords = (question) => question.decline || (question.about[0] ? `Let ${nameOf(question.about[0])} do nothing` : "Do nothing");

/** Say something that is kept or refused.  @param {FromPage} message  @param {string} [done] what to tell when it is kept */
export function say(message, done = "") {
  const id = line?.say(message, (told) => {
    if (told.tell === "refused") change({ notice: told.refusal.sentence });
    if (told.tell === "wrong") change({ notice: told.words });
    if (told.tell === "kept" && done) change({ notice: done });
  });
  if (!id) change({ notice: "The line is down; try again in a moment." });
}

export const undo = () => say({ say: "undo" }, "Taken back.");
