// Every page, light and dark, desk and phone and forced colours: axe finds nothing.

import { SIZES, assert, axe, base, emptiness, how, keys, linkFor, openPage, picture, post, press, seats, sit } from "./table.mjs";

/** Where a page lies, and a word that stands on it once it is there. */
const ROUTES = [["rules/quickstart/quickstart.movement.stand-up", "rules"], ["forces/quickstart", "points"], ["terrain/quickstart", "Scenario"]];
/** Panels of a desk and of a phone; where others look alike, they are looked at once. */
const PANELS = { desk: ["keys", "settings", "orders", "concede", "order", "undo", "share", "reasons", "brief"], phone: ["more"] };

/** No page scrolls into emptiness; axe finds nothing by day; by lamp only colours are others. */
async function looksWell(page, name, part = "", schemes = ["light", "dark"]) {
  assert.deepEqual(await emptiness(page), { below: 0, beside: 0 }, `${name} goes on where there is nothing to be seen`);
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await axe(page, `${name}, ${colorScheme}`, part, colorScheme !== schemes[0] ? ["color-contrast"] : []);
    if (!part) await picture(page, `${name}-${how}-${colorScheme}`);
  }
}

/** A rule is read in words: its text, its ruling and its data name nothing as a program does. The columns of tables are such data. */
async function rulesInWords(page) {
  for (const [ruleset, rule] of [["quickstart", "quickstart.combat.modifier-summary"], ["stargrunt", "stargrunt.weapons.support-weapons"], ["strikeops", "strikeops.roster.card-format"]]) {
    await page.goto(`${base}/#/rules/${ruleset}/${rule}`);
    await page.locator(`.rule.open:has([data-key="${rule}"]) .data`).first().waitFor();
    assert.doesNotMatch(await page.locator(".rule.open").evaluate((node) => node.textContent), /[a-z]_[a-z]/, `${rule} is told in the words of a program`);
  }
}

export default async function play() {
  const made = await post("/api/battles", { ruleset: "quickstart", scenario: "crowded", size: 3, seats: seats({ kind: "person" }, { kind: "bot", bot: "random" }), seed: 11 }), page = await openPage(SIZES[how]);
  await page.goto(`${base}/#/`);
  await page.getByRole("button", { name: "Lay the table" }).waitFor();
  await looksWell(page, "start");
  if (how !== "tablet") for (const [route, words] of ROUTES) {
    const name = route.split("/")[0];
    await page.goto(`${base}/#/${route}`);
    await page.locator(`.${name}-view`).getByText(words).first().waitFor();
    await page.waitForLoadState("networkidle");
    await looksWell(page, name);
    if (name === "rules") await rulesInWords(page);
  }
  if (how !== "tablet") {
    // What those read who write clients.
    await page.goto(`${base}/schema`);
    await page.getByText("The API of").or(page.locator("h1")).first().waitFor();
    await looksWell(page, "schema");
  }
  await sit(page, linkFor(made, "red"));
  await looksWell(page, "table");
  if (how !== "desk") for (const tab of ["log", "forces"]) {
    await press(page, how === "phone" ? `tab-${tab}` : `bar-${tab}`);
    await page.locator(tab === "log" ? ".lines" : ".model-row").first().waitFor();
    await looksWell(page, tab, tab === "log" ? ".lines" : ".forces");
    await press(page, how === "phone" ? "tab-table" : `bar-${tab}`);
  }
  if (how === "tablet") return;
  for (const panel of PANELS[how]) {
    await page.evaluate(async (panel) => (await import("/js/state.js")).change({ panel }), panel);
    await page.locator("dialog[open]").waitFor();
    await looksWell(page, panel, "dialog[open]", ["settings", "more"].includes(panel) ? undefined : ["dark"]);
    await keys(page, "Escape");
  }
  await page.emulateMedia({ forcedColors: "active" });
  await axe(page, "forced colours"); await picture(page, `table-${how}-forced`);
}
