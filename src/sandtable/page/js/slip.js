// The slip: one panel for every question. Band, flag, kind; prompt, why; draft; preview; what to press.

import { pleaNode } from "./asides.js";
import { MANY, allocate, chooseOne, chooseSeveral, needed } from "./choosing.js";
import { alike, asked, filled, openParts, refusedNow, tryValue } from "./drafting.js";
import { icon, pennant, sideClass } from "./icons.js";
import { ruleLink, ruleLinks } from "./log.js";
import { moveModels, placeThings } from "./moving.js";
import { make, renew } from "./pen.js";
import { previewNodes } from "./preview.js";
import { callOf, change, distance, nameOf, said, state } from "./state.js";
import { sceneCard } from "./scene-card.js";
import { briefingSlip } from "./briefing.js";
import { hintNode } from "./guide.js";
import { declare, likewise, nothingWords, partWith, say } from "./session.js";
import { narrow, nextStand } from "./sheet.js";
import { capital } from "./table-words.js";

/** @import { AnyQuestion } from "./types.js" */
/** @typedef {{give: (answer: any) => void, decline: () => void, clear: () => void, commit: (value: any) => void, reopen: (part: string) => void, open: (part: string) => void, undo: () => void, deed: () => void, saveJournal: () => void, reasons: () => void, rematch: () => void}} Deeds */

/** What the slip says where nothing is asked.  @param {string} label  @param {string} words  @param {string} [small]  @param {string} [mood]  @param {...(Node | null | false | undefined)} more */
const moodNode = (label, words, small = "", mood = "", ...more) => make("div", { class: `mood ${mood}` }, make("span.label", {}, label), make("p", {}, words), small && make("small", {}, small), ...more);

/** @type {typeof import("./summary.js") | null} */
let summary = null;
let fetched = false;
/** What tells how a battle went is fetched once one is over. */
function summaryModule() {
  if (!fetched) { fetched = true; void import("./summary.js").then((module) => { summary = module; change({ table: state.table }); }); }
  return summary;
}

/** @param {Deeds} deeds */
function quiet(deeds) {
  const { situation, welcome, table } = state;
  if (!situation || !table) return moodNode("One moment", "The table is being laid.");
  if (situation.trouble) return moodNode("Trouble", situation.trouble, "", "lost");
  // On a phone the moment that is looked at lies under the sheet: it makes room.
  if (table.ending && narrow() && state.moment !== null && state.moment < state.log.length) return moodNode("A moment that is past", "So it stood then.", "", "", make("button.else", { "data-key": "to-the-end", onclick: () => change({ moment: null }) }, "Back to the end"));
  if (table.ending) return summaryModule()?.summaryNode(deeds) ?? moodNode("The battle is over", "");
  const secret = Object.keys(table.secrets).some((key) => key.startsWith(`${situation.side}: `)) && situation.waiting.length > 0 && !situation.waiting.includes(situation.side) && welcome?.role === "seat";
  const others = situation.waiting.filter((side) => side !== situation.side).map(capital).join(" and ");
  const undo = situation.may_undo && make("button.else", { onclick: deeds.undo }, icon("undo"), "Take back my last answer");
  if (secret && others) return moodNode("Sealed", "You chose.", `Opens when ${others.toLowerCase()} has chosen too.`, "sealed", undo);
  return moodNode("Waiting", others ? `${others} ${situation.waiting.length > 1 ? "are" : "is"} choosing.` : "Nobody is asked anything.", welcome?.role === "seat" ? "Look around; the slip comes back to you." : "You are watching.", "", undo);
}

/** @param {AnyQuestion} question  @param {any} value  @param {Deeds} deeds  @param {boolean} inPlan */
function draftNode(question, value, deeds, inPlan) {
  switch (question.kind) {
    case "choose one": return chooseOne(question, value);
    case "choose several": return chooseSeveral(question, value);
    case "allocate": return allocate(question, value);
    case "place": return placeThings(question, value);
    case "move": return moveModels(question, value);
    case "confirm": return confirm(question, (yes) => (inPlan ? deeds.commit(yes) : deeds.give(yes)));
    case "react": return react(question, value);
    default: return planNode(deeds);
  }
}

