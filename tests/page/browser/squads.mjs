// Squads that say everything at once: what an attack would do is seen before it is declared, shot after shot is aimed, and the log tells it.

import { goOn, playOn, judged } from "./clicking.mjs";
import { SIZES, assert, axe, drawn, how, key, keys, linkFor, look, openPage, post, press, seats, sit, until } from "./table.mjs";

const [size, theme] = how.split(" ");
const begin = async (page, ruleset, scenario) => sit(page, linkFor(await post("/api/battles", { ruleset, scenario, seats: seats({ kind: "person" }, { kind: "bot", bot: "charging" }), seed: 4 }), "red"));
const button = (page, name) => key(page, name).evaluate((node) => node.textContent.replace(/Enter$/, ""));
/** A bar is as long as the number beside it says. */
const bars = (page) => page.locator(".slip .chances li").evaluateAll((rows) => rows.map((row) => { const bar = row.querySelector(".chance-bar"); return { says: row.querySelector(".figure").textContent, far: Math.round(100 * bar.firstElementChild.getBoundingClientRect().width / bar.clientWidth) }; }));
/** Wait until a part of the plan is open that is about something, and say it. */
async function say(page, ...names) {
  for (const name of names) { await judged(page); await press(page, name); }
  await judged(page);
}
/** What is told of a battle reads like a story: no form, no name of an event, no id. */
async function story(page) {
  if (size === "phone") await press(page, "tab-log");
  await drawn(page);
  const lines = await page.locator(".table-view .lines .scene-line > p").evaluateAll((all) => all.map((line) => line.textContent)), { table } = await look(page), ids = Object.values(table.things).filter((one) => one.label && one.label !== one.id && /[-_]/.test(one.id)).map((one) => one.id);
  assert.ok(lines.length > 5, lines.join("\n"));
  assert.deepEqual(lines.filter((line) => /\b(passed|failed)\b|StateChanged|HarmApplied|StepBegan|no longer has| -\d|\d{4,}|forfeits attack|declares [a-z]+-[a-z]+|: and /.test(line) || ids.some((id) => line.includes(id))), []);
  const first = lines.slice(0, -1).filter((line) => line.includes("for the initiative"));
  assert.ok(first.every((line) => /has the initiative|goes first/.test(line)), `who has the initiative: ${first}`);
  if (size === "phone") await press(page, "tab-table");
}

/** Where one does something to another, he acts alone: by the header, and on the board. */
async function acts(page) {
  const { log, table } = await look(page), n = log.findIndex(({ event }) => event.event === "StepBegan" && event.units?.length > 1 && event.units.some((id) => table.things[id]?.side !== event.side)) + 1;
  assert.ok(n, "nobody does anything to another");
  await page.evaluate(async (n) => (await import("/js/moments.js")).lookAt(n), n);
  await drawn(page);
  const { side, units } = log[n - 1].event, words = await page.locator(".turn-words").textContent();
  for (const id of units) assert.equal(new RegExp(`\\b${table.things[id].label}\\b.* acts`).test(words), table.things[id].side === side, `${words} of ${units}`);
  assert.deepEqual(await page.evaluate(async () => { const { actingNow, shown } = await import("/js/moments.js"), { table } = shown(), [side, ...units] = actingNow(table); return units.filter((id) => table.things[id].side !== side); }), []);
  await page.evaluate(async () => (await import("/js/state.js")).change({ moment: null }));
  await drawn(page);
}

/** An attack of a squad that measures nothing before: its odds at each range, truly drawn, and what would be lost. */
async function declares(page) {
  await begin(page, "strikeops", "meeting");
  const now = await playOn(page, ({ question }) => question?.kind === "plan", { most: 30 });
  assert.ok(now, "nobody declares anything");
  // Who has fired back already has no points left: whoever is asked first declares.
  await page.locator(".part-prompt").waitFor();
  const name = (await page.locator(".part-prompt").textContent()).split(":")[0], { table } = await look(page), actor = now.question.actors.find((id) => table.things[id].label === name), foe = Object.values(table.things).find((one) => one.kind === "model" && one.side === "blue");
  await say(page, "option-shoot", `option-${foe.id}`);
  await page.locator(".slip [role=checkbox]:not(.not)").first().click();
  await say(page, "do");
  // Whoever else is to say something does nothing more.
  while (await key(page, "option-nothing").count() && await page.locator(".slip [data-key=option-nothing]:not(.not)").count()) await say(page, "option-nothing");
  const odds = await until(page, (state) => state.verdict?.preview?.odds.length > 2 && !state.judging, "odds at each range");
  assert.match(odds.verdict.preview.odds_note, /nothing is measured/);
  if (size === "phone") await press(page, "preview");
  for (const { says, far } of await bars(page)) assert.ok(says.includes("1 %") ? far <= 1 : Math.abs(far - parseInt(says, 10)) <= 1, `${says} is drawn as ${far}`);
  assert.match(await button(page, "declare"), new RegExp(`^Declare: .*${name}: .*${foe.label}`));
  await press(page, "declare");
  await key(page, "decline-yes").waitFor();
  assert.match(await page.locator(".ask-first").textContent(), new RegExp(`1 AP of ${name}.* would be lost`));
  await axe(page, `a declaration, ${how}`, ".slip");
  await press(page, "decline-yes");
  await until(page, (state) => state.log.some(({ event }) => event.event === "Declared" && event.actor === actor), "the declaration");
  const deeds = new Set();
  await playOn(page, async () => (await look(page)).scenes.filter((one) => one.lead).length > 12, { wanted: ["shoot", "move"], most: 30, look: async () => { for (const words of await page.locator(".slip-foot .do:not(.wait)").allTextContents()) deeds.add(words); } });
  assert.deepEqual([...deeds].filter((words) => /goes on|does .* do|^(Say:|OK|Take \d)/.test(words)), []);
  await story(page);
  await acts(page);
}

/** Shot after shot: the first one is aimed, the others likewise; and then it is declared. */
async function aims(page) {
  await begin(page, "dropzone", "checkpoint");
  const now = await playOn(page, ({ question }) => question?.kind === "plan", { wanted: ["shooting", "shoot"], most: 30 });
  assert.ok(now, "nobody shoots");
  await until(page, (state) => state.part && !state.judging, "the first shot");
  const first = page.locator(".slip .option:not(.not)").last(), target = await first.getAttribute("data-key");
  await say(page, target);
  assert.match(await button(page, "likewise"), / at .* too$/);
  assert.equal(await page.locator(".slip-foot .do:not(.wait)").count(), 1, "one amber button");
  await axe(page, `shot after shot, ${how}`, ".slip");
  if (size === "desk") await keys(page, "Enter"); else await press(page, "likewise");
  const { planned } = await until(page, (state) => state.planned.length > 1 && !state.judging, "the other shots");
  assert.equal(new Set(planned.map((one) => one.value)).size, 1);
  // As many as there is room for are told with what they fire.
  assert.match(await button(page, "declare"), /^Declare: (.*both [A-Z][\w ]+ at |all \d+ at )/);
  await goOn(page);
  await until(page, (state) => state.log.some(({ event }) => event.event === "Declared" && event.targets.includes(target.replace("option-", ""))), "the volley");
  await playOn(page, async (is) => is.turn > 1 || (await look(page)).scenes.filter((one) => one.lead).length > 16, { wanted: ["shooting", "moving", "shoot", "move"], most: 40 });
  await story(page);
}

export default async function play() {
  const page = await openPage({ ...SIZES[size], colorScheme: theme });
  await declares(page);
  await aims(page);
}
