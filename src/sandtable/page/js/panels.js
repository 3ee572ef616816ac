// Dialogs over the table: standing orders, taking back, giving up, settings, keys.

import { askUndo, sideWords, whoAgrees } from "./asides.js";
import { ask } from "./connection.js";
import { asked, shaped } from "./drafting.js";
import { briefingNodes } from "./briefing.js";
import { icon, mark } from "./icons.js";
import { ruleLink } from "./log.js";
import { lookAt } from "./moments.js";
import { fill, make } from "./pen.js";
import { decline, say } from "./session.js";
import { setSettings, settings, switchLamp } from "./shelf.js";
import { change, nameOf, said, state } from "./state.js";
import { valueWords } from "./slip.js";

/** @param {string} title  @param {...(Node | null | false | undefined)} children */
const page = (title, ...children) => [make("header.panel-head", {}, make("h2", {}, title), make("button.tool", { "aria-label": "Close", onclick: () => change({ panel: "" }) }, icon("close"))), make("div.panel-body", {}, ...children)];

/** A standing order from the question that is asked: the answer as drafted, and conditions on the facts it gives. */
function orderPanel() {
  const question = state.situation?.question, now = asked();
  if (!question || !now) return page("Standing order", make("p", {}, "Nothing is asked now."));
  const value = shaped(question, now.value), facts = [...new Set(["chance", ...Object.keys(question.facts)])];
  const choice = make("select.box", { "aria-label": "How" }, ...(question.kind === "confirm" ? [make("option", { value: "true" }, question.yes), make("option", { value: "false" }, question.no)] : [value !== null && make("option", { value: JSON.stringify(value) }, valueWords(question, now.value))]), (question.decline || question.kind === "react") && make("option", { value: "null" }, question.decline || "Pass"));
  const fact = make("select.box", { "aria-label": "Condition" }, make("option", { value: "" }, "always"), ...facts.map((name) => make("option", { value: name }, name === "chance" ? "while the odds, in percent, are" : `while ${factWords(name)} is`)));
  const compare = make("select.box", { "aria-label": "Comparison" }, ...["below", "at least", "is"].map((word) => make("option", { value: word }, word))), number = make("input.box", { type: "number", value: "60", "aria-label": "Value" });
  const read = (/** @type {HTMLElement} */ node) => /** @type {HTMLSelectElement} */ (node).value;
  const give = () => {
    say({ say: "order", rule: question.rules[0], answer: JSON.parse(read(choice)), when: read(fact) ? [{ fact: read(fact), compare: read(compare), value: Number(read(number)) }] : [], withdraw: false }, "The standing order is given; it answers from the next question on.");
    change({ panel: "" });
  };
  return page("Answer this in the same way", make("p", {}, "Whenever this is asked under ", ruleLink(question.rules[0], "the same rule"), ":"), choice, make("div.condition", {}, fact, compare, number), make("button.do", { onclick: give }, "Give the order"));
}

/** Pass on whatever is asked under this rule from now on, and now; where the question says how many ways are open, only while there is none. */
export function passOnAll() {
  const question = state.situation?.question;
  if (!question) return;
  const counted = "ways" in question.facts;
  say({ say: "order", rule: question.rules[0], answer: null, when: counted ? [{ fact: "ways", compare: "is", value: 0 }] : [], withdraw: false }, "You pass on these from now on; under Orders you may withdraw it.");
  if (!counted || !question.facts.ways) decline();
}

/** What rules are called that orders stand under, as far as that is known. @type {Map<string, string>} */
const titles = new Map();
/** @param {string} rule */
function titleOf(rule) {
  if (!titles.has(rule)) {
    titles.set(rule, "a rule");
    ask(`/rulesets/${encodeURIComponent(state.welcome?.ruleset ?? "")}/rules/${encodeURIComponent(rule)}`).then(({ title }) => { titles.set(rule, title); if (state.panel === "orders") change({ panel: "orders" }); }, () => titles.delete(rule));
  }
  return titles.get(rule) ?? "a rule";
}
/** A fact that an order hangs on, in words.  @param {string} name */
const factWords = (name) => (name === "chance" ? "the odds, in percent," : said(name));

