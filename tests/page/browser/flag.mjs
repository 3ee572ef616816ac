// A clock that runs out: both see it fall, who has won by it and why; and nobody is asked anything more. SIZE THEME RED BLUE

import { SIZES, assert, axe, how, openPage, press, sit, until } from "./table.mjs";

const [size, colorScheme, ...tokens] = how.split(" ");

export default async function play() {
  const [red, blue] = await Promise.all(tokens.map(async (token) => { const page = await openPage({ ...SIZES[size], colorScheme }); await sit(page, token); return page; }));
  const { situation } = await until(red, (s) => s.situation.clocks.some((one) => one.runs), "a clock that runs"), side = situation.clocks.find((one) => one.runs).side;
  const clock = red.locator(`[data-clock="${side}"]`);
  assert.match(await clock.textContent(), /^[01]:\d\d$/);
  await red.locator(`[data-clock="${side}"].runs.low`).waitFor();
  // Whoever lets time go by here hears that both have seen it run.
  await red.evaluate(async () => (await import("/js/session.js")).say({ say: "chat", text: "It runs." }));
  for (const page of [red, blue]) {
    const { table } = await until(page, (s) => s.table.ending !== null, "the end"), other = table.sides.find((one) => one !== side);
    assert.deepEqual([table.ending.winner, table.ending.reason], [other, `${side} has run out of time`]);
    const told = await page.locator(".summary").textContent();
    assert.match(told, new RegExp(`${other}.* won`, "is"));
    assert.match(told, new RegExp(`${side} has run out of time`, "i"));
    assert.deepEqual(await page.locator(".slip-foot .do").evaluateAll((all) => all.map((one) => one.dataset.key)), ["rematch"], "nobody is asked anything more");
    assert.equal(await page.locator(".clock.runs").count(), 0, "no clock runs on");
  }
  await axe(red, `a flag has fallen, ${how}`, ".summary");
  await press(red, "rematch");
  await until(red, (s) => s.situation !== null && s.table?.ending === null, "the battle once more");
}
