// What this browser keeps: the links of my battles, and settings. Tokens stay behind the # and in local storage.

const BATTLES = "sandtable.battles", SETTINGS = "sandtable.settings", MOST = 60;

/** @typedef {{token: string, title: string, ruleset: string, role: string, sides: string[], seen: number}} KeptBattle */

/** @param {string} key  @param {any} otherwise */
function read(key, otherwise) {
  try { return JSON.parse(localStorage.getItem(key) ?? "") ?? otherwise; } catch { return otherwise; }
}
/** @param {string} key  @param {unknown} value */
function write(key, value) {
  try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* a browser that keeps nothing still plays */ }
}

/** @returns {KeptBattle[]} */
export const keptBattles = () => read(BATTLES, []);

/** @param {string} token  @param {{title: string, ruleset: string, role: string, sides: string[]}} battle */
export function keepBattle(token, { title, ruleset, role, sides }) {
  write(BATTLES, [{ token, title, ruleset, role, sides, seen: Date.now() }, ...keptBattles().filter((one) => one.token !== token)].slice(0, MOST));
}

/** @param {string} token */
export const forgetBattle = (token) => write(BATTLES, keptBattles().filter((one) => one.token !== token));

const BRIEFED = "sandtable.briefed";
/** Whether somebody has been briefed here for a battle.  @param {string} token */
export const wasBriefed = (token) => settings().guide === "off" || read(BRIEFED, []).includes(token);
/** @param {string} token */
export const rememberBriefing = (token) => write(BRIEFED, [token, ...read(BRIEFED, [])].slice(0, MOST));

/** @typedef {{theme: "" | "light" | "dark", motion: "" | "still", sound: string, notices: string, guide: string, name: string, pace: string, ranges: string, threats: string}} Settings */
/** @returns {Settings} */
export const settings = () => ({ theme: "", motion: "", sound: "", notices: "", guide: "", name: "", pace: "", ranges: "", threats: "", ...read(SETTINGS, {}) });

/** @param {Partial<Settings>} news */
export function setSettings(news) {
  write(SETTINGS, { ...settings(), ...news });
  applySettings();
}

export function applySettings() {
  const { theme, motion } = settings(), root = document.documentElement;
  if (theme) root.dataset.theme = theme; else delete root.dataset.theme;
  if (motion) root.dataset.motion = motion; else delete root.dataset.motion;
}

/** Daylight or lamplight: whichever it is not now. */
export function switchLamp() {
  const dark = settings().theme ? settings().theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  setSettings({ theme: dark ? "light" : "dark" });
}
