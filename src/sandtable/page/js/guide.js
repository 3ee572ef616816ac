// The first battle is guided: a line or two the first time something of a kind is asked, and never again. And whoever likes is called.

import { icon } from "./icons.js";
import { make } from "./pen.js";
import { settings, setSettings } from "./shelf.js";
import { change, state, watch } from "./state.js";

const HINTS = /** @type {Record<string, string>} */ ({
  place: "Press the board where it goes, or drag it there. What is shaded is where it may stand; the buttons and the dial turn it.",
  move: "Press where it shall walk; each press is a leg. What goes too far is cut to what may be walked. The small circle before it turns it on the spot.",
  plan: "Say one line after the other: what it does, at whom, with what. Below stands what it may bring. Nothing happens before you declare it.",
  "choose one": "Press a line, or the model on the board, to see what it brings. The amber button does it, and Enter too.",
  "choose several": "Press as many as you like, in the order they count. The amber button says what you take.",
  allocate: "Press what is to be given, then where it goes; or drag it there.",
  confirm: "Two ways, each with what it brings. Y and N will do.",
  react: "The other side is in the middle of something. Break in, or pass; what it costs you stands below.",
});
const KEY = "sandtable.hints";
const seen = () => { try { return /** @type {string[]} */ (JSON.parse(localStorage.getItem(KEY) ?? "[]")); } catch { return []; } };
/** @param {string} kind */
const keep = (kind) => { try { localStorage.setItem(KEY, JSON.stringify([...seen(), kind])); } catch { /* it is said again */ } change({ draft: state.draft }); };

/** What a beginner is told at a question of this kind, once.  @param {string} kind */
export function hintNode(kind) {
  if (settings().guide === "off" || seen().includes(kind) || !HINTS[kind]) return null;
  return make("div.hint", { role: "note" }, icon("lamp"), make("p", {}, HINTS[kind]), make("div", {}, make("button.chip", { "data-key": "hint-seen", onclick: () => keep(kind) }, "I see"), make("button.chip", { "data-key": "hint-none", onclick: () => { setSettings({ guide: "off" }); change({ draft: state.draft }); } }, "No more hints")));
}

/** A short tone. */
function tone() {
  const sound = new AudioContext(), wave = sound.createOscillator(), loud = sound.createGain();
  wave.frequency.value = 660;
  loud.gain.setValueAtTime(.08, sound.currentTime);
  loud.gain.exponentialRampToValueAtTime(.001, sound.currentTime + .35);
  wave.connect(loud).connect(sound.destination);
  wave.start();
  wave.stop(sound.currentTime + .36);
}

let asked = "";
/** Call whoever is asked something: by a tone, or by a notice while the page is out of sight. */
export function callPlayers() {
  watch(() => {
    const asks = state.head === null ? state.situation?.asks ?? "" : asked;
    if (asks === asked) return;
    asked = asks;
    if (!asks) return;
    if (settings().sound === "on") tone();
    if (settings().notices === "on" && document.hidden && "Notification" in window && Notification.permission === "granted") new Notification("Your move", { body: state.situation?.question?.prompt ?? "" });
  });
}
