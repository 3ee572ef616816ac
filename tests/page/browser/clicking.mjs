// How a person answers anything by clicking, or by touching: what stands in the slip, and what lies on the table. It knows no ruleset.

import { assert, drag, drawn, glance, judged, key, onScreen, turnOf } from "./table.mjs";

export { judged };

/** How somebody presses what stands there, a spot of the screen, and drags. */
const MOUSE = {
  async press(locator) { await locator.click(); await drawn(locator.page()); },
  async spot(page, x, y) { await page.mouse.click(x, y); await drawn(page); },
  drag,
};

/** What a finger is told by; a page has one. */
const fingers = new WeakMap();
async function fingerOf(page) {
  if (!fingers.has(page)) fingers.set(page, await page.context().newCDPSession(page));
  const finger = fingers.get(page);
  return (type, points, timestamp) => finger.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y, id: 1 })), timestamp });
}
/** Where the middle of something lies, brought into view, where it lies still and nothing lies over it; nothing where the page has just drawn it anew. */
const lieOf = (locator) => locator.evaluate((node) => {
  if (!node.isConnected) return null;
  node.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const { x, y, width, height } = node.getBoundingClientRect(), at = [x + width / 2, y + height / 2], hit = document.elementFromPoint(...at);
  return { at, open: Boolean(hit && (node.contains(hit) || hit.contains(node))) };
});
/** The middle of something, once it lies still and nothing lies over it: what a finger needs. */
async function openAt(locator) {
  for (let last = "", tries = 0; ; tries++) {
    const lie = await lieOf(locator);
    if (lie?.open && String(lie.at) === last) return lie.at;
    assert.ok(tries < 600, `something lies over ${locator}`);
    last = String(lie?.at);
    await drawn(locator.page());
  }
}
const FINGER = {
  async press(locator) {
    await locator.waitFor();
    await FINGER.spot(locator.page(), ...await openAt(locator));
  },
  async spot(page, x, y) {
    // Down and up are sent at once: on a busy machine a tap that waits in between would be held too long.
    const send = await fingerOf(page);
    await Promise.all([send("touchStart", [[x, y]]), send("touchEnd", [])]);
    await drawn(page);
  },
  async drag(page, from, to, before = async () => {}) {
    // A finger that comes to rest before it is lifted, by the times that its moves bear: one that flicks would let things fly on.
    const send = await fingerOf(page);
    let time = Date.now() / 1000 - 1;
    await send("touchStart", [from], time);
    for (const share of [.2, .4, .6, .8, 1, 1, 1]) await send("touchMove", [[0, 1].map((axis) => from[axis] + (to[axis] - from[axis]) * share)], time += .1);
    await before();
    await send("touchEnd", [], time += .1);
    await drawn(page);
  },
};
/** Which hand plays. */
let hand = MOUSE;
/** From now on a finger does what the mouse does, or the mouse again. */
export const byTouch = () => { hand = FINGER; };
export const byMouse = () => { hand = MOUSE; };
export const touch = FINGER, mouse = MOUSE;
const press = (page, name) => hand.press(key(page, name));

/** Press the amber button, or whatever there is to press. */
export async function goOn(page) {
  for (const name of ["decline-yes", "likewise", "declare", "do", "decline", "part-decline"]) {
    if (name === "declare" && await key(page, "part-2").count() && (await glance(page)).planned === 1) return "";
    const button = page.locator(`.slip-foot [data-key="${name}"]:not([aria-disabled])`).first();
    if (!await button.count()) continue;
    // Who has said one part of a plan says the next; only where nothing can be said is it given up.
    if (name === "decline" && (await glance(page)).planned && await page.locator(".slip .option:not(.not), .slip .either button").count()) return "";
    await hand.press(button);
    // Whoever gives something away is asked first.
    const yes = page.locator('.slip-foot [data-key="decline-yes"]');
    if (["declare", "do", "decline"].includes(name) && await yes.count()) await hand.press(yes);
    return name;
  }
  return "";
}

const ROUND = [...Array(12).keys()].map((n) => n * Math.PI / 6);
const mean = (dots) => [0, 1].map((axis) => dots.reduce((sum, p) => sum + p[axis], 0) / dots.length);

/** Spots of a region, its middle first. */
function spotsOf(shape) {
  if (!shape) return [];
  const dots = shape.shape === "disc" ? ROUND.map((a) => [shape.center[0] + shape.radius * Math.cos(a), shape.center[1] + shape.radius * Math.sin(a)]) : shape.points, middle = mean(dots);
  return [.02, .3, .5, .7, .85].flatMap((share) => dots.map((p) => [0, 1].map((axis) => middle[axis] + (p[axis] - middle[axis]) * share)));
}

