// A battle against the bot by clicking alone, given up after so many answers if it has not ended by then.

import { assert, axe, glance, linkFor, onScreen, openPage, picture, post, press, seats, sit, until } from "./table.mjs";

/** Press the amber button, or whatever there is to press. */
async function goOn(page) {
  for (const name of ["declare", "do", "decline", "part-decline"]) {
    const button = page.locator(`.slip-foot [data-key="${name}"]:not([aria-disabled])`).first();
    if (await button.count()) { await button.click(); return name; }
  }
  return "";
}

const ANSWERS = {
  async place(page, { question }) {
    const zone = Object.values(question.where)[0].inside[0].points, middle = [0, 1].map((axis) => zone.reduce((sum, p) => sum + p[axis], 0) / zone.length);
    const [x, y] = await onScreen(page, middle[0] + 1000, middle[1]);
    await page.mouse.click(x, y);
  },
  async move(page, { question, things }) {
    const me = things.find((t) => t.id === question.models[0]), foe = things.find((t) => t.side !== me.side && t.place.place === "at"), from = me.place.point;
    if (question.topic !== "walk" || !foe) return;
    const to = foe.place.point, far = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1, step = Math.min(2500, far / 3);
    const [x, y] = await onScreen(page, from[0] + (to[0] - from[0]) / far * step, from[1] + (to[1] - from[1]) / far * step);
    await page.mouse.click(x, y);
    for (let i = 0; i < 50 && !(await glance(page)).judged; i++) await page.waitForTimeout(30);
    if ((await glance(page)).refused) await page.locator("[data-key=decline]").click();
  },
  async confirm(page) { await page.locator(".either button").first().click(); },
  async react(page) { await page.locator(".slip [role=radio]").first().click(); },
  async "choose one"(page) { await page.locator(".slip .option:not(.not)").first().click(); },
  async "choose several"(page) { const first = page.locator(".slip .option:not(.not)").first(); if ((await first.getAttribute("aria-checked")) === "false") await first.click(); },
  async plan(page, { part, planned }) {
    const either = page.locator(".slip .either button").first();
    if (!part || (await page.locator('.slip [role=checkbox][aria-checked="true"]').count())) return;
    if (await either.count()) { await either.click(); return; }
    const shoot = page.locator('.slip [data-key="option-shoot"]:not(.not)'), stand = page.locator('.slip [data-key="option-stand-up"]:not(.not)'), move = page.locator('.slip [data-key="option-move"]:not(.not)');
    for (const wanted of planned ? [shoot, move] : [stand, shoot, move]) if (await wanted.count()) { await wanted.click(); return; }
    await page.locator(".slip .option:not(.not)").first().click();
  },
};

const MOST = 20;

export default async function play() {
  const made = await post("/api/battles", { ruleset: "quickstart", scenario: "duel", seats: seats({ kind: "person" }, { kind: "bot", bot: "charging" }), seed: 4 }), page = await openPage();
  await sit(page, linkFor(made, "red"));
  const end = Date.now() + 180000;
  let answers = 0;
  for (;;) {
    const now = await glance(page), { question } = now;
    if (now.ending) break;
    assert.ok(Date.now() < end, `the battle does not end: turn ${now.turn}, ${answers} answers, ${question?.prompt}`);
    if (answers >= MOST) { for (const name of ["bar-orders", "concede", "concede-yes"]) await press(page, name); await until(page, (s) => s.table.ending, "the end"); break; }
    if (!question || now.sent || (question.kind === "plan" && !now.parts)) { await page.waitForTimeout(15); continue; }
    try {
      await ANSWERS[question.kind](page, now);
      await page.waitForTimeout(25);
      if (question.kind !== "confirm") await goOn(page);
    } catch (problem) { if (!/Timeout|not attached/.test(problem.message)) throw problem; }
    answers += 1;
    if (answers === 12) await picture(page, "battle");
  }
  const state = await until(page, (s) => s.welcome !== null, "the end");
  assert.ok(answers > 10, `only ${answers} answers`);
  await page.getByText("The battle is over").waitFor();
  await axe(page, "the end of a battle");
  await picture(page, "battle-over");
  console.log(`${answers} answers, ${state.log.length} events, turn ${state.table.turn}`);
}
