// The log is a story: a line for a deed and what came of it, its dice below; and it follows until a reader goes up in it.

import { answerByClicking, mayAnswer } from "./clicking.mjs";
import { assert, axe, glance, how, key, linkFor, look, openPage, post, press, seats, sit, until } from "./table.mjs";

const [size, theme] = how.split(" "), sizes = { desk: [1440, 900], phone: [390, 844] };
const low = (page) => page.evaluate(() => { const list = document.querySelector(".table-view .lines"); return Math.round(list.scrollHeight - list.scrollTop - list.clientHeight); });
const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Play on until the log has so many scenes. */
async function playTo(page, scenes) {
  for (let waits = 0; waits < 3000; waits++) {
    const now = await glance(page);
    if (now.ending || (await look(page)).scenes.filter((one) => one.lead).length >= scenes) return;
    if (!mayAnswer(now)) { await page.waitForTimeout(20); continue; }
    try { await answerByClicking(page, now, { wanted: ["stand-up", "shoot", "move"] }); } catch (problem) { if (!/Timeout|not attached/.test(problem.message)) throw problem; }
  }
}

export default async function play() {
  const [width, height] = sizes[size], page = await openPage({ width, height, colorScheme: theme });
  const made = await post("/api/battles", { ruleset: "quickstart", scenario: "duel", seats: seats({ kind: "person" }, { kind: "bot", bot: "charging" }), seed: 4 });
  await sit(page, linkFor(made, "red"));
  await playTo(page, 22);
  if (size === "phone") await press(page, "tab-log");
  await settle(page);
  assert.ok(await low(page) < 45, `the end of the log is not in sight: ${await low(page)}`);
  const state = await look(page), told = state.scenes.filter((scene) => scene.lead), lines = await page.locator(".table-view .lines > :not(button)").allTextContents();
  assert.equal(lines.length, told.length, "a line a scene");
  const volley = told.find((scene) => scene.aims.length > 1 && scene.came.length > 1), line = page.locator(`[data-key="scene-${volley.first}"]`);
  assert.ok((await line.textContent()).includes(`${volley.lead}: ${volley.came.join(", ")}.`), `what was done and what came of it stand in one line: ${await line.textContent()}`);
  const text = lines.join(" ");
  for (const bare of [/StateChanged|HarmApplied|StepBegan|HarmNoted/, /\w+ss\b(?<!miss|less|across|pass)/, / -\d/, /\w+-\d\b(?=\s(at|fires|moves))/]) assert.ok(!bare.test(text), `${bare}: ${text.match(bare)?.[0]} in ${text}`);
  assert.equal(await line.locator("details.dice").evaluate((node) => node.open), false);
  await key(page, `unfold-${volley.first}`).click();
  assert.ok(await line.locator(".roll-parts").first().isVisible(), "rolls and their parts unfold");

  // It follows all the way, whatever is drawn anew; dice that unfold do not stop it.
  if (size === "phone") await press(page, "tab-table");
  await playTo(page, 34);
  if (size === "phone") await press(page, "tab-log");
  await settle(page);
  assert.ok(await low(page) < 45, `it has stopped following by itself: ${await low(page)}`);

  // A reader who goes up is left in peace, and is taken back by a press.
  const box = await page.locator(".table-view .lines").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(0, -900);
  await key(page, "latest").waitFor();
  const there = await page.evaluate(() => document.querySelector(".table-view .lines").scrollTop);
  await page.evaluate(async () => { const { change, state } = await import("/js/state.js"); change({ log: [...state.log] }); });
  await settle(page);
  assert.equal(await page.evaluate(() => document.querySelector(".table-view .lines").scrollTop), there);
  await press(page, "latest");
  await settle(page);
  assert.ok(await low(page) < 45);
  assert.equal(await key(page, "latest").count(), 0);
  // Hidden words in a long log stretch no page into emptiness.
  assert.deepEqual(await page.evaluate(() => [document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth].map((n) => Math.max(0, n))), [0, 0]);
  await axe(page, `the log, ${how}`);

  // Wherever dice decide, the line is a sentence and no form: "keeps its nerve", not "confidence passed".
  const other = await post("/api/battles", { ruleset: "stargrunt", scenario: "close-quarters", seats: seats({ kind: "bot", bot: "random" }, { kind: "bot", bot: "random" }), seed: 3 });
  await sit(page, linkFor(other, ""));
  await until(page, (s) => s.scenes.filter((scene) => scene.lead).length > 30, "the log of others", 60);
  if (size === "phone") await press(page, "tab-log");
  await settle(page);
  const read = await page.locator(".table-view .lines .scene-line > p").evaluateAll((nodes) => nodes.map((node) => node.textContent));
  assert.deepEqual(read.filter((words) => /\b(passed|failed)\b|\b(range|confidence|the remainder) [a-z]/.test(words)), []);
}
