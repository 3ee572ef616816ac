// A battle laid on the start page, and a whole one to its end, against the computer, by clicking alone.

import { batteredSeat } from "./battered.mjs";
import { playOn } from "./clicking.mjs";
import { assert, axe, base, comes, glance, key, openPage, picture, press, sit, until } from "./table.mjs";

/** Whoever lies gets up, shoots where he can, and goes on else. */
const WANTED = ["stand-up", "shoot", "move"];

/** Two who are hurt and near each other take some thirty answers; a battle that does not end by then has gone astray. */
const MOST = 150;

/** Lay the table as a newcomer does: ruleset, scenario, who plays blue, the dice, and sit down. */
async function layTheTable(page) {
  await page.goto(`${base}/#/`);
  await key(page, "ruleset-quickstart").check();
  await key(page, "scenario").selectOption("duel");
  await key(page, "seat-blue").selectOption("bot charging");
  await key(page, "seed").fill("4");
  await press(page, "lay");
  await until(page, (s) => s.situation !== null, "a situation");
}

/** Whether measuring was open or closed when something was asked. */
const seen = new Set();

/** Ticks are there while measuring is open and never while it is closed. */
async function ticksAsMeasured(page, { measuring }) {
  seen.add(measuring);
  await comes(page, async () => { const now = await glance(page); return now.ticks === now.measuring; }, "ticks while measuring is open, and only then");
}

/** Play on for so many answers, or to the end; gives how many it took. */
async function playOut(page, most) {
  let answers = 0;
  await playOn(page, async (now) => { if (now.ending || answers === most) return true; answers += 1; await ticksAsMeasured(page, now); return false; }, { wanted: WANTED, most });
  return answers;
}

export default async function play() {
  const page = await openPage();
  await layTheTable(page);
  assert.equal(await playOut(page, 8), 8, "it goes on after the table is laid");
  let answers = 0, state;
  // Two who fall together have no winner; then another battle is fought.
  for (const seed of [4, 5, 6]) {
    await sit(page, await batteredSeat({ seed, harm: [1, 5] }));
    answers = await playOut(page, MOST);
    state = await until(page, (s) => s.table.ending !== null, "the end");
    if (state.table.ending.winner) break;
  }
  const { winner, reason } = state.table.ending;
  assert.deepEqual([...seen].sort(), [false, true], "measuring was open at times and closed at times");
  assert.ok(answers > 8, `only ${answers} answers`);
  assert.ok(["red", "blue"].includes(winner) && state.log.some((line) => line.event.event === "ModelLost"), `${winner}: ${reason}`);
  await page.getByText("The battle is over").waitFor();
  await axe(page, "the end of a battle", ".summary");
  await picture(page, "battle-over");
  console.log(`${answers} answers, ${state.log.length} events, turn ${state.table.turn}, ${winner}: ${reason}`);
}
