// At the table and on the way to it: two clicks to the first decision, a briefing, hints, rules and cards beside the board, the end.

import { playOn } from "./clicking.mjs";
import { assert, axe, base, comes, how, key, keys, linkFor, look, openPage, post, press, seats, sit, until } from "./table.mjs";

const [size, theme] = how.split(" "), sizes = { desk: [1440, 900], phone: [390, 844] }, [width, height] = sizes[size];

/** The first page, a ready battle, its briefing: two clicks to the first decision. */
async function theStart(page) {
  await page.goto(`${base}/#/`);
  await key(page, "ready-quickstart-duel").waitFor();
  await page.waitForFunction(() => document.querySelectorAll('[data-key="ready-quickstart-duel"] .thumb .terrain').length > 3, null, { timeout: 60000 });
  const titles = await page.locator(".ready-group").first().locator(".ready-card b").allTextContents();
  assert.deepEqual(titles.slice(1), [...titles.slice(1)].sort((a, b) => a.localeCompare(b)), "scenarios by name, the first one first");
  await axe(page, `the start with its pictures, ${how}`);
  // Before it is known what wins, nothing is said of it.
  let found = () => {};
  const scenario = new Promise((go) => { found = go; });
  await page.route("**/scenarios/duel", async (route) => { await scenario; await route.continue(); });
  await page.reload();
  await press(page, "ready-quickstart-duel");
  await key(page, "begin").waitFor();
  assert.match(await page.locator(".briefing").textContent(), /What wins(?!Whoever|Last)/);
  found();
  await page.waitForFunction(() => /Last side|left on the table/.test(document.querySelector(".briefing")?.textContent ?? ""));
  const told = await page.locator(".briefing").textContent();
  for (const words of [/You are.*Red, 1 model/, /Against.*Blue: the computer/, /What wins.*Last side|What wins.*left/, /How long.*(turns|until)/i, /Special/]) assert.match(told, words);
  assert.ok(await page.locator(".briefing .brief a[data-rule]").count() > 0, "special rules can be read");
  assert.equal(await page.locator(".table-view .slip-foot .do").count(), 1);
  await axe(page, `a briefing, ${how}`, ".briefing");
  if (size === "desk") await keys(page, "Enter"); else await press(page, "begin");
  await page.locator(".table-view .slip .prompt").first().waitFor();
  await until(page, (state) => state.briefed, "the first decision");
  // Once told, never again.
  await page.locator(".hint").waitFor();
  await press(page, "hint-seen");
  await page.waitForFunction(() => !document.querySelector(".table-view .hint"));
  assert.equal(await page.locator(".hint").count(), 0);
  // Before it is known in whose words a table is told, nothing is said of it that would be untrue.
  let come = () => {};
  const words = new Promise((go) => { come = go; });
  await page.route("**/api/rulesets", async (route) => { await words; await route.continue(); });
  await page.reload();
  await until(page, (state) => state.situation !== null && state.table !== null, "the table again");
  assert.equal((await page.locator(".table-view :is(.stakes, .battle-name, .forces)").allTextContents()).join("").trim(), "");
  come();
  await page.locator(".table-view .stakes .wins").waitFor();
  assert.match(await page.locator(".table-view .stakes .wins").textContent(), /Last side/);
  await page.unroute("**/api/rulesets");
  assert.equal(await page.locator(".briefing").count(), 0);
  // It can be read again at any time.
  if (size === "desk") await press(page, "bar-text"); else { await press(page, "bar-more"); await press(page, "more-brief"); }
  await page.locator("dialog[open] .brief").waitFor();
  for (const words of [/You are.*Red/, /What wins.*Last side/, /How long/, /Special/]) assert.match(await page.locator("dialog[open]").textContent(), words);
  await axe(page, `the briefing again, ${how}`, "dialog[open]");
  await keys(page, "Escape");
}

/** Every ready battle says what it is about, how large and how long it is, and shows its own table; in every group the first one first, and
 *  the others by name. */
