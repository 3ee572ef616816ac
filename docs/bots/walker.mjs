#!/usr/bin/env node
// A whole bot: it fires where it may, walks towards the enemy, and takes any lawful answer else.
import { createInterface } from "node:readline";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const hear = async () => { const { value, done } = await lines.next(); if (done) process.exit(); return JSON.parse(value); };
const judged = async (draft) => { say({ say: "draft", ...draft }); return hear(); };

let seed = 1, side = "";
const random = () => { seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff; return seed / 0x7fffffff; };
const between = (low, high) => Math.floor(low + random() * (high - low + 1));
const pick = (list) => list[between(0, list.length - 1)];

/** Any answer to a question; whether it is lawful, the verdict says. */
function guess(question, view) {
  const open = (question.options ?? []).filter((one) => !one.refused).map((one) => one.id);
  switch (question.kind) {
    case "choose one": return ["shoot", "fire"].find((id) => open.includes(id)) ?? pick(open);
    case "choose several": return open.slice(0, Math.max(question.at_least, Math.min(open.length, question.at_most ?? 9)));
    case "confirm": return random() < .5;
    case "react": return { option: question.options[0].id, along: question.stretch?.[0] ?? null, amount: question.options[0].amount_least };
    case "allocate": return Object.fromEntries(question.items.map(({ id }) => [id, pick(question.allowed[id] ?? question.bins.map((bin) => bin.id))]));
    case "place": {
      const shape = Object.values(question.where)[0].inside[0], points = shape.points ?? [-1, 1].map((d) => shape.center.map((n) => n + d * shape.radius));
      const spot = () => ({ place: "at", point: [0, 1].map((i) => between(Math.min(...points.map((p) => p[i])), Math.max(...points.map((p) => p[i])))), level: 0 });
      return question.default ?? Object.fromEntries(question.things.map((id) => [id, { where: spot(), facing: between(0, 359) }]));
    }
    default: {
      const foes = Object.values(view.things).filter((one) => one.kind === "model" && one.side !== side && one.place.place === "at").map((one) => one.place.point);
      return Object.fromEntries(question.models.map((id) => [id, { legs: [question.faces ? { by: "leg", turn: between(-90, 90), go: 5000 } : { by: "via", point: foes.length ? pick(foes) : [0, 0], level: 0 }] }]));
    }
  }
}

async function planned(parts, view) {
  const plan = {};
  for (let part = parts.find((one) => !one.optional) ?? parts[0]; part; part = parts.find((one) => !one.optional)) {
    plan[part.id] = guess(part.question, view);
    parts = (await judged({ answer: plan })).parts ?? [];
  }
  return plan;
}

const sit = await hear();
side = sit.side;
for (const letter of sit.seed) seed = (Math.imul(seed, 31) + letter.charCodeAt(0)) & 0x7fffffff;
for (let asked; ;) {
  const told = await hear();
  if (told.tell === "question") asked = told; // else the last answer was refused: think again
  const { question, view, parts } = asked;
  let answer = null;
  for (let tries = 0; tries < 60; tries++) {
    const draft = question.kind === "plan" ? await planned(parts, view) : guess(question, view), verdict = await judged({ answer: draft });
    answer = verdict.clipped ?? (verdict.refusal ? null : draft);
    if (answer !== null) break;
  }
  say({ say: "answer", answer, reason: "it seemed a good idea" });
}
