// What a stranger asks is answered on the screen without a click: whose turn, what is asked, what may I do, what does it bring, why
// not that, what just happened, who is winning, what wins, how hurt is he, how far can I get.

import { playOn } from "./clicking.mjs";
import { assert, axe, emptiness, how, judged, linkFor, look, openPage, picture, post, seats, sit } from "./table.mjs";

const [ruleset, size, theme] = how.split(" "), sizes = { desk: [1440, 900], phone: [390, 844] }, [width, height] = sizes[size];
const scenario = { quickstart: "duel", stargrunt: "close-quarters", dropzone: "checkpoint", strikeops: "meeting" }[ruleset];

/** The texts, or labels, of what is to be seen of a selector: on the screen, inside whatever scrolls, in the tab that is open. */
const seen = (page, selector) => page.evaluate((selector) => [...document.querySelectorAll(`.table-view :is(${selector})`)].filter((node) => {
  const box = node.getBoundingClientRect(), style = getComputedStyle(node);
  if (!box.width && !box.height || style.visibility === "hidden" || style.display === "none") return false;
  let [left, top, right, bottom] = [Math.max(0, box.left), Math.max(0, box.top), Math.min(innerWidth, box.right), Math.min(innerHeight, box.bottom)];
  for (let around = node.parentElement; around; around = around.parentElement) {
    const edge = around.getBoundingClientRect();
    if (getComputedStyle(around).overflow === "visible") continue;
    [left, top, right, bottom] = [Math.max(left, edge.left), Math.max(top, edge.top), Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
  }
  return right > left && bottom > top;
}).map((node) => (node.textContent || node.getAttribute("aria-label") || node.getAttribute("d") || "there").trim()), selector);

/** How much of a side is left, counted here once more. */
const left = (table, side) => { const models = Object.values(table.things).filter((one) => one.kind === "model" && one.side === side), sum = (of) => models.reduce((all, one) => all + of(one), 0); return Math.round(100 * sum((one) => (one.gone ? 0 : one.track ? one.track - one.harm : 1)) / sum((one) => one.track || 1)); };

const told = { whose: 0, asked: 0, may: 0, brings: 0, "why not": 0, happened: 0, winning: 0, wins: 0, hurt: 0, far: 0 };

/** Read the screen once; whatever can be asked now must be answered on it. */
async function read(page) {
  const state = await look(page), { question } = state.situation, { table } = state, words = (list) => list.join(" ");
  assert.match(words(await seen(page, ".turn-words")), new RegExp(`${table.turn ? `Turn ${table.turn}\\b` : "Set-up"}.*you are asked`), "whose turn it is"); told.whose += 1;
  // It is said once, and each card of the order is somebody who stands on the table, no group of whom.
  assert.doesNotMatch(words(await seen(page, ".turn-words")), /to answer/);
  const cards = await page.evaluate(async () => { const { callOf, state } = await import("/js/state.js"), { unitsOf } = await import("/js/units.js"), calls = new Set([...unitsOf(state.table).keys(), ...Object.keys(state.table.things).filter((id) => state.table.things[id].kind === "model")].map((id) => callOf(id))); return [...document.querySelectorAll(".table-view .order .card")].map((node) => node.textContent).filter((call) => !calls.has(call)); });
  assert.deepEqual(cards, [], "cards of the order that nobody plays");
  assert.ok(words(await seen(page, ".slip :is(.prompt, .part-prompt)")).length > 5, "what is asked"); told.asked += 1;
  const offers = [...await seen(page, ".slip .option b"), ...await seen(page, ".slip .either button"), ...await seen(page, ".slip-foot button"), ...await seen(page, ".slip .declared li")];
  assert.ok(offers.length > 0, `what one may do: ${question.prompt}`); told.may += 1;
  if (words(await seen(page, ".slip .preview")).includes("%")) told.brings += 1;
  if (words(await seen(page, ".slip .option.not small")).length > 8) told["why not"] += 1;
  const scenes = state.scenes.filter((scene) => scene.lead);
  if (scenes.length) { const last = scenes.at(-1).lead; assert.ok(words([...await seen(page, ".stake-last"), ...await seen(page, ".scene-line > p"), ...await seen(page, ".turn-line")]).includes(last), `what happened last: ${last}`); told.happened += 1; }
  assert.deepEqual((await seen(page, ".stakes .stake b")), table.sides.map((side) => `${left(table, side)} %`), "who is winning"); told.winning += 1;
  assert.match(words(await seen(page, ".stakes .wins")), /Wins .{8,}/, "what wins"); told.wins += 1;
  assert.deepEqual(await page.locator(".stakes .wins").evaluate((node) => [node.scrollWidth > node.clientWidth + 1, node.getBoundingClientRect().right > innerWidth]), [false, false], "what wins, and how long it lasts, is cut off");
  assert.deepEqual(await emptiness(page), { below: 0, beside: 0 });
  if (Object.values(table.things).some((one) => one.kind === "model" && one.side !== state.situation.side && one.place.place === "at")) { assert.ok((await seen(page, size === "desk" ? ".forces .track" : ".board-place .harm-ring, .board-place .model")).length > 0, "how hurt they are"); told.hurt += 1; }
  // On a machine that is busy elsewhere a verdict may come late, and without a reach.
  await judged(page);
  if (question.kind === "move" && question.shows.includes("reach") && !(await look(page)).verdict?.late) { await page.locator(".table-view .board-place .reach").first().waitFor({ state: "attached" }); assert.ok((await seen(page, ".board-place .reach")).length > 0, "how far one can get"); told.far += 1; }
}

export default async function play() {
  const page = await openPage({ width, height, colorScheme: theme });
  await sit(page, linkFor(await post("/api/battles", { ruleset, scenario, seats: seats({ kind: "person" }, { kind: "bot", bot: "tactical" }), seed: 4 }), "red"));
  const wanted = ["stand-up", "move", "shoot", "fire"];
  let answers = 0;
  const wish = { most: 40, look: async () => { if ((await seen(page, ".slip .preview")).join(" ").includes("%")) told.brings += 1; } };
  await playOn(page, async (now) => {
    if (now.ending || Object.values(told).every(Boolean)) return true;
    // What is read is what stands there before a hand is moved, and once more with a draft on it.
    await read(page);
    if (answers === 6) { await axe(page, `ten questions, ${how}`); await picture(page, `ten-${ruleset}-${size}`); }
    wish.wanted = answers % 3 === 2 ? wanted.toReversed() : wanted;
    answers += 1;
    return false;
  }, wish);
  assert.deepEqual(Object.entries(told).filter(([, n]) => !n).map(([what]) => what), [], "questions that the screen never answered");
}
