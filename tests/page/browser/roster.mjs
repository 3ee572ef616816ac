// Forces: the catalogue as cards, a roster with what the rules say to it, saved, opened, printed and played.

import { readFileSync } from "node:fs";
import { assert, axe, base, key, keys, openPage, picture, press, type, until } from "./table.mjs";

export default async function play() {
  const page = await openPage();
  await page.goto(`${base}/#/forces/quickstart`);
  await page.locator(".data-card").first().waitFor();
  const points = (n) => page.waitForFunction((n) => Number(document.querySelector(".figures .figure")?.textContent) === n, n), card = page.locator(".data-card").first();
  const each = Number((await card.locator(".figure").innerText()).split(" ")[0]);
  assert.ok(each > 0, "a card says what it costs");
  assert.ok(await card.locator(".grid tr").count() > 2, "a track is a table");
  await axe(page, "the catalogue, and no roster yet");

  const buy = page.locator('[data-key^="buy-"]').first();
  await buy.click();
  await points(each);
  await buy.click();
  await points(2 * each);
  assert.match(await page.locator(".finding a[data-rule]").first().getAttribute("href"), /#\/rules\/quickstart\/quickstart\./, "a finding names its rule");

  // Too dear: the report says so, and it cannot be played.
  await type(page, "roster-limit", String(each));
  await page.locator(".figures .verdict.not").waitFor();
  assert.equal(await key(page, "roster-play").getAttribute("aria-disabled"), "true");
  await axe(page, "a roster that is too dear", ".roster"); await picture(page, "roster-over");
  await type(page, "roster-limit", "");
  await page.locator(".figures .verdict:not(.not)").waitFor();

  // A second unit, by keyboard; one model fewer.
  await key(page, "add-unit").focus(); await keys(page, "Enter");
  await key(page, "unit-name-1").waitFor();
  await type(page, "unit-name-1", "Second lance");
  await page.locator('[data-key^="buy-"]').first().focus(); await keys(page, "Enter");
  await points(3 * each);
  await press(page, "fewer-0-0");
  await points(2 * each);
  await picture(page, "roster");

  // Saved, changed, opened again.
  const [file] = await Promise.all([page.waitForEvent("download"), press(page, "roster-save")]), saved = readFileSync(await file.path(), "utf8");
  assert.match(saved, /Second lance/);
  await press(page, "drop-unit-1");
  await key(page, "unit-name-1").waitFor({ state: "detached" });
  await key(page, "roster-file").setInputFiles({ name: "force.yaml", mimeType: "text/yaml", buffer: Buffer.from(saved) });
  await key(page, "unit-name-1").waitFor();
  assert.equal(await key(page, "unit-name-1").inputValue(), "Second lance");
  await key(page, "roster-file").setInputFiles({ name: "wrong.yaml", mimeType: "text/yaml", buffer: Buffer.from("ruleset: quickstart\nunits: [{models: [{model: nobody}]}]\n") });
  await page.locator(".roster .refusal, .roster .finding.error").first().waitFor();
  await key(page, "roster-file").setInputFiles({ name: "force.yaml", mimeType: "text/yaml", buffer: Buffer.from(saved) });
  await page.locator(".figures .verdict:not(.not)").waitFor();

  // Printed: the cards that were taken, and nothing to press.
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator("button:visible, .bar:visible").count(), 0, "nothing to press on paper");
  assert.ok(await page.locator(".data-card.bought-card:visible").count() > 0);
  await picture(page, "roster-print");
  await page.emulateMedia({ media: "screen" });

  await key(page, "roster-scenario").selectOption("crowded");
  await press(page, "roster-play");
  const state = await until(page, (s) => s.situation !== null && s.welcome?.role === "seat", "the battle");
  assert.equal(Object.values(state.table.things).filter((thing) => thing.kind === "model" && thing.side === state.welcome.side).length, 2);
}
