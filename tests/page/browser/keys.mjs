// How a person answers anything by keys alone. It knows no ruleset.

import { assert, keys } from "./table.mjs";

/** What is asked now: the question, or the open part of a plan; what is drafted of it, and what came of that. */
const asking = (page) => page.evaluate(async () => {
  const { state } = await import("/js/state.js"), { asked, inHand, openParts, refusedNow, walked } = await import("/js/drafting.js"), now = asked();
  if (!now) return null;
  const hand = inHand(now.question, now.value), thing = state.table.things[hand] ?? state.table.things[now.question.models?.[0]], at = thing ? walked(thing, now.value?.[hand]) : null, foes = Object.values(state.table.things).filter((one) => one.kind === "model" && one.side !== now.question.side && one.place.place === "at").map((one) => one.place.point);
  return JSON.parse(JSON.stringify({ ...now, hand, at, foes, refused: refusedNow(), cut: state.overdrawn !== null, parting: state.parting !== null, planned: state.planned.length, parts: openParts().map((one) => one.id), turned: state.turned, line: state.situation.question.kind }));
});

/** Tab until something has the focus, whatever it takes. */
async function tabTo(page, name) {
  for (let i = 0; i < 120; i++) {
    if (await page.evaluate(() => document.activeElement?.dataset?.key ?? "") === name) return true;
    await page.keyboard.press("Tab");
  }
  return false;
}

/** The option with an id, by its number or by its row. */
async function take(page, { question }, id) {
  const n = question.options.filter((one) => !one.refused).findIndex((one) => one.id === id) + 1;
  if (n < 10) await keys(page, String(n));
  else { assert.ok(await tabTo(page, `option-${id}`), `nobody comes to ${id} by tab`); await keys(page, "Space"); }
}

/** One that is wanted, else the one whose turn it is. */
async function choose(page, now, { wanted = [], turn = 0 }) {
  const open = now.question.options.filter((one) => !one.refused), one = wanted.map((id) => open.find((option) => option.id === id)).find(Boolean) ?? open[turn % open.length];
  if (one) await take(page, now, one.id);
}

/** Towards the nearest enemy, but not under its feet: who faces somewhere turns and goes straight on, others go by the arrows; what may not be is tried otherwise. */
async function walk(page, now) {
  // Who has something to do on the way does it at once.
  const { question, foes } = now, marks = question.marks.filter((one) => one.required).map(() => "f");
  if (question.default && Object.values(question.default).some((one) => one.legs.length)) return;
  const from = now.at.end, far = ([x, y]) => Math.hypot(x - from[0], y - from[1]), to = foes.sort((a, b) => far(a) - far(b))[0] ?? [from[0], from[1] < 15000 ? from[1] + 9000 : from[1] - 9000], go = Math.max(1, Math.min(4, Math.floor(far(to) / 1000) - 6));
  const bearing = Math.atan2(to[1] - from[1], to[0] - from[0]) * 180 / Math.PI, lawful = async () => { const is = await asking(page); return is && !is.refused && Boolean(is.value) && Object.values(is.value).some((one) => one.legs.length); };
  if (far(to) < 6000 && question.decline) { await keys(page, "p"); return; }
  for (const aside of [0, 45, -45, 90, -90, 150, -150]) {
    if (question.faces) {
      const turn = Math.max(-6, Math.min(6, Math.round(((bearing + aside - now.at.facing + 900) % 360 - 180) / 15)));
      await keys(page, ...Array(Math.abs(turn)).fill(turn > 0 ? "]" : "["), ...marks, ...Array(go).fill("a"));
    } else {
      const way = (bearing + aside) * Math.PI / 180 + (now.turned ? Math.PI : 0), [x, y] = [Math.cos(way) * go, Math.sin(way) * go];
      await keys(page, ...Array(Math.round(Math.abs(x))).fill(x > 0 ? "ArrowRight" : "ArrowLeft"), ...Array(Math.round(Math.abs(y))).fill(y > 0 ? "ArrowDown" : "ArrowUp"), ...marks);
    }
    if (await lawful()) return;
    await keys(page, "Escape");
  }
  // Nowhere to go: a step back, or a turn on the spot, or nothing.
  for (const tried of question.faces ? [["b", "a"], ["]", "]"]] : []) { await keys(page, ...tried, ...marks); if (await lawful()) return; await keys(page, "Escape"); }
  if (marks.length) { await keys(page, ...marks); if (!(await asking(page)).refused) return; }
  await keys(page, "p");
}

/** Each thing in the middle of where it may be, and then by arrows to where it may stand. */
async function place(page, now) {
  const { question } = now;
  if (question.default && Object.keys(question.default).length === question.things.length) return;
  for (let n = 0; n < question.things.length; n++) {
    const { hand, question: { where } } = await asking(page), slot = (where[hand] ?? where[""])?.slots?.[0];
    if (slot) { await tabTo(page, `slot-${slot.holder}-${slot.slot}`); await keys(page, "Space"); } else await keys(page, "ArrowUp", ...Array(Math.ceil(n / 2)).fill(n % 2 ? "ArrowLeft" : "ArrowRight"));
    if (n < question.things.length - 1) await keys(page, "h");
  }
  for (const key of ["ArrowUp", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowRight", "ArrowRight"]) { if (!(await asking(page))?.refused) return; await keys(page, key); }
}

const WAYS = {
  "choose one": choose,
  move: walk,
  place,
  async "choose several"(page, now) { for (const one of now.question.options.filter((option) => !option.refused).slice(0, now.part ? 99 : Math.max(1, now.question.at_least))) if (!(now.value ?? []).includes(one.id)) await take(page, now, one.id); },
  async allocate(page, { question }) { for (let i = 0; i < 3 * question.items.length; i++) { const { value } = await asking(page), left = question.items.find((item) => !(item.id in (value ?? {}))); if (!left) return; await keys(page, String(1 + (i % question.bins.length))); } },
  async confirm(page) { await keys(page, "y"); },
  async react(page, now) { const n = now.question.options.findIndex((one) => !one.refused) + 1; if (n) await keys(page, String(n)); },
  // A second action where the first one says nothing more; what nobody must say is left out.
  async plan(page, now) { const n = now.parts.indexOf("2") + 1; if (n && now.planned === 1) await keys(page, String(n)); },
};

/** Answer what is asked now, or say one part of it; `how.wanted` are options to prefer. */
export async function answerByKeys(page, how = {}) {
  const now = await asking(page);
  if (!now) return;
  if (now.parting) { await keys(page, "y"); return; }
  const { kind } = now.question;
  await WAYS[kind](page, now, how);
  if (kind === "confirm") return;
  await how.look?.(page);
  const is = await asking(page);
  if (!is || is.question.prompt !== now.question.prompt) return;
  // Only a plan of which a first part is said may be declared; what cannot be done as it stands is passed on.
  if (is.refused) await keys(page, "Escape", "p");
  else if (kind === "react") await keys(page, is.value?.option ? "b" : "p");
  else if (!(kind === "plan" && !is.planned)) await keys(page, "Enter");
  if ((await asking(page))?.parting) await keys(page, "y");
}
