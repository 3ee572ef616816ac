// The page begins here: which page is shown, by what stands behind the # of the address.

import { loadBattles } from "./battles.js";
import { definitions } from "./board.js";
import { ROUTES, pageOf, styled, whither } from "./first.js";
import { listenToKeys } from "./keys.js";
import { lookAt } from "./moments.js";
import { make } from "./pen.js";
import { getUp, sitDown } from "./session.js";
import { applySettings } from "./shelf.js";
import { callPlayers } from "./guide.js";
import { change, state, watch } from "./state.js";
import { tablePage } from "./table-page.js";

// The line is opened and the rulesets are asked for while the page is put together.
const [first, token] = whither();
if (first === "table" && token) sitDown(token);
loadBattles();

applySettings();
const skip = /** @type {HTMLAnchorElement} */ (document.querySelector(".skip"));
skip.addEventListener("click", (event) => { event.preventDefault(); document.getElementById(`${state.route}-main`)?.focus(); });
document.body.prepend(/** @type {any} */ (definitions()));
const views = Object.fromEntries(ROUTES.map((name) => [name, make(`div.view.${name}-view`, { hidden: true })]));
const live = make("p.visually-hidden", { role: "status", "aria-live": "polite" }), toast = make("div.toast", { hidden: true, "aria-hidden": true }), dialog = /** @type {HTMLDialogElement} */ (make("dialog.panel", { "aria-label": "Panel", onclose: () => { if (dialog.dataset.panel === state.panel) change({ panel: "" }); } }));
document.body.append(...Object.values(views), live, toast, dialog);
document.querySelector(".coming")?.remove();

const board = tablePage(views.table);
listenToKeys(board);
callPlayers();

/** Panels come when the first one is opened. @type {typeof import("./panels.js") | null} */
let panels = null;
async function openPanels() {
  try { [panels] = await Promise.all([import("./panels.js"), styled("panels.css")]); change({ panel: state.panel }); } catch { change({ panel: "", notice: "That does not come. Is the server running?" }); }
}

/** @type {number | undefined} */
let fading;
watch((changed) => {
  if (panels) panels.drawPanel(dialog, changed);
  else if (state.panel) openPanels();
  if (changed.has("spoken") && state.spoken) live.textContent = state.spoken;
  if (!changed.has("notice") || !state.notice) return;
  live.textContent = state.notice;
  const question = [state.situation?.question?.prompt, state.refusal?.sentence].includes(state.notice);
  toast.hidden = question;
  toast.textContent = question ? "" : state.notice;
  clearTimeout(fading);
  fading = setTimeout(() => { toast.hidden = true; }, 5000);
});

/** Pages that are put together. @type {Set<string>} */
const made = new Set(["table"]);
/** Put a page together that comes later, once.  @param {string} name */
async function fetchPage(name) {
  try {
    const put = made.has(name) ? undefined : await pageOf(name);
    if (!put || made.has(name)) return;
    made.add(name);
    put(views[name]);
    change({ route: state.route, path: state.path });
  } catch {
    change({ notice: "That page does not come. Is the server running?" });
  }
}

let came = false;
function route() {
  const [shown, ...path] = whither();
  for (const [key, view] of Object.entries(views)) view.hidden = key !== shown;
  document.body.dataset.route = shown;
  skip.href = `#${shown}-main`;
  if (shown === "table" && path[0]) sitDown(path[0]);
  else if (shown === "start") getUp();
  change({ route: shown, path, panel: "", beside: "" });
  if (shown !== "table") document.title = { start: "Sandtable", rules: "Rules · Sandtable", forces: "Forces · Sandtable", terrain: "Terrain · Sandtable" }[shown] ?? "Sandtable";
  fetchPage(shown);
  if (came) loadBattles();
  came = true;
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
