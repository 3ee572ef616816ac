// Scrubbing back and forth, a link to a moment, a fork.

import { assert, axe, linkFor, look, openPage, post, press, seats, sit, until } from "./table.mjs";

export default async function play() {
  const made = await post("/api/battles", { ruleset: "quickstart", scenario: "crowded", size: 2, seats: seats({ kind: "bot", bot: "random" }, { kind: "bot", bot: "random" }), seed: 3 }), page = await openPage(), token = linkFor(made, "");
  await sit(page, token);
  let state = await until(page, (s) => s.log.length > 120, "some events", 40);
  const n = state.log.findIndex((line, i) => i > 40 && line.event.event === "Moved") + 1;

  // What is folded here is what the server says it was.
  await page.evaluate(async (n) => (await import("/js/moments.js")).lookAt(n), n);
  const folded = await page.evaluate(async () => JSON.parse(JSON.stringify((await import("/js/moments.js")).shown())));
  const answer = await fetch(`${process.argv[3]}/api/battles/${made.battle}/moments/${n}`, { headers: { authorization: `Bearer ${token}` } }), told = await answer.json();
  assert.deepEqual(folded.table.things, told.table.things);
  assert.deepEqual(folded.ground, told.ground);
  assert.deepEqual(folded.table.decks, told.table.decks);
  await page.getByText(`Moment ${n}`, { exact: true }).first().waitFor();
  await axe(page, "a moment");

  for (const [key, holds] of [[",", (m) => m < n], [".", () => true]]) { await page.keyboard.press(key); assert.ok(holds((await look(page)).moment)); }
  await press(page, "time-back");
  assert.equal((await look(page)).moment, 0);
  await page.locator(".lines button.n").last().click();
  assert.ok((await look(page)).moment > 0);
  await page.keyboard.press("Escape");
  assert.equal((await look(page)).moment, null);

  // The link to a moment opens there.
  const other = await openPage();
  await sit(other, token, `/at/${n}`);
  await until(other, (s) => s.moment === n, "the moment of the link");

  // A fork: a battle of its own, from a hot seat that one person plays.
  const solo = await post("/api/battles", { ruleset: "quickstart", scenario: "duel", seats: seats({ kind: "hot seat" }, { kind: "hot seat" }) });
  await sit(other, linkFor(solo, "red"));
  state = await until(other, (s) => s.situation?.question || s.covered, "a question");
  if (state.covered) await press(other, "hand-over");
  await until(other, (s) => s.situation?.question, "a question");
  await press(other, "fork");
  await until(other, (s) => s.welcome && s.welcome.battle !== solo.battle, "the fork");
}
