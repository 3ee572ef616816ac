// A whole battle by keys alone, or by touch alone, from the briefing to the summary.

import { answerByClicking, byTouch, mayAnswer } from "./clicking.mjs";
import { answerByKeys } from "./keys.mjs";
import { assert, axe, base, glance, how, key, linkFor, look, openPage, picture, post, seats, until } from "./table.mjs";

// HAND SIZE THEME RULESET SCENARIO [TURNS]: so many turns are played, or all.
const [hand, size, theme, ruleset, scenario, turns = "99"] = how.split(" "), [width, height] = { desk: [1440, 900], phone: [390, 844] }[size];
/** Two who have fought for a while already: a battle that is over soon. */
const BATTERED = `
ruleset: quickstart
name: battered
title: Two Battered CAVs
about: Both are hurt, and near each other.
rules: [quickstart.setup.scenario-stand-and-fight, quickstart.setup.terrain-features]
board: {width: 48, height: 48, terrain: [{kind: light-woods, id: copse, label: The Copse, circle: [30, 27, 3]}]}
sides:
  red: {force: [{model: dictator-b, as: R1, at: [24, 34], facing: 200, harm: 4}]}
  blue: {force: [{model: dictator-b, as: B1, at: [23, 18], facing: 90, harm: 5}]}
victory: {rule: quickstart.setup.scenario-stand-and-fight, at: victory}
`;
const WANTED = ["stand-up", "shoot", "fire", "enter", "combat-move", "move"], MOST = 400;

export default async function play() {
  const page = await openPage({ width, height, colorScheme: theme }), token = linkFor(await post("/api/battles", { ruleset, ...(scenario === "battered" ? { text: BATTERED } : { scenario }), seats: seats({ kind: "person" }, { kind: "bot", bot: "1" }), seed: 4 }), "red");
  if (hand === "touch") byTouch();
  await page.goto(`${base}/#/table/${token}`);
  await until(page, (s) => s.situation !== null, "a situation");
  // Whatever is done by keys is done without a mouse, and the other way round.
  await page.evaluate((hand) => { window.strange = []; for (const name of hand === "keys" ? ["pointerdown", "touchstart"] : ["keydown"]) addEventListener(name, (event) => window.strange.push(`${event.type} ${event.key ?? ""}`), true); if (hand === "touch") addEventListener("pointerdown", (event) => { if (event.pointerType !== "touch") window.strange.push(event.pointerType); }, true); }, hand);
  const times = new Map();
  let answers = 0, idle = 0, now = await glance(page);
  for (; !now.ending && now.turn <= Number(turns); now = await glance(page)) {
    assert.ok(answers < MOST && idle < 4000, `the battle does not end: turn ${now.turn}, ${answers} answers, ${now.question?.prompt} ${JSON.stringify(now.refused)}`);
    if (!mayAnswer(now)) { idle += 1; await page.waitForTimeout(15); continue; }
    const turn = times.get(now.question.prompt) ?? 0, wish = { wanted: WANTED, turn };
    times.set(now.question.prompt, turn + 1);
    if (process.env.TELL) console.log(now.turn, now.question.prompt, now.part, now.planned);
    if (hand === "keys") await answerByKeys(page, wish);
    else try { await answerByClicking(page, now, wish); } catch (problem) { if (!/Timeout|not attached/.test(problem.message)) throw problem; }
    [answers, idle] = [answers + 1, 0];
    if (answers === 9) { await axe(page, `a battle by ${hand}`); await picture(page, `hands-${hand}-${ruleset}`); }
  }
  assert.deepEqual(await page.evaluate(() => window.strange), []);
  console.log(`${answers} answers, turn ${now.turn}, ${JSON.stringify(now.ending)}`);
  if (process.env.TELL) console.log((await look(page)).scenes.map((one) => one.lead).slice(-40).join("\n"));
  if (turns !== "99") return;
  await page.getByText("The battle is over").waitFor();
  await axe(page, `the end of a battle by ${hand}`);
  await picture(page, `hands-${hand}-${ruleset}-end`);
}
