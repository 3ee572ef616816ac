// The one state of the page. Drawing is a function of it; the server's word replaces it.
/** @import { AnyQuestion, BattleShown, BotShown, ChatLine, ExplainedPart, Ground, LogLine, Point, ReasonShown, Refusal, RulesetShown, Scene, SeatShown, Situation, TableShown, Verdict, Welcome } from "./types.js" */

/** @typedef {{id: string, question: AnyQuestion, optional?: boolean, value: any}} PlannedPart */

/** @typedef {object} State
 *  @property {string} route  what is shown: start, table, rules, forces, terrain
 *  @property {string[]} path  the rest of the address
 *  @property {RulesetShown[]} rulesets
 *  @property {BotShown[]} bots
 *  @property {BattleShown[]} battles
 *  @property {string} unserved  why the server does not say what it has
 *  @property {Record<string, string>} cards  the catalogue's names, by card
 *  @property {string} token
 *  @property {Welcome | null} welcome
 *  @property {SeatShown[]} seats
 *  @property {number} spectators
 *  @property {ChatLine[]} chat
 *  @property {number} read  how many lines of it were read
 *  @property {number} heardAt  when the situation came, as the page counts: clocks go on from there
 *  @property {Ground | null} ground
 *  @property {TableShown | null} table
 *  @property {LogLine[]} log
 *  @property {Scene[]} scenes  the log as a story
 *  @property {number | null} head  how many lines of the log are shown while they are played; none: all of them
 *  @property {import("./player.js").Beat | null} beat  what is being played
 *  @property {Situation | null} situation
 *  @property {any} draft  the answer being tried, in the shape of the question's answer
 *  @property {PlannedPart[]} planned  the parts of a plan that are said, in their order
 *  @property {string} part  the open part of a plan that is being answered
 *  @property {Verdict | null} verdict
 *  @property {Refusal | null} refusal  of an answer that was given
 *  @property {boolean} judging  whether the server has yet to say what the draft comes to
 *  @property {{how: "decline" | "deed", what: string, loses: string[]} | null} parting  what somebody is about to give away for good, and is asked about first
 *  @property {string} sent  the fingerprint of the question whose answer is on its way
 *  @property {number | null} moment  which moment is looked at; none is now
 *  @property {string} looked  the thing that is looked at
 *  @property {string} lit  the thing that an option under the pointer is about
 *  @property {string} hand  the model in the player's hand, where several are moved or placed
 *  @property {{value: any, why: Refusal} | null} overdrawn  a path that was drawn farther than may be walked, and why not
 *  @property {Point | null} hover  where the pointer is, while a path is being drawn
 *  @property {boolean} backwards  whether the next leg is walked backwards
 *  @property {string} line  whether the line is up: "", "up", "down", "gone"
 *  @property {number} wait  seconds until the line is tried again
 *  @property {string} notice  one sentence for everybody, and for screen readers
 *  @property {string} spoken  what has happened, for those who listen
 *  @property {string} panel  the dialog that is open
 *  @property {string} beside  what lies open beside the board: a rule or a card, by its id
 *  @property {boolean} briefed  whether whoever sits here has been told what this battle is about
 *  @property {string} shared  the link that was made to share a moment
 *  @property {ReasonShown[]} reasons  why bots did what they did, once that may be known
 *  @property {string} tab  which part a phone shows; at a desk, whether the chat is open
 *  @property {string} filter  of the log
 *  @property {boolean} turned  whether the board lies with its north edge near
 *  @property {boolean} covered  whether the hot seat is being handed over
 *  @property {boolean} playing  whether moments follow each other by themselves
 *  @property {boolean} words  whether the table in words is shown
 *  @property {{from: Point | null, to: Point | null, at: string} | null} tape  the measuring tape in the hand: its ends, and the model it was last held to
 *  @property {Set<string>} acted  things that have acted, as far as the log tells
 */

/** @returns {State} */
const fresh = () => ({
  route: "", path: [], rulesets: [], bots: [], battles: [], unserved: "", cards: {}, token: "", welcome: null, seats: [], spectators: 0, chat: [], read: 0, heardAt: 0, ground: null, table: null,
  log: [], scenes: [], head: null, beat: null, situation: null, draft: undefined, planned: [], part: "", verdict: null, refusal: null, judging: false, parting: null, sent: "", moment: null, looked: "", lit: "", hand: "", overdrawn: null, hover: null, backwards: false,
  line: "", wait: 0, notice: "", spoken: "", panel: "", beside: "", briefed: true, shared: "", reasons: [], tab: "table", filter: "all", turned: false, covered: false, playing: false, words: false, tape: null, acted: new Set(),
});

export const state = fresh();

/** @type {((changed: Set<string>) => void)[]} */
const watchers = [];
/** @type {Set<string>} */
let changed = new Set();

