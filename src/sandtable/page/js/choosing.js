// Drafts of choose one, choose several and allocate: rows, boxes, bins.

import { asked, toggle, tryValue } from "./drafting.js";
import { mark } from "./icons.js";
import { ruleLinks } from "./log.js";
import { make } from "./pen.js";
import { change, nameOf, state } from "./state.js";
import { capital } from "./table-words.js";
/** @import { Allocate, ChooseOne, ChooseSeveral, Option } from "./types.js" */

/** More options than this stand closer together, so that what they bring is still seen. */
export const MANY = 6;
/** As many that may not be chosen are folded away. */
const FOLDED = 3;
/** @param {Option} option */
const labelOf = (option) => { const label = option.label || nameOf(option.id); return state.table?.sides.includes(label) ? capital(label) : label; };
/** As it stands in a row: those that are called alike are numbered.  @param {Option} option  @param {Option[]} options */
function numbered(option, options) {
  const alike = options.filter((one) => labelOf(one) === labelOf(option));
  return alike.length > 1 ? `${labelOf(option)} ${alike.indexOf(option) + 1}` : labelOf(option);
}
/** An option under the pointer lights what it is about.  @param {Option} option */
const lights = (option) => ({ onpointerenter: () => change({ lit: option.about[0] ?? (state.table?.things[option.id] ? option.id : "") }), onpointerleave: () => change({ lit: "" }) });

/** @param {Option} option  @param {Option[]} options  @param {string} role  @param {boolean} chosen  @param {Node} lead  @param {() => void} press */
function optionNode(option, options, role, chosen, lead, press) {
  const no = Boolean(option.refused), known = state.situation?.question?.about ?? [], prompt = asked()?.question.prompt ?? "", about = option.about.filter((id) => id !== option.id && !known.includes(id)).map(nameOf).filter((name) => !prompt.includes(name) && !labelOf(option).includes(name)).join(", ");
  const lost = !no && option.loses.length > 0 && make("small.lost", {}, `${option.loses.join(", ")} would be lost`);
  const small = !no && about && about !== labelOf(option) && make("small", {}, about);
  const row = make("button", { class: `option${chosen ? " chosen" : ""}${no ? " not" : ""}`, role, "aria-checked": chosen, "aria-disabled": no || undefined, "data-key": `option-${option.id}`, onclick: () => { if (!no) press(); }, ...lights(option) }, lead, make("span", {}, make("b", {}, numbered(option, options)), lost, no ? make("small", {}, option.refused) : small));
  return no && option.rules[0] ? make(`div.option-place${option.also.length ? ".several" : ""}`, {}, row, make("span", {}, ...ruleLinks(option.rules[0], option.also, "rule"))) : row;
}

/** Rows of options in their order. Of many, those that may not be chosen now are folded away below the others.
 *  @param {string} role  @param {string} prompt  @param {Option[]} options  @param {(option: Option) => HTMLElement} row */
function rows(role, prompt, options, row) {
  const refused = options.filter((option) => option.refused), many = options.length > MANY, folds = many && refused.length >= FOLDED;
  const fold = folds && make("details.refused-options", { "data-key": "refused", open: unfolded, ontoggle: (/** @type {Event} */ e) => { unfolded = /** @type {HTMLDetailsElement} */ (e.target).open; } }, make("summary", { "data-key": "refused-summary" }, `${refused.length} that may not be chosen now, and why`), make("div.options.many", { role: "group", "aria-label": "May not be chosen now" }, ...refused.map(row)));
  return make("div", {}, make("div", { class: `options${many ? " many" : ""}`, role, "aria-label": prompt }, ...options.filter((option) => !folds || !option.refused).map(row)), fold);
}
/** Whether what may not be chosen is being read. */
let unfolded = false;

/** @param {ChooseOne} question  @param {string | undefined} value */
export function chooseOne(question, value) {
  const lawful = question.options.filter((option) => !option.refused);
  return rows("radiogroup", question.prompt, question.options, (option) => {
    const n = lawful.indexOf(option) + 1;
    return optionNode(option, question.options, "radio", value === option.id, make("kbd", {}, n > 0 && n < 10 ? String(n) : "·"), () => tryValue(option.id));
  });
}

