// The page begins here: which page is shown, by what stands behind the # of the address.

import { definitions } from "./board.js";
import { cardsPage } from "./cards.js";
import { editorPage } from "./editor.js";
import { listenToKeys } from "./keys.js";
import { lookAt } from "./moments.js";
import { make } from "./pen.js";
import { drawPanel } from "./panels.js";
import { rulesPage } from "./rules.js";
import { getUp, sitDown } from "./session.js";
import { applySettings } from "./shelf.js";
import { loadBattles, startPage } from "./start.js";
import { change, state, watch } from "./state.js";
import { tablePage } from "./table-page.js";

const ROUTES = ["start", "table", "rules", "forces", "terrain"];

applySettings();
const skip = /** @type {HTMLAnchorElement} */ (document.querySelector(".skip"));
skip.addEventListener("click", (event) => { event.preventDefault(); document.getElementById(`${state.route}-main`)?.focus(); });
document.body.prepend(/** @type {any} */ (definitions()));
const views = Object.fromEntries(ROUTES.map((name) => [name, make(`div.view.${name}-view`, { hidden: true })]));
const live = make("p.visually-hidden", { role: "status", "aria-live": "polite" }), toast = make("div.toast", { hidden: true, "aria-hidden": true }), dialog = /** @type {HTMLDialogElement} */ (make("dialog.panel", { "aria-label": "Panel", onclose: () => { if (dialog.dataset.panel === state.panel) change({ panel: "" }); } }));
document.body.append(...Object.values(views), live, toast, dialog);

startPage(views.start);
const board = tablePage(views.table);
rulesPage(views.rules);
cardsPage(views.forces);
editorPage(views.terrain);
listenToKeys(board);

/** @type {number | undefined} */
let fading;
watch((changed) => {
  drawPanel(dialog, changed);
  if (!changed.has("notice") || !state.notice) return;
  live.textContent = state.notice;
  const question = [state.situation?.question?.prompt, state.log.at(-1)?.words, state.refusal?.sentence].includes(state.notice);
  toast.hidden = question;
  toast.textContent = question ? "" : state.notice;
  clearTimeout(fading);
  fading = setTimeout(() => { toast.hidden = true; }, 5000);
});

function route() {
  const [name, ...path] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent), shown = ROUTES.includes(name) ? name : "start";
  for (const [key, view] of Object.entries(views)) view.hidden = key !== shown;
  document.body.dataset.route = shown;
  skip.href = `#${shown}-main`;
  if (shown === "table" && path[0]) sitDown(path[0]);
  else if (shown === "start") getUp();
  change({ route: shown, path, panel: "" });
  document.title = { start: "Sandtable", table: "The table · Sandtable", rules: "Rules · Sandtable", forces: "Forces · Sandtable", terrain: "Terrain · Sandtable" }[shown] ?? "Sandtable";
  loadBattles();
  if (shown === "table" && path[1] === "said") waitFor(Number(path[2]));
}

/** A link to a moment: go there once the log is here. Logs differ; how much had been said does not.  @param {number} said */
function waitFor(said) {
  const token = state.token;
  const look = () => {
    if (state.token !== token) return;
    const next = state.log.findIndex((line) => line.said > said);
    if (next >= 0) lookAt(next); else if (state.log.length) lookAt(state.log.length); else setTimeout(look, 100);
  };
  look();
}

addEventListener("hashchange", route);
route();
