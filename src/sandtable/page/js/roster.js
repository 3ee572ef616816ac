// A roster: what is bought from the catalogue, what it costs, and what the rules say to it.

import { ask } from "./connection.js";
import { icon } from "./icons.js";
import { make, renew, saveFile } from "./pen.js";
import { change, spaced, state } from "./state.js";
/** @import { Bought, CardShown as Card, Offer, Roster as Form, RosterChecked, TallyShown, Unit } from "./types.js" */

/** @typedef {(string | number)[]} Path */

/** The roster on the desk: one a ruleset. */
const desk = { name: "", offer: /** @type {Offer | null} */ (null), form: /** @type {Form | null} */ (null), checked: /** @type {RosterChecked | null} */ (null), unit: 0, wrong: "", scenario: "", side: "" };

const again = () => change({ path: state.path });
const base = () => `/rulesets/${encodeURIComponent(desk.name)}`;
/** @param {(value: string) => void} how  @returns {(event: Event) => void} */
const typed = (how) => (event) => how(/** @type {HTMLInputElement} */ (event.target).value);
/** @param {Unit["options"]} options  @param {string} name */
const without = ({ ...options }, name) => { delete options[name]; return options; };
/** @param {string} name  @returns {Unit} */
const freshUnit = (name) => ({ name, kind: desk.offer?.unit_kinds[0]?.id ?? "", upgrades: [], options: {}, models: [], units: [] });
/** @param {string} rule  @param {string} words */
const ruleLink = (rule, words) => (rule ? make("a", { href: `#/rules/${desk.name}/${rule}`, "data-rule": rule }, words) : make("span", {}, words));
/** @param {string} value  @param {string} words  @param {boolean} [selected]  @param {boolean} [disabled] */
const choice = (value, words, selected, disabled) => make("option", { value, selected, disabled: disabled || undefined }, words);
/** @param {Unit} unit  @returns {Bought[]} */
const inside = (unit) => [...unit.models, ...unit.units.flatMap(inside)];
/** The cards that are bought. */
export const bought = () => new Set([...(desk.form?.units ?? []).flatMap(inside), ...(desk.form?.extras ?? [])].map((one) => one.model));
/** @param {Unit} unit */
const kindOf = (unit) => desk.offer?.unit_kinds.find((kind) => kind.id === unit.kind);
/** @param {Unit} unit */
const filled = (unit) => unit.models.length > 0 || unit.units.length > 0;
/** Where a unit stands in what was judged: empty ones are not.  @param {number} n  @returns {Path} */
const pathOf = (n) => ["units", (desk.form?.units ?? []).slice(0, n).filter(filled).length];
/** @param {Path} a  @param {Path} b */
const same = (a, b) => a.length === b.length && a.every((one, i) => one === b[i]);

/** Open the desk for a ruleset, if rosters are written for it.  @param {string} name */
export async function openDesk(name) {
  if (name === desk.name || !state.rulesets.find((one) => one.name === name)?.rosters) return;
  Object.assign(desk, { name, offer: null, form: null, checked: null, unit: 0, wrong: "", scenario: "", side: "" });
  try {
    const offer = await ask(`${base()}/roster`);
    if (desk.name !== name) return;
    desk.offer = offer;
    desk.form = { ruleset: name, name: "My force", limit: desk.offer?.limit || null, options: {}, units: [freshUnit("First")], extras: [], notes: "" };
  } catch (problem) { if (desk.name === name) desk.wrong = String(/** @type {Error} */ (problem).message); }
  if (desk.offer?.unit_kinds.length) edit((form) => form);
  again();
}

