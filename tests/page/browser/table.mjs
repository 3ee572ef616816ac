// What every browser test shares: a browser, a page at a table, looking into its state, axe.

import assert from "node:assert/strict";
import { readFileSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
/** Pictures of what is tested, for whoever wants to see them: PICTURES=1. */
const PICTURES = process.env.PICTURES ? fileURLToPath(new URL("../pictures/", import.meta.url)) : "";
const AXE = readFileSync(fileURLToPath(new URL("../node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");
if (PICTURES) mkdirSync(PICTURES, { recursive: true });
/** How long anybody waits for what comes at once on an idle machine: no measure, only an end of waiting. */
const SECONDS = 90;

export let base = "", how = "";
/** Everything the browsers complained about; a test that leaves any has failed. */
export const complaints = [];
let browser = null;

/** A scenario begins: where its server is, and how it is to be played. */
export async function begin(address, way) {
  [base, how, complaints.length] = [address, way, 0];
  if (!browser?.isConnected()) browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
}

/** It is over: its pages are closed, the browser stays. */
export const end = () => Promise.all((browser?.contexts() ?? []).map((context) => context.close().catch(() => {})));
export const close = async () => { await browser?.close(); };

export const SIZES = { desk: { width: 1440, height: 900 }, tablet: { width: 1024, height: 768 }, phone: { width: 390, height: 844 } };

export async function openPage({ width = 1440, height = 900, colorScheme = "light", reducedMotion = "reduce", forcedColors, pace = "once", guide = "off" } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion, forcedColors, hasTouch: width < 700 });
  // What happens is shown at once, but for those tests that watch it.
  await context.addInitScript(([pace, guide]) => { if (location.protocol.startsWith("http") && !localStorage.getItem("sandtable.settings")) localStorage.setItem("sandtable.settings", JSON.stringify({ pace, guide })); }, [pace, guide]);
  const page = await context.newPage();
  page.setDefaultTimeout(SECONDS * 1000);
  // No request leaves the server.
  page.on("request", (request) => { if (/^(http|ws)/.test(request.url()) && new URL(request.url()).hostname !== "127.0.0.1") complaints.push(`asked for ${request.url()}`); });
  page.on("pageerror", (error) => complaints.push(`${error.message} ${error.stack}`));
  page.on("console", (message) => { if (message.type() === "error" && !/WebSocket|ERR_|Failed to load resource/.test(message.text())) complaints.push(message.text()); });
  return page;
}

export async function post(path, body, token = "", where = base) {
  const answer = await fetch(where + path, { method: "POST", headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) }, body: JSON.stringify(body) });
  assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
  return answer.json();
}

/** What the server tells of a battle to somebody who only watches. */
export const known = async (made) => (await fetch(`${base}/api/battles/${made.battle}`, { headers: { authorization: `Bearer ${linkFor(made, "")}` } })).json();

/** Wait until a battle of bots is over: nobody need watch it for that. */
export async function over(made) {
  for (const end = Date.now() + SECONDS * 1000; ;) {
    if ((await known(made)).ended) return made;
    assert.ok(Date.now() < end, "the bots do not come to an end");
    await new Promise((go) => { setTimeout(go, 200); });
  }
}

export const seats = (red, blue) => [{ side: "red", ...red }, { side: "blue", ...blue }];
export const linkFor = (made, side) => made.links.find((link) => (side ? link.sides.includes(side) : link.role === "spectator")).token;

export async function sit(page, token, more = "") {
  await page.goto(`${base}/#/table/${token}${more}`);
  await until(page, (s) => s.situation !== null, "a situation");
}

// Looking, and waiting for something to look at ---------------------------------------------------------------------

/** Put into a page once: how often its state has changed and was drawn, and whoever waits for the next time. */
const COUNT = async () => {
  const { state, watch } = await import("/js/state.js");
  if (window.stirred) return;
  const frame = () => new Promise((go) => { requestAnimationFrame(go); });
  window.stirred = { state, times: 0, waiting: [], drawn: async () => { await frame(); await frame(); } };
  watch(() => { window.stirred.times += 1; for (const go of window.stirred.waiting.splice(0)) go(); });
};
const counted = new WeakSet();

