// The pictures of the README, made from the page as it is: node run.mjs pictures BASE "FOLDER [NAME…]"

import { answerByClicking, judged, mayAnswer } from "./clicking.mjs";
import { assert, base, glance, how, key, linkFor, openPage, post, seats, sit } from "./table.mjs";

const save = (page, name) => page.screenshot({ path: `${how.split(" ")[0]}/${name}.jpg`, type: "jpeg", quality: 62 });

/** Sit down at a battle and answer until something holds; gives whether it came to that. */
async function comeTo(page, wanted, { ruleset, scenario, seed = 4 }, holds, most = 60) {
  await sit(page, linkFor(await post("/api/battles", { ruleset, scenario, seats: seats({ kind: "person" }, { kind: "bot", bot: "3" }), seed }), "red"));
  const times = new Map();
  for (let answers = 0, waits = 0; answers < most && waits < 4000;) {
    const now = await glance(page);
    if (now.ending) return false;
    if (!mayAnswer(now)) { waits += 1; await page.waitForTimeout(20); continue; }
    const turn = times.get(now.question.prompt) ?? 0;
    times.set(now.question.prompt, turn + 1);
    let there = false;
    try { await answerByClicking(page, now, { wanted, turn, look: async () => { there = await holds(page, now); assert.ok(!there, "there"); } }); } catch (problem) { if (there) return true; if (!/Timeout|not attached/.test(problem.message)) throw problem; }
    answers += 1;
  }
  return false;
}
/** Somebody walks, with his path drawn; or fires, with what it would bring. */
const walks = (turn) => async (page, { question, turn: now }) => question.kind === "move" && now >= turn && await page.locator(".board-place > svg .path").count() > 0 && !await page.locator(".cut-short").count();
const brings = (turn) => async (page, { turn: now }) => now >= turn && await page.locator(".slip .preview .numbers, .slip .preview .odds, .slip .preview .chances").count() > 0;
const WANTED = ["stand-up", "enter", "shoot", "fire", "combat-move", "move"];

const PICTURES = {
  async "browser-table"(page) { await comeTo(page, ["move", ...WANTED], { ruleset: "quickstart", scenario: "stand-and-fight" }, walks(2)); },
  async "browser-units"(page) { await comeTo(page, WANTED, { ruleset: "stargrunt", scenario: "close-quarters" }, brings(2)); },
  async "browser-dropzone"(page) { await comeTo(page, WANTED, { ruleset: "dropzone", scenario: "checkpoint" }, brings(1)); },
  async "browser-strikeops"(page) { await comeTo(page, ["move", ...WANTED], { ruleset: "strikeops", scenario: "first-blood" }, walks(1)); },
  async "browser-phone"(page) { await comeTo(page, WANTED, { ruleset: "stargrunt", scenario: "close-quarters" }, brings(1)); },
  async "browser-start"(page) {
    await page.goto(`${base}/#/`);
    await key(page, "ready-quickstart-duel").waitFor();
    await page.waitForFunction(() => [...document.querySelectorAll(".ready-card .thumb")].every((one) => one.querySelectorAll("*").length > 5), null, { timeout: 90000 });
  },
  async "browser-playing"(page) {
    await sit(page, linkFor(await post("/api/battles", { ruleset: "quickstart", scenario: "breakdown", seats: seats({ kind: "person" }, { kind: "bot", bot: "3" }), seed: 4 }), "red"));
    // A shot that is drawn from muzzle to mark, and its dice.
    const shot = () => page.evaluate(() => document.querySelector(".stage .shot-line") !== null && document.querySelector(".slip.scene .die") !== null);
    for (let answers = 0; answers < 60 && !await shot();) {
      const now = await glance(page), { head } = await page.evaluate(async () => { const { state } = await import("/js/state.js"); return { head: state.head }; });
      if (head !== null || !mayAnswer(now)) { await page.waitForTimeout(30); continue; }
      try { await answerByClicking(page, now, { wanted: WANTED }); } catch (problem) { if (!/Timeout|not attached/.test(problem.message)) throw problem; }
      answers += 1;
    }
  },
};
const HOW = { "browser-units": { colorScheme: "dark" }, "browser-strikeops": { colorScheme: "dark" }, "browser-phone": { width: 390, height: 844, colorScheme: "dark" }, "browser-playing": { pace: "slow", reducedMotion: "no-preference" } };

export default async function play() {
  const [, ...only] = how.split(" ");
  for (const [name, make] of Object.entries(PICTURES).filter(([one]) => !only.length || only.includes(one))) {
    const page = await openPage({ tested: false, ...HOW[name] });
    page.setDefaultTimeout(30000);
    await make(page);
    if (name !== "browser-playing") { await judged(page).catch(() => {}); await page.waitForTimeout(300); }
    await save(page, name);
    await page.context().close();
    console.log(name);
  }
}
