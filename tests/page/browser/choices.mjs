// No trap doors, odds drawn truly, a layout that holds: what stands in the slip does what it says, and shows what is so.

import { answerByClicking, playOn } from "./clicking.mjs";
import { assert, axe, base, clickTable, drag, how, judged, key, keys, linkFor, look, openPage, post, press, seats, sit, until } from "./table.mjs";

const [ruleset, size, theme] = how.split(" "), sizes = { desk: [1440, 900], phone: [390, 844] }, [width, height] = sizes[size];
const SCENARIOS = { quickstart: "breakdown", stargrunt: "duel", dropzone: "checkpoint", strikeops: "meeting" };
const begin = async (page, ruleset, scenario, count = 0) => sit(page, linkFor(await post("/api/battles", { ruleset, scenario, size: count, seats: seats({ kind: "person" }, { kind: "bot", bot: "charging" }), seed: 4 }), "red"));
/** What the amber buttons have said. */
const deeds = new Set();

/** Answer until a question of that kind is asked. */
const playTo = (page, holds, wanted = [], most = 30) => playOn(page, (now) => now.question && holds(now), { wanted, most, look: async (one) => { for (const text of await one.locator(".slip-foot .do:not(.wait)").allTextContents()) deeds.add(text.replace(/(Enter|B|P)$/, "")); } });

/** Giving a whole turn away asks first, and nothing that throws away is a key away. */
async function declining(page) {
  assert.ok(await playTo(page, (now) => now.question.kind === "plan"), "a plan is asked for");
  const before = (await look(page)).situation.n;
  await press(page, "decline");
  await key(page, "decline-yes").waitFor();
  assert.match(await page.locator(".ask-first").textContent(), /2 AP would be lost/);
  assert.equal(await page.locator(".slip-foot .do").count(), 0, "nothing amber stands where something would be lost");
  if (size === "desk") { await keys(page, "Enter", "Escape"); } else await press(page, "decline-no");
  await until(page, (state) => !state.parting, "the question again");
  const state = await look(page);
  assert.deepEqual([state.situation.n, state.sent, state.situation.question.kind], [before, "", "plan"]);
  assert.match(await key(page, "decline").textContent(), /R1 do nothing/);
}

/** Enter does what the amber button says, also from a row that is only being tried. */
async function enter(page) {
  await key(page, "option-move").focus();
  await keys(page, "Space");
  await until(page, (state) => state.planned.length === 1, "the first part");
  await judged(page);
  const button = page.locator('.slip-foot .do:not(.wait)').first(), said = await button.textContent();
  assert.match(said, /^Declare: Move/);
  await page.locator(".slip-body").focus().catch(() => {});
  await keys(page, "Enter");
  // A point is left: that too is asked about first, and Enter does not say yes to it.
  await key(page, "decline-yes").waitFor();
  assert.match(await page.locator(".ask-first").textContent(), /1 AP would be lost/);
  await keys(page, "Enter");
  assert.equal((await look(page)).sent, "");
  // Wherever the focus is: on what was pressed by the mouse, on a model of the board, on the log, on an option.
  for (const focus of [() => key(page, "map-fit").click(), () => key(page, "filter-all").click(), () => page.locator('.table-view .pieces [data-thing="blue-1"]').first().focus(), () => page.locator(".table-view .lines").focus(), () => key(page, "reopen-1").focus()]) {
    if (size === "phone" && !await key(page, "filter-all").isVisible() && /filter|lines/.test(String(focus))) continue;
    await press(page, "decline-no");
    await until(page, (state) => !state.parting, "the question again");
    await focus();
    await judged(page);
    if (/reopen/.test(String(focus))) continue;
    await keys(page, "Enter");
    const { planned } = await look(page);
    assert.equal(await key(page, "decline-yes").count(), 1, `Enter does something else: ${focus}`);
    assert.equal(planned.length, 1);
  }
  if (!await key(page, "decline-yes").count()) await press(page, "declare");
  await press(page, "decline-yes");
  await until(page, (state) => state.log.some((line) => line.event.event === "Declared" && line.event.actor === "red-1"), "the declaration");
}

