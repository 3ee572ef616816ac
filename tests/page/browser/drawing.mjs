// Moves are drawn with pleasure: a ghost under the pointer, paths cut to what may be walked, turns on the spot, backing up.

import { answerByClicking, judged, mayAnswer } from "./clicking.mjs";
import { assert, axe, clickTable, glance, how, key, linkFor, look, onScreen, openPage, post, press, seats, sit, until } from "./table.mjs";

const [size, theme] = how.split(" "), sizes = { desk: [1440, 900], phone: [390, 844] }, [width, height] = sizes[size];

async function toAMove(page) {
  for (let waits = 0; waits < 2000;) {
    const now = await glance(page);
    if (!mayAnswer(now)) { waits += 1; await page.waitForTimeout(20); continue; }
    if (now.question.kind === "move") return now;
    await answerByClicking(page, now, { wanted: ["move"] });
  }
  assert.fail("nobody moves");
}

const legs = async (page, id) => (await look(page)).draft?.[id]?.legs ?? [];
/** A press on the ground, by mouse or by finger. */
async function pressGround(page, x, y) {
  if (size === "desk") return clickTable(page, x, y);
  await page.touchscreen.tap(...await onScreen(page, x, y));
}

/** Range bands, arcs and threats are switched on while a path is drawn, and say how far it is; and off again. */
async function overlays(page, id) {
  const drawn = (name) => page.locator(`.board-place > svg ${name}`).count();
  assert.deepEqual([await drawn(".ring-range"), await drawn(".ring-arc"), await drawn(".threat")], [0, 0, 0]);
  if (size === "desk") { await page.keyboard.press("r"); await page.keyboard.press("e"); } else for (const name of ["ranges", "threats"]) { await press(page, `overlay-${name}`); await page.locator(`[data-key="overlay-${name}"][aria-pressed=true]`).waitFor(); }
  const { verdict } = await until(page, (state) => state.verdict?.preview?.rings.some((ring) => ring.what === "range") && !state.judging, "range bands");
  await page.locator(".threats").waitFor();
  const { rings, targets, threats } = verdict.preview, foe = Object.keys(targets)[0];
  assert.ok(await drawn(".ring-range:not(.under)") >= rings.filter((ring) => ring.what === "range").length && await drawn(".ring-arc") >= 1);
  await page.waitForFunction((n) => document.querySelectorAll(".board-place > svg .threat").length === n, threats.length);
  assert.match(targets[foe], /^[\d.]+″: .*range/);
  await page.locator(".targets, .preview summary").first().waitFor();
  const slip = await page.locator(".slip-body").evaluate((node) => node.textContent);
  assert.ok(slip.includes(targets[foe]), "how far it is, and in which range, stands in the slip");
  for (const threat of threats) assert.ok(slip.includes(threat.words), `who threatens ${id}: ${threat.words}`);
  await axe(page, `ranges and threats, ${how}`);
  for (const name of ["ranges", "threats"]) await press(page, `overlay-${name}`);
  await until(page, (state) => !state.judging && !state.verdict?.preview?.rings.some((ring) => ring.what === "range"), "a bare board");
}

