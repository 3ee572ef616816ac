// A phone: the sheet is dragged, the loupe follows the finger, and whatever a desk has can be reached.

import { assert, asked, axe, key, linkFor, onScreen, openPage, picture, post, press, seats, sit, until } from "./table.mjs";

/** A finger that goes from one point of the screen to another; `before` it is lifted, something may be looked at. */
async function swipe(page, from, to, before = async () => {}) {
  const finger = await page.context().newCDPSession(page), at = ([x, y]) => [{ x, y, id: 1 }];
  await finger.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(from) });
  for (let i = 1; i <= 6; i++) { await finger.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at([0, 1].map((k) => from[k] + (to[k] - from[k]) * i / 6)) }); await page.waitForTimeout(30); }
  await before();
  await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await page.waitForTimeout(100);
}
const middle = async (locator) => { const box = await locator.boundingBox(); return [box.x + box.width / 2, box.y + box.height / 2]; };
const sheet = (page) => page.locator(".next").getAttribute("data-sheet");
/** The sheet comes to a stand. */
async function stands(page, wanted) {
  for (let i = 0; i < 100 && await sheet(page) !== wanted; i++) await page.waitForTimeout(20);
  assert.equal(await sheet(page), wanted);
}

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
  await key(page, "grip").tap();
  await stands(page, "half");

  // The first questions by touch, until something is to be placed.
  await key(page, "option-stand").tap(); await key(page, "do").tap();
  await asked(page, "several");
  for (const name of ["option-ash", "option-cedar", "do"]) await key(page, name).tap();
  await asked(page, "allocate");
  for (const name of ["item-jade", "bin-left", "item-onyx", "bin-right", "item-opal", "bin-right", "do"]) await key(page, name).tap();
  await asked(page, "place");
  await key(page, "grip").tap(); await key(page, "grip").tap();
  await page.touchscreen.tap(...await onScreen(page, 10000, 20000));
  await until(page, (s) => s.draft.r2, "r2 in place");
  const from = await onScreen(page, 10000, 20000);
  let seen = null;
  await swipe(page, from, [from[0] + 40, from[1] - 30], async () => { seen = await page.locator(".loupe").evaluate((node) => ({ hidden: node.hidden, ...node.getBoundingClientRect().toJSON() })); await picture(page, "phone-loupe"); });
  assert.ok(!seen.hidden && seen.left >= 0 && seen.right <= 390, `the loupe is there while a finger aims: ${JSON.stringify(seen)}`);
  assert.ok(await page.locator(".loupe").evaluate((node) => node.hidden), "and goes with it");
  const placed = (await until(page, (s) => s.draft.r2.where.point[0] > 10500, "r2 where the finger left it")).draft.r2.where.point;
  assert.ok(placed[1] < 20000);

  // Whatever a desk has: log with its timeline, forces, orders, chat, settings, the rules.
  for (const tab of ["log", "forces"]) { await key(page, `tab-${tab}`).tap(); await axe(page, `${tab} on a phone`); await picture(page, `phone-${tab}`); }
  await key(page, "tab-log").tap();
  await key(page, "time-step").tap();
  await until(page, (s) => s.moment !== null, "a moment that is past");
  await key(page, "time-forth").tap();
  await key(page, "tab-table").tap();
  for (const way of ["orders", "chat", "gear"]) {
    await key(page, "bar-more").tap();
    await axe(page, "more");
    await key(page, `more-${way}`).tap();
    await page.locator("dialog[open] h2").waitFor();
    await page.locator("dialog[open] button[aria-label=Close]").tap();
  }
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is wider than the phone");
  await press(page, "clear");
}
