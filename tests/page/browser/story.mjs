// The log is a story: a line for a deed and what came of it, its dice below; and it follows until a reader goes up in it.

import { playOn } from "./clicking.mjs";
import { assert, axe, drawn, how, key, linkFor, look, openPage, over, post, press, seats, sit, until } from "./table.mjs";

const [size, theme] = how.split(" "), sizes = { desk: [1440, 900], phone: [390, 844] };
const low = (page) => page.evaluate(() => { const list = document.querySelector(".table-view .lines"); return Math.round(list.scrollHeight - list.scrollTop - list.clientHeight); });
/** Several shots in one, and what came of them. */
const isVolley = (scene) => scene.aims.length > 1 && scene.came.length > 1;
/** Play on until the log has so many scenes and something holds of them. */
const playTo = (page, scenes, holds = () => true) => playOn(page, async (now) => { const told = (await look(page)).scenes.filter((one) => one.lead); return now.ending || told.length >= scenes && holds(told); }, { wanted: ["stand-up", "shoot", "move"], most: 120 });

export default async function play() {
  const [width, height] = sizes[size], page = await openPage({ width, height, colorScheme: theme }), bot = { kind: "bot", bot: "charging" };
  // Somebody watches a long battle all the while, and does nothing.
  const watcher = await openPage({ width, height, colorScheme: theme });
  await sit(watcher, linkFor(await post("/api/battles", { ruleset: "quickstart", scenario: "crowded", size: 4, seats: seats(bot, bot), seed: 3 }), ""));
  if (size === "phone") await press(watcher, "tab-log");
  await sit(page, linkFor(await post("/api/battles", { ruleset: "quickstart", scenario: "duel", seats: seats({ kind: "person" }, { kind: "bot", bot: "charging" }), seed: 4 }), "red"));
  // A volley is among the last: nobody has to go up in the log for it.
  await playTo(page, 14, (told) => told.slice(-4).some(isVolley));
  if (size === "phone") await press(page, "tab-log");
  await drawn(page);
  assert.ok(await low(page) < 45, `the end of the log is not in sight: ${await low(page)}`);
  const state = await look(page), told = state.scenes.filter((scene) => scene.lead), lines = await page.locator(".table-view .lines > :not(button)").allTextContents();
  assert.equal(lines.length, told.length, "a line a scene");
  const volley = told.findLast(isVolley), line = page.locator(`[data-key="scene-${volley.first}"]`);
  assert.ok((await line.textContent()).includes(`${volley.lead}: ${volley.came.join(", ")}.`), `what was done and what came of it stand in one line: ${await line.textContent()}`);
  const text = lines.join(" ");
  for (const bare of [/StateChanged|HarmApplied|StepBegan|HarmNoted/, /\w+ss\b(?<!miss|less|across|pass)/, / -\d/, /\w+-\d\b(?=\s(at|fires|moves))/]) assert.ok(!bare.test(text), `${bare}: ${text.match(bare)?.[0]} in ${text}`);
  assert.equal(await line.locator("details.dice").evaluate((node) => node.open), false);
  await press(page, `unfold-${volley.first}`);
  assert.ok(await line.locator(".roll-parts").first().isVisible(), "rolls and their parts unfold");

  // It follows all the way, whatever is drawn anew; dice that unfold do not stop it.
  if (size === "phone") await press(page, "tab-table");
  await playTo(page, told.length + 6);
  if (size === "phone") await press(page, "tab-log");
  await drawn(page);
  assert.ok(await page.evaluate(() => { const list = document.querySelector(".table-view .lines"); return list.scrollHeight > list.clientHeight * 1.3; }), "the log is longer than the screen");
  assert.ok(await low(page) < 45, `it has stopped following by itself: ${await low(page)}`);

  // A reader who goes up is left in peace, and is taken back by a press.
  const box = await page.locator(".table-view .lines").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(0, -900);
  await key(page, "latest").waitFor();
  const there = await page.evaluate(() => document.querySelector(".table-view .lines").scrollTop);
  await page.evaluate(async () => { const { change, state } = await import("/js/state.js"); change({ log: [...state.log] }); });
  await drawn(page);
  assert.equal(await page.evaluate(() => document.querySelector(".table-view .lines").scrollTop), there);
  await press(page, "latest");
  await drawn(page);
  assert.ok(await low(page) < 45);
  assert.equal(await key(page, "latest").count(), 0);
  // Hidden words in a long log stretch no page into emptiness.
  assert.deepEqual(await page.evaluate(() => [document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth].map((n) => Math.max(0, n))), [0, 0]);
  await axe(page, `the log, ${how}`, ".table-view .lines");

  // Wherever dice decide, the line is a sentence and no form: "keeps its nerve", not "confidence passed".
  await sit(page, linkFor(await over(await post("/api/battles", { ruleset: "stargrunt", scenario: "duel", seats: seats(bot, bot), seed: 3 })), ""));
  await until(page, (s) => s.scenes.filter((scene) => scene.lead).length > 12, "the log of others");
  if (size === "phone") await press(page, "tab-log");
  await drawn(page);
  const read = await page.locator(".table-view .lines .scene-line > p").evaluateAll((nodes) => nodes.map((node) => node.textContent));
  // More lines than are shown at once have come to the watcher, and the last one is what is seen.
  const { scenes } = await until(watcher, (s) => s.scenes.filter((scene) => scene.lead).length > 190, "a long battle");
  assert.ok(await low(watcher) < 45, `it has stopped following after ${scenes.length} scenes: ${await low(watcher)}`);
  assert.equal(await watcher.locator(".table-view .lines .earlier").count(), 1, "what is older comes with a press");
  assert.deepEqual(read.filter((words) => /\b(passed|failed)\b|\b(range|confidence|the remainder) [a-z]/.test(words)), []);
}
