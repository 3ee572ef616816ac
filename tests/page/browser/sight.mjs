// What a question is about is in sight: whom it names and all that may be chosen, on a phone too; nobody acts while somebody is still to
// be chosen; no flag or label lies over another, and no label over a model; none is cut off at the edge of what is seen.

import { playOn } from "./clicking.mjs";
import { SIZES, assert, glance, how, linkFor, look, openPage, picture, post, seats, sit } from "./table.mjs";

const [ruleset, size, theme] = how.split(" ");
const SCENARIOS = { quickstart: "breakdown", stargrunt: "close-quarters", dropzone: "checkpoint", strikeops: "meeting" };
const MOST = size === "desk" ? 22 : 28;
const told = { sought: 0, next: 0, labels: 0, hidden: 0, options: 0 };

/** Those whom the question names, or of whom one may be chosen, and that are not on the screen. */
const outOfSight = (page) => page.evaluate(async () => {
  const { state } = await import("/js/state.js"), { picks } = await import("/js/pencil.js"), { question } = state.situation, named = new Set([...picks().keys(), ...question.about]);
  const place = document.querySelector(".table-view .board-place").getBoundingClientRect(), sheet = document.querySelector(".table-view .next").getBoundingClientRect(), low = innerWidth <= 700 ? Math.min(place.bottom, sheet.top + 12) : place.bottom, tools = document.querySelector(".table-view .map-tools").getBoundingClientRect();
  const there = Object.values(state.table.things).filter((one) => one.place.place === "at" && !one.gone && (named.has(one.id) || named.has(one.unit)));
  return { n: there.length, missing: there.flatMap((one) => {
    const box = document.querySelector(`.table-view .board-place > svg .pieces [data-thing="${CSS.escape(one.id)}"] :is(.base, .marker-token)`)?.getBoundingClientRect();
    if (!box) return [];
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    return x >= place.left && x <= place.right && y >= place.top && y <= low && !(x > tools.left && y > tools.top && innerWidth <= 700) ? [] : [`${one.label || one.id} at ${Math.round(x)} ${Math.round(y)}`];
  }) };
});

/** What may be said to a question, as far as it is not wholly on the screen: cut off by the sheet or by what stands at its foot. */
const cutOptions = (page) => page.evaluate(() => {
  const body = document.querySelector(".table-view .slip-body")?.getBoundingClientRect(), foot = document.querySelector(".table-view .slip-foot")?.getBoundingClientRect();
  return body && foot ? [...document.querySelectorAll(".table-view .slip-body :is(.option, .either button, .bin-name)")].filter((node) => !node.closest("details:not([open])")).flatMap((node) => { const { top, bottom } = node.getBoundingClientRect(); return top < body.top - 2 || bottom > foot.top + 2 ? [node.textContent] : []; }) : [];
});

/** Flags that lie over each other, and labels that lie over each other, a flag or a model: each so much, in pixels each way. */
const covered = (page) => page.evaluate(() => {
  const boxes = (names) => [...document.querySelectorAll(`.table-view .board-place > svg ${names}`)].map((node) => ({ node, box: node.getBoundingClientRect() })), over = (a, b, by) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > by && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > by;
  const flags = boxes(".flags .cloth"), labels = boxes(".high .tag-back"), models = boxes(".pieces .model .base"), words = ({ node }) => node.parentElement.textContent;
  const pairs = (some, others, by) => some.flatMap((a, i) => others.filter((b, j) => (some !== others || j > i) && over(a.box, b.box, by)).map((b) => `${words(a)} over ${words(b) || "a model"}`));
  // The words of the map keep clear of each other, seen from however far; no label says what another has said.
  const map = boxes(".land .names .steady:not(.unsaid) text"), said = labels.filter(({ box }) => box.width).map(words), twice = said.filter((text, i) => said.indexOf(text) !== i).map((text) => `${text} is said twice`), wordOf = ({ node }) => node.textContent, crowded = map.flatMap((a, i) => map.filter((b, j) => j > i && over(a.box, b.box, 3)).map((b) => `${wordOf(a)} over ${wordOf(b)}`));
  const hidden = flags.flatMap((a) => models.filter((b) => over(a.box, b.box, 5))).length;
  const place = document.querySelector(".table-view .board-place > svg").getBoundingClientRect(), cut = labels.filter(({ node, box }) => { if (!box.width) return false; const { e, f } = node.closest("[data-says]").getScreenCTM(); return e > place.left && e < place.right && f > place.top && f < place.bottom && (box.left < place.left - 2 || box.right > place.right + 2 || box.top < place.top - 2 || box.bottom > place.bottom + 2) && box.width < place.width; });
  return { hidden, cut: cut.map(words), n: flags.length + labels.length, over: [...twice, ...crowded, ...pairs(flags, flags, 3), ...pairs(labels, labels, 3), ...pairs(labels, models, 4)] };
});

export default async function play() {
  const page = await openPage({ ...SIZES[size], colorScheme: theme });
  await sit(page, linkFor(await post("/api/battles", { ruleset, scenario: SCENARIOS[ruleset], seats: seats({ kind: "person" }, { kind: "bot", bot: "3" }), seed: 4 }), "red"));
  const wrong = [];
  const look_ = async (when) => {
    const { question } = await glance(page), hides = await covered(page);
    told.labels += hides.n;
    told.hidden += hides.hidden;
    if (hides.cut.length) wrong.push(`${when} ${question?.prompt}: cut off: ${hides.cut.join("; ")}`);
    if (hides.over.length) { wrong.push(`${when} ${question?.prompt}: ${hides.over.join("; ")}`); await picture(page, `sight-${ruleset}-${size}-${wrong.length}`); }
  };
  await playOn(page, async ({ question, ending }) => {
    if (ending) return true;
    const { n, missing } = await outOfSight(page);
    // Who walks draws on the board, which is not made smaller for the sake of whom it goes to.
    if (question.kind !== "move" && question.kind !== "place") { told.sought += n; if (missing.length) { wrong.push(`${question.prompt} does not show ${missing.join(", ")}`); await picture(page, `sight-${ruleset}-${size}-${wrong.length}`); } }
    const { table } = await look(page), next = question.kind === "choose one" && !question.about.some((id) => table.acting.includes(id) && !question.options.some((one) => one.id === id)) && question.options.some(({ id, about }) => about.includes(id) && table.things[id]?.side === "red" && !question.about.includes(table.things[id].unit));
    if (next && table.acting.length) {
      told.next += 1;
      if (await page.locator(".turn-words").evaluate((node) => / acts/.test(node.textContent)) || await page.locator(".order .now, .model-row.active, .board-place .unit.active").count()) wrong.push(`${question.prompt} while somebody else is said to act`);
    }
    if (size === "phone") { const cut = await cutOptions(page); told.options += 1; if (cut.length) { wrong.push(`${question.prompt} does not show all that may be said: ${cut.join("; ")}`); await picture(page, `sight-${ruleset}-${size}-${wrong.length}`); } }
    await look_("before");
    return false;
  }, { most: MOST, wanted: ["shoot", "fire", "shooting", "move", "combat-move"], turn: (asked) => asked, look: () => look_("with a draft at") });
  assert.deepEqual(wrong, []);
  // Many figures stand close together: a flag finds a place where it hides none of them, on a phone nearly always.
  if (ruleset === "stargrunt") assert.ok(told.hidden <= (size === "desk" ? 0 : 10), `flags hide models: ${told.hidden} times`);
  assert.ok(told.sought > 10 && told.labels > 10 && (told.next > 0 || ruleset === "quickstart"), JSON.stringify(told));
}
