// The card of what is being played: who does what, the dice as they fall with what they need, and what came of it.

import { die, icon, mark, pennant, sideClass } from "./icons.js";
import { rollNode } from "./log.js";
import { make } from "./pen.js";
import { PACES, skip, still } from "./player.js";
import { settings, setSettings } from "./shelf.js";
import { callOf, change, nameOf, said, state } from "./state.js";

const PACE_WORDS = /** @type {Record<string, string>} */ ({ slow: "slowly", normal: "as usual", fast: "quickly", once: "at once" });
/** How quickly what happens is shown.  @param {string} key */
export const paceChoice = (key) => make("label.pace", {}, make("span.label", {}, "Shown"), make("select.box.small", { "data-key": key, "aria-label": "How quickly what happens is shown", onchange: (/** @type {Event} */ e) => { setSettings({ pace: /** @type {HTMLSelectElement} */ (e.target).value }); change({ beat: state.beat }); } },
  ...Object.keys(PACES).map((one) => make("option", { value: one, selected: (settings().pace || "normal") === one }, PACE_WORDS[one]))));

/** Dice that are still rolling: faces that change, until they settle.  @param {import("./types.js").Rolled} roll  @param {number} began */
function rolling(roll, began) {
  const faces = roll.faces ?? [], spin = Math.floor((performance.now() - began) / 70), sides = Math.max(6, ...faces);
  return make("div.roll.rolling", {}, make("div.roll-sum", {}, ...faces.map((_, i) => die((spin * 7 + i * 5 + 3) % sides + 1)), roll.needs !== null && roll.needs !== undefined && make("span.op", {}, "needs"), roll.needs !== null && roll.needs !== undefined && ` ${roll.needs}`));
}

/** What is played now, where the question will stand. */
export function sceneCard() {
  const { beat } = state, scene = beat?.scene, upto = state.head ?? 0;
  const event = beat?.kind === "roll" ? state.log[beat.upto - 1]?.event : null, roll = event?.event === "Rolled" ? event : null, side = scene?.side ?? state.table?.acting[0] ?? "";
  const spun = roll && beat && !beat.settled && !still();
  const before = scene ? state.log.slice(scene.first - 1, Math.min(upto, roll && beat?.settled ? upto - 1 : upto)).flatMap(({ event: one }) => (one.event === "Rolled" && one !== roll ? [one] : [])).slice(-6) : [];
  return make("div", { class: `slip scene ${sideClass(side)}`, "data-key": "scene" }, make("div.slip-band"),
    make("header.slip-head", {}, pennant(scene?.who ? callOf(scene.who) : side ? side.slice(0, 4) : "·", side), make("span.label", {}, "What happens")),
    make("div.slip-body", { "aria-live": "off" }, make("h2.prompt.happens", {}, scene?.lead || "The battle goes on"),
      before.length > 0 && make("ul.thrown", {}, ...before.map((one) => make("li", {}, ...(one.faces ?? []).slice(0, 8).map(die), make("span", {}, [said(one.what), one.outcome ? nameOf(one.outcome) : ""].filter(Boolean).join(": "))))),
      roll && make("p.thrower", {}, mark(state.table?.things[roll.by ?? ""]?.side ?? ""), ` ${roll.by ? `${nameOf(roll.by)}, ` : ""}${said(roll.what)}`), roll && (spun ? rolling(roll, beat?.began ?? 0) : rollNode(roll)),
      beat?.kind === "told" && scene && scene.came.length > 0 && make("ul.came", {}, ...scene.came.map((one) => make("li", {}, one)))),
    make("footer.slip-foot", {}, make("button.else.skip-play", { "data-key": "skip-play", onclick: () => skip() }, icon("forth"), "Skip to now", make("kbd", {}, "Space")), paceChoice("pace-card")));
}