export default async function play() {
  const page = await openPage({ width, height, colorScheme: theme });
  await sit(page, linkFor(await post("/api/battles", { ruleset: "quickstart", scenario: "duel", seats: seats({ kind: "person" }, { kind: "bot", bot: "random" }), seed: 4 }), "red"));
  const { question } = await toAMove(page), id = question.models[0], thing = (await look(page)).table.things[id], [x, y] = thing.place.point, ahead = y > 24000 ? -1 : 1;
  const to = size === "desk" ? 12000 : 8000;

  // What is drawn on a phone does not shift under the finger while more is said of it.
  const lies = async () => JSON.stringify([await onScreen(page, x, y), await onScreen(page, x + 3000, y)].flat().map(Math.round)), before = await lies();
  // How far it gets, and what each ring costs, is seen before anything is drawn.
  await until(page, (state) => state.verdict?.preview?.reach.length > 0, "the reach of who walks");
  const costs = await page.locator(".board-place > svg .ring-word.cost").allTextContents(), { rings } = (await look(page)).verdict.preview;
  assert.ok(costs.length > 1 && costs.every((cost) => rings.some((ring) => ring.label === cost)), `rings say ${costs}`);
  assert.ok(await page.locator(".board-place > svg .ring-cost").count() >= costs.length - 1);

  // Drawn too far, a path is cut to what may be walked; the rest stays to be seen, with the reason.
  await pressGround(page, x, y + ahead * to);
  await until(page, (state) => state.overdrawn !== null && !state.judging, "a path that is cut");
  let state = await look(page);
  const gone = state.draft[id].legs.reduce((sum, leg) => sum + Math.abs(leg.go), 0);
  assert.ok(gone > 1000 && gone < to, `${gone} of ${to}`);
  assert.equal(state.verdict.refusal, null);
  assert.equal(await lies(), before, "the board shifts under whoever draws");
  assert.equal(state.verdict.preview.paths[0].total <= state.verdict.preview.paths[0].allowance, true);
  assert.equal(await page.locator(".board-place > svg .too-far").count(), 1);
  assert.match(await page.locator(".cut-short").textContent(), /Cut short: .+/);
  assert.equal(await page.locator(".slip-foot .do:not(.wait)").count(), 1, "what is left of it may be done");
  await axe(page, `a path that is cut, ${how}`);
  await press(page, "clear");
  await until(page, (one) => one.overdrawn === null, "a clean sheet");

  if (size === "desk") {
    // A ghost goes under the pointer.
    await page.mouse.move(...await onScreen(page, x + 2000, y + ahead * 3000));
    await page.locator(".board-place > svg .ghost-base").waitFor();
    // A turn on the spot, by its handle.
    const from = await page.locator(".board-place > svg .turn-handle").boundingBox(), [tx, ty] = await onScreen(page, x + 4000, y);
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(tx, ty, { steps: 6 });
    await page.mouse.up();
  } else { for (let i = 0; i < 3; i++) await key(page, "turn15").tap(); }
  await until(page, (one) => (one.draft?.[id]?.legs ?? []).some((leg) => leg.turn !== 0), "a turn");
  await judged(page);
  assert.ok((await legs(page, id)).every((leg) => leg.go === 0), "it stays where it is");
  assert.match(await key(page, "do").textContent(), /^Turn R1/);
  await press(page, "clear");

  // Backing up: a button, and then anywhere behind.
  await press(page, "backwards");
  await pressGround(page, x, y - ahead * 2200);
  await until(page, (one) => (one.draft?.[id]?.legs ?? []).some((leg) => leg.go < 0), "a leg backwards");
  await press(page, "clear");
  await press(page, "backwards").catch(() => {});

  await overlays(page, id);

  // A tenth of an inch is a move.
  if (size === "desk") {
    await page.locator(".table-view svg.board").first().focus();
    await page.keyboard.press(ahead < 0 === (await look(page)).turned ? "Shift+ArrowDown" : "Shift+ArrowUp");
    await until(page, (one) => (one.draft?.[id]?.legs ?? []).length > 0, "a short move");
    await judged(page);
    const short = (await legs(page, id)).reduce((sum, leg) => sum + Math.abs(leg.go), 0);
    assert.ok(short > 0 && short <= 110, String(short));
  }
  await press(page, "clear").catch(() => {});
  assert.equal(await lies(), before, "the board shifts under whoever draws");
  await pressGround(page, x, y + ahead * 3000);
  await until(page, (one) => (one.draft?.[id]?.legs ?? []).length > 0, "a leg");
  await judged(page);
  await press(page, "do");
  await until(page, (one) => one.log.some((line) => line.event.event === "Moved" && line.event.model === id), "the walk");

  // Who walks once more sees what rings cost from where he stands now.
  const again = await toAMove(page), { table, verdict } = await until(page, (one) => one.verdict?.preview?.rings.some((ring) => ring.what === "cost") && !one.judging, "rings of the next walk"), at = table.things[again.question.models[0]].place.point;
  const dots = verdict.preview.rings.filter((ring) => ring.what === "cost").flatMap((ring) => ring.shape.points ?? []);
  for (const axis of [0, 1]) assert.ok(Math.min(...dots.map((dot) => dot[axis])) <= at[axis] && Math.max(...dots.map((dot) => dot[axis])) >= at[axis], `rings lie elsewhere than ${at}`);
}