/** @type {Promise<void>} */
let queue = Promise.resolve();
/** Have the server judge a file or a form: the points, and what the rules say; nothing, once the desk is another ruleset's.  @param {() => Promise<RosterChecked | null>} work */
function judge(work) {
  const { name } = desk;
  queue = queue.then(async () => {
    const checked = desk.name === name ? await work() : null;
    if (desk.name !== name) return;
    desk.wrong = checked?.wrong ? `${checked.line ? `Line ${checked.line}: ` : ""}${checked.wrong}` : "";
    desk.checked = checked?.form ? checked : null;
  }).catch((problem) => { desk.wrong = String(problem.message); }).then(again);
}
/** Change the form. A unit that nobody is in yet stays on the desk, and is not judged.  @param {(form: Form) => Form} how */
function edit(how) {
  const form = desk.form = how(/** @type {Form} */ (desk.form)), units = form.units.filter(filled);
  judge(async () => (units.length || form.extras.length || desk.offer?.unit_kinds.length ? ask(`${base()}/rosters/write`, { form: { ...form, units } }) : null));
  again();
}
/** @param {string} text */
const read = (text) => judge(async () => {
  const checked = /** @type {RosterChecked} */ (await ask(`${base()}/rosters/check`, { text }));
  if (checked.form) Object.assign(desk, { form: checked.form, unit: 0 });
  return checked;
});
/** @param {number} n  @param {(unit: Unit) => Unit} how */
const editUnit = (n, how) => edit((form) => ({ ...form, units: form.units.map((unit, i) => (i === n ? how(unit) : unit)) }));
/** @param {Bought[]} list  @param {number} m  @param {number} by */
const counted = (list, m, by) => list.map((one, i) => (i === m ? { ...one, count: one.count + by } : one)).filter((one) => one.count > 0);

/** Buy a card: into the unit that is open, or beside the units.  @param {Card} card */
function buy(card) {
  const one = { model: card.id, count: 1, as: "", upgrades: [], options: {} };
  const into = (/** @type {Bought[]} */ list) => (list.some((old) => old.model === card.id && !old.upgrades.length) ? list.map((old) => (old.model === card.id && !old.upgrades.length ? { ...old, count: old.count + 1 } : old)) : [...list, one]);
  if (desk.offer?.extras.includes(card.id)) edit((form) => ({ ...form, extras: into(form.extras) }));
  else editUnit(desk.unit, (unit) => (kindOf(unit)?.takes === "units" ? { ...unit, units: [...unit.units, { name: freeName(card.name), kind: "", upgrades: [], options: {}, models: [one], units: [] }] } : { ...unit, models: into(unit.models) }));
}

/** A name that no unit of the roster has.  @param {string} name */
function freeName(name) {
  const taken = new Set((desk.form?.units ?? []).flatMap((unit) => [unit, ...unit.units]).map((unit) => unit.name));
  for (let n = 1; ; n += 1) if (!taken.has(`${name} ${n}`)) return `${name} ${n}`;
}

/** Why a card may not be taken into the open unit.  @param {Card} card */
function closedTo(card) {
  const unit = desk.form?.units[desk.unit];
  if (!unit || !desk.checked) return;
  return desk.checked.closed.find((one) => one.model === card.id && same(one.at, filled(unit) ? pathOf(desk.unit) : ["kinds", unit.kind]));
}

/** The button that buys a card, or why not.  @param {Card} card */
export function buyButton(card) {
  if (!desk.form || state.path[0] === undefined || ![...(desk.offer?.models ?? []), ...(desk.offer?.extras ?? [])].includes(card.id)) return null;
  const closed = closedTo(card);
  return make("span.buying", {}, make("button", { class: `else buy${closed ? " wait" : ""}`, "data-key": `buy-${card.id}`, "aria-label": `Take ${card.name}`, "aria-disabled": closed && true, onclick: () => closed || buy(card) }, icon("plus"), "Take"), closed && make("small.why", {}, closed.why, " ", ruleLink(closed.rule, "the rule")));
}

