// Every page, light and dark, desk and phone and forced colours: axe finds nothing.

import { axe, base, how, linkFor, openPage, picture, post, press, seats, sit } from "./table.mjs";

const SIZES = { desk: { width: 1440, height: 900 }, tablet: { width: 1024, height: 768 }, phone: { width: 390, height: 844 } };

async function everyPage() {
  const made = await post("/api/battles", { ruleset: "quickstart", scenario: "crowded", size: 3, seats: seats({ kind: "person" }, { kind: "bot", bot: "random" }), seed: 11 });
  for (const colorScheme of ["light", "dark"]) {
    const page = await openPage({ ...SIZES[how], colorScheme });
    await page.goto(`${base}/#/`);
    await page.getByRole("button", { name: "Lay the table" }).waitFor();
    await axe(page, `start, ${colorScheme}`); await picture(page, `start-${how}-${colorScheme}`);
    for (const [route, words] of [["rules/quickstart/quickstart.movement.stand-up", "rules"], ["forces/quickstart", "points"], ["terrain/quickstart", "Scenario"]]) {
      await page.goto(`${base}/#/${route}`);
      await page.locator(`.${route.split("/")[0]}-view`).getByText(words).first().waitFor().catch(() => {});
      await page.waitForTimeout(300);
      await axe(page, `${route}, ${colorScheme}`); await picture(page, `${route.split("/")[0]}-${how}-${colorScheme}`);
    }
    await sit(page, linkFor(made, "red"));
    await page.waitForTimeout(300);
    await axe(page, `table, ${colorScheme}`); await picture(page, `table-${how}-${colorScheme}`);
    if (how !== "desk") for (const tab of ["log", "forces"]) {
      await press(page, how === "phone" ? `tab-${tab}` : `bar-${tab}`);
      await page.locator(tab === "log" ? ".lines" : ".model-row").first().waitFor();
      await axe(page, `${tab}, ${colorScheme}`); await picture(page, `${tab}-${how}-${colorScheme}`);
      await press(page, how === "phone" ? "tab-table" : `bar-${tab}`);
    }
    for (const panel of ["keys", "settings", "orders", "concede", "order", "undo", "share", "reasons", "more"]) {
      await page.evaluate(async (panel) => (await import("/js/state.js")).change({ panel }), panel);
      await page.locator("dialog[open]").waitFor();
      await axe(page, `${panel}, ${colorScheme}`);
      await page.keyboard.press("Escape");
    }
    await page.context().close();
  }
  const forced = await openPage({ ...SIZES[how], forcedColors: "active" });
  await sit(forced, linkFor(made, "red"));
  await axe(forced, "forced colours"); await picture(forced, `table-${how}-forced`);
}

export default async function play() {
  await everyPage();
}
