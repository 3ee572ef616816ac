// Called when it is one's move, guided in the first battle, and told at the end where it turned and what the dice gave.

import { batteredSeat } from "./battered.mjs";
import { playAll, playOn } from "./clicking.mjs";
import { assert, axe, base, how, key, keys, linkFor, look, openPage, picture, post, press, seats, sit, until } from "./table.mjs";

const [size, theme] = how.split(" "), sizes = { desk: [1440, 900], phone: [390, 844] }, [width, height] = sizes[size];
const settingsOf = async (page, values) => {
  if (size === "phone") { await press(page, "bar-more"); await press(page, "more-gear"); } else await press(page, "bar-gear");
  for (const [name, value] of Object.entries(values)) await key(page, name).selectOption(value);
  await axe(page, `settings, ${how}`, "dialog[open]");
  await keys(page, "Escape");
};

/** Whoever likes is called by a tone and by a notice; nobody is called who did not ask for it. */
async function called(page) {
  await page.addInitScript(() => {
    window.tones = 0; window.notices = [];
    const sound = { connect: () => sound, frequency: {}, gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, start() { window.tones += 1; }, stop() {} };
    window.AudioContext = class { constructor() { this.currentTime = 0; this.destination = sound; } createOscillator() { return sound; } createGain() { return sound; } };
    window.Notification = class { static permission = "granted"; static requestPermission() { return Promise.resolve("granted"); } constructor(title, { body }) { window.notices.push([title, body]); } };
  });
  await sit(page, await batteredSeat());
  await until(page, (s) => s.situation.question !== null, "a question");
  assert.match(await page.title(), /^Your move · /);
  assert.deepEqual(await page.evaluate(() => [window.tones, window.notices.length]), [0, 0], "off until somebody wants it");
  await settingsOf(page, { sound: "on", notices: "on" });
  await page.evaluate(() => Object.defineProperty(document, "hidden", { configurable: true, get: () => true }));
  await playAll([page], async () => await page.evaluate(() => window.tones > 0 && window.notices.length > 0), { wanted: ["stand-up", "shoot", "move"] });
  assert.equal((await page.evaluate(() => window.notices))[0][0], "Your move");
  await page.evaluate(() => Object.defineProperty(document, "hidden", { configurable: true, get: () => false }));
}

/** The end: who won and why, where it turned, what the dice gave against what was to be expected; a press shows the moment. */
async function theEnd(page) {
  await playOn(page, async (now) => { const { log } = await look(page); return now.ending || log.some(({ event }) => event.event === "HarmApplied" && event.after > event.before) && log.filter(({ event }) => event.event === "Rolled").length > 4; }, { wanted: ["stand-up", "shoot", "move"] });
  if (!(await look(page)).table.ending) {
    if (size === "phone") { await press(page, "bar-more"); await press(page, "more-orders"); } else await press(page, "bar-orders");
    await press(page, "concede"); await press(page, "concede-yes");
  }
  await until(page, (s) => s.table.ending !== null, "the end");
  await key(page, "rematch").waitFor();
  const told = await page.locator(".summary").textContent();
  for (const words of [/has won/, /It took \d+ turn/, /\d+ of \d+ left/, /Where it turned/, /What the dice gave/, /\d+ of \d+ came off, \d+\.\d to be expected[+−]\d+\.\d/]) assert.match(told, words);
  await axe(page, `the end, ${how}`, ".summary"); await picture(page, `end-${size}-${theme}`);
  await page.locator(".turning-point").first().click();
  await until(page, (s) => s.moment !== null, "the moment where it turned");
}

/** The first battle is guided, and that can be switched off. */
async function guided() {
  const page = await openPage({ width, height, colorScheme: theme, guide: "" });
  await page.goto(`${base}/#/`);
  await press(page, "ready-quickstart-duel");
  await press(page, "begin");
  await page.locator(".hint").waitFor();
  await press(page, "hint-none");
  await until(page, () => true, "the page");
  await page.waitForFunction(() => !document.querySelector(".table-view .hint"));
  const made = await post("/api/battles", { ruleset: "quickstart", scenario: "duel", seed: 8, seats: seats({ kind: "person" }, { kind: "bot", bot: "random" }) });
  await sit(page, linkFor(made, "red"));
  await page.locator(".table-view .slip .prompt").first().waitFor();
  assert.equal(await page.locator(".hint, .briefing").count(), 0, "no more of it in the next battle either");
  await settingsOf(page, { guide: "" });
  await page.reload();
  await page.locator(".briefing").waitFor();
}

export default async function play() {
  const page = await openPage({ width, height, colorScheme: theme });
  await called(page);
  await theEnd(page);
  await guided();
}
