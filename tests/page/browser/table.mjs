// What every browser test shares: a browser, a page at a table, looking into its state, axe.

import assert from "node:assert/strict";
import { readFileSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const PICTURES = fileURLToPath(new URL("../pictures/", import.meta.url));
const AXE = readFileSync(fileURLToPath(new URL("../node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");
mkdirSync(PICTURES, { recursive: true });

export const base = process.argv[3];
export const how = process.argv[4] ?? "";
export const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
/** Everything the browsers complained about; a test that leaves any has failed. */
export const complaints = [];

export async function openPage({ width = 1440, height = 900, colorScheme = "light", reducedMotion = "reduce", forcedColors, tested = true, pace = "once", guide = "off" } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion, forcedColors, hasTouch: width < 700 });
  if (tested) await context.addInitScript(AXE);
  // What happens is shown at once, but for those tests that watch it.
  await context.addInitScript(([pace, guide]) => { if (location.protocol.startsWith("http") && !localStorage.getItem("sandtable.settings")) localStorage.setItem("sandtable.settings", JSON.stringify({ pace, guide })); }, [pace, guide]);
  const page = await context.newPage();
  page.setDefaultTimeout(10000);
  page.on("pageerror", (error) => complaints.push(`${error.message} ${error.stack}`));
  page.on("console", (message) => { if (message.type() === "error" && !/WebSocket|ERR_|Failed to load resource/.test(message.text())) complaints.push(message.text()); });
  return page;
}

export async function post(path, body, token = "") {
  const answer = await fetch(base + path, { method: "POST", headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) }, body: JSON.stringify(body) });
  assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
  return answer.json();
}

export const seats = (red, blue) => [{ side: "red", ...red }, { side: "blue", ...blue }];
export const linkFor = (made, side) => made.links.find((link) => (side ? link.sides.includes(side) : link.role === "spectator")).token;

export async function sit(page, token, more = "") {
  await page.goto(`${base}/#/table/${token}${more}`);
  await until(page, (s) => s.situation !== null, "a situation");
}

/** The page's state, as plain data. */
export const look = (page) => page.evaluate(async () => {
  const { state } = await import("/js/state.js");
  return JSON.parse(JSON.stringify({ ...state, acted: [...state.acted] }));
});

/** Only what a player looks at: quick however long the log is. */
export const glance = (page) => page.evaluate(async () => {
  const { state } = await import("/js/state.js"), { situation, table, sent, part, planned, verdict } = state;
  return { question: situation?.question ?? null, ending: table?.ending ?? null, turn: table?.turn ?? 0, sent, part, planned: planned.length, parts: Boolean(verdict?.parts), refused: verdict?.refusal ?? null, judged: verdict !== null && !state.judging, judging: state.judging, measuring: situation?.measuring ?? null, ticks: document.querySelector(".table-view .board-place > svg .rim-tick") !== null, things: table ? Object.values(table.things).filter((t) => t.kind === "model").map(({ id, side, place }) => ({ id, side, place })) : [] };
});

/** Wait until something holds of the state. */
export async function until(page, holds, what, seconds = 15) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const state = await look(page);
    if (holds(state)) return state;
    assert.ok(Date.now() < end, `waited in vain for ${what}: ${JSON.stringify({ asked: state.situation?.question?.prompt, draft: state.draft, refusal: state.refusal, verdict: state.verdict?.refusal, notice: state.notice, line: state.line, part: state.part, planned: state.planned, sent: state.sent })}`);
    await page.waitForTimeout(40);
  }
}

export const asked = (page, topic) => until(page, (s) => s.situation?.question?.topic === topic && s.sent === "", `the question ${topic}`);
export const key = (page, name) => page.locator(`[data-key="${name}"]`).first();
export const press = (page, name) => key(page, name).click();
export const picture = (page, name) => page.screenshot({ path: `${PICTURES}${name}.png` });

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
}

/** axe-core finds nothing to complain about. */
export async function axe(page, name) {
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
    return violations.map((one) => `${one.id}: ${one.nodes.slice(0, 4).map((node) => node.html.slice(0, 160)).join(" || ")} (${one.nodes[0].failureSummary})`);
  });
  assert.deepEqual(found, [], `axe on ${name}`);
}

export { assert };