function ordersPanel() {
  const orders = state.situation?.orders ?? [];
  const row = (/** @type {import("./types.js").StandingOrder} */ order) => make("li.order-row", {}, make("span", {}, ruleLink(order.rule, titleOf(order.rule)), `: ${order.answer === null ? "decline" : typeof order.answer === "boolean" ? (order.answer ? "yes" : "no") : typeof order.answer === "string" ? nameOf(order.answer) : "as ordered"}`, make("small", {}, order.when.map((one) => ` while ${factWords(one.fact)} ${one.compare === "is" ? "is" : `is ${one.compare}`} ${one.value}`).join(" and "))), make("button.else", { onclick: () => say({ say: "order", rule: order.rule, answer: order.answer, when: order.when, withdraw: true }, "The order is withdrawn.") }, "Withdraw"));
  const mine = state.welcome?.role === "seat" && !state.table?.ending, offered = state.situation?.offers.includes(state.situation.side), theirs = (state.situation?.offers ?? []).filter((side) => side !== state.situation?.side);
  return page("Orders", make("h3.label", {}, "Standing orders"), orders.length ? make("ul", {}, ...orders.map(row)) : make("p", {}, "None. A question that may be answered by one offers it."),
    mine && make("h3.label", {}, "The battle"), mine && theirs.length > 0 && make("p", {}, `${theirs.join(" and ")} offers a draw.`),
    mine && make("div.ways", {}, make("button.else", { "data-key": "offer", onclick: () => say({ say: "draw", offers: !offered }, offered ? "The offer is taken back." : "A draw is offered.") }, offered ? "Take the draw offer back" : theirs.length ? "Agree to a draw" : "Offer a draw"),
      state.situation?.claim && make("button.else", { "aria-disabled": state.situation.claim.seconds > 0 || undefined, onclick: () => say({ say: "claim" }) }, state.situation.claim.seconds ? `${state.situation.claim.side} is away; claim in ${Math.ceil(state.situation.claim.seconds / 60)} min` : `Claim the battle: ${state.situation.claim.side} is away`),
      make("button.else", { "data-key": "concede", onclick: () => change({ panel: "concede" }) }, "Give the battle up")));
}

const concedePanel = () => page("Give the battle up?", make("p", {}, "The other side wins at once. This cannot be taken back."), make("div.ways", {}, make("button.do", { "data-key": "concede-yes", onclick: () => { say({ say: "concede" }); change({ panel: "" }); } }, "Give it up"), make("button.else", { onclick: () => change({ panel: "" }) }, "Fight on")));

/** Taking back what cannot be taken back alone: what it means, before anybody is asked. */
function undoPanel() {
  const { people, computer } = whoAgrees();
  return page("Take back your last answer?", make("p", {}, "A die, something that came to light or another’s answer has come since, so you may not take it back alone."), make("p", {}, `${[people.length ? `${people.map(sideWords).join(" and ")} has to agree` : "", computer ? `the computer ${people.length ? "agrees" : "lets you"}` : ""].filter(Boolean).join("; ") || "You share this seat, so nobody else is asked"}. All that came since goes with it; dice that fell fall again as they fell.`),
    make("div.ways", {}, make("button.do", { "data-key": "ask-undo", onclick: askUndo }, people.length ? `Ask ${people.join(" and ")}` : "Take it back"), make("button.else", { onclick: () => change({ panel: "" }) }, "Leave it")));
}

function settingsPanel() {
  const now = settings(), pick = (/** @type {string} */ label, /** @type {string} */ key, /** @type {[string, string][]} */ choices) => make("label.field", {}, make("span.label", {}, label), make("select.box", { "data-key": key, onchange: (/** @type {Event} */ e) => setSettings({ [key]: /** @type {HTMLSelectElement} */ (e.target).value }) }, ...choices.map(([value, words]) => make("option", { value, selected: String(/** @type {any} */ (now)[key]) === value }, words))));
  return page("Settings", pick("Light", "theme", [["", "as the system says"], ["light", "daylight"], ["dark", "lamplight"]]), pick("What happens is shown", "pace", [["slow", "slowly"], ["", "as usual"], ["fast", "quickly"], ["once", "at once"]]), pick("Motion", "motion", [["", "as the system says"], ["still", "keep still"]]), pick("Sound when you are asked", "sound", [["", "off"], ["on", "on"]]), make("label.field", {}, make("span.label", {}, "A notice when you are asked"), make("select.box", { "data-key": "notices", onchange: (/** @type {Event} */ e) => { const value = /** @type {HTMLSelectElement} */ (e.target).value; setSettings({ notices: value }); if (value && "Notification" in window) Notification.requestPermission(); } }, make("option", { value: "", selected: !now.notices }, "off"), make("option", { value: "on", selected: now.notices === "on" }, "on"))), pick("Briefing and hints", "guide", [["", "on"], ["off", "off"]]));
}

