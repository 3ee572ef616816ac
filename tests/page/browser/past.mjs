// Scrubbing back and forth, a link to a moment, forks.

import { battered } from "./battered.mjs";
import { SIZES, assert, axe, base, key, keys, linkFor, look, openPage, over, post, press, seats, sit, until } from "./table.mjs";

export default async function play() {
  const bot = { kind: "bot", bot: "charging" }, made = await over(await battered({ harm: [0, 0], seats: seats(bot, bot) })), page = await openPage(), token = linkFor(made, "");
  await sit(page, token);
  const state = await until(page, (s) => s.table.ending !== null && s.log.length > 60, "some events"), n = state.log.findIndex((line, i) => i > 20 && line.event.event === "Moved") + 1;

  // What is folded here is what the server says it was.
  await page.evaluate(async (n) => (await import("/js/moments.js")).lookAt(n), n);
  const folded = await page.evaluate(async () => JSON.parse(JSON.stringify((await import("/js/moments.js")).shown())));
  const answer = await fetch(`${base}/api/battles/${made.battle}/moments/${n}`, { headers: { authorization: `Bearer ${token}` } }), told = await answer.json();
  assert.deepEqual(folded.table.things, told.table.things);
  assert.deepEqual(folded.ground, told.ground);
  assert.deepEqual(folded.table.decks, told.table.decks);
  await page.getByText(`Moment ${n}`, { exact: true }).first().waitFor();
  await axe(page, "a moment");

  for (const [key, holds] of [[",", (m) => m < n], [".", (m) => m >= n]]) { await keys(page, key); await until(page, (s) => holds(s.moment), `the moment by ${key}`); }
  await press(page, "time-back");
  await until(page, (s) => s.moment === 0, "the beginning");
  await page.locator(".lines button.n").nth(3).click();
  await until(page, (s) => s.moment > 0, "the moment of a line");
  await keys(page, "Escape");
  await until(page, (s) => s.moment === null, "now");

  // The link to a moment opens there, for somebody who only watches, whatever his log hides or shows.
  await page.evaluate(async (n) => (await import("/js/moments.js")).lookAt(n), n);
  await press(page, "share");
  const link = await key(page, "shared").inputValue(), said = state.log[n - 1].said;
  await axe(page, "a link to share", "dialog[open]");
  await keys(page, "Escape");
  assert.ok(!link.includes(token) && link.endsWith(`/said/${said}`), link);
  const other = await openPage();
  await other.goto(link);
  const there = await until(other, (s) => s.moment !== null, "the moment of the link");
  assert.equal(there.welcome.role, "spectator");
  assert.equal(there.log[there.moment - 1].said, said);
  assert.ok(there.log[there.moment].said > said, "it is the last event of that moment");

  await onAPhone(token);
  await forkFromTheMiddle(other, made);
  await forkOfAHotSeat(other);
}

