// A roster: what is bought from the catalogue, what it costs, and what the rules say to it.

import { ask } from "./connection.js";
import { icon } from "./icons.js";
import { make, renew, saveFile } from "./pen.js";
import { change, spaced, state } from "./state.js";

/** @typedef {import("./types.js").Roster} Form */
/** @typedef {import("./types.js").Unit} Unit */
/** @typedef {import("./types.js").CardShown} Card */

/** The roster on the desk: one a ruleset. */
const desk = { name: "", offer: /** @type {import("./types.js").Offer | null} */ (null), form: /** @type {Form | null} */ (null), checked: /** @type {import("./types.js").RosterChecked | null} */ (null), unit: 0, wrong: "", scenario: "", side: "" };

const again = () => change({ path: state.path });
const base = () => `/rulesets/${encodeURIComponent(desk.name)}`;
/** @param {Event} event */
const valueOf = (event) => /** @type {HTMLInputElement} */ (event.target).value;
/** @param {string} name  @returns {Unit} */
const freshUnit = (name) => ({ name, kind: desk.offer?.unit_kinds[0]?.id ?? "", upgrades: [], options: {}, models: [], units: [] });
/** The cards that are bought. */
export const bought = () => new Set([...(desk.form?.units ?? []).flatMap((unit) => unit.models.map((one) => one.model)), ...(desk.form?.extras ?? []).map((one) => one.model)]);

/** Open the desk for a ruleset, if rosters are written for it.  @param {string} name */
export async function openDesk(name) {
  if (name === desk.name || !state.rulesets.find((one) => one.name === name)?.rosters) return;
  Object.assign(desk, { name, offer: null, form: null, checked: null, unit: 0, wrong: "", scenario: "", side: "" });
  try {
    desk.offer = await ask(`${base()}/roster`);
    desk.form = { ruleset: name, name: "My force", limit: desk.offer?.limit || null, options: {}, units: [freshUnit("First")], extras: [], notes: "" };
  } catch (problem) { desk.wrong = String(/** @type {Error} */ (problem).message); }
  again();
}

/** @type {Promise<void>} */
let queue = Promise.resolve();
/** Have the server judge a file or a form: the points, and what the rules say.  @param {() => Promise<import("./types.js").RosterChecked | null>} work */
function judge(work) {
  queue = queue.then(async () => {
    const checked = await work();
    desk.wrong = checked?.wrong ? `${checked.line ? `Line ${checked.line}: ` : ""}${checked.wrong}` : "";
    desk.checked = checked?.form ? checked : null;
  }).catch((problem) => { desk.wrong = String(problem.message); }).then(again);
}
/** Change the form. A unit that nobody is in yet stays on the desk, and is not judged.  @param {(form: Form) => Form} how */
function edit(how) {
  const form = desk.form = how(/** @type {Form} */ (desk.form)), units = form.units.filter((unit) => unit.models.length || unit.units.length);
  judge(async () => (units.length || form.extras.length ? ask(`${base()}/rosters/write`, { form: { ...form, units } }) : null));
  again();
}
/** @param {string} text */
const read = (text) => judge(async () => {
  const checked = /** @type {import("./types.js").RosterChecked} */ (await ask(`${base()}/rosters/check`, { text }));
  if (checked.form) Object.assign(desk, { form: checked.form, unit: 0 });
  return checked;
});
/** @param {number} n  @param {(unit: Unit) => Unit} how */
const editUnit = (n, how) => edit((form) => ({ ...form, units: form.units.map((unit, i) => (i === n ? how(unit) : unit)) }));
/** @param {import("./types.js").Bought[]} list  @param {number} m  @param {number} by */
const counted = (list, m, by) => list.map((one, i) => (i === m ? { ...one, count: one.count + by } : one)).filter((one) => one.count > 0);

/** Buy a card: into the unit that is open, or beside the units.  @param {Card} card */
function buy(card) {
  const one = { model: card.id, count: 1, as: "", upgrades: [], options: {} };
  const into = (/** @type {import("./types.js").Bought[]} */ list) => (list.some((old) => old.model === card.id && !old.upgrades.length) ? list.map((old) => (old.model === card.id && !old.upgrades.length ? { ...old, count: old.count + 1 } : old)) : [...list, one]);
  if (desk.offer?.extras.includes(card.id)) edit((form) => ({ ...form, extras: into(form.extras) }));
  else editUnit(desk.unit, (unit) => ({ ...unit, models: into(unit.models) }));
}

