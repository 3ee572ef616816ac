// Cards in hand: their owner reads them, the other side counts their backs; played ones lie open and are discarded.

import { playAll } from "./clicking.mjs";
import { assert, axe, how, key, linkFor, look, openPage, picture, post, press, seats, sit } from "./table.mjs";

const [ruleset, scenario, size = "desk"] = how.split(" "), [width, height] = { desk: [1440, 900], phone: [390, 844] }[size];
/** Somebody has cards after so many answers, or never. */
const AT_MOST = 120;

const cards = (state, side) => Object.values(state.table.things).filter((one) => one.kind === "card" && one.side === side && one.place.why === "in hand");
const force = (page, side) => page.locator(`.force.side-${side}`);

/** What a page shows of a side's hand is what its own state knows of it. */
async function shows(page, mine, theirs) {
  if (size === "phone") await press(page, "tab-forces");
  const state = await look(page), own = cards(state, mine), other = cards(state, theirs), held = state.rulesets.find((one) => one.name === ruleset).held;
  assert.ok(own.every((one) => held[one.card]), "one's own cards are known");
  assert.ok(other.every((one) => one.card === ""), "nobody is sent what another holds");
  const names = own.map((one) => held[one.card].name);
  await page.waitForFunction(([side, n]) => document.querySelectorAll(`.force.side-${side} .hand-cards:not(.open) .held-card`).length === n, [mine, own.length]);
  assert.deepEqual(await force(page, mine).locator(".hand-cards:not(.open) .held-card b").allTextContents(), names);
  for (const one of own) assert.ok((await force(page, mine).locator(".held-card p").allTextContents()).some((text) => text.startsWith(held[one.card].text)), `${one.card} says what it does`);
  if (own.length) assert.equal(await force(page, mine).locator(".held-card a").first().getAttribute("data-rule"), held[own[0].card].rule);
  assert.equal(await force(page, theirs).locator(".held-card:not(.open *)").count(), 0);
  assert.equal(await force(page, theirs).locator(".backs i").count(), other.length);
  assert.match(await force(page, theirs).locator(".held h3").textContent(), new RegExp(`${other.length} cards? · \\d+ left to draw`));
  if (size === "phone") await press(page, "tab-table");
  return names;
}

export default async function play() {
  const made = await post("/api/battles", { ruleset, scenario, seed: 5, seats: seats({ kind: "person" }, { kind: "person" }) });
  const pages = await Promise.all([openPage({ width, height }), openPage({ width, height, colorScheme: "dark" })]), [red, blue] = pages;
  await sit(red, linkFor(made, "red"));
  await sit(blue, linkFor(made, "blue"));
  for (const page of pages) if (await key(page, "begin").count()) await press(page, "begin");
  const drawn = async () => { const [mine, theirs] = [await look(red), await look(blue)]; return cards(mine, "red").length > 0 && cards(theirs, "blue").length > 0; };
  await playAll(pages, drawn, { most: AT_MOST, turn: (given) => given % 4 });
  await shows(red, "red", "blue");
  await shows(blue, "blue", "red");
  if (size === "phone") await press(red, "tab-forces");
  await axe(red, `cards in hand, ${how}`, ".forces");
  await picture(red, `cards-${size}`);
  if (size === "phone") await press(red, "tab-table");
  // Laid open on something, and discarded: as the page draws any table.
  const shown = await red.evaluate(async () => {
    const { state } = await import("/js/state.js"), { heldNodes, heldWords } = await import("/js/held.js"), held = state.rulesets.find((one) => one.name === state.welcome.ruleset).held;
    const things = Object.fromEntries(Object.entries(held).slice(0, 3).map(([card, { name }], n) => [`c${n}`, { id: `c${n}`, kind: "card", side: "blue", unit: "blue deck", card, label: name, states: n ? {} : { "played on": { value: "R1a1" } }, place: { place: "off", why: n ? "discarded" : "laid open" } }]));
    const table = { ...state.table, things: { ...state.table.things, ...things }, decks: { "blue deck": { contents: { a: 4, "": -1 }, order: [] } } }, node = document.createElement("div");
    node.append(...heldNodes(table, "blue").filter((one) => /blue deck/.test(one.ariaLabel)));
    return { open: [...node.querySelectorAll(".open .held-card b")].map((one) => one.textContent), out: [...node.querySelectorAll(".discards li")].map((one) => one.textContent), head: node.querySelector("h3").textContent, names: Object.values(held).slice(0, 3).map((one) => one.name), words: heldWords(table, "blue").join("; ") };
  });
  assert.deepEqual([shown.open, shown.out], [shown.names.slice(0, 1), shown.names.slice(1)]);
  assert.match(shown.head, /0 cards · 3 left to draw/, "cards drawn unseen are not left to draw");
  assert.match(shown.words, new RegExp(`discarded: ${shown.names.slice(1).join(", ")}`));
}