/** Whether a click there goes to the ground of the table, and to nothing that stands or hangs over it. */
export const bare = (page, [x, y]) => page.evaluate(([x, y]) => { const node = document.elementFromPoint(x, y); return Boolean(node?.closest(".board")) && !node.closest("[data-thing]"); }, [x, y]);

/** Drag the table along until a spot of it is well in view. */
async function bringIntoView(page, spot) {
  for (let i = 0; i < 4; i++) {
    const [x, y] = await onScreen(page, ...spot), box = await page.locator(".table-view .board-place").boundingBox(), { height } = page.viewportSize(), sheet = await page.locator(".table-view .next").boundingBox();
    const low = Math.min(box.y + box.height, sheet.x < box.x + box.width && sheet.y > box.y ? sheet.y : height) - 60, by = [Math.max(box.x + 40, Math.min(x, box.x + box.width - 90)) - x, Math.max(box.y + 40, Math.min(y, low)) - y];
    if (!by[0] && !by[1]) return;
    const from = [box.x + box.width / 2 - Math.sign(by[0]) * 60, (box.y + low) / 2 - Math.sign(by[1]) * 60], most = (n) => Math.max(-150, Math.min(150, n));
    await hand.drag(page, from, [from[0] + most(by[0]), from[1] + most(by[1])]);
  }
}

/** Click a spot of the ground; says whether that was possible. */
async function clickGround(page, spot) {
  if (!await bare(page, await onScreen(page, ...spot)) && page.viewportSize().width < 700) await bringIntoView(page, spot);
  const at = await onScreen(page, ...spot);
  if (!await bare(page, at)) return false;
  await hand.spot(page, ...at);
  return true;
}

/** Take what is in the hand to the first of some spots where the rules let it be, with what must be marked on the way there; says
 *  whether there was one. */
async function putWhereLawful(page, spots, marks = []) {
  for (const spot of spots) {
    const clear = key(page, "clear");
    if (!await clickGround(page, spot)) continue;
    for (const mark of marks) await press(page, `mark-${mark.id}`);
    await judged(page);
    if (!(await glance(page)).refused) return true;
    if (await clear.count()) await hand.press(clear);
  }
  return false;
}

/** Things that are placed one after another, each a little beside the one before; where places are proposed, they will do. */
async function placeAll(page, now) {
  const { question } = now, where = question.where[question.things[0]] ?? question.where[""];
  if (question.default && Object.keys(question.default).length === question.things.length) return;
  for (const spot of spotsOf(where?.inside[0])) {
    let n = 0, all = true;
    for (const thing of question.things) {
      const chip = key(page, `hand-${thing}`), a = n * 2.4, far = n ? 700 + 260 * Math.sqrt(n) : 0;
      if (await chip.count()) await hand.press(chip);
      all = await clickGround(page, [spot[0] + Math.cos(a) * far, spot[1] + Math.sin(a) * far]) && all;
      n += 1;
    }
    await judged(page);
    if (all && !(await glance(page)).refused) return;
    if (await key(page, "clear").count()) await press(page, "clear");
  }
}

/** Towards the nearest enemy as far as it goes, else around whatever is in the way; whoever cannot, stays. */
async function walk(page, { question, things }) {
  const mine = things.filter((t) => question.models.includes(t.id) && t.place.place === "at"), from = mean(mine.map((t) => t.place.point));
  const foes = things.filter((t) => t.side !== mine[0]?.side && t.place.place === "at").map((t) => t.place.point).sort((a, b) => Math.hypot(a[0] - from[0], a[1] - from[1]) - Math.hypot(b[0] - from[0], b[1] - from[1]));
  const to = foes[0] ?? [from[0], from[1] < 15000 ? from[1] + 9000 : from[1] - 9000], far = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1, straight = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const ends = spotsOf(question.ends?.inside[0]), steps = [[0, 4000], [0, 2500], [.6, 2500], [-.6, 2500], [0, 1200], [1.2, 2000], [-1.2, 2000], [2.4, 1500], [-2.4, 1500]];
  const spots = steps.map(([turn, step]) => { const go = Math.min(step, far * .8); return [from[0] + Math.cos(straight + turn) * go, from[1] + Math.sin(straight + turn) * go]; });
  const marks = question.marks.filter((one) => one.required), turn = key(page, "turn15");
  if (await putWhereLawful(page, [...spots, ...ends], marks)) return;
  // There is no way anywhere: turn on the spot, or decline.
  if (await turn.count()) {
    await hand.press(turn);
    for (const mark of marks) await press(page, `mark-${mark.id}`);
    await judged(page);
    if (!(await glance(page)).refused) return;
  }
  if (await key(page, "decline").count()) await press(page, "decline");
}

