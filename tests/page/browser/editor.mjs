// The terrain editor, there and back: pieces and zones laid, moved, changed and taken away; rolled, saved, opened, played.

import { readFileSync } from "node:fs";
import { assert, axe, base, drag, how, key, keys, openPage, picture, press, type, until } from "./table.mjs";

const text = (page) => key(page, "text").inputValue();
/** Do something, wait until the file says something else, and give what it says. */
async function changes(page, deed, what) {
  const before = await text(page);
  await deed();
  await page.waitForFunction((before) => document.querySelector("[data-key=text]").value !== before, before).catch(() => assert.fail(`the file stays as it is: ${what}`));
  return text(page);
}
/** Where a point of the editor's board, in units, lies on the screen. */
const onBoard = (page, x, y) => page.evaluate(([x, y]) => { const p = new DOMPoint(x, y).matrixTransform(document.querySelector(".terrain-view .board").getScreenCTM()); return [p.x, p.y]; }, [x, y]);
const click = async (page, x, y) => page.mouse.click(...await onBoard(page, x, y));
const dragOnBoard = async (page, from, to) => drag(page, await onBoard(page, ...from), await onBoard(page, ...to));
const reach = async (page, name) => { await key(page, name).focus(); await keys(page, "Enter"); };

async function byMouse(page) {
  const first = await text(page);
  await press(page, "kind-water");
  assert.match(await changes(page, () => click(page, 4, 40), "a pond is laid"), /water/);
  assert.match(await changes(page, () => type(page, "piece-Name", "New Pond"), "it is named"), /New Pond/);
  await press(page, "kind-water");
  const laid = await text(page), moved = await changes(page, () => dragOnBoard(page, [4, 40], [7, 42]), "it is dragged");
  assert.match(moved, /New Pond[^\n]*7, 42|7, 42[^\n]*New Pond/, moved);
  await changes(page, () => type(page, "piece-Radius", "2"), "it is made smaller");

  await press(page, "kind-zone"); await press(page, "shape-rectangle");
  const zoned = await changes(page, () => click(page, 24, 6), "a zone is laid");
  assert.match(zoned, /zones:/);
  await press(page, "kind-zone");
  await axe(page, "the editor with a zone");
  await picture(page, "editor");
  const shifted = await changes(page, () => dragOnBoard(page, [22, 5], [24, 8]), "the zone is dragged");
  assert.match(await changes(page, () => key(page, "piece-Side").selectOption("red"), "the zone is given to red"), /zone: zone-1/);
  assert.equal(await changes(page, () => press(page, "take-back"), "that is taken back"), shifted);
  await press(page, "item-zone-0");
  assert.ok(!/zones:/.test(await changes(page, () => press(page, "remove"), "the zone is taken away")));
  await page.locator('[data-key^="item-piece-"]').last().click();
  assert.equal(await changes(page, () => press(page, "remove"), "the pond is taken away"), first);
  assert.notEqual(laid, moved);
}

async function byKeyboard(page) {
  const first = await text(page);
  await reach(page, "kind-light-woods");
  await key(page, "editor-board").focus();
  await keys(page, ..."ArrowLeft ".repeat(18).trim().split(" "), ..."ArrowDown ".repeat(16).trim().split(" "), "Shift+ArrowRight");
  assert.match(await changes(page, () => keys(page, "Enter"), "a wood is laid"), /6\.1, 40/);
  assert.match(await changes(page, () => keys(page, "ArrowRight"), "it is moved"), /7\.1, 40/);
  await changes(page, () => keys(page, "Delete"), "it is taken away");
  assert.equal(await text(page), first);
  await reach(page, "kind-zone");
  await key(page, "editor-board").focus();
  const zoned = await changes(page, () => keys(page, "Enter"), "a zone is laid");
  const shifted = await changes(page, () => keys(page, "Shift+ArrowUp"), "the zone is moved");
  assert.notEqual(zoned, shifted);
  await keys(page, "Escape", "n");
  assert.equal(await key(page, "item-zone-0").getAttribute("aria-pressed"), "true", "zones are chosen by N too");
  assert.equal(await changes(page, () => keys(page, "Delete"), "the zone is taken away"), first);
  await changes(page, () => keys(page, "Control+z"), "taken back");
  await changes(page, () => keys(page, "Control+z"), "and again");
}

/** What is saved is opened as it was; what is rolled can be played. */
async function fileAndBattle(page) {
  await press(page, "kind-heavy-woods");
  await changes(page, () => click(page, 4, 40), "a wood is laid");
  const mine = await changes(page, () => type(page, "piece-Name", "Round Trip"), "it is named");
  const [file] = await Promise.all([page.waitForEvent("download"), press(page, "save")]), saved = readFileSync(await file.path(), "utf8");
  assert.equal(saved, mine);
  const rolled = await changes(page, () => press(page, "roll"), "terrain by the rules");
  assert.ok(!rolled.includes("Round Trip"));
  await picture(page, "editor-rolled");
  const opened = await changes(page, () => key(page, "file").setInputFiles({ name: "mine.yaml", mimeType: "text/yaml", buffer: Buffer.from(saved) }), "the file is opened");
  assert.equal(opened, saved, "what was saved is read as it was");
  await key(page, "text").fill(saved.replace("terrain:", "terrian:"));
  await press(page, "read");
  await page.locator(".editor-side .refusal").waitFor();
  await axe(page, "a file that is wrong", ".editor-side");
  await key(page, "text").fill(saved);
  await press(page, "read");
  await page.locator(".editor-side .refusal").waitFor({ state: "detached" });
  await press(page, "play");
  const state = await until(page, (s) => s.ground?.pieces.some((piece) => piece.label === "Round Trip"), "the battle on it");
  assert.equal(state.welcome.sides.length, 2);
}

export default async function play() {
  const page = await openPage();
  await page.goto(`${base}/#/terrain/quickstart`);
  await page.locator(".terrain-view .board").waitFor();
  await key(page, "scenario").selectOption("duel");
  await page.waitForFunction(() => document.querySelector("[data-key=text]")?.value.includes("name: duel"));
  if (how === "keyboard") await byKeyboard(page);
  else { await byMouse(page); await fileAndBattle(page); }
}
