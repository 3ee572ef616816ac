// A whole battle against the bot by clicking alone, from the start page to the victory screen.

import { assert, axe, base, glance, key, onScreen, openPage, picture, press, until } from "./table.mjs";

/** Press the amber button, or whatever there is to press. */
async function goOn(page) {
  for (const name of ["declare", "do", "decline", "part-decline"]) {
    if (name === "declare" && await key(page, "part-2").count() && (await glance(page)).planned === 1) return "";
    const button = page.locator(`.slip-foot [data-key="${name}"]:not([aria-disabled])`).first();
    if (await button.count()) { await button.click(); return name; }
  }
  return "";
}

/** Wait until the server has said what the draft comes to. */
async function judged(page) {
  for (let i = 0; i < 200 && (await glance(page)).judging; i++) await page.waitForTimeout(20);
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
    const to = foe.place.point, far = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1, straight = Math.atan2(to[1] - from[1], to[0] - from[0]);
    // Towards the enemy as far as it goes, else around whatever is in the way.
    for (const [turn, step] of [[0, 4000], [0, 2500], [.6, 2500], [-.6, 2500], [0, 1200], [1.2, 2000], [-1.2, 2000]]) {
      const go = Math.min(step, far * .8), [x, y] = await onScreen(page, from[0] + Math.cos(straight + turn) * go, from[1] + Math.sin(straight + turn) * go);
      await page.mouse.click(x, y);
      await judged(page);
      if (!(await glance(page)).refused) return;
      await press(page, "clear");
    }
    await press(page, "decline");
  },
  async confirm(page) { await page.locator(".either button").first().click(); },
  async react(page) { await page.locator(".slip [role=radio]").first().click(); },
  async "choose one"(page) { await page.locator(".slip .option:not(.not)").first().click(); },
  async "choose several"(page) { const first = page.locator(".slip .option:not(.not)").first(); if ((await first.getAttribute("aria-checked")) === "false") await first.click(); },
  async plan(page, { part }) {
    const either = page.locator(".slip .either button").first(), options = page.locator(".slip .option:not(.not)");
    // A second action, where the first one leaves points for it.
    const then = key(page, "part-2");
    if (!part && await then.count()) { await then.click(); await judged(page); }
    else if (!part) return;
    if (await either.count()) { await either.click(); return; }
    if (await page.locator(".slip [role=checkbox]").count()) { for (const box of await page.locator('.slip .option:not(.not)[aria-checked="false"]').all()) await box.click(); return; }
    for (const wanted of ["stand-up", "shoot", "move"]) { const option = page.locator(`.slip [data-key="option-${wanted}"]:not(.not)`); if (await option.count()) { await option.click(); return; } }
    if (await options.count()) await options.first().click();
  },
};

/** A duel takes some seventy answers; one that does not end by then has gone astray. */
const MOST = 250;

/** Lay the table as a newcomer does: ruleset, scenario, who plays blue, the dice, and sit down. */
async function layTheTable(page, seed) {
  await page.goto(`${base}/#/`);
  await key(page, "ruleset-quickstart").check();
  await key(page, "scenario").selectOption("duel");
  await key(page, "seat-blue").selectOption("bot charging");
  await key(page, "seed").fill(seed);
  await press(page, "lay");
  await until(page, (s) => s.situation !== null, "a situation");
}

/** Whether measuring was open or closed when something was asked. */
const seen = new Set();

/** Ticks are there while measuring is open and never while it is closed; a frame late at most. */
async function ticksAsMeasured(page) {
  for (let i = 0; i < 60; i++) { const { ticks, measuring } = await glance(page); if (ticks === measuring) return; await page.waitForTimeout(25); }
  assert.fail("ticks are there while measuring is closed, or not there while it is open");
}

/** Play one battle to its end; gives how many answers it took. */
async function playOut(page) {
  const end = Date.now() + 120000;
  for (let answers = 0; ;) {
    const now = await glance(page), { question } = now;
    if (now.ending) return answers;
    assert.ok(Date.now() < end && answers < MOST, `the battle does not end: turn ${now.turn}, ${answers} answers, ${question?.prompt}`);
    if (!question || now.sent || now.judging || (question.kind === "plan" && !now.parts)) { await page.waitForTimeout(15); continue; }
    seen.add(now.measuring);
    await ticksAsMeasured(page);
    try {
      await ANSWERS[question.kind](page, now);
      await judged(page);
      if (question.kind !== "confirm") await goOn(page);
    } catch (problem) { if (!/Timeout|not attached/.test(problem.message)) throw problem; }
    answers += 1;
    if (answers === 12) await picture(page, "battle");
  }
}

export default async function play() {
  const page = await openPage();
  let answers = 0, state;
  // Two who only circle each other end in a draw; then another battle is fought.
  for (const seed of ["4", "5", "6"]) {
    await layTheTable(page, seed);
    answers = await playOut(page);
    state = await until(page, (s) => s.table.ending !== null, "the end");
    if (state.table.ending.winner) break;
  }
  const { winner, reason } = state.table.ending;
  assert.deepEqual([...seen].sort(), [false, true], "measuring was open at times and closed at times");
  assert.ok(answers > 15, `only ${answers} answers`);
  assert.ok(["red", "blue"].includes(winner) && state.log.some((line) => line.event.event === "ModelLost"), `${winner}: ${reason}`);
  await page.getByText("The battle is over").waitFor();
  await axe(page, "the end of a battle");
  await picture(page, "battle-over");
  console.log(`${answers} answers, ${state.log.length} events, turn ${state.table.turn}, ${winner}: ${reason}`);
}