/** @param {ChooseSeveral} question  @param {any} drafted  what was tried for the question before may still stand there for a moment */
export function chooseSeveral(question, drafted) {
  const value = /** @type {string[]} */ (Array.isArray(drafted) ? drafted : []);
  const clash = question.not_together.filter((group) => group.filter((id) => value.includes(id)).length > 1);
  return make("div", {}, rows("group", question.prompt, question.options, (option) => optionNode(option, question.options, "checkbox", value.includes(option.id), make("i.tick-box"), () => toggle(option.id))),
    value.length > 1 && make("p.note", {}, `In this order: ${value.map((id) => question.options.find((one) => one.id === id)).flatMap((one) => (one ? [numbered(one, question.options)] : [])).join(", ")}.`), clash.length > 0 && make("p.note", {}, `Not together: ${clash.map((group) => group.map(nameOf).join(" and ")).join("; ")}.`));
}

/** How many are needed, in words.  @param {ChooseSeveral} question */
export function needed({ at_least, at_most }) {
  if (at_most !== null && at_least === at_most) return `exactly ${at_least}`;
  return [at_least ? `at least ${at_least}` : "", at_most !== null ? `at most ${at_most}` : ""].filter(Boolean).join(", ");
}

/** The item that was pressed and waits for its bin. */
let lifted = "";

/** @param {Allocate} question  @param {string} item  @param {string} bin */
const fits = (question, item, bin) => !question.allowed[item] || question.allowed[item].includes(bin);

/** Put the item that is lifted into the nth bin; says whether it fits.  @param {Allocate} question  @param {Record<string, string>} value  @param {number} n */
export function putInto(question, value, n) {
  const bin = question.bins[n], item = lifted;
  if (!bin || !item || bin.refused || !fits(question, item, bin.id)) return false;
  lifted = "";
  tryValue({ ...value, [item]: bin.id });
  return true;
}

/** Bins of chips: drag, or press item then bin.  @param {Allocate} question  @param {Record<string, string>} value */
export function allocate(question, value = {}) {
  const waiting = question.items.filter((item) => !(item.id in value));
  if (!waiting.some((item) => item.id === lifted) && !(lifted in value)) lifted = waiting[0]?.id ?? "";
  const put = (/** @type {string} */ item, /** @type {string} */ bin) => { if (item && fits(question, item, bin)) { lifted = ""; tryValue({ ...value, [item]: bin }); } };
  const chip = (/** @type {Option} */ item) => make("button", { class: `chip-item${item.id === lifted ? " slot" : ""}`, draggable: "true", "aria-pressed": item.id === lifted, "data-key": `item-${item.id}`, title: labelOf(item), ondragstart: (/** @type {DragEvent} */ e) => e.dataTransfer?.setData("text/plain", item.id),
    onclick: (/** @type {Event} */ e) => { e.stopPropagation(); if (lifted === item.id && item.id in value) { const { [item.id]: _, ...rest } = value; lifted = ""; tryValue(rest); } else { lifted = item.id; change({ draft: value }); } } }, labelOf(item));
  const bins = question.bins.map((bin, i) => {
    const held = question.items.filter((item) => value[item.id] === bin.id), most = question.bin_most[bin.id], least = question.bin_least[bin.id], open = Boolean(lifted) && fits(question, lifted, bin.id) && !bin.refused;
    const words = [least ? `at least ${least}` : "", most !== undefined ? `at most ${most}` : ""].filter(Boolean).join(", ");
    return make("div", { class: `bin${open ? " here" : ""}`, ondragover: (/** @type {Event} */ e) => e.preventDefault(), ondrop: (/** @type {DragEvent} */ e) => { e.preventDefault(); put(e.dataTransfer?.getData("text/plain") ?? "", bin.id); } }, mark(state.table?.things[bin.id]?.side ?? ""),
      make("button.bin-name", { "data-key": `bin-${bin.id}`, "aria-disabled": !open || undefined, onclick: () => put(lifted, bin.id), ...lights(bin) }, lifted && make("span.visually-hidden", {}, `Put ${nameOf(lifted)} into `), make("b", {}, labelOf(bin), " ", make("kbd", {}, String(i + 1))), words && make("small", {}, words)), make("span.chips", {}, ...held.map(chip)));
  });
  return make("div.bins", { role: "group", "aria-label": question.prompt }, waiting.length > 0 && make("div.bin.waiting", {}, make("span"), make("b", {}, "still here"), make("span.chips", {}, ...waiting.map(chip))), ...bins);
}
