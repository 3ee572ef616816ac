// Which rulesets and bots the server has, and how my battles stand.

import { ask } from "./connection.js";
import { keptBattles } from "./shelf.js";
import { change, state } from "./state.js";

export async function loadBattles() {
  const tokens = keptBattles().map((one) => one.token);
  try {
    if (!state.rulesets.length) {
      const asked = [ask("/rulesets"), ask("/bots")], all = Promise.all(asked);
      // A table is told in the words of its ruleset, and waits for nothing else.
      if (state.token) asked[0].then((rulesets) => change({ rulesets }), () => {});
      const [rulesets, bots] = await all;
      change({ rulesets, bots });
    }
    change({ battles: tokens.length ? await ask("/battles/known", { tokens: tokens.slice(0, 100) }) : [], unserved: "" });
  } catch (problem) { change({ unserved: String(/** @type {Error} */ (problem).message) }); }
}
