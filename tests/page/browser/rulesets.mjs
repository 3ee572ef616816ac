// A ruleset, whichever it is: a person sits at a side and plays by clicking, at a desk and on a phone, by day and by lamp.

import { playOn } from "./clicking.mjs";
import { assert, axe, comes, drag, glance, how, key, keys, linkFor, look, onScreen, openPage, picture, post, press, seats, sit, until } from "./table.mjs";

// NAME [SCENARIO [OPTION,OPTION… [hidden]]]: the options that are worth taking where they are offered, the rarest taken
// first; and whether the enemy has something to hide there.
const [ruleset, scenario = "", wishes = "", hidden = ""] = how.split(" "), taken = new Map(wishes.split(",").filter(Boolean).map((id) => [id, 0]));
const name = [ruleset, scenario].filter(Boolean).join("-");
/** So many answers of a person show a ruleset at play: at the desk, and on a phone after that. */
const AT_THE_DESK = 14, ON_A_PHONE = 5;
/** Questions that bring no preview may come first; whoever has seen none goes on for so many more. */
const UNTIL_A_PREVIEW = 40;
/** However badly it goes, a battle that is over after fewer answers has not been played. */
const AT_LEAST = 12;

/** What may not be chosen says why, folded away where there is much of it. */
async function saysWhyNot(page, { kind, options }) {
  if (kind !== "choose one" && kind !== "choose several") return;
  const refused = options.filter((one) => one.refused).map((one) => one.refused), told = () => page.locator(".slip .option.not small").allTextContents();
  await comes(page, async () => (await told()).join() === refused.join(), `why not: ${refused}`);
  const fold = key(page, "refused-summary");
  if (!await fold.count()) return;
  await fold.click();
  await page.locator(".slip .option.not").first().waitFor({ state: "visible" });
  await fold.click();
  folds += 1;
}
let folds = 0;

/** No two rows of a question are called alike. */
async function toldApart(page) {
  const names = await page.locator(".slip .option b").allTextContents();
  assert.equal(new Set(names).size, names.length, `called alike: ${names.join(", ")}`);
}

/** Whatever is being placed stands on the board, drawn: a model, a counter, or the outline of what is laid. */
async function placedIsSeen(page) {
  const { situation, draft } = await look(page), { question } = situation;
  if (question?.kind !== "place" || !draft) return;
  const laid = Object.values(draft).filter((spot) => spot.where.place === "at").length, drawn = await page.locator(".board-place > svg .high :is(.model.lifted, .marker.lifted, .ghost)").count();
  assert.ok(drawn >= laid, `${drawn} of ${laid} are drawn: ${question.prompt}`);
  if (laid) placed += laid;
}
let placed = 0;

/** Dark badges hinder and light ones help, by what the ruleset says of each; and each says in words what it is. */
async function badgesMeanWhatTheySay(page) {
  const wrong = await page.evaluate(async () => {
    const { state } = await import("/js/state.js"), { looks, words: said } = state.rulesets.find((one) => one.name === state.welcome.ruleset);
    const light = (colour) => { const [r, g, b] = colour.match(/[\d.]+/g).map(Number); return (r * 3 + g * 6 + b) / 10; }, paper = light(getComputedStyle(document.querySelector(".past")).backgroundColor);
    return [...document.querySelectorAll(".forces .badge")].flatMap((node) => {
      const words = node.getAttribute("aria-label") ?? "", look = Object.values(looks).filter((one) => words.startsWith(one.words)).sort((a, b) => b.words.length - a.words.length)[0], value = words.split(": ")[1];
      if (!look) return [`nobody knows what ${words} is`];
      const helps = look.helps && !look.hinders.some((one) => (said[one] ?? one) === value), seems = Math.abs(light(getComputedStyle(node).backgroundColor) - paper) < 40;
      return helps === seems ? [] : [`${words} ${helps ? "helps and is dark" : "hinders and is light"}`];
    });
  });
  assert.deepEqual(wrong, []);
}

/** The wanted options, the one taken least first. */
function wanted({ kind, options }) {
  const ids = [...taken.keys()].sort((a, b) => taken.get(a) - taken.get(b)), next = kind === "choose one" ? ids.find((id) => options.some((one) => one.id === id && !one.refused)) : "";
  if (next) taken.set(next, taken.get(next) + 1);
  return ids;
}