/** Change the state; whatever watches is drawn anew in the next frame.  @param {Partial<State>} news */
export function change(news) {
  const first = changed.size === 0;
  for (const [key, value] of Object.entries(news)) {
    Object.assign(state, { [key]: value });
    changed.add(key);
  }
  if (first && changed.size) {
    // A page in the background has no frames; it is drawn all the same, only later.
    frame = requestAnimationFrame(flush);
    late = setTimeout(flush, 250);
  }
}
let frame = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let late;

function flush() {
  cancelAnimationFrame(frame);
  clearTimeout(late);
  const now = changed;
  changed = new Set();
  for (const watcher of watchers) watcher(now);
}

/** @param {(changed: Set<string>) => void} watcher  called with the names of what changed */
export function watch(watcher) {
  watchers.push(watcher);
}

/** Leave a battle: forget everything that came from it. */
export function leaveBattle() {
  const { rulesets, bots, battles, unserved, cards, route, path } = state;
  change({ ...fresh(), rulesets, bots, battles, unserved, cards, route, path });
}

/** The ruleset of the battle, as its server describes it. */
export const ruleset = () => state.rulesets.find((one) => one.name === state.welcome?.ruleset) ?? null;
/** The mark behind a distance. */
export const unitMark = () => ruleset()?.unit_mark ?? "″";
/** A ruleset's word as players say it; one that it has no words for is read with spaces.  @param {string} word */
export const said = (word) => ruleset()?.words[word] ?? spaced(word);
/** An id as words; what has capitals is a name already.  @param {string} word */
export const spaced = (word) => (word === word.toLowerCase() ? word.replace(/[_-]/g, " ") : word);
/** A text in which names of data stand as they are read: with spaces.  @param {string} text */
export const plainly = (text) => text.replace(/(?<=[a-z])_(?=[a-z])/g, " ");
/** Whether the table may be measured now: else no ticks, no bands, no distances. */
export const measuring = () => state.situation?.measuring ?? true;
/** A distance as players read it.  @param {number} thousandths */
export const distance = (thousandths) => `${+(thousandths / 1000).toFixed(2)}${unitMark()}`;
/** What a path costs: a distance where it is allowed thousandths of one, else plain points.  @param {number} cost  @param {number} allowance */
export const spent = (cost, allowance) => (allowance >= 1000 ? distance(cost) : String(cost));
/** A modifier as it is printed.  @param {number} value */
const signed = (value) => (value > 0 ? `+${value}` : figure(value));
/** A number with the one kind of minus.  @param {number} value */
export const figure = (value) => String(value).replace("-", "−");

/** How much a part is, with its sign; nothing where it brings a die, which its label tells.  @param {ExplainedPart} part */
export const worth = (part) => (part.label.endsWith(` D${part.value}`) ? "" : signed(part.value));

/** The first letters of a name; of its last word more, if that is wanted.  @param {string} name  @param {number} [more] */
function initials(name, more = 1) {
  const words = name.split(/[\s-]+/).filter(Boolean).slice(0, 4), last = words.pop() ?? "";
  return name.length <= 4 ? name : words.length ? `${words.map((word) => word[0]).join("")}${last[0]}`.toUpperCase() + last.slice(1, more) : name.slice(0, 3);
}

/** What fits on a small flag: a call sign, or the first letters of a longer name, more of them where others have the same.  @param {string} id */
export function callOf(id) {
  const name = nameOf(id), kind = state.table?.things[id]?.kind, sign = kind === "model" ? / ([A-Z]\d{1,2})$/.exec(name)?.[1] : "", call = sign || initials(name);
  if (name.length <= 4 || kind !== "unit" && kind !== "marker") return call;
  const others = Object.values(state.table?.things ?? {}).filter((one) => one.kind === kind && one.id !== id).map((one) => one.label || one.id), shared = others.some((one) => initials(one) === call);
  return shared ? [2, 3, 9].map((more) => initials(name, more)).find((longer, i) => i === 2 || !others.some((one) => initials(one, i + 2) === longer)) ?? call : call;
}

/** A thing, or a terrain piece, by the name players call it.  @param {string} id */
export function nameOf(id) {
  const thing = state.table?.things[id], unit = thing?.kind === "model" ? state.table?.things[thing.unit] : undefined;
  // Of a unit of one model, both are called alike.
  if (unit?.kind === "unit" && unit.label && Object.values(state.table?.things ?? {}).filter((one) => one.unit === unit.id && one.kind === "model").length === 1) return unit.label;
  if (thing?.label) return thing.label;
  const asked = state.situation?.question, named = asked?.kind === "place" ? asked.names[id] : "";
  if (named) return named;
  const piece = state.ground?.pieces.find((one) => one.id === id);
  return piece ? piece.label || said(piece.kind) : said(id);
}