async function theShelf(page) {
  const cards = () => page.locator('.ready-card:not([data-key^="ready-gallery"])').evaluateAll((all) => all.map((card) => ({ name: card.dataset.key, drawn: card.querySelectorAll(".thumb *").length, about: card.querySelector(".ready-about").textContent, words: card.querySelector(".n").textContent })));
  await comes(page, async () => (await cards()).every(({ drawn }) => drawn > 5), "a picture of every battle", async () => (await cards()).filter(({ drawn }) => drawn <= 5).map(({ name }) => name).join(" "));
  const found = await cards();
  assert.ok(found.length > 30, `${found.length} battles`);
  assert.deepEqual(found.filter(({ about, words }) => about.length < 20 || !/^.*\d.* · (\d+ (to \d+ )?turns|until )/.test(words)), []);
  assert.ok(new Set(found.map(({ drawn }) => drawn)).size > found.length / 2, "each has a picture of its own");
  for (const titles of await page.locator(".ready-row").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll(".ready-card b")].map((title) => title.textContent)))) assert.deepEqual(titles.slice(1), titles.slice(1).toSorted((a, b) => a.localeCompare(b)));
}

/** A rule and a card open beside the board, and nobody leaves the table for them. */
async function beside(page) {
  assert.ok(await playOn(page, (now) => now.question?.kind === "plan"), "a plan is asked for");
  const at = page.url();
  if (size === "desk") {
    await page.locator(".slip .why a").click();
    await page.locator(".beside h2").waitFor();
    await press(page, "close-beside");
  } else {
    await page.locator(".slip [data-key=refused-summary]").click();
    await page.locator(".slip .refused-options a[data-rule]").first().click();
    await page.locator(".beside h2").waitFor();
    const [rule, sheet] = await Promise.all([page.locator(".beside").boundingBox(), page.locator(".table-view .next").boundingBox()]);
    assert.ok(rule.width <= width && rule.y >= 0 && rule.y + 120 < sheet.y + sheet.height, `a rule lies where it is read: ${JSON.stringify([rule, sheet])}`);
    assert.equal(page.url(), at);
    await axe(page, `a rule beside the board, ${how}`, ".beside");
    await press(page, "close-beside");
    await press(page, "tab-forces");
  }
  const id = (await look(page)).situation.question.about[0];
  await press(page, `row-${id}`);
  await press(page, `card-${id}`);
  if (size === "phone") await press(page, "tab-table");
  await page.locator(".beside td.now").first().waitFor();
  assert.equal(await page.locator(".beside td.now").first().textContent(), String((await look(page)).table.things[id].harm), "the column of a model as much hurt as it is");
  assert.deepEqual(await page.evaluate(() => { const node = document.querySelector(".beside-body"); return node.scrollWidth <= node.clientWidth + 1; }), true);
  assert.equal(page.url(), at);
  await axe(page, `a card beside the board, ${how}`, ".beside");
  await press(page, "close-beside");
}

/** The shelf of ready battles, in a page of its own. */
async function shelfOf() {
  const page = await openPage({ width, height, colorScheme: theme });
  await page.goto(`${base}/#/`);
  await key(page, "ready-quickstart-duel").waitFor();
  await theShelf(page);
}

/** The end tells what there is to tell, and another go is a press away. */
async function theEnd() {
  const one = await openPage({ width, height, colorScheme: theme }), two = await openPage({});
  const made = await post("/api/battles", { ruleset: "quickstart", scenario: "duel", seats: seats({ kind: "person" }, { kind: "person" }), seed: 9 });
  await sit(one, linkFor(made, "red"));
  await sit(two, linkFor(made, "blue"));
  await two.evaluate(async () => { const { say } = await import("/js/session.js"); say({ say: "draw", offers: true }); });
  await key(one, "agree-draw").waitFor();
  await axe(one, `a draw is offered, ${how}`, ".table-view .next");
  await press(one, "agree-draw");
  await key(one, "rematch").waitFor();
  assert.match(await one.locator(".summary").textContent(), /A draw/);
  await axe(one, `the end, ${how}`, ".summary");
  const before = one.url();
  await press(one, "rematch");
  await one.waitForFunction((was) => location.href !== was, before);
  await until(one, (state) => state.situation !== null && state.table?.ending === null, "the battle once more");
}

