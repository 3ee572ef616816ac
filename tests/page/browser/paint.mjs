// How soon a table is there, and what it weighs: a line of JSON for benchmarks/page.py; another for the page of another server, if
// one is named: RULESET SCENARIO [BASE]. Then the two are opened by turns, so that whatever else goes on is shared by both.

import { base, how, linkFor, openPage, post, seats } from "./table.mjs";

/** Milliseconds from the address being opened to the ground of the board, and what came over the line. */
async function once(where, token) {
  const page = await openPage({ reducedMotion: "no-preference" });
  await page.goto(`${where}/#/table/${token}`, { waitUntil: "commit" });
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
  const [ruleset, scenario, other] = how.split(" "), bases = other ? [base, other] : [base], runs = bases.map(() => []);
  const links = await Promise.all(bases.map(async (where) => linkFor(await post("/api/battles", { ruleset, scenario, seats: seats({ kind: "person" }, { kind: "person" }), seed: 1 }, "", where), "red")));
  for (let i = 0; i < 7; i++) for (const [n, where] of bases.entries()) runs[n].push(await once(where, links[n]));
  for (const all of runs) {
    const by = all.sort((a, b) => a.table_ms - b.table_ms), first = all.map((one) => one.first_ms).sort((a, b) => a - b);
    console.log(JSON.stringify({ ...by[3], first_ms: first[3], best_ms: by[0].table_ms, worst_ms: by[6].table_ms }));
  }
}
