// A whole battle against the bot by clicking alone, from the start page to the victory screen.

import { answerByClicking, mayAnswer } from "./clicking.mjs";
import { assert, axe, base, glance, key, openPage, picture, press, until } from "./table.mjs";

/** Whoever lies gets up, shoots where he can, and goes on else. */
const WANTED = ["stand-up", "shoot", "move"];

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
    if (!mayAnswer(now)) { await page.waitForTimeout(15); continue; }
    seen.add(now.measuring);
    await ticksAsMeasured(page);
    try {
      await answerByClicking(page, now, { wanted: WANTED });
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