/** An option that gives something away says so before it is chosen, and asks before it is taken. */
async function losing(page) {
  const now = await playTo(page, (one) => one.question.kind === "choose one" && one.question.options.some((option) => option.loses.length && !option.refused) && one.question.options.filter((option) => !option.refused).length > 1, []);
  assert.ok(now, "nothing is ever lost");
  const ends = now.question.options.find((option) => option.loses.length), row = key(page, `option-${ends.id}`);
  assert.notEqual((await look(page)).draft, ends.id, "what gives something away stands preselected");
  assert.match(await row.textContent(), /would be lost/);
  await press(page, `option-${ends.id}`);
  await press(page, "do");
  await key(page, "decline-yes").waitFor();
  assert.match(await page.locator(".ask-first").textContent(), new RegExp(`${ends.loses[0]} would be lost`));
  await axe(page, `what would be lost, ${how}`, ".slip");
  await press(page, "decline-no");
  await until(page, (state) => !state.parting, "the question again");
  assert.equal((await look(page)).sent, "");
  await press(page, `option-${now.question.options.find((option) => !option.refused && !option.loses.length).id}`);
}

/** What may not be done has no amber button, and says why. */
async function refused(page) {
  const now = await playTo(page, (one) => one.question.kind === "move"), model = now.question.models[0];
  await page.evaluate(async (id) => { const { tryValue } = await import("/js/drafting.js"); tryValue({ [id]: { legs: [{ by: "leg", turn: 0, go: 2000000 }], marks: {} } }); }, model);
  await judged(page);
  await page.locator(".refusal").waitFor();
  assert.equal(await page.locator(".slip-foot .do:not(.wait)").count(), 0);
  assert.equal(await key(page, "do").getAttribute("aria-disabled"), "true");
  const n = (await look(page)).situation.n;
  await keys(page, "Enter");
  assert.equal((await look(page)).situation.n, n);
  // Where several rules forbid the same, each of them can be read.
  const rules = await page.evaluate(async () => { const { change, state } = await import("/js/state.js"), rules = state.situation.question.rules.concat("first", "second").slice(0, 2); change({ refusal: { rule: rules[0], sentence: "Not that far.", also: [rules[1]] } }); return rules; });
  await judged(page);
  assert.deepEqual(await page.locator(".refusal a").evaluateAll((links) => links.map((link) => link.dataset.rule)), rules);
  const offered = await page.evaluate(async () => { const { chooseOne } = await import("/js/choosing.js"), option = { id: "far", label: "Far", about: [], rules: ["first"], refused: "Not that far.", loses: [], also: ["second"] }; return [...chooseOne({ kind: "choose one", prompt: "Where to?", options: [option] }).querySelectorAll("a")].map((link) => link.dataset.rule); });
  assert.deepEqual(offered, ["first", "second"], "an option says every rule that forbids it");
  await press(page, "clear");
}

