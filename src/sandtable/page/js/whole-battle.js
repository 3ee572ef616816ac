// What is done with a battle as a whole: shared, forked, kept, explained, fought again.

import { ask } from "./connection.js";
import { momentShown } from "./moments.js";
import { saveFile } from "./pen.js";
import { change, state } from "./state.js";

/** How much had been said at the moment that is looked at: the same in everybody's log, whatever a log hides. */
const saidNow = () => { const n = momentShown() ?? state.log.length; return n ? state.log[n - 1].said : 0; };

/** Share a link to this moment: it lets whoever has it watch, and gives no seat away. */
export async function share() {
  const link = await ask(`/battles/${state.welcome?.battle}/watch`, {}, state.token), url = `${location.origin}${location.pathname}#/table/${link.token}/said/${saidNow()}`;
  change({ shared: url, panel: "share" });
  await navigator.clipboard?.writeText(url).catch(() => {});
}

/** Go on from this moment in a battle of its own, with fresh dice. */
export async function fork() {
  const made = await ask(`/battles/${state.welcome?.battle}/fork`, { at: saidNow() }, state.token);
  location.hash = `#/table/${made.links[0].token}`;
}

/** The journal of this battle, as a file. */
export async function saveJournal() {
  const answer = await fetch(`/api/battles/${state.welcome?.battle}/journal`, { headers: { authorization: `Bearer ${state.token}` } });
  if (!answer.ok) throw new Error((await answer.json()).words);
  saveFile(await answer.text(), `${state.welcome?.title || state.welcome?.ruleset || "battle"}.journal`);
}

/** Why the computer did what it did: told once the battle is over. */
export async function reasons() {
  change({ reasons: await ask(`/battles/${state.welcome?.battle}/reasons`, undefined, state.token), panel: "reasons" });
}

/** The same battle once more, with fresh dice. */
export async function rematch() {
  const { welcome, situation } = state;
  const made = await ask("/battles", { ruleset: welcome?.ruleset, scenario: welcome?.scenario ?? "", seats: state.seats.map(({ side, kind, bot, name }) => ({ side, kind, bot, name })), title: welcome?.title ?? "", ...(welcome?.minutes ? { clock: { minutes: welcome.minutes, increment: welcome.increment } } : {}) });
  location.hash = `#/table/${(made.links.find((/** @type {any} */ link) => link.sides.includes(situation?.side)) ?? made.links[0]).token}`;
}