/** Two equal cards.  @param {import("./types.js").Confirm} question  @param {(yes: boolean) => void} press */
function confirm(question, press) {
  const card = (/** @type {boolean} */ yes, /** @type {string} */ name, /** @type {string} */ words) => make("button", { "data-key": `confirm-${name}`, onclick: () => press(yes) }, make("b", {}, words || name, " ", make("kbd", {}, name[0])), words !== name && make("small", {}, name.toLowerCase()));
  return make("div.either", {}, card(true, "Yes", question.yes), card(false, "No", question.no));
}

/** The stretch as a rail with a handle; ways to break in below.  @param {import("./types.js").React} question  @param {any} value */
function react(question, value) {
  const rail = question.stretch ? make("label.rail", {}, make("span.label", {}, "Where along the path"), make("input", { type: "range", min: question.stretch[0], max: question.stretch[1], step: 10, value: String(value?.along ?? question.stretch[0]), "data-key": "along", oninput: (/** @type {Event} */ e) => tryValue({ ...value, option: value?.option ?? question.options[0]?.id, along: Number(/** @type {HTMLInputElement} */ (e.target).value) }) }),
    make("span.rail-ends", {}, make("span", {}, distance(question.stretch[0])), make("output", {}, distance(value?.along ?? question.stretch[0])), make("span", {}, distance(question.stretch[1])))) : null;
  const ways = question.options.map((way, i) => {
    const no = Boolean(way.refused), chosen = value?.option === way.id, cost = Object.entries(way.cost).filter(([, n]) => n).map(([what, n]) => counted(n, said(what))).join(", ");
    const row = make("button", { class: `option${chosen ? " chosen" : ""}${no ? " not" : ""}`, role: "radio", "aria-checked": chosen, "aria-disabled": no || undefined, "data-key": `option-${way.id}`, onclick: () => { if (!no) tryValue({ option: way.id, along: value?.along ?? question.stretch?.[0] ?? null, amount: way.amount_least }); } }, make("kbd", {}, no ? "·" : String(i + 1)), make("span", {}, make("b", {}, way.label || nameOf(way.id)), make("small", {}, way.refused || [(way.label || nameOf(way.id)).includes(nameOf(way.actor)) ? "" : nameOf(way.actor), cost].filter(Boolean).join(" · ")), !no && way.loses.length > 0 && make("small.lost", {}, `${capital(listed(way.loses))} would be lost`)));
    return no && way.rules[0] ? make("div.option-place", {}, row, ruleLink(way.rules[0], "rule")) : row;
  });
  const way = question.options.find((one) => one.id === value?.option);
  const amount = way && way.amount_most > way.amount_least ? make("label.number", {}, make("span", {}, "how much"), make("input.box", { type: "number", min: way.amount_least, max: way.amount_most, value: String(value.amount ?? way.amount_least), "data-key": "amount", onchange: (/** @type {Event} */ e) => tryValue({ ...value, amount: Number(/** @type {HTMLInputElement} */ (e.target).value) }) })) : null;
  // Who is asked although he can do nothing is asked so that being asked tells nobody anything.
  return make("div", {}, rail, ways.length ? make("div", { class: `options${ways.length > MANY ? " many" : ""}`, role: "radiogroup", "aria-label": question.prompt }, ...ways) : make("p.note", {}, "There is nothing you could do now."), amount);
}

/** So many of something.  @param {number} n  @param {string} what */
const counted = (n, what) => `${n} ${n === 1 ? what.replace(/([^s])s$/, "$1") : what}`;

/** A value in a few words.  @param {AnyQuestion} question  @param {any} value */
export function valueWords(question, value) {
  if (value === null || value === undefined) return "nothing";
  const label = (/** @type {string} */ id) => ("options" in question ? /** @type {any[]} */ (question.options).find((o) => o.id === id)?.label : "") || nameOf(id);
  if (question.kind === "confirm") return value ? question.yes : question.no;
  if (question.kind === "choose several") return listed(together(value.map(label))) || "none";
  if (question.kind === "allocate") return Object.entries(value).map(([item, bin]) => `${nameOf(item)} → ${nameOf(String(bin))}`).join(", ");
  if (question.kind === "move") return Object.entries(value).map(([id, walk]) => `${nameOf(id)}: ${walk.legs.length} legs`).join(", ");
  if (question.kind === "place") return Object.keys(value).map(nameOf).join(", ");
  return typeof value === "string" ? label(value) : question.kind === "react" ? label(value.option) : JSON.stringify(value);
}

