// A phone: the sheet is dragged, the loupe follows the finger, and whatever a desk has can be reached.

import { touch } from "./clicking.mjs";
import { assert, asked, axe, comes, key, linkFor, onScreen, openPage, picture, post, press, seats, sit, until } from "./table.mjs";

const swipe = touch.drag;
const middle = async (locator) => { const box = await locator.boundingBox(); return [box.x + box.width / 2, box.y + box.height / 2]; };
const sheet = (page) => page.locator(".next").getAttribute("data-sheet");
/** The sheet comes to a stand. */
const stands = (page, wanted) => comes(page, async () => await sheet(page) === wanted, `a sheet that is ${wanted}`, () => sheet(page));

export default async function play() {
  const made = await post("/api/battles", { ruleset: "gallery", seats: seats({ kind: "person" }, { kind: "bot", bot: "random" }) }), page = await openPage({ width: 390, height: 844 });
  await sit(page, linkFor(made, "red"));

  // The sheet: half, dragged to full and down to a peek; pressed, it comes back.
  await stands(page, "half");
  let band = await middle(page.locator(".slip-band"));
  await swipe(page, [60, band[1]], [60, 80]);
  await stands(page, "full");
  await axe(page, "the sheet, full");
  band = await middle(page.locator(".slip-band"));
  await swipe(page, [60, band[1]], [60, 800]);
  await stands(page, "peek");
  await picture(page, "phone-peek");
  await touch.press(key(page, "grip"));
  await stands(page, "half");

  // The first questions by touch, until something is to be placed.
  await touch.press(key(page, "option-stand")); await touch.press(key(page, "do"));
  await asked(page, "several");
  for (const name of ["option-ash", "option-cedar", "do"]) await touch.press(key(page, name));
  await asked(page, "allocate");
  for (const name of ["item-jade", "bin-left", "item-onyx", "bin-right", "item-opal", "bin-right", "do"]) await touch.press(key(page, name));
  await asked(page, "place");
  await touch.press(key(page, "grip")); await touch.press(key(page, "grip"));
  await touch.spot(page, ...await onScreen(page, 10000, 20000));
  await until(page, (s) => s.draft.r2, "r2 in place");
  const from = await onScreen(page, 10000, 20000);
  let seen = null;
  await swipe(page, from, [from[0] + 40, from[1] - 30], async () => { seen = await page.locator(".loupe").evaluate((node) => ({ hidden: node.hidden, ...node.getBoundingClientRect().toJSON() })); await picture(page, "phone-loupe"); });
  assert.ok(!seen.hidden && seen.left >= 0 && seen.right <= 390, `the loupe is there while a finger aims: ${JSON.stringify(seen)}`);
  assert.ok(await page.locator(".loupe").evaluate((node) => node.hidden), "and goes with it");
  const placed = (await until(page, (s) => s.draft.r2.where.point[0] > 10500, "r2 where the finger left it")).draft.r2.where.point;
  assert.ok(placed[1] < 20000);

  // Whatever a desk has: log with its timeline, forces, orders, chat, settings, the rules.
  for (const tab of ["log", "forces"]) { await touch.press(key(page, `tab-${tab}`)); await picture(page, `phone-${tab}`); }
  await touch.press(key(page, "tab-log"));
  await touch.press(key(page, "time-step"));
  await until(page, (s) => s.moment !== null, "a moment that is past");
  await touch.press(key(page, "time-forth"));
  await touch.press(key(page, "tab-table"));
  for (const way of ["orders", "gear"]) {
    await touch.press(key(page, "bar-more"));
    if (way === "orders") await axe(page, "more", "dialog[open]");
    await touch.press(key(page, `more-${way}`));
    await page.locator("dialog[open] h2").waitFor();
    await touch.press(page.locator("dialog[open] button[aria-label=Close]"));
  }
  await touch.press(key(page, "bar-more"));
  await touch.press(key(page, "more-chat"));
  await touch.press(key(page, "close-chat"));
  await until(page, (s) => s.tab === "table", "the table again");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is wider than the phone");
  await press(page, "clear");
}
