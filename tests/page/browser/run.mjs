// node run.mjs SCENARIO BASE [HOW]: play one scenario in the browser; anything wrong ends in an error.
// node run.mjs: play what is asked for, a line of JSON each, {scenario, base, how}, in one browser; each is answered by {told, wrong}.

import { createInterface } from "node:readline";
import { byMouse } from "./clicking.mjs";
import { begin, close, complaints, end } from "./table.mjs";

let told = [], played = 0;

/** Play a scenario in pages of its own; gives what went wrong, or nothing. */
async function play({ scenario, base, how = "" }) {
  let wrong = "";
  try {
    await begin(base, how);
    byMouse();
    // Loaded anew, so that nothing is left of what was played before.
    const { default: script } = await import(`./${scenario}.mjs?${played += 1}`);
    await script();
    if (complaints.length) throw new Error(`the browser complained: ${complaints.join("\n")}`);
  } catch (problem) {
    wrong = String(problem.stack ?? problem);
  }
  await end();
  return wrong;
}

// What a scenario left behind that failed must not end the next one.
process.on("unhandledRejection", (problem) => { told.push(String(problem)); });

const [scenario, base, how] = process.argv.slice(2);
if (scenario) {
  const wrong = await play({ scenario, base, how });
  console.log(wrong || "done");
  await close();
  process.exit(wrong ? 1 : 0);
} else {
  console.log = (...words) => told.push(words.join(" "));
  for await (const line of createInterface({ input: process.stdin })) {
    told = [];
    const wrong = await play(JSON.parse(line));
    process.stdout.write(`${JSON.stringify({ told: told.join("\n"), wrong })}\n`);
  }
  await close();
}