/** Answer so many questions, or as many as the battle asks; gives the kinds that were asked, and how often a preview said something. */
async function play(page, answers, preview = false) {
  const seen = { kinds: new Set(), previews: 0, given: 0 };
  await until(page, (s) => s.rulesets.length > 0, "the words of the ruleset");
  await playOn(page, async (now) => {
    if (now.ending || seen.given >= answers && !(preview && !seen.previews && seen.given < UNTIL_A_PREVIEW)) return true;
    await saysWhyNot(page, now.question);
    await toldApart(page);
    await namesNotIds(page);
    seen.kinds.add(now.question.kind);
    wish.wanted = wanted(now.question);
    seen.given += 1;
    return false;
  }, Object.assign(wish, { turn: (asked) => asked % 4, look: async () => { await placedIsSeen(page); await badgesMeanWhatTheySay(page); if (await page.locator(".preview, .path-cost").count()) seen.previews += 1; } }));
  return seen;
}
const wish = {};

/** The tape tells how far it is, by dragging and from model to model; or that nobody may measure now. */
async function measures(page) {
  const { measuring, things } = await glance(page), there = things.filter((one) => one.place.place === "at");
  await press(page, "map-ruler");
  if (!measuring) { assert.equal((await look(page)).tape, null, "nobody may measure now"); return; }
  await drag(page, await onScreen(page, 3000, 3000), await onScreen(page, 6000, 7000));
  const told = await page.locator(".tape-layer .tag").textContent();
  assert.ok(Math.abs(parseFloat(told) - 5) < .2, `the tape says ${told}`);
  await keys(page, "m");
  await until(page, (s) => s.tape === null, "the tape put away");
  await page.locator(".table-view .board-place > svg").focus();
  await keys(page, "m");
  await keys(page, "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight");
  if (there.length > 1) await until(page, (s) => s.tape?.to !== null && /to the middle of/.test(s.notice), "the tape from model to model");
  await keys(page, "Escape");
  await until(page, (s) => s.tape === null, "the tape put away");
}

/** Of what the enemy keeps hidden, the page knows only what its log told; gives how much is hidden still. */
async function keepsSecrets(page) {
  const { table, situation, log } = await look(page), told = new Set(log.map(({ event }) => event.who ?? "")), markers = Object.values(table.things).filter((one) => one.kind === "marker" && one.side && one.side !== situation.side && one.place.place === "at");
  const untold = markers.filter((one) => !told.has(one.id)), alike = ({ card, glyph, base, height, harm, track, states, counts, unit }) => ({ card, glyph, base, height, harm, track, states, counts, unit });
  for (const one of untold) assert.deepEqual(alike(one), { ...alike(untold[0]), states: {} }, `${one.id} tells what it is`);
  return untold.length;
}

/** A battle that goes on long enough to be seen: bots differ from time to time, and some die young. */
async function longBattle(desk) {
  for (const seed of [3, 4, 5, 6]) {
    const made = await post("/api/battles", { ruleset, scenario, seats: seats({ kind: "person" }, { kind: "bot", bot: "random" }), seed }), token = linkFor(made, "red");
    await desk.goto("about:blank");
    await sit(desk, token);
    const seen = await play(desk, AT_THE_DESK, true);
    if (seen.given >= AT_LEAST && seen.previews || seed === 6) return { token, seen };
  }
}

/** The rows of the forces carry the numbers players ask for, in words: what is left, what the ruleset counts, how it stands. */
async function rowsCarryNumbers(page) {
  assert.ok(await page.locator(".model-row:not(.lost)").count() > 0);
  await comes(page, async () => (await rowsThatLack(page)).length === 0, "rows with their numbers", async () => (await rowsThatLack(page)).join("; "));
}

