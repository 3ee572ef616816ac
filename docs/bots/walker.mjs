#!/usr/bin/env node
// A whole bot: it fires where it may, walks towards the enemy, and leaves the rest to chance.
import { createInterface } from "node:readline";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

async function told() {
  const { value, done } = await lines.next();
  return done ? process.exit() : JSON.parse(value);
}

async function tried(draft) {
  say(draft);
  return told();
}

/** The walk of every model straight to the nearest enemy: as much of it as is lawful. */
async function towards(question, things) {
  const foes = Object.values(things).filter((one) => one.side !== side && one.place.place === "at").map((one) => one.place.point);
  if (question.faces || !foes.length) return null;
  const walks = {};
  for (const model of question.models) {
    const [x, y] = things[model].place.point, far = ([a, b]) => (a - x) ** 2 + (b - y) ** 2;
    walks[model] = { legs: [{ by: "via", point: foes.reduce((a, b) => (far(b) < far(a) ? b : a)) }] };
  }
  const verdict = await tried({ say: "draft", answer: walks });
  return verdict.clipped ?? (verdict.refusal ? null : walks);
}

const { side } = await told();
for (;;) {
  const { question, view } = await told(); // a question, or `refused`: then anything lawful will do
  let answer = null;
  if (question?.kind === "move") answer = await towards(question, view.things);
  if (question?.kind === "choose one") answer = question.options.find((one) => ["shoot", "fire"].includes(one.id) && !one.refused)?.id ?? null;
  answer ??= (await tried({ say: "any" })).answer;
  say({ say: "answer", answer, reason: "it seemed a good idea" });
}
