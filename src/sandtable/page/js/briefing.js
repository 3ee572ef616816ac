// The briefing: who one is, what wins, how long it lasts, what is special. Before the first question, and whenever it is wanted.

import { clockWords } from "./asides.js";
import { icon, mark, sideClass } from "./icons.js";
import { ruleLink } from "./log.js";
import { make } from "./pen.js";
import { lengthWords, scenarioOf, thumbnail } from "./ready.js";
import { begin } from "./session.js";
import { ruleset, said, state } from "./state.js";
import { capital } from "./table-words.js";

/** What a table tells of itself. */
export function briefingNodes() {
  const { welcome, table, situation } = state, rules = ruleset(), scene = rules?.scenarios.find((one) => one.name === welcome?.scenario), found = welcome ? scenarioOf(welcome.ruleset, welcome.scenario) : null, form = found?.form, side = situation?.side ?? "";
  const models = (/** @type {string} */ of) => Object.values(table?.things ?? {}).filter((one) => one.kind === "model" && one.side === of && !one.gone).length;
  const fact = (/** @type {string} */ name, /** @type {(Node | string)[]} */ ...words) => make("div.brief-fact", {}, make("dt", {}, name), make("dd", {}, ...words));
  const special = [...(form?.rules ?? []).map((rule) => ruleLink(rule, found?.titles[rule] ?? "a rule")), ...Object.entries(form?.options ?? {}).flatMap(([name, value]) => optionNodes(name, value, form?.rules ?? []))];
  return [welcome && make("div.brief-picture", {}, thumbnail(welcome.ruleset, welcome.scenario)), scene?.about && make("p.brief-about", {}, scene.about),
    make("dl.brief", {},
      fact("You are", welcome?.role === "seat" ? make("span", { class: `brief-side ${sideClass(side)}` }, mark(side), ` ${capital(side)}, ${models(side)} ${models(side) === 1 ? "model" : "models"}`) : "watching"),
      fact("Against", state.seats.filter((seat) => seat.side !== side).map((seat) => `${capital(seat.side)}: ${seat.kind === "bot" ? "the computer" : seat.name || "a player"}`).join(", ") || "nobody yet"),
      fact("What wins", form?.victory ? capital(rules?.words[`wins ${form.victory}`] ?? said(form.victory)) : welcome?.scenario && !found ? "" : "Whoever is left on the table"), fact("How long", welcome ? capital(lengthWords(welcome.ruleset, welcome.scenario)) : ""), welcome && welcome.minutes > 0 && fact("Clock", clockWords(welcome.minutes, welcome.increment)),
      special.length > 0 && fact("Special", ...special.flatMap((one, i) => (i ? [", ", one] : [one]))))];
}

/** What is agreed on in this battle, in the words of its ruleset, behind which its rule may stand; nothing where that rule is named already.
 *  @param {string} name  @param {unknown} value  @param {string[]} named */
function optionNodes(name, value, named) {
  const told = ruleset()?.words[`option ${name}`] ?? `${said(name)}: {}`, [, words = "", rule = ""] = /^(.*?)(?: \(([a-z-]+(?:\.[a-z-]+)+)\))?$/.exec(told.replace("{}", Array.isArray(value) ? value.map(said).join(", ") : said(String(value)))) ?? [];
  if (!value || !words || named.includes(rule)) return [];
  return [rule ? ruleLink(rule, words) : make("span", {}, words)];
}

/** Before the first question of a battle that nobody has been briefed on here. */
export function briefingSlip() {
  const side = state.situation?.side ?? "";
  return make("div", { class: `slip briefing ${sideClass(side)}` }, make("div.slip-band"), make("header.slip-head", {}, make("span.label", {}, "Briefing")), make("div.slip-body", {}, make("h2.prompt", {}, ruleset()?.scenarios.find((one) => one.name === state.welcome?.scenario)?.title || state.welcome?.title || "A battle"), ...briefingNodes().filter((one) => one)), make("footer.slip-foot", {}, make("button.do", { "data-key": "begin", onclick: begin }, icon("play"), "Begin", make("kbd", {}, "Enter"))));
}
