import { base, linkFor, openPage, post, seats } from "/tmp/wt/page/tests/page/browser/table.mjs";
export default async function () {}
const made = await post("/api/battles", { ruleset: "quickstart", scenario: "", seats: seats({ kind: "person" }, { kind: "person" }), seed: 1 });
for (let i = 0; i < 6; i++) {
  const page = await openPage({ reducedMotion: "no-preference" });
  const t0 = Date.now();
  await page.addInitScript(() => { const W = WebSocket; window.WebSocket = class extends W { constructor(...a) { super(...a); performance.mark("ws-new"); this.addEventListener("open", () => performance.mark("ws-open")); let n = 0; this.addEventListener("message", () => performance.mark(`ws-msg${n++}`)); } }; });
  await page.goto(`${base}/#/table/${linkFor(made, "red")}`, { waitUntil: "commit" });
  const told = await page.evaluate(async () => {
    while (!document.querySelector(".table-view .board .sand") && performance.now() < 20000) await new Promise((next) => requestAnimationFrame(next));
    const drawn = performance.now();
    await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
    const nav = performance.getEntriesByType("navigation")[0], res = performance.getEntriesByType("resource");
    const f = (n) => Math.round(n);
    return { html: f(nav.responseEnd), files: res.length, first: f(Math.min(...res.map(r => r.startTime))), last: f(Math.max(...res.filter(r => /js$|css$/.test(r.name)).map(r => r.responseEnd))), slow: res.sort((a, b) => b.duration - a.duration).slice(0, 3).map(r => `${new URL(r.name).pathname} ${f(r.startTime)}+${f(r.duration)} (wait ${f(r.responseStart - r.requestStart)})`), api: res.filter(r => /api/.test(r.name)).map(r => `${new URL(r.name).pathname} ${f(r.startTime)}-${f(r.responseEnd)}`), dcl: f(nav.domContentLoadedEventEnd), fcp: f(performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0), marks: performance.getEntriesByType("mark").map(m => `${m.name} ${f(m.startTime)}`), drawn: f(drawn), painted: f(performance.now()) };
  });
  console.log(JSON.stringify(told));
  await page.context().close();
}
process.exit(0);
