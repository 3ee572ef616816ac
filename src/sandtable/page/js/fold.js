// What happened, folded into a table: the mirror of the engine's `apply`, for moments that are past.
/** @import { AnyEvent, DeckChanged, Ground, LogLine, Piece, Placed, TableShown, TerrainChanged, Thing } from "./types.js" */

/** @typedef {TableShown} Table */
/** @typedef {{table: Table, ground: Ground}} Moment */

/** @param {string[]} sides  @param {Record<string, number | string>} [options]  @returns {Moment} */
export const emptyMoment = (sides, options = {}) => ({
  ground: { width: 0, height: 0, pieces: [] },
  table: { sides, things: {}, decks: {}, secrets: {}, scores: {}, turn: 0, phase: "", acting: [], ending: null, options },
});

/** @param {Moment} m  @returns {Moment} */
const copy = (m) => ({ ground: m.ground, table: { ...m.table, things: { ...m.table.things }, decks: { ...m.table.decks }, secrets: { ...m.table.secrets }, scores: { ...m.table.scores } } });

/** @param {string} id  @param {string} kind  @param {string} side  @returns {Thing} */
const blank = (id, kind, side) => ({ id, kind, side, label: "", card: "", glyph: "", base: null, height: 0, place: { place: "off", why: "" }, facing: 0, unit: "", harm: 0, track: 0, states: {}, counts: {}, gone: "" });

/** @param {Moment} m  @param {string} id  @param {Partial<Thing>} fields */
function changed(m, id, fields) {
  const thing = m.table.things[id];
  if (thing) m.table.things[id] = { ...thing, ...fields };
}

/** A side or the battle is counted before anything introduced it: it is a thing from now on.  @param {Moment} m  @param {string} id */
function known(m, id) {
  const side = m.table.sides.includes(id);
  return m.table.things[id] ?? blank(id, side ? "side" : "marker", side ? id : "");
}

/** @param {Moment} m  @param {string} id  @param {string} what  @param {number} value */
function count(m, id, what, value) {
  const thing = known(m, id);
  m.table.things[id] = { ...thing, counts: { ...thing.counts, [what]: value } };
}

/** @param {Moment} m  @param {Piece[]} pieces */
const withPieces = (m, pieces) => { m.ground = { ...m.ground, pieces }; };

/** @param {Moment} m  @param {DeckChanged} event */
function deck(m, event) {
  const old = m.table.decks[event.deck] ?? { contents: {}, order: [] }, contents = { ...old.contents }, cards = event.cards ?? [];
  let order = old.order;
  if (event.change === "shuffled") order = cards;
  else if (event.change === "added") {
    const all = order.length === Object.values(contents).reduce((a, b) => a + b, 0);
    for (const card of cards) contents[card] = (contents[card] ?? 0) + 1;
    order = all ? [...order, ...cards] : [];
  } else {
    let unseen = contents[""] ?? 0;
    delete contents[""];
    if (event.change === "drawn" && !cards.length) unseen--;
    for (const card of cards) {
      if (event.change === "shown") {
        if (!unseen) continue;
        unseen++;
      }
      contents[card] = (contents[card] ?? 0) - 1;
      if (contents[card] <= 0) delete contents[card];
      const at = order.indexOf(card);
      if (at >= 0) order = order.filter((_, i) => i !== at);
    }
    if (unseen) contents[""] = unseen;
  }
  m.table.decks[event.deck] = { contents, order };
}

/** @param {Moment} m  @param {Placed} event */
function placed(m, event) {
  if (event.piece?.kind === "board") {
    const corner = event.piece.outline.shape === "polygon" ? event.piece.outline.points[2] : [0, 0];
    m.ground = { ...m.ground, width: corner[0], height: corner[1] };
  } else if (event.piece) withPieces(m, [...m.ground.pieces, event.piece]);
  else if (event.made) m.table.things[event.thing] = { ...event.made, place: event.where, facing: event.facing ?? 0 };
  else changed(m, event.thing, { place: event.where, facing: event.facing ?? 0 });
}