/** The options of a unit.  @param {Unit} unit  @param {Path} at  @param {string} key  @param {(options: Unit["options"]) => void} set */
function choiceNodes(unit, at, key, set) {
  return (desk.checked?.choices ?? []).filter((one) => same(one.at, at)).map((one) => {
    const had = unit.options[one.option], chosen = had === undefined ? [] : Array.isArray(had) ? had : [String(had)];
    const others = without(unit.options, one.option);
    /** @param {string[]} values */
    const choose = (values) => set(values.length ? { ...others, [one.option]: one.several ? values : values[0] } : others);
    const open = one.values.filter((value) => !one.several || !chosen.includes(value.id));
    return make("div.choice", {}, make("label", {}, make("span.label", {}, one.words), make("select.box.small", { "aria-label": `${one.words}: ${unit.name}`, "data-key": `choice-${one.option}-${key}`, onchange: typed((v) => choose(one.several ? [...chosen, v] : v ? [v] : [])) }, choice("", one.several && chosen.length ? "and …" : "—"), ...open.map((value) => choice(value.id, value.why ? `${value.words}: ${value.why}` : value.words, !one.several && chosen.includes(value.id), Boolean(value.why))))),
      ...(one.several ? [...new Set(chosen)].map((value) => make("button.chip", { "aria-label": `${unit.name} not in ${value}`, "data-key": `leave-${key}-${value}`, onclick: () => choose(chosen.filter((old) => old !== value)) }, `${value} ×`)) : []));
  });
}

/** @param {Bought} one  @param {string} key  @param {Map<string, Card>} cards  @param {(by: number) => void} count  @param {((upgrades: string[]) => void) | null} upgrade */
function boughtRow(one, key, cards, count, upgrade) {
  const name = cards.get(one.model)?.name ?? spaced(one.model), open = (desk.offer?.upgrades ?? []).filter((id) => !one.upgrades.includes(id));
  return make("li.bought", { "data-key": `bought-${key}` }, make("span.stepper.small", {}, make("button", { "aria-label": `One ${name} fewer`, "data-key": `fewer-${key}`, onclick: () => count(-1) }, icon("minus")), make("output", {}, String(one.count)), make("button", { "aria-label": `One ${name} more`, "data-key": `more-${key}`, onclick: () => count(1) }, icon("plus"))), make("span", {}, make("b", {}, name), ...one.upgrades.map((id) => make("button.chip", { "aria-label": `Leave out ${spaced(id)}`, onclick: () => upgrade?.(one.upgrades.filter((old) => old !== id)) }, `${cards.get(id)?.name ?? spaced(id)} ×`))),
    upgrade && open.length > 0 && make("select.box.small", { "aria-label": `An upgrade for ${name}`, "data-key": `upgrade-${key}`, onchange: typed((v) => v && upgrade([...one.upgrades, v])) }, choice("", "upgrade …"), ...open.map((id) => choice(id, cards.get(id)?.name ?? spaced(id)))));
}

/** What is counted.  @param {TallyShown[]} list */
const tallyList = (list) => (list.length ? make("ul.parts.tallies", {}, ...list.map((one) => make("li", { class: one.kept ? "kept" : "not" }, ruleLink(one.rule, one.what), make("span.dots"), make("span.figure", {}, `${one.found} of ${one.bounds}`, !one.kept && make("span.visually-hidden", {}, ", not kept"))))) : null);

/** A smaller unit: how many, and its options.  @param {Unit} unit  @param {number} n  @param {number} m  @param {Map<string, Card>} cards */
function squadNode(unit, n, m, cards) {
  const key = `${n}-${m}`;
  /** @param {(unit: Unit) => Unit} how */
  const editSquad = (how) => editUnit(n, (old) => ({ ...old, units: old.units.map((one, i) => (i === m ? how(one) : one)).filter(filled) }));
  return make("li.squad", { "data-key": `squad-${key}` }, make("b", {}, unit.name), make("ul", {}, ...unit.models.map((one, i) => boughtRow(one, `${key}-${i}`, cards, (by) => editSquad((old) => ({ ...old, models: counted(old.models, i, by) })), null))), ...choiceNodes(unit, [...pathOf(n), "units", m], key, (options) => editSquad((old) => ({ ...old, options }))));
}