/** Chances of one whole are parts of a bar; others have a bar each, filled as far as they go. */
async function odds(page) {
  const chance = (label, numerator, denominator, more = {}) => ({ label, numerator, denominator, range: null, amount: null, final: false, one_of: false, at_least: false, ...more }), part = (label, numerator, denominator, more = {}) => chance(label, numerator, denominator, { one_of: true, ...more });
  const drawn = (chances) => page.evaluate(async (odds) => {
    const { previewNodes } = await import("/js/preview.js"), place = document.body.appendChild(document.createElement("div"));
    place.append(...previewNodes({ explanations: [], notes: [], distances: {}, reach: [], sight: [], paths: [], odds, odds_note: "", rings: [], targets: {}, threats: [], loses: [] }));
    place.style.width = "300px";
    for (const fold of place.querySelectorAll("details")) fold.open = true;
    const wide = (node) => node.getBoundingClientRect().width, bars = [...place.querySelectorAll(".chance-bar")].map((bar) => Math.round(100 * wide(bar.firstElementChild) / bar.clientWidth));
    const told = { bars, stacked: place.querySelectorAll(".odds > span").length, figures: [...place.querySelectorAll(".numbers > div")].map((one) => one.textContent), text: place.textContent };
    place.remove();
    return told;
  }, chances);
  const lone = await drawn([chance("it works", 1, 3)]);
  assert.deepEqual([lone.bars, lone.stacked, lone.figures], [[33], 0, ["33 %it works"]]);
  const apart = await drawn([chance("up to 12″", 2, 3), chance("up to 24″", 1, 2), chance("up to 36″", 1, 4)]);
  assert.deepEqual([apart.bars, apart.stacked], [[67, 50, 25], 0]);
  // Two that add up to one by chance are no whole, and neither are the outcomes of two rolls.
  const chances = await drawn([chance("up to 12″", 2, 3), chance("up to 24″", 1, 3)]);
  assert.deepEqual([chances.bars, chances.stacked], [[67, 33], 0]);
  const twice = await drawn([part("hit", 2, 3), part("miss", 1, 3), part("hit", 1, 4), part("miss", 3, 4)]);
  assert.deepEqual([twice.bars, twice.stacked], [[67, 33, 25, 75], 0]);
  // So much or more is told step by step, with what is to be expected of it all.
  const more = await drawn([chance("B1: 1 or more", 1, 2, { amount: 1, at_least: true }), chance("B1: 2 or more", 1, 4, { amount: 2, at_least: true }), chance("B1 destroyed", 1, 4, { amount: 3, at_least: true, final: true })]);
  assert.deepEqual([more.bars, more.stacked, more.figures], [[50, 25, 25], 0, ["50 %any harm", "1.0harm expected", "25 %B1 destroyed"]]);
  const whole = await drawn([part("no harm", 1, 2, { amount: 0 }), part("1 harm", 1, 4, { amount: 1 }), part("2 harm", 1, 8, { amount: 2 }), part("B1 is out of play", 1, 8, { amount: 4, final: true })]);
  assert.deepEqual([whole.bars, whole.stacked, whole.figures], [[], 4, ["50 %any harm", "1.0harm expected", "13 %B1 is out of play"]]);
  const veiled = await drawn([chance("seen", 0, 1, { range: [333, 500] })]);
  assert.equal(veiled.bars[0], 33);
  assert.match(veiled.text, /33 to 50 %/);
}

/** The layout holds: with its own type and without it, on a line that is down, while something is dragged. */
async function layout() {
  const page = await openPage({ width, height, colorScheme: theme });
  await begin(page, "quickstart", "duel");
  await page.waitForLoadState("networkidle");
  assert.deepEqual(await page.evaluate(async () => { await document.fonts.ready; return [...document.fonts].filter((font) => font.status === "loaded").map((font) => font.family.replaceAll('"', "")).sort().filter((one, i, all) => all.indexOf(one) === i); }), ["Barlow Semi Condensed", "Spectral"]);
  const bytes = await page.evaluate(() => performance.getEntriesByType("resource").filter((one) => !one.name.includes("/api/")).reduce((sum, one) => sum + one.decodedBodySize, 0));
  assert.ok(bytes > 200000 && bytes < 500000, `a table loads ${bytes} bytes`);
  assert.match(await page.title(), /^Your move · Duel on the Knoll/);
  const box = await page.locator(".table-view .board-place").boundingBox();
  await drag(page, [box.x + 30, box.y + 30], [box.x + box.width - 20, box.y + box.height + 60]);
  assert.equal(await page.evaluate(() => String(getSelection())), "", "dragging selects no text");
  await page.evaluate(async () => { const { change } = await import("/js/state.js"); change({ line: "down", wait: 3 }); });
  await page.getByText("Line down").waitFor();
  await axe(page, `a line that is down, ${how}`);

  const bare = await openPage({ width, height, colorScheme: theme });
  await bare.route("**/*.woff2", (route) => route.abort());
  await begin(bare, "quickstart", "duel");
  assert.deepEqual(await bare.evaluate(() => ["html", ".table-view .bar", ".log-head", ".slip-foot", ".slip-body", ".time"].filter((one) => { const node = document.querySelector(one); return node && node.scrollWidth > node.clientWidth + 1; })), [], "nothing runs over without the page's type");
  if (size === "phone") {
    // The zone of a question and all that may be said stand on the screen together.
    await bare.locator(".low .region").first().waitFor();
    const seen = await bare.evaluate(() => { const place = document.querySelector(".table-view .board-place").getBoundingClientRect(), sheet = document.querySelector(".table-view .next").getBoundingClientRect(), zone = document.querySelector(".low .region").getBoundingClientRect(); return { zone: [zone.left >= place.left - 2, zone.right <= place.right + 2, zone.top >= place.top - 2, zone.bottom <= sheet.top + 24], foot: document.querySelector(".slip-foot").getBoundingClientRect().bottom <= innerHeight }; });
    assert.deepEqual(seen, { zone: [true, true, true, true], foot: true });
  }
}