/** Everything into some bin that takes it. */
async function allot(page, { question }) {
  for (const item of question.items) {
    if (await page.locator(`.bin:not(.waiting) [data-key="item-${item.id}"]`).count()) continue;
    await press(page, `item-${item.id}`);
    const bins = page.locator(".bin-name:not([aria-disabled])");
    const held = await bins.evaluateAll((nodes) => nodes.map((node) => node.parentElement.querySelectorAll("[data-key^=item-]").length));
    await hand.press(bins.nth(held.indexOf(Math.min(...held))));
  }
}

/** A row of the slip: one that is wanted, else the one whose turn it is. */
async function chooseRow(page, now, { wanted = [], turn = 0 }) {
  for (const id of wanted) { const option = page.locator(`.slip [data-key="option-${id}"]:not(.not)`); if (await option.count()) return hand.press(option); }
  const rows = page.locator(".slip .option:not(.not)"), n = await rows.count();
  if (n) await hand.press(rows.nth(turn % n));
}

const ANSWERS = {
  place: placeAll,
  move: walk,
  allocate: allot,
  "choose one": chooseRow,
  async confirm(page) { await hand.press(page.locator(".either button").first()); },
  // Who is asked although he can do nothing, so that being asked tells nothing, passes.
  async react(page, { question }) { if (question.options.length) await hand.press(page.locator(".slip [role=radio]").first()); },
  async "choose several"(page, { question }) {
    const boxes = page.locator(".slip .option:not(.not)");
    for (let i = 0; i < Math.max(1, question.at_least) && i < await boxes.count(); i++) if ((await boxes.nth(i).getAttribute("aria-checked")) === "false") await hand.press(boxes.nth(i));
  },
  async plan(page, now, how) {
    const either = page.locator(".slip .either button").first(), then = key(page, "part-2");
    // A second action, where the first one leaves points for it.
    if (!now.part && await then.count()) { await hand.press(then); await judged(page); }
    else if (!now.part) return;
    if (await either.count()) { await hand.press(either); return; }
    if (await page.locator(".slip [role=checkbox]").count()) { for (const name of await page.locator('.slip .option:not(.not)[aria-checked="false"]').evaluateAll((boxes) => boxes.map((box) => box.dataset.key))) await press(page, name); return; }
    await chooseRow(page, now, how);
  },
};

/** Answer what is asked now, by clicking; `look` comes before the answer is given.
 *  `how.wanted` are options to prefer, `how.turn` says which row is taken where none is preferred. */
export async function answerByClicking(page, now, how = {}) {
  await ANSWERS[now.question.kind](page, now, how);
  await judged(page);
  await how.look?.(page);
  if (now.question.kind !== "confirm") await goOn(page);
}

/** Whether somebody is asked something that can be answered now. */
export const mayAnswer = (now) => now.ready;

/** Answer what is asked, one thing after another, until something holds of what is asked now, or the battle is over.
 *  Gives what was asked then; nothing where it did not come to that in `how.most` answers.
 *  `how.turn` says which row is taken, by how often the same was asked and how much was answered; the first one else. */
export async function playOn(page, holds = () => false, how = {}) {
  const times = new Map();
  for (let given = 0; given <= (how.most ?? 60); given++) {
    const now = await turnOf(page);
    if (await holds(now)) return now;
    if (now.ending) return null;
    assert.ok(now.ready, `nothing goes on: turn ${now.turn}, ${given} answers, ${now.question?.prompt}, ${JSON.stringify(now.refused)}`);
    const asked = times.get(now.question.prompt) ?? 0;
    times.set(now.question.prompt, asked + 1);
    await (how.answer ?? answerByClicking)(page, now, { ...how, turn: how.turn?.(asked, given) ?? 0 });
  }
  return null;
}

/** Answer for whoever is asked, at several pages, until something holds; nobody is waited for who is not asked. */
export async function playAll(pages, holds, how = {}) {
  for (let given = 0; given < (how.most ?? 120);) {
    if (await holds()) return;
    await Promise.race(pages.map((page) => turnOf(page)));
    for (const page of pages) {
      if (await holds()) return;
      const now = await glance(page);
      assert.equal(now.ending, null, "the battle ended first");
      if (!now.ready) continue;
      await answerByClicking(page, await turnOf(page), { ...how, turn: how.turn?.(given) ?? 0 });
      given += 1;
      how.answers?.set(page, (how.answers.get(page) ?? 0) + 1);
    }
  }
  assert.fail("it does not come to that");
}
