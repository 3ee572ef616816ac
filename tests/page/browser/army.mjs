// An army: Battlegroups of squads, points as they grow, what is still missing, what may not be taken and why; then it is played.

import { assert, axe, base, how, key, openPage, picture, press, until } from "./table.mjs";

const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

export default async function play() {
  const page = await openPage(SIZES[how]);
  await page.goto(`${base}/#/forces/dropzone`);
  await page.locator(".data-card").first().waitFor();
  const points = (n) => page.waitForFunction((n) => Number(document.querySelector(".figures .figure")?.textContent) === n, n);
  const missing = () => page.locator(".finding.missing").allInnerTexts();

  // Nobody yet: what is missing is said from the start, and nothing is against the rules.
  await page.locator(".finding.missing").first().waitFor();
  assert.ok((await missing()).some((one) => one.includes("Frontline Battlegroups in a Skirmish: 0 of 1 to 2.")));
  assert.equal(await page.locator(".finding.error").count(), 0);
  assert.match(await page.locator(".figures .verdict").innerText(), /not complete/);

  // What may not be taken says why, and names the rule.
  await key(page, "unit-kind-0").selectOption("frontline");
  await page.waitForFunction(() => document.querySelector('[data-key="buy-bulwark"]')?.getAttribute("aria-disabled") === "true");
  const closed = page.locator(".buying", { has: key(page, "buy-bulwark") });
  assert.match(await closed.locator(".why").innerText(), /Standard squads in the Frontline Battlegroup: 1, and there may be none/);
  assert.equal(await closed.locator("a").getAttribute("data-rule"), "dropzone.forces.battlegroup-kinds");
  await press(page, "buy-bulwark", { force: true });
  assert.equal(await page.locator(".squad").count(), 0, "what is closed is not taken");

  // A squad of infantry: it grows, and so do the points.
  await press(page, "buy-line-infantry");
  await points(20);
  assert.ok((await missing()).some((one) => /Units of Line infantry 1 .*: 1 of 2 to 3/.test(one)));
  await press(page, "more-0-0-0");
  await points(40);
  await page.waitForFunction(() => ![...document.querySelectorAll(".finding.missing")].some((one) => one.textContent.includes("Units of Line infantry 1")));

  // A carrier beside the Battlegroups, and the squad starts in it.
  await press(page, "add-unit");
  await key(page, "unit-kind-1").selectOption("auxiliary");
  await press(page, "buy-carter");
  await points(60);
  assert.ok((await missing()).some((one) => one.includes("0 of 3 troop spaces are filled")));
  await key(page, "choice-in-0-0").selectOption("Carter personnel carrier 1");
  await page.waitForFunction(() => ![...document.querySelectorAll(".finding.missing")].some((one) => one.textContent.includes("troop spaces")));
  await page.locator(".squad .chip", { hasText: "Carter personnel carrier 1" }).waitFor();
  // The points stay in sight wherever on the page one is.
  await page.evaluate(() => scrollTo(0, 0));
  const seen = await page.locator(".figures").boundingBox();
  assert.ok(how === "desk" || seen.y >= 0 && seen.y + seen.height <= SIZES[how].height, "the points stay in sight");
  await page.locator(".roster h2").scrollIntoViewIfNeeded();
  await axe(page, "an army half built", ".roster"); await picture(page, `army-${how}-begun`);
  assert.equal(await key(page, "roster-play").getAttribute("aria-disabled"), "true");

  // Armour completes it; a Commander costs points.
  await press(page, "add-unit");
  await key(page, "unit-kind-2").selectOption("armour");
  await press(page, "buy-bulwark"); await points(100);
  await press(page, "more-2-0-0"); await points(140);
  await page.locator(".figures .verdict:not(.not)").waitFor();
  await press(page, "add-unit");
  await key(page, "unit-kind-3").selectOption("hq");
  await press(page, "buy-beacon"); await points(215);
  await key(page, "choice-commander-3-0").selectOption("2"); await points(250);
  assert.deepEqual(await missing(), []);
  assert.ok(await page.locator(".tallies li", { hasText: "Points of First" }).count() > 0, "what is counted is shown");
  assert.match(await page.locator(".data-card", { hasText: "Beacon command carrier" }).innerText(), /MV\s+6\b/, "lengths are inches on a card");
  await page.locator(".report").scrollIntoViewIfNeeded();
  await axe(page, "an army"); await picture(page, `army-${how}`);

  await key(page, "roster-scenario").selectOption("attrition");
  await press(page, "roster-play");
  const state = await until(page, (s) => s.situation !== null && s.welcome?.role === "seat", "the battle");
  const mine = Object.values(state.table.things).filter((thing) => thing.kind === "model" && thing.side === state.welcome.side);
  assert.equal(mine.length, 6);
  const carter = mine.find((one) => one.card === "carter");
  assert.equal(mine.filter((one) => one.place.holder === carter.id).length, 2, "the squad starts in its carrier");
}