/** The button that buys a card, where it may be bought.  @param {Card} card */
export const buyButton = (card) => desk.form && state.path[0] !== undefined && [...(desk.offer?.models ?? []), ...(desk.offer?.extras ?? [])].includes(card.id) ? make("button.else.buy", { "data-key": `buy-${card.id}`, "aria-label": `Take ${card.name}`, onclick: () => buy(card) }, icon("plus"), "Take") : null;

/** @param {import("./types.js").Bought} one  @param {string} key  @param {Map<string, Card>} cards  @param {(by: number) => void} count  @param {((upgrades: string[]) => void) | null} upgrade */
function boughtRow(one, key, cards, count, upgrade) {
  const name = cards.get(one.model)?.name ?? spaced(one.model), open = (desk.offer?.upgrades ?? []).filter((id) => !one.upgrades.includes(id));
  return make("li.bought", { "data-key": `bought-${key}` }, make("span.stepper.small", {}, make("button", { "aria-label": `One ${name} fewer`, "data-key": `fewer-${key}`, onclick: () => count(-1) }, icon("minus")), make("output", {}, String(one.count)), make("button", { "aria-label": `One ${name} more`, "data-key": `more-${key}`, onclick: () => count(1) }, icon("plus"))), make("span", {}, make("b", {}, name), ...one.upgrades.map((id) => make("button.chip", { "aria-label": `Leave out ${spaced(id)}`, onclick: () => upgrade?.(one.upgrades.filter((old) => old !== id)) }, `${cards.get(id)?.name ?? spaced(id)} ×`))),
    upgrade && open.length > 0 && make("select.box.small", { "aria-label": `An upgrade for ${name}`, "data-key": `upgrade-${key}`, onchange: (/** @type {Event} */ e) => { if (valueOf(e)) upgrade([...one.upgrades, valueOf(e)]); } }, make("option", { value: "" }, "upgrade …"), ...open.map((id) => make("option", { value: id }, cards.get(id)?.name ?? spaced(id)))));
}

/** @param {Unit} unit  @param {number} n  @param {Map<string, Card>} cards */
function unitNode(unit, n, cards) {
  const open = n === desk.unit, kinds = desk.offer?.unit_kinds ?? [];
  return make("section", { class: `roster-unit${open ? " open" : ""}`, "aria-label": unit.name, "data-key": `unit-${n}` }, make("div.unit-head", {}, make("button.chip", { "aria-pressed": open, "data-key": `into-${n}`, onclick: () => { desk.unit = n; again(); } }, open ? "taking into" : "take into"), make("input.box", { value: unit.name, maxlength: 40, "aria-label": "Name of the unit", "data-key": `unit-name-${n}`, onchange: (/** @type {Event} */ e) => editUnit(n, (old) => ({ ...old, name: valueOf(e) })) }),
    kinds.length > 0 && make("select.box.small", { "aria-label": "Kind of unit", "data-key": `unit-kind-${n}`, onchange: (/** @type {Event} */ e) => editUnit(n, (old) => ({ ...old, kind: valueOf(e) })) }, ...kinds.map((kind) => make("option", { value: kind.id, selected: kind.id === unit.kind }, kind.words))), make("button.tool", { "aria-label": `Take ${unit.name} out`, "data-key": `drop-unit-${n}`, onclick: () => { desk.unit = 0; edit((form) => ({ ...form, units: form.units.filter((_, i) => i !== n) })); } }, icon("close"))),
    unit.models.length ? make("ul", {}, ...unit.models.map((one, m) => boughtRow(one, `${n}-${m}`, cards, (by) => editUnit(n, (old) => ({ ...old, models: counted(old.models, m, by) })), (upgrades) => editUnit(n, (old) => ({ ...old, models: old.models.map((model, i) => (i === m ? { ...model, upgrades } : model)) }))))) : make("p.empty", {}, "Nobody yet: take somebody from the catalogue."));
}