/** Do something in a page whose changes are counted, in a page that came meanwhile too. */
async function within(page, deed, argument) {
  for (let tries = 0; ; tries++) try {
    if (!counted.has(page)) { await page.evaluate(COUNT); counted.add(page); page.once("framenavigated", () => counted.delete(page)); }
    return await page.evaluate(deed, argument);
  } catch (problem) {
    if (tries > 9 || !/context was destroyed|navigation|undefined/.test(problem.message)) throw problem;
    counted.delete(page);
  }
}

const snapshot = async (page) => JSON.parse(await within(page, () => { const { state, times } = window.stirred; return JSON.stringify({ times, state: { ...state, acted: [...state.acted] } }); }));

/** The page's state, as plain data. */
export const look = async (page) => (await snapshot(page)).state;

/** Wait until a page is drawn anew, if it was not since; what does not draw is looked at now and then all the same. */
const stirs = (page, since) => within(page, (since) => new Promise((go) => { if (window.stirred.times !== since) go(); else { window.stirred.waiting.push(go); setTimeout(go, 500); } }), since);

/** Only what a player looks at, once there is something to answer or the battle is over: quick however long the log is.
 *  What is still being played, or judged, or on its way, is waited for; at most so many seconds. */
export const turnOf = (page, seconds = SECONDS) => within(page, async (seconds) => {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const { state } = window.stirred, { situation, table, sent, part, planned, verdict, judging, head } = state, question = situation?.question ?? null;
    const now = { question, ending: table?.ending ?? null, turn: table?.turn ?? 0, sent, part, planned: planned.length, parts: Boolean(verdict?.parts), refused: verdict?.refusal ?? null, judging, measuring: situation?.measuring ?? null };
    const ready = question && !sent && !judging && head === null && (question.kind !== "plan" || now.parts);
    if (ready || head === null && now.ending || Date.now() >= end) {
      // Drawn too, and still so then.
      if (seconds) { await window.stirred.drawn(); if (state.situation?.question !== question || state.judging || state.sent) continue; }
      const ticks = document.querySelector(".table-view .board-place > svg .rim-tick") !== null;
      return { ...now, ready: Boolean(ready), ticks, things: table ? Object.values(table.things).filter((t) => t.kind === "model").map(({ id, side, place }) => ({ id, side, place })) : [] };
    }
    await new Promise((go) => { window.stirred.waiting.push(go); setTimeout(go, 500); });
  }
}, seconds);

/** What a player looks at now. */
export const glance = (page) => turnOf(page, 0);

/** Wait until the server has said what the draft comes to, and that is drawn. */
export const judged = (page) => within(page, async (seconds) => {
  for (const end = Date.now() + seconds * 1000; window.stirred.state.judging && Date.now() < end;) await new Promise((go) => { window.stirred.waiting.push(go); setTimeout(go, 500); });
  await window.stirred.drawn();
}, SECONDS);

/** What was changed is drawn: a page draws in its next frame, and what that changed in the one after it. */
export const drawn = (page) => within(page, () => window.stirred.drawn());

/** Wait until something holds of the state, and the page shows it. */
export async function until(page, holds, what) {
  const end = Date.now() + SECONDS * 1000;
  for (;;) {
    const { times, state } = await snapshot(page);
    if (holds(state)) { await drawn(page); return state; }
    assert.ok(Date.now() < end, `waited in vain for ${what}: ${JSON.stringify({ asked: state.situation?.question?.prompt, draft: state.draft, refusal: state.refusal, verdict: state.verdict?.refusal, notice: state.notice, line: state.line, part: state.part, planned: state.planned, sent: state.sent, asks: state.situation?.asks, n: state.situation?.n, heard: state.log.length, last: state.log.at(-1)?.event })}`);
    await stirs(page, times);
  }
}

