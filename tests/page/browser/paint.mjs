// How soon a table is there, and what it weighs: one line of JSON for benchmarks/page.py.

import { base, how, linkFor, openPage, post, seats } from "./table.mjs";

/** Milliseconds from the address being opened to the ground of the board, and what came over the line. */
async function once(token) {
  const page = await openPage({ reducedMotion: "no-preference", tested: false });
  await page.goto(`${base}/#/table/${token}`, { waitUntil: "commit" });
  const told = await page.evaluate(async () => {
    while (!document.querySelector(".table-view .board .sand") && performance.now() < 20000) await new Promise((next) => requestAnimationFrame(next));
    await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
    const painted = performance.now(), files = performance.getEntriesByType("resource").filter((one) => /\.(js|css|svg|html)$|\/$/.test(new URL(one.name).pathname));
    const [page] = performance.getEntriesByType("navigation"), first = performance.getEntriesByName("first-contentful-paint")[0];
    return { table_ms: Math.round(painted), first_ms: Math.round(first?.startTime ?? 0), files: files.length + 1, weight: files.reduce((sum, one) => sum + one.decodedBodySize, page.decodedBodySize), sent: files.reduce((sum, one) => sum + one.transferSize, page.transferSize), elements: document.querySelectorAll("*").length };
  });
  await page.context().close();
  return told;
}

export default async function play() {
  const made = await post("/api/battles", { ruleset: how.split(" ")[0], scenario: how.split(" ")[1] ?? "", seats: seats({ kind: "person" }, { kind: "person" }), seed: 1 }), runs = [];
  for (let i = 0; i < 7; i++) runs.push(await once(linkFor(made, "red")));
  const by = runs.sort((a, b) => a.table_ms - b.table_ms);
  console.log(JSON.stringify({ ...by[3], best_ms: by[0].table_ms, worst_ms: by[6].table_ms }));
}
