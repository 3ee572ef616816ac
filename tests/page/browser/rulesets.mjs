// A ruleset, whichever it is: a person sits at a side and plays by clicking, at a desk and on a phone, by day and by lamp.

import { answerByClicking, mayAnswer } from "./clicking.mjs";
import { assert, axe, glance, how, key, linkFor, look, openPage, picture, post, press, seats, sit, until } from "./table.mjs";

// NAME [SCENARIO [OPTION,OPTION…]]: the options that are worth taking where they are offered, the rarest taken first.
const [ruleset, scenario = "", wishes = ""] = how.split(" "), taken = new Map(wishes.split(",").filter(Boolean).map((id) => [id, 0]));
/** So many answers of a person are enough to see a ruleset at play. */
const ENOUGH = 14;
const name = [ruleset, scenario].filter(Boolean).join("-");

/** Answer so many questions; gives the kinds that were asked and how often a preview said something. */
async function play(page, answers) {
  const seen = { kinds: new Set(), previews: 0, given: 0 }, asked = new Map(), end = Date.now() + 120000;
  while (seen.given < answers) {
    const now = await glance(page);
    if (now.ending) break;
    assert.ok(Date.now() < end, `nothing goes on: ${now.question?.prompt}, ${JSON.stringify(now.refused)}`);
    if (!mayAnswer(now)) { await page.waitForTimeout(20); continue; }
    const before = now.question, turn = asked.get(before.prompt) ?? 0;
    asked.set(before.prompt, turn + 1);
    const wanted = [...taken.keys()].sort((a, b) => taken.get(a) - taken.get(b)), wish = before.kind === "choose one" ? wanted.find((id) => before.options.some((o) => o.id === id && !o.refused)) : undefined;
    if (wish) taken.set(wish, taken.get(wish) + 1);
    try {
      await answerByClicking(page, now, { wanted, turn: turn % 4, look: async () => {
        if (await page.locator(".preview, .path-cost").count()) seen.previews += 1;
        if (process.env.SHOTS) await picture(page, `${name}-${page.viewportSize().width}-${seen.given}-${before.kind.replace(" ", "")}-${before.topic.replace(" ", "")}`);
      } });
    } catch (problem) { if (!/Timeout|not attached/.test(problem.message)) throw problem; }
    seen.kinds.add(before.kind);
    seen.given += 1;
  }
  return seen;
}

export default async function plays() {
  const made = await post("/api/battles", { ruleset, scenario, seats: seats({ kind: "person" }, { kind: "bot", bot: "random" }), seed: 3 }), token = linkFor(made, "red");
  const desk = await openPage();
  await sit(desk, token);
  const seen = await play(desk, ENOUGH);
  console.log(JSON.stringify({ ...seen, kinds: [...seen.kinds] }));
}
