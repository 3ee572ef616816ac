// Every kind of question with every field: by mouse, by keyboard, or in the table in words.

import { assert, asked, axe, clickTable, how, judged, key, keys, linkFor, look, openPage, picture, post, press, seats, sit, type, until } from "./table.mjs";

/** What the battle was told in answer to a topic. */
const told = async (page, topic) => {
  const state = await until(page, (s) => s.log.some((line) => line.event.action === `answers ${topic}`), `an answer to ${topic}`);
  return JSON.parse(state.log.findLast((line) => line.event.action === `answers ${topic}`).event.detail.answer);
};
/** Tab to something and press it: how somebody plays who neither points nor knows the keys. */
const reach = async (page, name) => { await judged(page); await key(page, name).focus(); await keys(page, "Space"); };

const MOUSE = {
  async one(page) {
    await press(page, "option-trap");
    await page.getByText("That is a trap.").waitFor();
    await page.locator(".refusal").waitFor();
    assert.equal(await key(page, "do").getAttribute("aria-disabled"), "true", "what is refused cannot be done");
    await clickTable(page, 20000, 4000);
    await until(page, (s) => s.draft === "blue" && s.verdict?.preview, "the preview");
    await page.locator(".odds").waitFor();
    await press(page, "do");
  },
  async several(page) { for (const name of ["option-ash", "option-elm", "option-cedar", "do"]) await press(page, name, { force: true }); },
  async allocate(page) {
    await press(page, "item-jade"); await press(page, "bin-left"); await press(page, "item-onyx"); await press(page, "bin-right");
    await key(page, "item-opal").dragTo(key(page, "bin-right"));
    await press(page, "do");
  },
  async place(page) {
    await clickTable(page, 10000, 20000);
    await until(page, (s) => s.draft.r2, "r2 in place");
    await press(page, "turn15");
    await page.locator("[data-key=level]").selectOption("1");
    await press(page, "hand-crate");
    await clickTable(page, 30000, 10000);
    await until(page, (s) => s.draft.crate && s.verdict?.preview, "the crate in place");
    await press(page, "do");
  },
  async move(page) {
    await clickTable(page, 8000, 21000);
    await until(page, (s) => s.draft.r1?.legs.length === 1, "one leg");
    await clickTable(page, 10000, 21000);
    await until(page, (s) => s.draft.r1?.legs.length > 1 && s.draft.r2?.legs.length > 1, "both go on");
    // Both are in the hand: one press marks where both look.
    await press(page, "mark-looks");
    await until(page, (s) => s.draft.r1.marks.looks > 0 && s.draft.r2.marks.looks > 0, "both marks");
    await until(page, (s) => s.draft.r1?.legs.length === 2 && s.verdict?.preview, "two legs");
    await press(page, "do");
  },
  async confirm(page) { await press(page, "confirm-Yes"); },
  async react(page) { await press(page, "option-shout"); await key(page, "along").fill("3000"); await type(page, "amount", "2"); await press(page, "do"); },
  async plan(page) { await press(page, "option-sing"); await press(page, "option-march"); await press(page, "do"); await press(page, "part-loud"); await press(page, "confirm-Yes"); await press(page, "declare"); },
};

const KEYBOARD = {
  async one(page) { await keys(page, "3"); await until(page, (s) => s.draft === "blue", "the third choice"); await keys(page, "Enter"); },
  async several(page) { await keys(page, "1", "3", "Enter"); },
  async allocate(page) { for (const name of ["item-jade", "bin-left", "item-onyx", "bin-right", "item-opal", "bin-right", "do"]) await reach(page, name); },
  async place(page) {
    await keys(page, "ArrowUp", "ArrowUp", "Shift+ArrowLeft", "]", "h");
    await until(page, (s) => s.hand === "crate", "the crate in the hand");
    await keys(page, "ArrowDown", "ArrowDown");
    await until(page, (s) => s.draft.crate, "the crate");
    await keys(page, "Enter");
  },
  async move(page) { await keys(page, "ArrowUp", "ArrowUp", "ArrowRight", "ArrowRight", "Backspace", "ArrowRight", "f"); await until(page, (s) => s.draft.r1?.marks.looks === 3000, "the mark"); await keys(page, "h", "f"); await until(page, (s) => s.draft.r2, "the other mark"); await keys(page, "Enter"); },
  async confirm(page) { await keys(page, "y"); },
  async react(page) { await keys(page, "1", "b"); },
  async plan(page) { await keys(page, "2"); await until(page, (s) => s.part === "songs", "the songs"); await keys(page, "1", "Enter"); await until(page, (s) => s.planned.length === 2, "two parts"); await keys(page, "Enter"); },
};

const WORDS = {
  async one(page) { await reach(page, "option-stand"); await reach(page, "do"); },
  async several(page) { for (const name of ["option-ash", "option-cedar", "do"]) await reach(page, name); },
  allocate: KEYBOARD.allocate,
  async place(page) {
    await type(page, "spot-east", "10"); await type(page, "spot-south", "20");
    await reach(page, "hand-crate"); await reach(page, "slot-hut-floor"); await reach(page, "do");
  },
  async move(page) {
    await reach(page, "by-number"); await type(page, "leg-south", "21");
    await until(page, (s) => s.draft.r1?.legs.length === 1, "one leg");
    await reach(page, "mark-looks"); await reach(page, "hand-r2"); await reach(page, "mark-looks"); await reach(page, "do");
  },
  async confirm(page) { await reach(page, "confirm-Yes"); },
  async react(page) { await reach(page, "decline"); },
  async plan(page) { await reach(page, "option-dig"); await until(page, (s) => s.planned.length === 1, "an action"); await reach(page, "declare"); },
};

const CHECKS = {
  one: (a) => assert.ok(["blue", "stand"].includes(a)), several: (a) => assert.deepEqual(a, ["ash", "cedar"]), allocate: (a) => assert.deepEqual(a, { jade: "left", onyx: "right", opal: "right" }),
  place: (a) => assert.deepEqual(Object.keys(a).sort(), ["crate", "r2"]), move: (a) => assert.ok(a.r1.legs.length > 0 && a.r1.marks.looks > 0), confirm: (a) => assert.equal(a, true),
  react: (a) => assert.ok(how === "words" ? a === null : a.option === "shout"), plan: (a) => assert.ok(["dig", "sing"].includes(a.action)),
};

export default async function play() {
  const made = await post("/api/battles", { ruleset: "gallery", scenario: "all", seats: seats({ kind: "person" }, { kind: "bot", bot: "random" }) }), page = await openPage(), ways = { mouse: MOUSE, keyboard: KEYBOARD, words: WORDS }[how];
  await sit(page, linkFor(made, "red"));
  if (how === "words") { await keys(page, "w"); await page.getByText("Turn 1, questions.").first().waitFor(); }
  for (const [topic, answer] of Object.entries(ways)) {
    await asked(page, topic);
    if (topic === "plan") await until(page, (s) => s.verdict?.parts, "the parts");
    // Keys and mouse see the same; in words only what stands there instead of the board is another.
    if (how === "mouse") await axe(page, topic); else if (how === "words") await axe(page, `${topic} in words`, topic === "one" ? "" : ".words");
    await picture(page, `gallery-${how}-${topic}`);
    await answer(page);
    CHECKS[topic](await told(page, topic));
  }
  const state = await until(page, (s) => s.table.ending, "the end");
  assert.equal(state.table.ending.winner, "red");
  if (how === "mouse") await axe(page, "the end");
  assert.match((await look(page)).log.at(-1).words, /everything is answered/);
}