/** Wait until something holds of a page, looked at whenever it is drawn anew. */
export async function comes(page, holds, what, told = async () => "") {
  const end = Date.now() + SECONDS * 1000;
  for (;;) {
    const { times } = await snapshot(page);
    if (await holds(page)) return;
    assert.ok(Date.now() < end, `waited in vain for ${what} ${await told()}`);
    await stirs(page, times);
  }
}

export const asked = (page, topic) => until(page, (s) => s.situation?.question?.topic === topic && s.sent === "", `the question ${topic}`);
export const key = (page, name) => page.locator(`[data-key="${name}"]`).first();
/** Press something, as the mouse does; whoever looks then sees what came of it. */
export const press = async (page, name, how = {}) => { await key(page, name).click(how); await judged(page); };
/** Press keys, and likewise. */
export const keys = async (page, ...names) => { for (const name of names) await page.keyboard.press(name); await judged(page); };
/** Type something into a field and go on to the next. */
export const type = async (page, name, value) => { await key(page, name).fill(value); await key(page, name).press("Tab"); await judged(page); };
/** Drag something over the screen, by the mouse. */
export async function drag(page, from, to) {
  await page.mouse.move(...from);
  await page.mouse.down();
  for (const share of [.5, 1]) await page.mouse.move(...[0, 1].map((axis) => from[axis] + (to[axis] - from[axis]) * share), { steps: 3 });
  await page.mouse.up();
  await drawn(page);
}
export const picture = async (page, name) => { if (PICTURES) await page.screenshot({ path: `${PICTURES}${name}.png` }); };

/** Where a point of the table, in thousandths, lies on the screen. */
export const onScreen = (page, x, y) => page.evaluate(async ([x, y]) => {
  const { state } = await import("/js/state.js");
  const { Lay } = await import("/js/geometry.js");
  const svg = document.querySelector(".table-view .board-place > svg"), [dx, dy] = new Lay(state.ground.width, state.ground.height, state.turned).dot([x, y]);
  const p = new DOMPoint(dx, dy).matrixTransform(svg.getScreenCTM());
  return [p.x, p.y];
}, [x, y]);

export async function clickTable(page, x, y) {
  const [px, py] = await onScreen(page, x, y);
  await page.mouse.click(px, py);
  await drawn(page);
}

/** How far a page goes on below and beside what is to be seen on it: hidden labels and the like stretch it into emptiness. */
export const emptiness = (page) => page.evaluate(() => {
  const clipped = (node) => { for (let around = node.parentElement; around && around !== document.body; around = around.parentElement) if (getComputedStyle(around).overflow !== "visible") return true; return false; };
  const boxes = [...document.querySelectorAll("body *")].filter((node) => !(node instanceof SVGElement && node.ownerSVGElement) && !clipped(node)).map((node) => node.getBoundingClientRect()).filter(({ width, height }) => width > 2 && height > 2);
  const root = document.documentElement, low = Math.max(innerHeight, ...boxes.map(({ bottom }) => bottom + scrollY));
  return { below: root.scrollHeight > low + 48 ? root.scrollHeight - low : 0, beside: Math.max(0, root.scrollWidth - innerWidth) };
});

/** axe-core finds nothing to complain about: on the page, or on a part of it where all else was looked at; by all of its rules, or some. */
export async function axe(page, name, part = "", rules = []) {
  if (part) await page.locator(part).first().waitFor();
  if (!await page.evaluate(() => "axe" in window)) await page.evaluate(AXE);
  const found = await page.evaluate(async ([part, rules]) => {
    const { violations } = await window.axe.run(part || document, { resultTypes: ["violations"], selectors: false, preload: false, ...(rules.length ? { runOnly: rules } : {}) });
    return violations.map((one) => `${one.id}: ${one.nodes.slice(0, 4).map((node) => node.html.slice(0, 160)).join(" || ")} (${one.nodes[0].failureSummary})`);
  }, [part, rules]);
  assert.deepEqual(found, [], `axe on ${name}`);
}

export { assert };
