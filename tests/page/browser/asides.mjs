// Said aside: taking back by agreement, clocks, names and a chat that lies beside the board.

import { playAll } from "./clicking.mjs";
import { battered, batteredSeat } from "./battered.mjs";
import { assert, axe, base, comes, how, key, keys, linkFor, look, openPage, picture, post, press, seats, sit, type, until } from "./table.mjs";

const [size, theme] = how.split(" "), sizes = { desk: [1440, 900], phone: [390, 844] }, [width, height] = sizes[size], narrow = size === "phone";
const open = (more = {}) => openPage({ width, height, colorScheme: theme, ...more });
/** A tool of the bar: on a phone it stands under More. */
const tool = async (page, name) => { if (narrow) { await press(page, "bar-more"); await press(page, `more-${name}`); } else await press(page, `bar-${name}`); };

/** Two people: one asks, the other refuses, then agrees; a spectator hears of it. */
async function takingBack() {
  const made = await battered({ harm: [0, 0], clock: { minutes: 20, increment: 15 }, seats: seats({ kind: "person" }, { kind: "person" }) });
  const red = await open(), blue = await open(), watcher = await open();
  await blue.addInitScript(() => localStorage.setItem("sandtable.settings", JSON.stringify({ pace: "once", guide: "off", name: "Bea" })));
  await sit(red, linkFor(made, "red")); await sit(blue, linkFor(made, "blue")); await sit(watcher, linkFor(made, ""));
  await clocks(red, blue);
  const [asker, other] = await (async () => {
    let found = null;
    await playAll([red, blue], async () => { const states = await Promise.all([red, blue].map(look)), at = states.findIndex((s) => s.situation.may_ask_undo && !s.situation.may_undo); found = at < 0 ? null : at ? [blue, red] : [red, blue]; return found !== null; }, { wanted: ["stand-up", "shoot", "move"] });
    return found;
  })();
  for (const page of [red, blue, watcher]) await whoseTurn(page);
  const side = (await look(asker)).situation.side, before = (await look(asker)).log.length;
  // Enter and U do nothing by themselves: what it means is said first.
  if (narrow) await press(asker, "undo"); else await keys(asker, "u");
  await key(asker, "ask-undo").waitFor();
  assert.match(await asker.locator("dialog").textContent(), /has to agree.*dice that fell fall again as they fell/);
  await axe(asker, `asking to take back, ${how}`, "dialog[open]"); await picture(asker, `undo-panel-${size}-${theme}`);
  await press(asker, "ask-undo");
  await key(asker, "ask-no-more").waitFor();
  await key(other, "agree-undo").waitFor();
  const plea = await other.locator(".plea").textContent();
  assert.match(plea, new RegExp(`${side} ${side === "blue" ? "\\(Bea\\) " : ""}asks to take its last answer back`, "i"));
  assert.ok(await other.locator(".plea").evaluate((node) => node.getBoundingClientRect().bottom <= innerHeight), "seen without scrolling");
  await watcher.locator(".plea").waitFor();
  assert.equal(await watcher.locator(".plea button").count(), 0, "a spectator is not asked");
  await axe(other, `somebody asks, ${how}`, ".plea"); await picture(other, `undo-asked-${size}-${theme}`);
  await press(other, "refuse-undo");
  await until(asker, (s) => s.situation.asks_undo === "", "the refusal");
  assert.equal((await look(asker)).log.length, before, "nothing was taken back");
  await press(asker, "undo"); await press(asker, "ask-undo");
  await until(asker, (s) => s.notice === "That was refused; play on.", "a polite no");
  // Who has played on may ask again.
  const answers = new Map();
  await playAll([red, blue], async () => { const { situation, sent } = await look(asker); return answers.get(asker) > 1 && !sent && situation.may_ask_undo && !situation.may_undo; }, { wanted: ["stand-up", "shoot", "move"], answers });
  const asks = await look(asker);
  await press(asker, "undo"); await press(asker, "ask-undo");
  await press(other, "agree-undo");
  await until(asker, (s) => s.log.at(-1).event.event === "TakenBack" && s.log.length > asks.log.length, "it is taken back");
  await until(other, (s) => s.log.some((line) => line.event.event === "TakenBack"), "and the other sees it");
  await chatting(red, blue, watcher);
  // Time runs out, and it is said plainly.
  assert.match(await red.locator(".stakes").textContent(), /\d+:\d\d/);
  return [red, blue];
}

/** Header, title and lamp tell everybody alike whose turn it is and who is asked. */
async function whoseTurn(page) {
  await until(page, (s) => s.situation.waiting.length > 0 && s.head === null, "somebody who is asked");
  const { situation, table } = await look(page), mine = situation.question !== null, name = (side) => side[0].toUpperCase() + side.slice(1), others = situation.waiting.filter((one) => one !== situation.side).map(name), words = await page.locator(".turn-words").textContent(), title = await page.title();
  assert.match(words, new RegExp(`^Turn ${table.turn}\\b`));
  assert.match(words, mine ? /you are asked$/ : new RegExp(`${others.join(" and ")} (is|are) asked$`));
  assert.match(title, mine ? /^Your move · / : new RegExp(`^${others.join(" and ")} (is|are) asked · `));
  const [side, ...units] = await page.evaluate(async () => { const { actingNow, shown } = await import("/js/moments.js"); return actingNow(shown().table); }), lit = await page.locator(".board-place > svg .pieces .model.active").evaluateAll((nodes) => nodes.map((node) => node.dataset.thing));
  assert.deepEqual(lit.toSorted(), units.filter((id) => table.things[id]?.place.place === "at").toSorted(), `the lamp is over ${lit} while ${side} acts with ${units}`);
  if (side) assert.match(words, new RegExp(`${side}.* acts`));
  if (units.length) assert.equal(await page.locator(".order .now").count(), 1);
}