/** A moment that is past is seen on a phone too: the sheet makes room for all who stood there then, and what is told is of then. */
async function onAPhone(token) {
  const page = await openPage(SIZES.phone);
  await sit(page, token);
  const { log } = await until(page, (s) => s.table.ending !== null && s.log.length > 60, "the end");
  await page.locator(".summary").waitFor();
  const n = log.findIndex((line, i) => i > 30 && line.event.event === "Moved") + 1;
  await page.evaluate(async (n) => (await import("/js/moments.js")).lookAt(n), n);
  await key(page, "to-the-end").waitFor();
  assert.equal(await page.locator(".summary").count(), 0);
  const seen = await page.evaluate(async () => {
    const { shown } = await import("/js/moments.js"), place = document.querySelector(".table-view .board-place").getBoundingClientRect(), sheet = document.querySelector(".table-view .next").getBoundingClientRect();
    return Object.values(shown().table.things).filter((one) => one.kind === "model" && one.place.place === "at" && !one.gone).map((one) => {
      const box = document.querySelector(`.table-view .board-place > svg .pieces [data-thing="${CSS.escape(one.id)}"] .base`).getBoundingClientRect(), [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      return x >= place.left && x <= place.right && y >= place.top && y <= Math.min(place.bottom, sheet.top);
    });
  });
  assert.ok(seen.length > 1 && seen.every(Boolean), `who stands there is in sight: ${seen}`);
  const { scenes } = await look(page), then = scenes.filter((scene) => scene.lead && scene.upto <= n).at(-1).lead;
  assert.ok((await page.locator(".stake-last").textContent()).startsWith(then), "what happened last by then");
  await axe(page, "a moment on a phone", ".next");
  // What is shared there is the moment that was on the screen.
  await press(page, "tab-log");
  await press(page, "share");
  assert.ok((await key(page, "shared").inputValue()).endsWith(`/said/${log[n - 1].said}`), "a link to the moment on the screen");
  await keys(page, "Escape");
  await press(page, "tab-table");
  await press(page, "to-the-end");
  await page.locator(".summary").waitFor();
  // And a fork goes on from it.
  const middle = beforeAStep(log), { welcome } = await look(page);
  await page.evaluate(async (n) => (await import("/js/moments.js")).lookAt(n), middle);
  await press(page, "tab-log");
  await press(page, "fork");
  const fresh = await until(page, (s) => s.welcome && s.welcome.battle !== welcome.battle && s.situation && s.log.length > 0, "the fork on a phone");
  assert.deepEqual(fresh.log.slice(0, middle).map(({ event }) => event), log.slice(0, middle).map(({ event }) => event), "all that had happened by then has happened in the fork");
}

/** How much of a log comes before a step that begins past its middle, and before the card that was drawn for it: a fork goes on from
 *  there, for within a step dice may have fallen that fall anew. */
function beforeAStep(log) {
  let at = log.findIndex((line, i) => i > log.length / 2 && line.event.event === "StepBegan");
  while (log[at - 1].event.event === "DeckChanged") at -= 1;
  return at;
}

/** A battle that is over goes on from its middle: what had happened by then, and nothing that came later. */
async function forkFromTheMiddle(page, made) {
  await sit(page, linkFor(made, ""));
  const old = await until(page, (s) => s.table.ending, "the end"), middle = beforeAStep(old.log), { said } = old.log[middle - 1];
  await page.evaluate(async (n) => (await import("/js/moments.js")).lookAt(n), middle);
  await keys(page, "Escape");
  await press(page, "reasons");
  await page.locator("dialog[open] h2").waitFor();
  await axe(page, "reasons", "dialog[open]");
  const thought = await page.locator(".reasons").textContent();
  assert.ok(thought.length > 200, thought);
  assert.doesNotMatch(thought, /\b[a-z]+(-[a-z0-9]+)*-\d+\b|\b[a-z]+_[a-z_]+\b|-mac|-gm\b/, "an id stands where a name should");
  await keys(page, "Escape");
  await page.evaluate(async (n) => (await import("/js/moments.js")).lookAt(n), middle);
  await press(page, "fork");
  const fresh = await until(page, (s) => s.welcome && s.welcome.battle !== made.battle && s.situation && s.log.length > 0, "the fork");
  const events = (log) => log.slice(0, middle).map(({ event }) => event);
  assert.deepEqual(events(fresh.log), events(old.log), "all that had happened by then has happened in the fork");
  assert.ok(fresh.log.slice(middle).every((line) => line.said >= said), "and what comes then comes after it");
}

/** Where one person plays all sides, a battle that is not over may be forked too. */
async function forkOfAHotSeat(page) {
  const solo = await post("/api/battles", { ruleset: "quickstart", scenario: "duel", seats: seats({ kind: "hot seat" }, { kind: "hot seat" }) });
  await sit(page, linkFor(solo, "red"));
  const state = await until(page, (s) => s.situation?.question || s.covered, "a question");
  if (state.covered) await press(page, "hand-over");
  await until(page, (s) => s.situation?.question, "a question");
  await press(page, "fork");
  await until(page, (s) => s.welcome && s.welcome.battle !== solo.battle, "the fork");
}
