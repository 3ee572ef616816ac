// Two browsers against each other, and a spectator: undo, a refusal, a disconnect and a return, chat, a draw.

import { assert, axe, clickTable, key, keys, linkFor, look, openPage, post, press, seats, sit, until } from "./table.mjs";

const place = async (page) => {
  const state = await until(page, (s) => s.situation?.question?.kind === "place", "a place question");
  const zone = Object.values(state.situation.question.where)[0].inside[0].points, ys = zone.map((p) => p[1]), y = (Math.min(...ys) + Math.max(...ys)) / 2;
  return { state, y };
};

export default async function play() {
  const made = await post("/api/battles", { ruleset: "quickstart", scenario: "crowded", size: 2, seed: 7, seats: seats({ kind: "person", name: "Ada <b>" }, { kind: "person", name: "Bob" }) });
  const red = await openPage(), blue = await openPage({ colorScheme: "dark" }), watcher = await openPage();
  await sit(red, linkFor(made, "red")); await sit(blue, linkFor(made, "blue")); await sit(watcher, linkFor(made, ""));
  for (const page of [red, blue]) if ((await look(page)).situation.question?.topic === "edge") { await press(page, "option-south"); await press(page, "do"); await until(page, (s) => s.situation.question?.topic !== "edge", "the edge chosen"); }
  await Promise.race([red, blue].map((page) => until(page, (s) => s.situation.question?.kind === "place", "a model to place")));
  const asked = (await look(red)).situation.question ? red : blue, waits = asked === red ? blue : red;
  await waits.getByText("is choosing.").first().waitFor();
  assert.equal((await look(watcher)).situation.question, null, "a spectator is asked nothing");
  assert.equal((await look(waits)).situation.question, null);

  // A refusal: outside the zone. The stamp says which rule forbids.
  const { y } = await place(asked);
  await clickTable(asked, 24000, 24000);
  await until(asked, (s) => s.verdict?.refusal, "a refusal");
  await asked.locator('[data-key="do"][aria-disabled=true]').waitFor();
  await keys(asked, "Enter");
  await asked.locator(".refusal a[data-rule]").first().waitFor();
  assert.equal((await look(waits)).log.length, (await look(asked)).log.length, "a refused answer changes nothing");

  // An undo: the answer is taken back, and everybody sees it.
  await clickTable(asked, 24000, y);
  await until(asked, (s) => s.verdict && !s.verdict.refusal, "a lawful draft");
  await press(asked, "do");
  let state = await until(asked, (s) => s.situation.question?.about?.[0] !== undefined && s.log.some((line) => line.event.event === "Placed" && line.event.where.place === "at") || s.situation.question === null, "the model placed");
  if (state.situation.may_undo) {
    await press(asked, "undo");
    await until(waits, (s) => s.log.some((line) => line.event.event === "TakenBack"), "what was taken back");
    await clickTable(asked, 26000, (await place(asked)).y);
    await until(asked, (s) => s.verdict && !s.verdict.refusal, "a lawful draft");
    await press(asked, "do");
  }

  // A disconnect and a return: the draft is kept, and the page comes back by itself.
  const next = await Promise.race([red, blue].map(async (page) => { await until(page, (s) => s.situation?.question?.kind === "place" && s.sent === "", "the next place").catch(() => new Promise(() => {})); return page; }));
  await clickTable(next, 20000, (await place(next)).y);
  await until(next, (s) => Object.keys(s.draft ?? {}).length === 1, "a draft");
  // Until it is switched on again the line is down, however slowly anybody looks: sockets that are opened meanwhile never come up.
  await next.evaluate(async () => {
    const { state } = await import("/js/state.js"), Real = WebSocket;
    window.kept = JSON.stringify(state.draft);
    window.WebSocket = Object.assign(function Dead() { return window.dead = { readyState: 0, close() {} }; }, { OPEN: Real.OPEN });
    window.switchedOn = () => { window.WebSocket = Real; window.dead?.onclose(); };
  });
  await next.context().setOffline(true);
  await next.evaluate(() => window.dispatchEvent(new Event("offline")));
  await until(next, (s) => s.line === "down", "the line to go down");
  await next.getByText("Your draft is kept.").waitFor();
  await next.context().setOffline(false);
  await next.evaluate(() => window.switchedOn());
  await until(next, (s) => s.line === "up", "the line to come back");
  assert.equal(JSON.stringify((await look(next)).draft), await next.evaluate(() => window.kept), "the draft is kept");

  // Chat is data; a spectator sees it too.
  await press(red, "bar-chat");
  await key(red, "chat-text").waitFor();
  await axe(red, "chat", ".chat");
  await key(red, "chat-text").fill("<img src=x onerror=alert(1)> hello");
  await key(red, "chat-text").press("Enter");
  await until(watcher, (s) => s.chat.some((line) => line.text.includes("<img")), "the chat");
  await press(red, "close-chat");
  assert.equal(await watcher.locator("img").count(), 0);

  // A draw that both agree to.
  for (const page of [red, blue]) { await press(page, "bar-orders"); await axe(page, "orders", "dialog[open]"); await press(page, "offer"); await keys(page, "Escape"); }
  await until(watcher, (s) => s.table.ending !== null, "the draw");
  assert.equal((await look(watcher)).table.ending.winner, "");
}