/** @param {Unit} unit  @param {number} n  @param {Map<string, Card>} cards */
function unitNode(unit, n, cards) {
  const open = n === desk.unit, kinds = desk.offer?.unit_kinds ?? [], about = kindOf(unit)?.about;
  return make("section", { class: `roster-unit${open ? " open" : ""}`, "aria-label": unit.name, "data-key": `unit-${n}` }, make("div.unit-head", {}, make("button.chip", { "aria-pressed": open, "data-key": `into-${n}`, onclick: () => { desk.unit = n; again(); } }, open ? "taking into" : "take into"), make("input.box", { value: unit.name, maxlength: 40, "aria-label": "Name of the unit", "data-key": `unit-name-${n}`, onchange: typed((name) => editUnit(n, (old) => ({ ...old, name }))) }),
    kinds.length > 0 && make("select.box.small", { "aria-label": "Kind of unit", "data-key": `unit-kind-${n}`, onchange: typed((kind) => editUnit(n, (old) => ({ ...old, kind }))) }, ...kinds.map((kind) => choice(kind.id, kind.words, kind.id === unit.kind))), make("button.tool", { "aria-label": `Take ${unit.name} out`, "data-key": `drop-unit-${n}`, onclick: () => { desk.unit = 0; edit((form) => ({ ...form, units: form.units.filter((_, i) => i !== n) })); } }, icon("close"))),
    about && make("p.note.about", {}, about),
    filled(unit) ? make("ul", {}, ...unit.units.map((one, m) => squadNode(one, n, m, cards)), ...unit.models.map((one, m) => boughtRow(one, `${n}-${m}`, cards, (by) => editUnit(n, (old) => ({ ...old, models: counted(old.models, m, by) })), (upgrades) => editUnit(n, (old) => ({ ...old, models: old.models.map((model, i) => (i === m ? { ...model, upgrades } : model)) }))))) : make("p.empty", {}, "Nobody yet: take somebody from the catalogue."),
    filled(unit) && tallyList((desk.checked?.tallies ?? []).filter((one) => same(one.at, pathOf(n)))));
}

/** What the rules say: each finding with its rule. */
function report() {
  const { checked } = desk;
  if (!checked) return make("p.note", {}, "What is taken is weighed here.");
  const signs = /** @type {Record<string, string>} */ ({ error: "no", missing: "plus", later: "no", warning: "eye", note: "rules" });
  const over = checked.limit ? checked.points - checked.limit : 0, faulty = checked.findings.some((one) => one.severity === "error" || one.severity === "later");
  return make("div.report", { role: "status" }, make("div.figures", {}, make("span", {}, make("b.figure", {}, String(checked.points)), make("small", {}, checked.limit ? ` of ${checked.limit} points` : " points")), make("span", { class: `verdict${checked.lawful ? "" : " not"}` }, checked.lawful ? "within the rules" : over > 0 ? `${over} points too many` : faulty ? "against the rules" : "not complete yet")),
    tallyList(checked.tallies.filter((one) => one.at.length < 2 && one.at[0] === "units")),
    make("ul.parts", {}, ...checked.charges.map((one) => make("li", {}, ruleLink(one.rule, `${one.count} × ${one.what}`), make("span.dots"), make("span.figure", {}, String(one.total))))),
    make("ul.findings", {}, ...checked.findings.map((one) => make("li", { class: `finding ${one.severity}` }, icon(signs[one.severity] ?? "rules"), make("span", {}, one.severity === "missing" ? make("b", {}, "Still missing: ") : make("span.visually-hidden", {}, `${one.severity}: `), one.sentence, " ", one.rule && ruleLink(one.rule, "the rule"))))));
}

/** Play with the roster: a scenario, a side, and the computer on the other ones. */
function playNode() {
  const rules = state.rulesets.find((one) => one.name === desk.name), scene = rules?.scenarios.find((one) => one.name === desk.scenario) ?? rules?.scenarios[0], sides = scene?.sides.length ? scene.sides : ["red", "blue"], side = sides.includes(desk.side) ? desk.side : sides[0];
  const play = async () => {
    const bot = (state.bots.find((one) => one.suggested) ?? state.bots[state.bots.length - 1])?.name ?? "random";
    try {
      const made = await ask("/battles", { ruleset: desk.name, scenario: scene?.name ?? "", rosters: { [side]: desk.checked?.text ?? "" }, seats: sides.map((one) => (one === side ? { side: one, kind: "person" } : { side: one, kind: "bot", bot })), title: scene?.title ?? "" });
      location.hash = `#/table/${made.links.find((/** @type {any} */ link) => link.sides.includes(side)).token}`;
    } catch (problem) { desk.wrong = String(/** @type {Error} */ (problem).message); again(); }
  };
  return make("div.field", {}, make("span.label", {}, "Play with it"), make("div.two", {}, make("select.box", { "aria-label": "Scenario", "data-key": "roster-scenario", onchange: typed((v) => { desk.scenario = v; again(); }) }, ...(rules?.scenarios ?? []).map((one) => choice(one.name, one.title || one.name, one === scene))), make("select.box", { "aria-label": "Side", "data-key": "roster-side", onchange: typed((v) => { desk.side = v; again(); }) }, ...sides.map((one) => choice(one, one, one === side)))),
    make("button", { class: `do${desk.checked?.lawful ? "" : " wait"}`, "aria-disabled": !desk.checked?.lawful || undefined, "data-key": "roster-play", onclick: () => { if (desk.checked?.lawful) play(); } }, "Play against the computer"));
}