const KEYS = /** @type {[string, string][]} */ ([["Enter", "do it"], ["Esc", "clear the draft, close"], ["1–9", "options; bins, while allotting"], ["Y N", "yes, no"], ["B P", "break in, pass or decline; while drawing a path, B backs up"], ["A", "straight on the way it faces; with Shift a tenth"], ["arrows", "1 unit; with Shift a tenth; without a draft, the nearest model"], ["[ ]", "turn 15°"], ["Backspace", "take the last leg, or the last line of a plan, back"], ["F", "set a mark"], ["T", "next thing that may be chosen"], ["M", "measure: from model to model, or drag"], ["R E", "while drawing a path: ranges and arcs, who threatens it"], ["U", "undo"], ["+ − 0", "closer, farther, whole table"], [", .", "moments"], ["Space", "skip what is being shown"], ["W", "the table in words"], ["/", "rules"], ["?", "these keys"]]);
const keysPanel = () => page("Keys", make("dl.keys", {}, ...KEYS.flatMap(([key, words]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, words)])));

/** What the bar of a desk has, for a phone. */
function morePanel() {
  const way = (/** @type {string} */ name, /** @type {string} */ words, /** @type {() => void} */ press, sign = name) => make("button.else", { "data-key": `more-${name}`, onclick: press }, icon(sign), words);
  return page("More", make("div.ways.more-ways", {}, way("orders", "Orders, draw and giving up", () => change({ panel: "orders" })), way("chat", "Chat", () => change({ panel: "", tab: "chat" })), way("back", "Timeline and log", () => change({ panel: "", tab: "log" })), way("text", "Table in words", () => change({ panel: "", words: !state.words })), way("brief", "Briefing", () => change({ panel: "brief" }), "text"), way("gear", "Settings", () => change({ panel: "settings" })), way("lamp", "Daylight or lamplight", () => { switchLamp(); change({ panel: "" }); })));
}

function reasonsPanel() {
  const look = (/** @type {number} */ said) => { const n = state.log.findIndex((line) => line.said >= said); change({ panel: "" }); lookAt(n < 0 ? state.log.length : n); };
  return page("What the computer thought", state.reasons.length ? make("ol.reasons", { tabindex: 0, "aria-label": "Reasons" }, ...state.reasons.map((one) => make("li", {}, mark(one.side), make("span", {}, one.words), make("button.chip", { "aria-label": `The table before answer ${one.said}`, onclick: () => look(one.said) }, String(one.said))))) : make("p", {}, "It kept its reasons to itself."));
}

/** Who one is, what wins, how long: at any time. */
const briefPanel = () => page("Briefing", ...briefingNodes().flatMap((one) => one || []));

const sharePanel = () => page("Share this moment", make("p", {}, "Whoever has this link may watch, from this moment. It gives no seat away."), make("input.box", { readonly: true, value: state.shared, "aria-label": "The link to this moment", "data-key": "shared", onfocus: (/** @type {Event} */ e) => /** @type {HTMLInputElement} */ (e.target).select() }), make("div.ways", {}, make("button.do", { "data-key": "copy-link", onclick: () => navigator.clipboard?.writeText(state.shared).then(() => change({ notice: "Copied.", panel: "" }), () => change({ notice: "Copy it by hand." })) }, "Copy the link")));

/** @type {Record<string, () => Node[]>} */
const PANELS = { brief: briefPanel, share: sharePanel, more: morePanel, reasons: reasonsPanel, order: orderPanel, orders: ordersPanel, concede: concedePanel, undo: undoPanel, settings: settingsPanel, keys: keysPanel };

/** @param {HTMLDialogElement} dialog  @param {Set<string>} changed */
export function drawPanel(dialog, changed) {
  if (!["panel", "situation", "seats"].some((name) => changed.has(name))) return;
  const make_ = PANELS[state.panel];
  if (!make_) { if (dialog.open) dialog.close(); return; }
  if (changed.has("panel") || state.panel === "orders") fill(dialog, ...make_());
  dialog.dataset.panel = state.panel;
  if (!dialog.open) dialog.showModal();
}
