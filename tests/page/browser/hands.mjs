// A whole battle by keys alone, or by touch alone, from the briefing to the summary.

import { answerByClicking, byTouch, playOn } from "./clicking.mjs";
import { batteredSeat } from "./battered.mjs";
import { answerByKeys } from "./keys.mjs";
import { assert, axe, base, how, linkFor, look, openPage, picture, post, seats, until } from "./table.mjs";

// HAND SIZE THEME RULESET SCENARIO [TURNS]: so many turns are played, or all.
const [hand, size, theme, ruleset, scenario, turns = "99"] = how.split(" "), [width, height] = { desk: [1440, 900], phone: [390, 844] }[size];
const WANTED = ["stand-up", "shoot", "fire", "enter", "combat-move", "move"], MOST = 400;

export default async function play() {
  const page = await openPage({ width, height, colorScheme: theme }), token = scenario === "battered" ? await batteredSeat() : linkFor(await post("/api/battles", { ruleset, scenario, seats: seats({ kind: "person" }, { kind: "bot", bot: "1" }), seed: 4 }), "red");
  if (hand === "touch") byTouch();
  await page.goto(`${base}/#/table/${token}`);
  await until(page, (s) => s.situation !== null, "a situation");
  // Whatever is done by keys is done without a mouse, and the other way round.
  await page.evaluate((hand) => { window.strange = []; for (const name of hand === "keys" ? ["pointerdown", "touchstart"] : ["keydown"]) addEventListener(name, (event) => window.strange.push(`${event.type} ${event.key ?? ""}`), true); if (hand === "touch") addEventListener("pointerdown", (event) => { if (event.pointerType !== "touch") window.strange.push(event.pointerType); }, true); }, hand);
  let answers = -1;
  const now = await playOn(page, async (is) => {
    answers += 1;
    if (answers === 9) await picture(page, `hands-${hand}-${ruleset}`);
    if (process.env.TELL) console.log(is.turn, is.question?.prompt, is.part, is.planned);
    return is.ending || is.turn > Number(turns);
  }, { wanted: WANTED, turn: (asked) => asked, most: MOST, answer: hand === "keys" ? (where, is, wish) => answerByKeys(where, wish) : answerByClicking });
  assert.ok(now, "the battle does not end");
  assert.deepEqual(await page.evaluate(() => window.strange), []);
  console.log(`${answers} answers, turn ${now.turn}, ${JSON.stringify(now.ending)}`);
  if (process.env.TELL) console.log((await look(page)).scenes.map((one) => one.lead).slice(-40).join("\n"));
  if (turns !== "99") return;
  await page.getByText("The battle is over").waitFor();
  assert.doesNotMatch(await page.locator(".summary").first().textContent(), /\b1 (points|turns|models)\b/);
  await axe(page, `the end of a battle by ${hand}`, ".summary");
  await picture(page, `hands-${hand}-${ruleset}-end`);
}
