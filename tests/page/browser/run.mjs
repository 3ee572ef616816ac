// node run.mjs SCENARIO BASE [HOW]: play one scenario in the browser; anything wrong ends in an error.

import { browser, complaints } from "./table.mjs";

let wrong = false;
try {
  const { default: play } = await import(`./${process.argv[2]}.mjs`);
  await play();
  if (complaints.length) throw new Error(`the browser complained: ${complaints.join("\n")}`);
  console.log("done");
} catch (problem) {
  wrong = true;
  console.error(problem.stack ?? problem);
} finally {
  await browser.close();
}
process.exit(wrong ? 1 : 0);