/** What the rules say: each finding with its rule. */
function report() {
  const { checked } = desk;
  if (!checked) return make("p.note", {}, "What is taken is weighed here.");
  const signs = /** @type {Record<string, string>} */ ({ error: "no", warning: "eye", note: "rules" });
  const over = checked.limit ? checked.points - checked.limit : 0;
  return make("div.report", { role: "status" }, make("div.figures", {}, make("span", {}, make("b.figure", {}, String(checked.points)), make("small", {}, checked.limit ? ` of ${checked.limit} points` : " points")), make("span", { class: `verdict${checked.lawful ? "" : " not"}` }, checked.lawful ? "within the rules" : over > 0 ? `${over} points too many` : "against the rules")),
    make("ul.parts", {}, ...checked.charges.map((one) => make("li", {}, one.rule ? make("a", { href: `#/rules/${desk.name}/${one.rule}` }, `${one.count} × ${one.what}`) : make("span", {}, `${one.count} × ${one.what}`), make("span.dots"), make("span.figure", {}, String(one.total))))),
    make("ul.findings", {}, ...checked.findings.map((one) => make("li", { class: `finding ${one.severity}` }, icon(signs[one.severity] ?? "rules"), make("span", {}, make("span.visually-hidden", {}, `${one.severity}: `), one.sentence, " ", one.rule && make("a", { href: `#/rules/${desk.name}/${one.rule}`, "data-rule": one.rule }, "the rule"))))));
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
  return make("div.field", {}, make("span.label", {}, "Play with it"), make("div.two", {}, make("select.box", { "aria-label": "Scenario", "data-key": "roster-scenario", onchange: (/** @type {Event} */ e) => { desk.scenario = valueOf(e); again(); } }, ...(rules?.scenarios ?? []).map((one) => make("option", { value: one.name, selected: one === scene }, one.title || one.name))), make("select.box", { "aria-label": "Side", "data-key": "roster-side", onchange: (/** @type {Event} */ e) => { desk.side = valueOf(e); again(); } }, ...sides.map((one) => make("option", { value: one, selected: one === side }, one)))),
    make("button", { class: `do${desk.checked?.lawful ? "" : " wait"}`, "aria-disabled": !desk.checked?.lawful || undefined, "data-key": "roster-play", onclick: () => { if (desk.checked?.lawful) play(); } }, "Play against the computer"));
}

/** @param {HTMLElement} place  @param {Card[]} list */
export function drawRoster(place, list) {
  const { form } = desk, cards = new Map(list.map((card) => [card.id, card]));
  place.hidden = desk.name !== state.path[0] && desk.name !== state.rulesets[0]?.name || !desk.offer;
  if (!form || place.hidden) { renew(place, desk.wrong && make("p", {}, desk.wrong)); return; }
  const options = Object.entries(desk.offer?.options ?? {}).map(([name, values]) => make("label.field", {}, make("span.label", {}, spaced(name)), make("select.box", { "data-key": `option-${name}`, onchange: (/** @type {Event} */ e) => edit((old) => ({ ...old, options: valueOf(e) ? { ...old.options, [name]: valueOf(e) } : Object.fromEntries(Object.entries(old.options).filter(([key]) => key !== name)) })) }, make("option", { value: "" }, "—"), .../** @type {(string | number)[]} */ (values).map((value) => make("option", { value: String(value), selected: String(form.options[name] ?? "") === String(value) }, spaced(String(value)))))));
  renew(place, make("h2", {}, "Roster"), make("div.two", {}, make("label.field", {}, make("span.label", {}, "Name"), make("input.box", { value: form.name, maxlength: 60, "data-key": "roster-name", onchange: (/** @type {Event} */ e) => edit((old) => ({ ...old, name: valueOf(e) })) })), make("label.field", {}, make("span.label", {}, "Points"), make("input.box", { type: "number", min: 0, value: String(form.limit ?? ""), placeholder: "no limit", "data-key": "roster-limit", onchange: (/** @type {Event} */ e) => edit((old) => ({ ...old, limit: Number(valueOf(e)) || null })) }))), ...options,
    ...form.units.map((unit, n) => unitNode(unit, n, cards)), make("button.else", { "data-key": "add-unit", onclick: () => { desk.unit = form.units.length; edit((old) => ({ ...old, units: [...old.units, freshUnit(`Unit ${old.units.length + 1}`)] })); } }, icon("plus"), "Another unit"),
    form.extras.length > 0 && make("section.roster-unit", { "aria-label": "Beside the units" }, make("h3.label", {}, "Beside the units"), make("ul", {}, ...form.extras.map((one, m) => boughtRow(one, `x-${m}`, cards, (by) => edit((old) => ({ ...old, extras: counted(old.extras, m, by) })), null)))),
    desk.wrong && make("div.refusal", { role: "alert" }, icon("no"), make("p", {}, desk.wrong)), report(),
    make("div.ways.no-print", {}, make("button.else", { "data-key": "roster-save", "aria-disabled": !desk.checked || undefined, onclick: () => { if (desk.checked) saveFile(desk.checked.text, `${form.name || "roster"}.yaml`); } }, icon("save"), "Save"), make("label.else.file", {}, icon("open"), "Open a file", make("input.visually-hidden", { type: "file", accept: ".yaml,.yml", "data-key": "roster-file", onchange: async (/** @type {Event} */ e) => { const file = /** @type {HTMLInputElement} */ (e.target).files?.[0]; if (file) read(await file.text()); } })), make("button.else", { "data-key": "print", onclick: () => print() }, icon("print"), "Print its cards")), playNode());
}