/** A bar is as long as the number beside it says, and parts of one whole are as wide as theirs. */
const untrue = (page) => page.evaluate(() => {
  const wide = (node) => node.getBoundingClientRect().width, of = (text) => parseInt(text, 10), rows = [...document.querySelectorAll(".slip .chances li")], parts = [...document.querySelectorAll(".slip .odds > span")];
  for (const fold of document.querySelectorAll(".slip .preview details")) fold.open = true;
  const bars = rows.flatMap((row) => { const bar = row.querySelector(".chance-bar"), says = row.querySelector(".figure")?.textContent ?? "", far = bar ? Math.round(100 * wide(bar.firstElementChild) / bar.clientWidth) : 0; return !bar || !bar.clientWidth || says.includes(" to ") || says.startsWith("<") ? [] : Math.abs(far - of(says)) > 1 ? [`${says} is drawn as ${far}`] : []; });
  const all = parts.reduce((sum, part) => sum + wide(part), 0), shares = parts.flatMap((part) => (part.textContent && all && Math.abs(100 * wide(part) / all - of(part.textContent)) > 6 ? [`${part.textContent} of a whole is drawn as ${Math.round(100 * wide(part) / all)}`] : []));
  return [...bars, ...shares];
});

const told = { asked: 0, odds: 0, lost: 0, refused: 0, planned: 0, costs: 0 };
/** Whatever is asked: nothing that ends or gives away stands ready, one amber button names the deed, odds are drawn truly, and what is
 *  refused has no amber button; whoever gives something away is asked first, and Enter does not say yes. */
async function whatever(page) {
  const wrong = [], amber = page.locator(".slip-foot .do:not(.wait, .pass)");
  const look_ = async () => {
    await judged(page);
    const { situation: { question }, verdict } = await look(page), buttons = await amber.allTextContents();
    if (!question) return;
    if (buttons.length > 1) wrong.push(`${question.prompt}: amber twice: ${buttons}`);
    for (const text of buttons) deeds.add(text.replace(/(Enter|B|P)$/, ""));
    wrong.push(...(await untrue(page)).map((one) => `${question.prompt}: ${one}`));
    if (verdict?.preview?.odds.length) told.odds += 1;
    // What is being said of a plan brings something, and says so while it is being said.
    if ((await look(page)).part && (await page.locator(".slip .preview").allTextContents()).join(" ").includes("%")) told.planned += 1;
    if (verdict?.refusal && buttons.length && question.kind !== "plan") wrong.push(`${question.prompt}: amber though it is refused: ${buttons}`);
    if (verdict?.refusal && question.kind === "move") told.refused += 1;
    if (question.kind === "react") for (const way of question.options.filter((one) => one.loses.length && !one.refused)) {
      const row = await key(page, `option-${way.id}`).textContent();
      for (const loss of way.loses) if (!row.toLowerCase().includes(loss.toLowerCase()) || !/would be lost/.test(row)) wrong.push(`${question.prompt}: ${row} does not say that ${loss} is lost`);
      told.costs += 1;
    }
  };
  await playOn(page, async (now) => {
    if (now.ending || told.asked > (ruleset === "stargrunt" ? 26 : 20) && told.lost) return true;
    const state = await look(page), { question } = state.situation;
    told.asked += 1;
    if (question.kind === "choose one" && state.draft !== undefined) {
      const stands = question.options.find((one) => one.id === state.draft);
      if (stands.loses.length || stands.id === question.default && !stands.about.length && !state.table.things[stands.id] && question.options.some((one) => !one.refused && one.id !== stands.id)) wrong.push(`${question.prompt}: ${stands.label} stands preselected`);
    }
    if (!told.lost) await gives(page, question);
    return false;
  }, { wanted: ["stand-up", "shoot", "shooting", "fire", "combat-move", "move", "moving"], most: 45, turn: (asked) => asked, look: look_ });
  assert.deepEqual(wrong, []);
  assert.ok(told.asked > 8 && told.odds > 0 && told.lost > 0 && (told.planned > 0 || ruleset === "stargrunt"), JSON.stringify(told));
}