/** @param {HTMLElement} place  @param {Card[]} list */
export function drawRoster(place, list) {
  const { form } = desk, cards = new Map(list.map((card) => [card.id, card]));
  place.hidden = desk.name !== state.path[0] && desk.name !== state.rulesets[0]?.name || !desk.offer;
  if (!form || place.hidden) { renew(place, desk.wrong && make("p", {}, desk.wrong)); return; }
  const options = Object.entries(desk.offer?.options ?? {}).map(([name, values]) => make("label.field", {}, make("span.label", {}, spaced(name)), make("select.box", { "data-key": `option-${name}`, onchange: typed((v) => edit((old) => ({ ...old, options: v ? { ...old.options, [name]: v } : without(old.options, name) }))) }, choice("", "—"), ...values.map((value) => choice(value, spaced(value), String(form.options[name] ?? "") === value)))));
  const ready = desk.offer?.ready ?? [];
  const start = ready.length > 0 && make("label.field", {}, make("span.label", {}, "Begin with"), make("select.box", { "data-key": "roster-ready", onchange: typed((v) => { if (v) { desk.unit = 0; edit(() => ready[Number(v)]); } }) }, choice("", "an empty sheet"), ...ready.map((one, i) => choice(String(i), one.name))));
  renew(place, make("h2", {}, "Roster"), start, make("div.two", {}, make("label.field", {}, make("span.label", {}, "Name"), make("input.box", { value: form.name, maxlength: 60, "data-key": "roster-name", onchange: typed((name) => edit((old) => ({ ...old, name }))) })), make("label.field", {}, make("span.label", {}, "Points"), make("input.box", { type: "number", min: 0, value: String(form.limit ?? ""), placeholder: "no limit", "data-key": "roster-limit", onchange: typed((v) => edit((old) => ({ ...old, limit: Number(v) || null }))) }))), ...options,
    ...form.units.map((unit, n) => unitNode(unit, n, cards)), make("button.else", { "data-key": "add-unit", onclick: () => { desk.unit = form.units.length; edit((old) => ({ ...old, units: [...old.units, freshUnit(`Unit ${old.units.length + 1}`)] })); } }, icon("plus"), "Another unit"),
    form.extras.length > 0 && make("section.roster-unit", { "aria-label": "Beside the units" }, make("h3.label", {}, "Beside the units"), make("ul", {}, ...form.extras.map((one, m) => boughtRow(one, `x-${m}`, cards, (by) => edit((old) => ({ ...old, extras: counted(old.extras, m, by) })), null)))),
    desk.wrong && make("div.refusal", { role: "alert" }, icon("no"), make("p", {}, desk.wrong)), report(),
    make("div.ways.no-print", {}, make("button.else", { "data-key": "roster-save", "aria-disabled": !desk.checked || undefined, onclick: () => { if (desk.checked) saveFile(desk.checked.text, `${form.name || "roster"}.yaml`); } }, icon("save"), "Save"), make("label.else.file", {}, icon("open"), "Open a file", make("input.visually-hidden", { type: "file", accept: ".yaml,.yml", "data-key": "roster-file", onchange: async (/** @type {Event} */ e) => { const file = /** @type {HTMLInputElement} */ (e.target).files?.[0]; if (file) read(await file.text()); } })), make("button.else", { "data-key": "print", onclick: () => print() }, icon("print"), "Print its cards")), playNode());
}