/** Ordered lines: what is said and what is open. Of several who are spoken for, each has one line, and every word of it can be changed.
 *  @param {Deeds} deeds */
function planNode(deeds) {
  const question = state.situation?.question, side = question ? sideClass(question.side) : "", lines = /** @type {Map<string, typeof state.planned>} */ (new Map());
  for (const part of state.planned) { const line = asksWhom(part) || part.id; lines.set(line, [...(lines.get(line) ?? []), part]); }
  const change_ = (/** @type {typeof state.planned[0]} */ part, /** @type {string} */ words, /** @type {string} */ look) => make(`button.${look}`, { "data-key": `reopen-${part.id}`, "aria-label": `Change: ${part.question.prompt}${look === "chip" ? "" : ` ${words}`}`, onclick: () => deeds.reopen(part.id) }, words);
  const said_ = [...lines].map(([line, parts], i) => asksWhom(parts[0]) ? make("li.by", {}, make("span", {}, make("b", {}, line), ...parts.flatMap((part, n) => [n ? " · " : " ", change_(part, apart(part)[1], "part-open")])))
    : make("li", {}, make("b", {}, String(i + 1)), make("span", {}, partWords(parts[0]) === valueWords(parts[0].question, parts[0].value) && make("small", {}, parts[0].question.prompt), partWords(parts[0])), change_(parts[0], "change", "chip")));
  const open = openParts().filter((part) => !part.optional || part.id === state.part).map((part) => {
    const now = part.id === state.part;
    return make("li", { class: now ? "open" : undefined }, make("b", {}, now ? "▸" : "+"), now ? make("span", {}, part.question.prompt) : make("button.part-open", { "data-key": `part-${part.id}`, onclick: () => deeds.open(part.id) }, part.question.prompt), make("span.pips", {}, part.optional ? "if you like" : "needed"));
  });
  return make("ol", { class: `declared ${side}` }, ...said_, ...open);
}

/** What may be added to a plan, each in a word, by whom it is about.  @param {Deeds} deeds */
function mayAdd(deeds) {
  const may = openParts().filter((part) => part.optional && part.id !== state.part), whom = [...new Set(may.map(asksWhom))];
  return may.length > 0 && make("div.may-add", {}, make("span.label", {}, "If you like"), ...whom.map((who) => make("span", {}, who && make("b", {}, who), ...may.filter((part) => asksWhom(part) === who).map((part) => make("button.part-open", { "data-key": `part-${part.id}`, "aria-label": part.question.prompt, onclick: () => deeds.open(part.id) }, who ? part.question.prompt.slice(who.length + 2) : part.question.prompt)))));
}

