// Two who have fought for a while already, near each other and in sight: shots, dice and harm come with the first answers, and an
// end soon.

import { linkFor, post, seats } from "./table.mjs";

const text = ([red, blue], [from, to], tall) => `
ruleset: quickstart
name: battered
title: Two Battered CAVs
about: Both are hurt, and near each other.
rules: [quickstart.setup.scenario-stand-and-fight, quickstart.setup.terrain-features]
board: {width: 48, height: ${tall}, terrain: [{kind: light-woods, id: copse, label: The Copse, circle: [30, 27, 3]}]}
sides:
  red: {force: [{model: dictator-b, as: R1, at: ${from}, harm: ${red}}]}
  blue: {force: [{model: dictator-b, as: B1, at: ${to}, harm: ${blue}}]}
victory: {rule: quickstart.setup.scenario-stand-and-fight, at: victory}
`;

/** A battle between them, as much hurt, and standing and facing, as is said; gives what was made. */
export const battered = ({ harm = [4, 5], tall = 48, at = ["[24, 34], facing: 200", "[23, 18], facing: 90"], ...more } = {}) => post("/api/battles", { ruleset: "quickstart", text: text(harm, at, tall), seats: seats({ kind: "person" }, { kind: "bot", bot: "1" }), seed: 4, ...more });
/** A seat in it. */
export const batteredSeat = async (more = {}) => linkFor(await battered(more), "red");