/** Rows and table are read at once, so that no event falls between them. */
const rowsThatLack = (page) => page.evaluate(async () => {
  const { state } = await import("/js/state.js"), { table, rulesets, welcome } = state, { notes, looks, words } = rulesets.find((one) => one.name === welcome.ruleset), said = (word) => words[word] ?? word.replace(/[_-]/g, " ");
  return [...document.querySelectorAll(".model-row:not(.lost)")].flatMap((row) => {
    const thing = table.things[row.dataset.key.slice(4)], facts = row.querySelector(".facts")?.textContent ?? "";
    const wanted = [
      ...Object.entries(thing.counts).filter(([what]) => !looks[what] && !notes.includes(what)).map(([what, n]) => `${said(what)} ${n}`),
      ...Object.keys(thing.states).filter((what) => looks[what] && looks[what].shape !== "value" && !notes.includes(what)).map((what) => looks[what].words),
    ], lacks = wanted.filter((words) => !facts.includes(words));
    if (thing.track > 2 && !facts.startsWith(`${thing.track - thing.harm} of ${thing.track} left`)) lacks.push("what is left");
    if (thing.kind === "unit" && !/^\d+/.test(facts)) lacks.push("how many");
    return lacks.map((what) => `${thing.id}: ${what} in "${facts}"`);
  });
});

/** axe and a picture, by day and by lamp. */
async function looksWell(page, where) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await axe(page, `${name}, ${where}, ${colorScheme}`);
    await picture(page, `${name}-${where}-${colorScheme}`);
  }
}

/** Names, not ids: nothing that a person reads, or has read out, has the id of a thing, a card, an option or a state in it. */
async function namesNotIds(page) {
  const found = await page.evaluate(async () => {
    const { state } = await import("/js/state.js"), { table, situation, welcome, rulesets } = state, { looks } = rulesets.find((one) => one.name === welcome.ruleset), things = Object.values(table.things);
    const options = [situation.question, ...(state.verdict?.parts ?? []).map((part) => part.question)].flatMap((question) => [...(question?.options ?? []), ...(question?.items ?? []), ...(question?.bins ?? [])]).map((one) => one.id);
    // Words with a hyphen may be a rulebook's own; of options and states only what no book would print is an id.
    const ids = [...things.flatMap((one) => [one.id, one.unit, one.card]), ...[...options, ...Object.keys(looks)].filter((id) => /[\d_.]/.test(id))].filter((id) => /[a-z]/.test(id ?? "") && /[-_.]/.test(id)), labels = things.map((one) => one.label).join("\n");
    const words = [...document.querySelectorAll(".table-view *")].flatMap((node) => [node.getAttribute("aria-label"), node.getAttribute("title"), ...[...node.childNodes].filter((one) => one.nodeType === 3).map((one) => one.textContent)]).filter(Boolean).join("\n");
    return [...new Set(ids)].filter((id) => !labels.includes(id) && new RegExp(`(?<![\\w-])${id.replace(/[.]/g, "\\.")}(?![\\w-])`).test(words)).map((id) => `${id}: ${words.slice(Math.max(0, words.indexOf(id) - 40), words.indexOf(id) + 40)}`);
  });
  assert.deepEqual(found, [], "an id stands where a name should");
}

export default async function plays() {
  const desk = await openPage(), { token, seen } = await longBattle(desk), secrets = await keepsSecrets(desk), { log } = await look(desk);
  assert.ok(seen.given >= AT_LEAST, `only ${seen.given} answers`);
  await rowsCarryNumbers(desk);
  await namesNotIds(desk);
  assert.ok(seen.previews > 0, "no preview said anything");
  assert.ok(log.some((line) => line.event.event === "Rolled") && await desk.locator(".lines .line").count() > 5, "the log tells what happened");
  await looksWell(desk, "desk");
  for (const height of await desk.locator("text.height").allTextContents()) assert.match(height, /^▲?\d{1,2}(\.\d{1,3})?$/, "a height is told in levels or in the table's unit");
  await measures(desk);
  const phone = await openPage({ width: 390, height: 844, colorScheme: "dark" });
  await sit(phone, token);
  const more = await play(phone, ON_A_PHONE);
  await looksWell(phone, "phone");
  await namesNotIds(phone);
  await press(phone, "tab-forces"); await axe(phone, `${name}, forces on a phone`, ".forces");
  await press(phone, "tab-log");
  const end = () => phone.locator(".lines .line").last().evaluate((line) => line.getBoundingClientRect().bottom <= innerHeight);
  await comes(phone, end, "the log opened at its end");
  assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is wider than the phone");
  assert.ok(!hidden || secrets > 0 && placed > 0, "nothing is hidden, or no counter was laid");
  console.log(`${seen.given} and ${more.given} answers, ${[...new Set([...seen.kinds, ...more.kinds])].join(", ")}; ${seen.previews} previews, ${secrets} hidden things, ${folds} folds, ${log.length} events`);
}