/** Several names as they are read out.  @param {string[]} names */
const listed = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}` : names[0] ?? "");

/** Names of which several may be alike: "both medium MACs".  @param {string[]} names */
const together = (names) => [...new Set(names)].map((name) => { const n = names.filter((one) => one === name).length; return n === 1 ? name : `${n === 2 ? "both" : n} ${name}${/s$/.test(name) ? "" : "s"}`; });

/** A prompt that asks for a thing, answered: "Fires at whom?" and B1 give "Fires at B1". Others are answered by their option alone.
 *  "Which squad do you place?" and Red One give "Place Red One".
 *  @param {string} prompt  @param {string} name  @param {boolean} thing whether the option is something on the table */
export function answered(prompt, name, thing) {
  const asks = prompt.replace(/\?.*$/, ""), [, does, who, verb, where = ""] = /^(?:.*: )?(?:which [a-z]+|what|whom) (do|does) (.+?) ([a-z]+)( (?:at|into|to|in|on|with|for))?$/i.exec(asks) ?? [];
  if (thing && verb) return capital(`${who === "you" ? "" : `${who} `}${verb}${does === "does" ? "s" : ""}${where} ${name}`);
  const said = thing ? asks.replace(/\bwhom\b|\bwhat$|\bwhich [a-z]+|^who\b/i, name) : asks;
  return said !== asks ? capital(said) : name;
}

/** What was said to a part of a plan: with its prompt, where that asks for a thing.  @param {{question: AnyQuestion, value: any}} part */
function partWords({ question, value }) {
  const words = valueWords(question, value);
  return question.kind === "choose one" && state.table?.things[value] ? answered(question.prompt, words, true) : words;
}

/** What the amber button says: the deed, never "OK".  @param {AnyQuestion} question  @param {any} value */
function deedWords(question, value) {
  const label = (/** @type {string} */ id) => ("options" in question ? /** @type {any[]} */ (question.options).find((o) => o.id === id)?.label : "") || nameOf(id), things = state.table?.things ?? {};
  const whose = (/** @type {string[]} */ ids) => { const units = [...new Set(ids.map((id) => things[id]?.unit || id))]; return units.length === 1 && (ids.length > 1 || Object.values(things).filter((one) => one.unit === units[0] && one.place.place === "at").length < 2) ? nameOf(units[0]) : ids.length < 3 ? listed(ids.map(nameOf)) : `all ${ids.length}`; };
  switch (question.kind) {
    case "choose one": return value ? answered(question.prompt, label(value), Boolean(things[value] || state.table?.sides.includes(value))) : "Choose one first";
    case "choose several": { if (!filled(question, value)) return `Choose ${needed(question)}`; const said = listed(together(value.map(label))), deed = question.deed || "Choose {}"; return !value.length ? "None of them" : deed.replace("{}", said.length < 44 ? said : `these ${value.length}`); }
    case "allocate": { const left = question.items.filter((item) => !(item.id in (value ?? {}))).length; return filled(question, value) ? `Set all ${question.items.length} as shown` : `${left} still to allot`; }
    case "place": return filled(question, value) ? `Place ${whose(question.things)} here` : `Point to a place for ${whose(question.things.filter((id) => !(id in (value ?? {}))).slice(0, 1))}`;
    case "move": {
      const walks = /** @type {[string, import("./types.js").Walk][]} */ (Object.entries(value ?? {})), stirs = walks.filter(([, walk]) => walk.legs.length).map(([id]) => id);
      if (!filled(question, value)) return "Draw a path first";
      if (!stirs.length) return `${whose(walks.map(([id]) => id))} stays where it stands`;
      const stay = question.models.filter((id) => !stirs.includes(id)), deed = walks.some(([, walk]) => walk.legs.some((leg) => leg.by === "via" || leg.go)) ? "Move" : "Turn";
      return stay.length ? `${deed} ${stirs.length < 3 ? listed(stirs.map(nameOf)) : `${stirs.length} of ${question.models.length}`}; ${stay.length > 1 ? "the rest stay" : `${nameOf(stay[0])} stays`}` : `${deed} ${whose(stirs)}`;
    }
    case "react": return value?.option ? question.options.find((one) => one.id === value.option)?.label || "Break in" : "Choose a way first";
    default: return "Do it";
  }
}

/** What would be lost, asked before it is.  @param {{what: string, loses: string[]}} parting */
function partFirst({ what, loses }) {
  const left = listed(loses);
  return make("div.slip-foot.ask-first", { role: "alertdialog", "aria-label": what }, make("p", {}, make("b", {}, `${what}?`), ` ${left} would be lost.`), make("button.else", { "data-key": "decline-no", onclick: () => change({ parting: null }) }, "No, go on", make("kbd", {}, "N")), make("button.else", { "data-key": "decline-yes", onclick: partWith }, `Yes, lose ${left}`, make("kbd", {}, "Y")));
}

/** What declining does where nothing else is said: what is proposed is taken; nobody who is asked to walk stirs.  @param {AnyQuestion} question */
const proposedWords = (question) => (question.kind === "move" && !Object.values(question.default ?? {}).some((walk) => walk.legs.length) ? "Stay" : question.kind === "choose several" && !question.default?.length ? "None of them" : "As proposed");

/** A plan in the words of its parts, as the button that declares it: with what and with whole names, where there is room to say so. */
function plannedWords() {
  const called = (/** @type {string} */ words) => Object.values(state.table?.things ?? {}).reduce((short, one) => (one.kind === "model" && one.label.length > 4 ? short.replaceAll(one.label, callOf(one.id)) : short), words);
  const words = [planned(true), planned(false), called(planned(false))].find((one, i) => i === 2 || one.length <= 64) ?? "";
  return words ? `Declare: ${words.length > 80 ? `${words.slice(0, 78)}…` : words}` : "Declare it";
}

/** @param {boolean} all whether it is said too of what there are several, such as weapons */
function planned(all) {
  const deeds = /** @type {Record<string, string>} */ ({}), alike = /** @type {Record<string, string[]>} */ ({});
  for (const part of state.planned) {
    const [who, words] = apart(part), before = deeds[who];
    if (words && words !== "none" && words !== "nothing" && (all || part.question.kind !== "choose several")) deeds[who] = before ? `${before}${GOES_ON.test(words) ? ` ${words[0].toLowerCase()}${words.slice(1)}` : `, ${words}`}` : words;
  }
  // Of those who do the same it is told once, and how many they are.
  for (const [who, words] of Object.entries(deeds)) (alike[words] ??= []).push(who);
  const count = Object.keys(deeds).length;
  // With what they do it stands behind their names: "R5, Bulwark gun".
  const tools = (/** @type {string[]} */ who) => (all && who.every((one) => one.includes(", ")) ? listed(together(who.map((one) => one.slice(one.indexOf(", ") + 2)))) : "");
  return Object.entries(alike).map(([words, who]) => { const n = who.length; return n === 1 ? `${who[0] && `${who[0]}: `}${words}` : `${tools(who) || (n < count ? `${n} ×` : n === 2 ? "both" : `all ${n}`)} ${words}`; }).join(" · ");
}

/** Whose part it is: "R1: at whom?"  @param {{question: AnyQuestion}} part */
const asksWhom = ({ question }) => /^(.+?): /.exec(question.prompt)?.[1] ?? "";

/** Whose part it is, and what was said to it: "R1" and "at B2".  @param {{question: AnyQuestion, value: any}} part  @returns {[string, string]} */
function apart(part) {
  const words = partWords(part), who = asksWhom(part);
  return [who, who && words.startsWith(`${who}: `) ? words.slice(who.length + 2) : words];
}

/** Words that only go on with what was said before them. */
const GOES_ON = /^(At|Into|With) /i;

/** What the amber button says of a part: with the deed that it belongs to, or whose it is: a whole deed, and never "At B1" alone.
 *  @param {AnyQuestion} question  @param {any} value */
function partDeed(question, value) {
  const words = deedWords(question, value), who = asksWhom({ question }), low = `${words[0].toLowerCase()}${words.slice(1)}`;
  if (!GOES_ON.test(words)) return words;
  let deed = "";
  for (const part of state.planned) if (asksWhom(part) === who) { const said = apart(part)[1]; deed = deed && GOES_ON.test(said) ? `${deed} ${said[0].toLowerCase()}${said.slice(1)}` : said; }
  return deed ? `${who && `${who}: `}${deed} ${low}` : who ? `${who}: ${low}` : words;
}

/** What comes after a part that is left out.  @param {string} id */
function nextLeft(id) {
  const parts = openParts();
  return state.planned[0]?.optional ?? true ? parts[parts.findIndex((part) => part.id === id) + 1]?.id ?? "" : "";
}

/** @param {Deeds} deeds */
function footer(deeds) {
  const question = /** @type {AnyQuestion} */ (state.situation?.question), now = asked(), value = state.draft, busy = state.sent === state.situation?.asks && state.sent !== "";
  if (!now) return make("footer.slip-foot", {}, make("button.do", { onclick: () => change({ moment: null }) }, "Back to now"));
  if (state.parting) return partFirst(state.parting);
  const no = refusedNow();
  const nodes = [];
  if (question.kind === "plan") {
    const more = alike().length, open = openParts().find((part) => part.id === state.part), needs = openParts().find((part) => !part.optional && part.id !== state.part);
    if (open && open.question.kind !== "confirm") {
      const ready = filled(open.question, value) && !no;
      if (ready || !more) nodes.push(make("button", { class: `do${ready ? "" : " wait"}`, "aria-disabled": !ready || undefined, "data-key": "do", onclick: deeds.deed }, no && filled(open.question, value) ? "Not so, as it stands" : partDeed(open.question, value), ready && make("kbd", {}, "Enter")));
      if (open.optional) nodes.push(make("button.else", { "data-key": "skip", onclick: () => deeds.open(nextLeft(open.id)) }, "Leave out"));
      else if (open.question.decline) nodes.push(make("button.else", { "data-key": "part-decline", onclick: () => deeds.commit(null) }, open.question.decline));
    }
    const whole = !needs && (!open || open.optional) && state.planned.length > 0;
    const stopped = state.judging || no && !open;
    if (more) nodes.unshift(make("button", { class: `do${state.judging ? " wait" : ""}`, "aria-disabled": state.judging || undefined, "data-key": "likewise", onclick: likewise }, `${more > 1 ? "The others" : asksWhom(alike()[0])} ${apart(state.planned[state.planned.length - 1])[1]} too`, !state.judging && make("kbd", {}, "Enter")));
    if (whole) nodes.push(make("button", { class: `${open || more ? "else" : "do"}${stopped ? " wait" : ""}`, "aria-disabled": stopped || undefined, "data-key": "declare", onclick: () => { if (!stopped) declare(); } }, no && !open ? "Not so, as it stands" : plannedWords(), !open && !more && !stopped && make("kbd", {}, "Enter")));
    else if (!open) nodes.push(make("button.do.wait", { "aria-disabled": true, "data-key": "do" }, needs ? needs.question.prompt : "Nothing said yet"));
  } else if (question.kind !== "confirm" && !(question.kind === "react" && !question.options.length)) {
    const ready = filled(question, value) && !busy && !no;
    nodes.push(make("button", { class: `do${ready ? "" : " wait"}`, "aria-disabled": !ready || undefined, "data-key": "do", onclick: deeds.deed }, busy ? "Saying it …" : no && filled(question, value) ? "Not so, as it stands" : deedWords(question, value), ready && make("kbd", {}, question.kind === "react" ? "B" : "Enter")));
  }
  // Where one is chosen, what declining means stands among the options.
  const decline = question.decline || (question.kind === "plan" ? question.default && nothingWords(question) : ["confirm", "choose one"].includes(question.kind) || question.default === null || question.default === undefined || question.kind !== "move" && filled(question, value) && JSON.stringify(value) === JSON.stringify(question.default) ? "" : proposedWords(question));
  if (decline) nodes.push(make("button", { class: question.kind === "react" ? "do pass" : "else", "data-key": "decline", onclick: deeds.decline }, decline, question.kind === "react" && make("kbd", {}, "P")));
  if (["place", "move", "allocate"].includes(now.question.kind) && now.value && Object.keys(now.value).length) nodes.push(make("button.else", { "data-key": "clear", onclick: deeds.clear }, "Clear"));
  if (question.kind === "react" && question.rules.length) nodes.push(make("button.order-line", { "data-key": "pass-all", onclick: () => import("./panels.js").then(({ passOnAll }) => passOnAll()) }, icon("next"), "ways" in question.facts ? "Pass by itself while I can do nothing" : "Pass on all of these from now on"));
  if (["confirm", "react", "choose one"].includes(question.kind) && question.rules.length) nodes.push(make("button.order-line.always", { "data-key": "always", title: "Always answer this in the same way", onclick: () => change({ panel: "order" }) }, icon("orders"), "Always answer this in the same way …"));
  return make("footer.slip-foot", {}, ...nodes);
}

/** A draw that the other side offers: told where one looks.  */
function offerNode() {
  const side = state.situation?.side ?? "", theirs = (state.situation?.offers ?? []).filter((one) => one !== side);
  if (!theirs.length || state.situation?.offers.includes(side) || state.welcome?.role !== "seat" || state.table?.ending) return null;
  return moodNode("A draw is offered", `${theirs.map(capital).join(" and ")} would call it a draw.`, "", "offer", make("div.ways", {}, make("button.else", { "data-key": "agree-draw", onclick: () => say({ say: "draw", offers: true }, "It is a draw.") }, "Agree to a draw")));
}

const KINDS = { "choose one": "Choose one", "choose several": "Choose several", allocate: "Allocate", place: "Place", move: "Move", confirm: "Confirm", react: "React", plan: "Plan" };

/** @param {HTMLElement} place  @param {Set<string>} changed  @param {Deeds} deeds */
export function drawSlip(place, changed, deeds) {
  if (!["situation", "draft", "planned", "part", "verdict", "judging", "parting", "refusal", "sent", "moment", "head", "beat", "hand", "overdrawn", "backwards", "line", "wait", "table", "covered", "briefed", "seats", "rulesets"].some((name) => changed.has(name))) return;
  const question = state.situation?.question, before = place.dataset.asks;
  const down = state.line === "down" && moodNode("Line down", question ? "Your draft is kept." : "The line is down.", `Trying again in ${state.wait} s.`, "lost");
  if (state.head !== null && state.moment === null) { renew(place, down, sceneCard()); place.classList.add("asking"); place.dataset.asks = ""; return; }
  if (!state.briefed && question && !state.table?.ending) { renew(place, down, briefingSlip()); place.classList.add("asking"); place.dataset.asks = ""; return; }
  if (!question || state.covered) { renew(place, down, offerNode(), pleaNode(), quiet(deeds)); place.classList.remove("asking"); return; }
  place.classList.add("asking");
  const now = asked(), actor = state.table?.things[question.about[0] ?? ""], inPlan = question.kind === "plan", refusal = state.refusal ?? (now && (!inPlan || now.part) && filled(now.question, now.value) ? state.verdict?.refusal : null);
  const head = make("header.slip-head", {}, pennant(actor?.label && actor.side === question.side ? callOf(actor.id) : capital(question.side), question.side), make("span.label", {}, KINDS[question.kind]), make("span.figure", {}, stepWords(question)));
  const body = make("div.slip-body", {}, make("h2.prompt", {}, question.prompt),
    make("p.why", {}, ...(question.rules.length ? [ruleLink(question.rules[0], "Why this?")] : []), question.sealed && ` Sealed ${question.sealed}.`), now && hintNode(now.question.kind),
    ...(now ? [draftNode(question, now.value, deeds, false), ...(inPlan && now.part ? [make("h3.part-prompt", {}, now.question.prompt), draftNode(now.question, now.value, deeds, true)] : [])] : [make("p.note", {}, "You are looking at a moment that is past.")]),
    refusal && make("div.refusal", { role: "alert" }, icon("no"), make("p", {}, refusal.sentence, " ", ...ruleLinks(refusal.rule, refusal.also ?? [], "The rule"))), state.verdict?.late && make("p.note", {}, "What this brings takes too long to work out beforehand; it may be done all the same."), ...(now ? previewNodes(state.verdict?.preview) : []), now && inPlan && !now.part && mayAdd(deeds));
  renew(place, down, offerNode(), pleaNode(), make("div", { class: `slip ${sideClass(question.side)} asks-${(now ?? { question }).question.kind.replace(" ", "-")}` }, make("div.slip-band", {}, make("button.grip", { "aria-label": "A larger or a smaller slip", "data-key": "grip", onclick: () => nextStand(place) })), head, body, footer(deeds)));
  place.dataset.asks = state.situation?.asks ?? "";
  if (before !== place.dataset.asks) place.querySelector(".slip-body")?.scrollTo(0, 0);
}

/** @param {AnyQuestion} question */
function stepWords(question) {
  if (question.kind === "choose several") return needed(question);
  if (question.kind === "plan") return Object.entries(question.budget).map(([what, n]) => `${n} ${said(what)}`).join(", ");
  if (question.kind === "allocate") return `${question.items.length - Object.keys(state.draft ?? {}).length} of ${question.items.length} left`;
  if (question.kind === "react") return said(question.moment);
  return "";
}