/** What the dice gave is counted against what was to be expected of them. */
async function luck(page) {
  const found = await page.evaluate(async () => { const { chanceOf } = await import("/js/summary.js"), roll = (dice, faces, needs, parts = [], margin = 0) => ({ event: "Rolled", what: "x", dice, faces, needs, parts, margin }); return [chanceOf(roll("2d6", [3, 4], 7)), chanceOf(roll("d8", [3], 3)), chanceOf(roll("2d6", [1, 2], 9, [{ label: "", value: 1, rule: "", known_to: [] }])), chanceOf(roll("2d6", [6, 6, 3], 9)), chanceOf(roll("d6+d8", [1, 2], 9)), chanceOf(roll("2d6", [3, 4], 7, [], null))]; });
  assert.deepEqual(found.map((n) => n === null ? null : Math.round(n * 36 * 8)), [168, 216, 120, null, null, null]);
}

/** Whoever has nothing to gain need not be asked twenty times. */
async function passingOnAll() {
  const page = await openPage({ width, height, colorScheme: theme });
  await sit(page, linkFor(await post("/api/battles", { ruleset: "quickstart", scenario: "duel", seats: seats({ kind: "person" }, { kind: "bot", bot: "tactical" }), seed: 4 }), "red"));
  assert.ok(await playOn(page, (now) => now.question?.kind === "react", { wanted: ["move"], most: 25 }), "nobody is asked whether to break in");
  const before = (await look(page)).situation;
  // What it costs to break in is told before.
  assert.match(await page.locator(".slip .option").first().textContent(), /The Combat Action of R\d this turn would be lost/);
  await press(page, "pass-all");
  const state = await until(page, (one) => one.situation.orders.length > 0 && one.situation.n > before.n, "a standing order to pass");
  assert.deepEqual(state.situation.orders.map((order) => [order.rule, order.answer]), [[before.question.rules[0], null]]);
}

/** Something is seen before the page's modules have come; what a table waits for is asked for meanwhile, and once. */
async function comesSoon() {
  const page = await openPage({ width, height, colorScheme: theme }), asked = [], lines = [];
  page.on("request", (request) => { if (request.url().endsWith("/api/rulesets")) asked.push(request.url()); });
  page.on("websocket", (line) => lines.push(line.url()));
  // It is opened by a script of its own, which runs when it has come.
  const opened = page.waitForEvent("websocket");
  let come = () => {};
  const script = new Promise((go) => { come = go; });
  await page.route("**/js/main.js", async (route) => { await script; await route.continue(); });
  await page.goto(`${base}/#/table/${linkFor(await post("/api/battles", { ruleset: "quickstart", scenario: "duel", seats: seats({ kind: "person" }, { kind: "person" }), seed: 4 }), "red")}`, { waitUntil: "commit" });
  await page.locator(".coming").waitFor();
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  await page.waitForFunction(() => performance.getEntriesByType("resource").some((one) => one.name.endsWith("/api/rulesets")));
  await opened;
  assert.equal(lines.length, 1, "the line is opened while the rest comes");
  come();
  await until(page, (state) => state.situation !== null && state.rulesets.length > 0, "the table");
  assert.equal(await page.locator(".coming").count(), 0);
  assert.deepEqual([asked.length, lines.length], [1, 1], "each once");
}

export default async function play() {
  await comesSoon();
  const page = await openPage({ width, height, colorScheme: theme, guide: "" });
  await theStart(page);
  await beside(page);
  await shelfOf();
  await luck(page);
  await theEnd();
  await passingOnAll();
}