/** If this question may give something away: that is asked about, nothing amber stands beside it, and Enter does not say yes. */
async function gives(page, question) {
  const ends = question.kind === "choose one" && question.options.filter((one) => !one.refused).length > 1 ? question.options.find((one) => one.loses.length && !one.refused) : null, plan = question.kind === "plan";
  if (!ends && !(plan && await key(page, "decline").count())) return;
  if (ends) { await press(page, `option-${ends.id}`); await press(page, "do"); } else await press(page, "decline");
  await key(page, "decline-yes").waitFor();
  assert.match(await page.locator(".ask-first").textContent(), /(\d|[Tt]he ).* would be lost/);
  assert.equal(await page.locator(".slip-foot .do").count(), 0, "nothing amber stands where something would be lost");
  await keys(page, "Enter");
  const state = await look(page);
  assert.deepEqual([state.sent, state.situation.asks !== ""], ["", true]);
  await axe(page, `what would be lost, ${how}`, ".slip");
  await press(page, "decline-no");
  await until(page, (one) => !one.parting, "the question again");
  if (ends) await press(page, `option-${question.options.find((one) => !one.refused && !one.loses.length).id}`);
  told.lost += 1;
}

export default async function play() {
  const page = await openPage({ width, height, colorScheme: theme });
  await begin(page, ruleset, SCENARIOS[ruleset]);
  await whatever(page);
  await ({ quickstart: quickstart, stargrunt: stargrunt })[ruleset]?.();
  assert.ok(deeds.size > 5, [...deeds].join("; "));
  for (const text of deeds) assert.ok(!/^(Say:|Allot so|Take \d+$|Take these|OK$|Decline|Break in$|Walk it|Place it here|\d+$|At \S+$|Do it$|.* do you )|[a-z]+-[a-z]*\d|\w_\w|(\b[\w ]{4,}) and \2\b/.test(text), `a button says “${text}”`);
}

async function quickstart() {
  const page = await openPage({ width, height, colorScheme: theme });
  await begin(page, "quickstart", "duel");
  await declining(page);
  await enter(page);
  await refused(page);
  await odds(page);
  assert.deepEqual(await page.evaluate(async () => { const { answered } = await import("/js/slip.js"); return [["Fires at whom?", "B1"], ["Which squad do you place?", "Red Lance"], ["Which counter does the drone look at?", "Counter A"], ["Round 2: whom do the other enemies face?", "B1"], ["Activate which unit?", "Red One"]].map(([prompt, name]) => answered(prompt, name, true)); }), ["Fires at B1", "Place Red Lance", "The drone looks at Counter A", "The other enemies face B1", "Activate Red One"]);
  await playTo(page, () => false, ["shoot", "move"], 7);
  await layout();
}

async function stargrunt() {
  const page = await openPage({ width, height, colorScheme: theme });
  await begin(page, "stargrunt", "close-quarters");
  await losing(page);
  for (let i = 0; i < 2; i++) {
    const now = await playTo(page, (one) => one.question.kind === "choose one" && one.question.default && !one.question.options.find((option) => option.id === one.question.default)?.about.length, ["fire", "move"], 12);
    if (!now) break;
    const { draft } = await look(page);
    assert.notEqual(draft, now.question.default, `what ends something stands preselected: ${now.question.prompt} ${draft}`);
    await answerByClicking(page, now, { wanted: ["fire", "move", "assault"] });
  }
}
