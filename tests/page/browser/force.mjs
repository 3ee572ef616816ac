// A Force Group of Strike Operations: a faction, squads by type, what is still to come and why, points, and a battle with it.

import { assert, axe, base, key, openPage, picture, press, until } from "./table.mjs";

export default async function play() {
  const page = await openPage({ width: 1440, height: 900 });
  // What the server says of a roster comes late: by then the desk is another ruleset's, and says nothing of it.
  let late = () => {};
  const held = new Promise((go) => { late = go; });
  await page.route("**/rulesets/strikeops/rosters/write", async (route) => { await held; await route.continue(); });
  await page.goto(`${base}/#/forces/strikeops`);
  await page.locator(".data-card").first().waitFor();
  await page.goto(`${base}/#/forces/dropzone`);
  const answered = page.waitForResponse(/dropzone\/rosters\/write/);
  late();
  await answered;
  await page.getByText("of 750 points").waitFor();
  assert.ok(!(await page.locator(".roster").innerText()).includes("Force Group"), "a roster of another ruleset is judged here");
  await page.unroute("**/rulesets/strikeops/rosters/write");
  await page.goto(`${base}/#/forces/strikeops`);
  await page.locator(".data-card").first().waitFor();
  const points = (n) => page.waitForFunction((n) => Number(document.querySelector(".figures .figure")?.textContent) === n, n);
  const missing = () => page.locator(".finding.missing").allInnerTexts();
  const why = (card) => page.locator(".buying", { has: key(page, `buy-${card}`) }).locator(".why").innerText();

  await key(page, "unit-kind-0").selectOption("attack");
  await page.waitForFunction(() => document.querySelector('[data-key="buy-picket"]')?.getAttribute("aria-disabled") === "true");
  assert.match(await why("picket"), /Picket is infantry/);
  assert.match(await why("vesper"), /still to come/);

  await press(page, "buy-palisade"); await points(497);
  await press(page, "buy-stoat"); await points(712);
  assert.ok((await missing()).some((one) => /2 of 4 to 6/.test(one)));
  assert.ok((await missing()).some((one) => one.includes("No faction has been chosen")));
  await press(page, "more-0-1"); await points(927);
  await press(page, "more-0-1"); await points(1142);
  await key(page, "option-faction").selectOption("cobalt-charter");
  await page.locator(".figures .verdict:not(.not)").waitFor();
  assert.deepEqual(await missing(), []);
  assert.match((await page.locator(".tallies").allInnerTexts()).join(" "), /4 of 4 to 6/, "what is counted is shown");
  await axe(page, "a Force Group"); await picture(page, "force-group");

  await key(page, "roster-scenario").selectOption("three-crowns");
  await press(page, "roster-play");
  const state = await until(page, (s) => s.situation !== null && s.welcome?.role === "seat", "the battle");
  const mine = Object.values(state.table.things).filter((thing) => thing.kind === "model" && thing.side === state.welcome.side);
  assert.deepEqual(mine.map((one) => one.card), ["palisade", "stoat", "stoat", "stoat"]);
}
