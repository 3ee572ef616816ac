// The timeline: far side above, yours below; a block an activation, a square a point of harm, the lamp at now.

import { icon, sideClass } from "./icons.js";
import { lookAt, seenLog } from "./moments.js";
import { draw, make, renew } from "./pen.js";
import { replay, sceneEnd, sceneWords } from "./player.js";
import { paceChoice } from "./scene-card.js";
import { change, state } from "./state.js";
import { sideOf } from "./log.js";

/** @typedef {{side: string, from: number, to: number, harm: number}} Act */
/** @typedef {{turn: number, from: number, to: number, acts: Act[]}} Turn */

/** The battle as turns and activations.  @param {import("./types.js").LogLine[]} log  @returns {Turn[]} */
export function turnsOf(log) {
  const turns = /** @type {Turn[]} */ ([{ turn: 0, from: 0, to: 0, acts: [] }]);
  log.forEach(({ event }, i) => {
    let turn = turns[turns.length - 1];
    if (event.event === "PhaseBegan" && event.turn !== turn.turn) turns.push(turn = { turn: event.turn, from: i, to: i, acts: [] });
    if (event.event === "StepBegan" && event.units?.length) turn.acts.push({ side: event.side ?? sideOf(event), from: i, to: i, harm: 0 });
    const act = turn.acts[turn.acts.length - 1];
    if (act) { act.to = i + 1; if (event.event === "HarmApplied") act.harm += Math.max(0, event.after - event.before); }
    turn.to = i + 1;
  });
  return turns.filter((turn) => turn.to > turn.from);
}

/** @param {SVGSVGElement} svg  @param {number} width */
function strip(svg, width) {
  const log = seenLog(), mid = 33, pad = 10, n = Math.max(1, log.length), at = (/** @type {number} */ i) => pad + (width - 2 * pad - 40) * i / n;
  const mine = state.situation?.side || state.table?.sides[0], now = state.moment ?? n, nodes = [];
  svg.setAttribute("viewBox", `0 0 ${width} 66`);
  let lastWord = -99;
  for (const turn of turnsOf(log)) {
    nodes.push(draw("path", { class: "turn-mark", d: `M${at(turn.from)} 6V60` }));
    if (at(turn.from) - lastWord > 46) { nodes.push(draw("text", { x: at(turn.from) + 4, y: 63 }, turn.turn ? `Turn ${turn.turn}` : "Set-up")); lastWord = at(turn.from); }
    for (const act of turn.acts) {
      const up = act.side !== mine, y = up ? mid - 11 : mid + 2, w = Math.max(1.5, at(act.to) - at(act.from) - 1.5), box = { x: at(act.from), y, width: w, height: 9, rx: 1.5 };
      nodes.push(draw("rect", { class: `act ${sideClass(act.side)}`, ...box }), draw("rect", { class: up ? "bars" : "hatch", ...box }));
      for (let k = 0; k < Math.min(4, act.harm); k++) nodes.push(draw("rect", { class: "harm-end", x: at(act.to) - 6 - k * 7, y: up ? mid - 20 : mid + 13, width: 5, height: 7 }));
    }
  }
  nodes.push(draw("path", { class: "base", d: `M${pad} ${mid}H${width - pad}` }), draw("path", { class: "now-line", d: `M${at(now)} 10V60` }), draw("circle", { class: "now-lamp", cx: at(now), cy: 10, r: 6.5 }));
  if (state.moment === null) nodes.push(draw("text", { class: "now-word", x: at(n) + 10, y: 14 }, "now"));
  svg.replaceChildren(...nodes);
  return (/** @type {number} */ x) => Math.round((x - pad) / Math.max(1, width - 2 * pad - 40) * n);
}

/** One moment on or back: a moment is a scene, whatever it takes in the books.  @param {1 | -1} way */
export const step = (way) => lookAt(sceneEnd(state.moment ?? state.log.length, way));

/** @param {HTMLElement} place  @param {Set<string>} changed  @param {{share: () => void, fork: () => void}} acts */
export function drawTimeline(place, changed, acts) {
  if (!["log", "moment", "head", "playing", "situation", "size", "welcome"].some((name) => changed.has(name)) || place.hidden) return;
  const log = seenLog(), n = state.moment ?? log.length, line = log[n - 1], scene = state.scenes.filter((one) => one.lead && one.first <= n).at(-1), told = scene ? sceneWords(scene) : line?.words ?? "the beginning", tool = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void} */ press) => make("button.tool", { "aria-label": label, title: label, "data-key": `time-${name}`, onclick: press }, icon(name));
  const svg = /** @type {SVGSVGElement} */ (draw("svg", { class: "strip", "aria-hidden": "true" })), width = place.querySelector(".strip")?.clientWidth ?? 0, find = strip(svg, width || 700);
  const slider = make("input.scrub", { type: "range", min: 0, max: log.length, value: String(n), "aria-label": "Moment", "data-key": "scrub", "aria-valuetext": `${n}: ${told}`, oninput: (/** @type {Event} */ e) => lookAt(Number(/** @type {HTMLInputElement} */ (e.target).value)) });
  renew(place, make("div.play", {}, tool("back", "To the start", () => lookAt(0)), tool("step", "One moment back", () => step(-1)), tool("play", state.playing ? "Stop" : "Play", () => replay(!state.playing)), tool("next", "One moment on", () => step(1)), tool("forth", "To now", () => change({ moment: null })),
    make("p.moment", {}, make("b", {}, state.moment === null ? "Now" : `Moment ${n}`), state.playing ? paceChoice("pace") : told)), make("div.strip-place", { onpointerdown: (/** @type {PointerEvent} */ event) => { if (event.target instanceof SVGElement) lookAt(find(event.offsetX)); } }, svg, slider),
  make("div.after", {}, state.moment !== null && make("button.else.now", { onclick: () => change({ moment: null }) }, "Back to now"), make("button.else", { onclick: acts.share, "data-key": "share" }, icon("share"), "Share moment"), (state.welcome?.open_journal || state.table?.ending) && make("button.else", { onclick: acts.fork, "data-key": "fork" }, icon("fork"), "Fork here")));
  // How wide it is shows only once it stands there.
  if (!width && place.querySelector(".strip")?.clientWidth) drawTimeline(place, changed, acts);
}
