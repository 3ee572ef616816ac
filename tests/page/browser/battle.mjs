// A whole battle against the bot, by clicking alone.

import { assert, axe, linkFor, look, onScreen, openPage, picture, post, seats, sit, until } from "./table.mjs";

/** Press the amber button, or whatever there is to press. */
async function goOn(page) {
  for (const name of ["declare", "do", "decline", "part-decline"]) {
    const button = page.locator(`.slip-foot [data-key="${name}"]:not([aria-disabled])`).first();
    if (await button.count()) { await button.click(); return name; }
  }
  return "";
}

const ANSWERS = {
  async place(page, { question, ground }) {
    const zone = Object.values(question.where)[0].inside[0].points, middle = [0, 1].map((axis) => zone.reduce((sum, p) => sum + p[axis], 0) / zone.length);
    const [x, y] = await onScreen(page, middle[0] + (ground.width / 40), middle[1]);
    await page.mouse.click(x, y);
  },
  async move(page, { question, table }) {
    const me = table.things[question.models[0]], foe = Object.values(table.things).find((t) => t.side !== me.side && t.place.place === "at" && t.kind === "model"), from = me.place.point;
    const to = foe?.place.point ?? [0, 0], far = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1, step = Math.min(2500, far / 3);
    if (question.topic !== "walk") return;
    const [x, y] = await onScreen(page, from[0] + (to[0] - from[0]) / far * step, from[1] + (to[1] - from[1]) / far * step);
    await page.mouse.click(x, y);
    const state = await until(page, (s) => s.verdict !== null || s.situation?.question?.topic !== "walk", "a verdict");
    if (state.verdict?.refusal) await page.locator("[data-key=decline]").click();
  },
  async confirm(page) { await page.locator(".either button").first().click(); },
  async react(page) { await page.locator(".slip [role=radio]").first().click(); },
  async "choose one"(page) { await page.locator(".slip .option:not(.not)").first().click(); },
  async "choose several"(page) { const first = page.locator(".slip .option:not(.not)").first(); if ((await first.getAttribute("aria-checked")) === "false") await first.click(); },
  async plan(page, { part, planned }) {
    if (!part) return;
    const shoot = page.locator('.slip [data-key="option-shoot"]:not(.not)'), stand = page.locator('.slip [data-key="option-stand-up"]:not(.not)'), move = page.locator('.slip [data-key="option-move"]:not(.not)');
    for (const wanted of planned.length ? [shoot, move] : [stand, shoot, move]) if (await wanted.count()) { await wanted.click(); return; }
    await page.locator(".slip .option:not(.not)").first().click();
  },
};

export default async function play() {
  const made = await post("/api/battles", { ruleset: "quickstart", scenario: "duel", seats: seats({ kind: "person" }, { kind: "bot", bot: "charging" }), seed: 4 }), page = await openPage();
  await sit(page, linkFor(made, "red"));
  const end = Date.now() + 240000;
  let answers = 0;
  for (;;) {
    const { situation, table, ground, sent, part, planned, verdict } = await look(page), question = situation?.question;
    if (table?.ending) break;
    assert.ok(Date.now() < end, `the battle does not end: turn ${table?.turn}, ${answers} answers`);
    if (!question || sent || (question.kind === "plan" && !verdict?.parts)) { await page.waitForTimeout(30); continue; }
    try {
      await ANSWERS[question.kind](page, { question, table, ground, part, planned });
      await page.waitForTimeout(60);
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