/** @param {Moment} m  @param {TerrainChanged} event */
function terrain(m, event) {
  const after = event.after ?? "";
  withPieces(m, m.ground.pieces.flatMap((piece) => {
    if (piece.id !== event.piece) return [piece];
    if (event.part) return [{ ...piece, parts: piece.parts.map((p) => (p.id === event.part ? { ...p, state: after } : p)) }];
    return after ? [{ ...piece, kind: after }] : [];
  }));
}

/** Change a moment by what happened. Events that only tell (a roll, a pass) change nothing.
 *  @param {Moment} m  @param {AnyEvent} event */
export function apply(m, event) {
  const { table } = m;
  switch (event.event) {
    case "PhaseBegan": Object.assign(table, { turn: event.turn, phase: event.phase, acting: [] }); break;
    case "StepBegan": table.acting = [event.side ?? "", ...(event.units ?? [])]; break;
    case "DeckChanged": deck(m, event); break;
    case "Spent": count(m, event.who, event.what, event.left); break;
    case "Counted": count(m, event.thing, event.what, event.after); break;
    case "Moved": changed(m, event.model, { place: event.to, facing: event.facing ?? 0 }); break;
    case "Placed": placed(m, event); break;
    case "Left": changed(m, event.thing, { place: { place: "off", why: event.to } }); break;
    case "HarmApplied": changed(m, event.target, { harm: event.after }); break;
    case "StateChanged": {
      const thing = known(m, event.who), states = { ...thing.states };
      if (event.after === undefined || event.after === null) delete states[event.state];
      else states[event.state] = { value: event.after, until: event.until ?? "" };
      table.things[event.who] = { ...thing, states };
      break;
    }
    case "ModelLost":
      changed(m, event.model, { gone: event.how, place: { place: "off", why: event.how } });
      if (event.leaves) withPieces(m, [...m.ground.pieces, event.leaves]);
      break;
    case "TerrainChanged": terrain(m, event); break;
    case "Sealed": table.secrets[`${event.side}: ${event.topic}`] = event.value ?? "chosen"; break;
    case "Revealed":
      if (event.value !== undefined && event.value !== null) table.secrets[event.what] = event.value;
      if (event.made) table.things[event.made.id] = event.made;
      break;
    case "Grouped": for (const model of event.models) changed(m, model, { unit: event.unit }); break;
    case "Scored": table.scores[event.side] = (table.scores[event.side] ?? 0) + event.points; break;
    case "BattleEnded": table.ending = { winner: event.winner, points: event.points ?? {}, reason: event.reason ?? "" }; break;
    default: break;
  }
}

/** The table after each event of a log, found quickly: a copy is kept every hundred events. */
export class Past {
  /** @param {string[]} sides  @param {Record<string, number | string>} [options] */
  constructor(sides, options = {}) {
    this.first = emptyMoment(sides, options);
    /** @type {Map<number, Moment>} */
    this.kept = new Map([[0, this.first]]);
    this.length = 0;
  }

  /** The table after the first `n` events. What was taken back has not happened.
   *  @param {LogLine[]} log  @param {number} n  @returns {Moment} */
  at(log, n) {
    if (log.length < this.length) this.kept = new Map([[0, this.first]]);
    this.length = log.length;
    let from = Math.floor(n / 100) * 100;
    while (from > 0 && !this.kept.has(from)) from -= 100;
    const m = copy(/** @type {Moment} */ (this.kept.get(from)));
    for (let i = from; i < n; i++) {
      const { event } = log[i];
      if (event.event === "TakenBack") Object.assign(m, copy(this.at(log, event.to)));
      else apply(m, event);
      if ((i + 1) % 100 === 0) this.kept.set(i + 1, copy(m));
    }
    return m;
  }
}