/** Both see both clocks; the one that runs goes on by itself. */
async function clocks(red, blue) {
  for (const page of [red, blue]) await until(page, (s) => s.situation.clocks.some((one) => one.runs), "a clock that runs");
  const read = (page, side) => page.locator(`[data-clock="${side}"]`).textContent();
  assert.match(await read(red, "red"), /^(20:00|1?\d:\d\d)$/);
  assert.match(await read(blue, "blue"), /^(20:00|1?\d:\d\d)$/);
  const [side] = (await look(red)).situation.waiting, first = await read(blue, side);
  await blue.waitForFunction(([side, first]) => document.querySelector(`[data-clock="${side}"]`).textContent !== first, [side, first]);
  assert.equal(await red.locator(`[data-clock="${side}"].runs`).count(), 1);
  await axe(red, `clocks, ${how}`, ".stakes"); await picture(red, `clocks-${size}-${theme}`);
}

/** The chat lies beside the board, on a phone as a sheet; guests have names. */
async function chatting(red, blue, watcher) {
  await tool(red, "chat");
  await key(red, "chat-text").waitFor();
  const [chat, board] = await Promise.all([red.locator(".chat").boundingBox(), red.locator(".table-view .board-place").boundingBox()]);
  assert.ok(narrow ? chat.y + chat.height <= height && chat.y > height * .3 : chat.x + chat.width <= board.x + 1, "it does not lie over the board");
  if (narrow) assert.ok(board.y + board.height <= chat.y + 12, `the board ends where the sheet begins: ${board.y + board.height} ${chat.y}`);
  assert.equal(await red.locator("dialog[open]").count(), 0);
  await type(red, "chat-name", "Ada");
  await until(blue, (s) => s.seats.some((seat) => seat.side === "red" && seat.name === "Ada"), "her name");
  await key(red, "chat-text").fill("Good shot");
  await key(red, "chat-text").press("Enter");
  await until(blue, (s) => s.chat.some((line) => line.text === "Good shot" && line.name === "Ada"), "what she says");
  await tool(watcher, "chat");
  await type(watcher, "chat-name", "Wim");
  await key(watcher, "chat-text").fill("Indeed"); await key(watcher, "chat-text").press("Enter");
  await until(red, (s) => s.chat.length === 2, "the spectator");
  assert.match(await red.locator(".chat-lines").textContent(), /Ada: Good shot.*Wim: Indeed/);
  await axe(red, `chat, ${how}`, ".chat"); await picture(red, `chat-${size}-${theme}`);
  await until(blue, (s) => s.chat.length === 2, "the spectator here too");
  if (!narrow) assert.equal(await key(blue, "bar-chat").textContent(), "2", "what is not read is counted");
  await press(red, "close-chat");
  await until(red, (s) => s.tab === "table", "the chat closed");
  assert.match(await red.locator(".slip, .mood").first().textContent(), /./);
}

/** Against the computer: it agrees at once. */
async function computer() {
  const page = await open();
  await sit(page, await batteredSeat({ harm: [0, 0] }));
  await playAll([page], async () => { const { situation } = await look(page); return situation.question && situation.may_ask_undo && !situation.may_undo; }, { wanted: ["stand-up", "shoot", "move"] });
  await press(page, "undo");
  await key(page, "ask-undo").waitFor();
  assert.match(await page.locator("dialog").textContent(), /the computer lets you/);
  await press(page, "ask-undo");
  await until(page, (s) => s.log.at(-1).event.event === "TakenBack" && s.situation.question !== null, "the computer lets one");
}

/** The clock is agreed on where the battle is opened, and my battles say how they stand. */
async function opening() {
  const page = await open();
  await page.goto(`${base}/#/`);
  await key(page, "clock").selectOption("20 15");
  await key(page, "seat-blue").selectOption("far");
  await press(page, "lay");
  await page.getByRole("link", { name: "Sit down" }).click();
  await until(page, (s) => s.welcome?.minutes === 20 && s.welcome.increment === 15, "the clock that was agreed on");
  await page.goto(`${base}/#/`);
  const mine = page.locator(".saved").first();
  await mine.waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".saved .thumb .terrain, .saved .thumb .thumb-model").length > 0);
  await comes(page, async () => /(turn \d+|deployment).*(Your move|Blue to move)/.test(await mine.textContent()), "how it stands", () => mine.textContent());
  await axe(page, `my battles, ${how}`); await picture(page, `my-battles-${size}-${theme}`);
}

export default async function play() {
  await takingBack();
  await computer();
  await opening();
}
