// The answer being tried. It is shaped here and sent as a draft; whether it will do, the server says.

import { direction } from "./geometry.js";
import { change, state } from "./state.js";
/** @import { AnyQuestion, ChooseOne, MoveModels, Option, PlaceThings, Point, Spot, Thing, Walk } from "./types.js" */

/** What is being answered now: the question itself, or the open part of a plan.
 *  @returns {{question: AnyQuestion, value: any, part: string} | null} */
export function asked() {
  const question = state.situation?.question;
  if (!question || state.moment !== null || state.head !== null || !state.briefed) return null;
  if (question.kind !== "plan") return { question, value: state.draft, part: "" };
  const open = openParts().find((part) => part.id === state.part);
  return open ? { question: open.question, value: state.draft, part: open.id } : { question, value: null, part: "" };
}

export const openParts = () => state.verdict?.parts ?? [];
/** The plan as far as it is said. */
export const plan = () => Object.fromEntries(state.planned.map((part) => [part.id, part.value]));

/** The parts that are still open of which the same may be said as was said last: where a whole squad fires at one target. */
export function alike() {
  const last = state.planned[state.planned.length - 1];
  if (!last?.optional || last.question.kind !== "choose one" || !state.table?.things[last.value]) return [];
  return openParts().filter(({ optional, question }) => optional && question.kind === "choose one" && question.topic === last.question.topic && question.options.some((one) => one.id === last.value && !one.refused));
}

/** The answer as it would be given now. */
export function answer() {
  const question = state.situation?.question;
  if (question?.kind !== "plan") return shaped(question, state.draft);
  const open = openParts().find((part) => part.id === state.part);
  return open && filled(open.question, state.draft) ? { ...plan(), [open.id]: shaped(open.question, state.draft) } : plan();
}

/** @param {AnyQuestion | null | undefined} question  @param {any} value */
export function shaped(question, value) {
  if (question?.kind === "react" && value) return { option: value.option, along: value.along ?? null, amount: value.amount ?? 0 };
  return value === undefined ? null : value;
}

/** Whether what is being tried has been judged, and may not be done as it stands. */
export function refusedNow() {
  const now = asked();
  return Boolean(now && !state.judging && state.verdict?.refusal && (state.situation?.question?.kind !== "plan" || now.part || state.planned.length) && (now.part || state.situation?.question?.kind === "plan" || filled(now.question, now.value)));
}

/** Whether a draft says anything yet.  @param {AnyQuestion} question  @param {any} value */
export function filled(question, value) {
  if (value === undefined || value === null) return false;
  switch (question.kind) {
    case "choose several": return value.length >= question.at_least;
    case "allocate": return !question.all_items || question.items.every((item) => item.id in value);
    case "place": return question.things.every((thing) => thing in value);
    // Whoever marks something and goes nowhere has said that it is done on the spot.
    case "move": return Object.values(value).some((walk) => walk.legs.length > 0 || Object.keys(walk.marks).length > 0);
    case "react": return Boolean(value.option);
    default: return true;
  }
}

/** The option a choice starts from: the only one there is, or the default if it is about something on the table. One that is about
 *  nothing, as `no more`, is what declining means; it waits until somebody wants it.  @param {ChooseOne} question */
function proposed(question) {
  const lawful = question.options.filter((one) => !one.refused), ends = (/** @type {Option} */ one) => one.loses.length > 0 || one.id === question.default && !state.table?.things[one.id];
  if (lawful.length === 1) return ends(lawful[0]) ? undefined : lawful[0].id;
  return lawful.find((one) => one.id === question.default && !ends(one))?.id;
}

/** What a question starts from: its default, or nothing yet.  @param {AnyQuestion} question */
export function begun(question) {
  switch (question.kind) {
    case "choose one": return proposed(question);
    case "choose several": return question.default ?? [];
    case "allocate": return question.default ?? {};
    case "place": return question.default ?? {};
    case "move": return question.default ?? {};
    case "react": return question.options.length === 1 ? { option: question.options[0].id, along: question.stretch?.[0] ?? null, amount: question.options[0].amount_least } : undefined;
    default: return undefined;
  }
}

/** In the hand where all models of a question are moved as one. */
export const ALL = "*";
/** The thing in the hand: the one chosen, all of many, or the first that is still to be placed or moved.  @param {AnyQuestion} question  @param {any} value */
export function inHand(question, value) {
  const things = question.kind === "place" ? question.things : question.kind === "move" ? question.models : [];
  if (things.includes(state.hand)) return state.hand;
  if (question.kind === "move" && things.length > 1) return ALL;
  return things.find((thing) => !(value && thing in value)) ?? things[things.length - 1] ?? "";
}

// Moving ----

const VECTORS = Array.from({ length: 360 }, (_, d) => [Math.cos(d * Math.PI / 180), Math.sin(d * Math.PI / 180)]);

/** Where a walk leads: its corners, and where it ends.
 *  @param {Thing} thing  @param {Walk | undefined} walk  @returns {{points: Point[], facing: number, end: Point, length: number, level: number}} */
export function walked(thing, walk) {
  const start = thing.place.place === "at" ? thing.place.point : /** @type {Point} */ ([0, 0]);
  let end = /** @type {Point} */ ([...start]), facing = thing.facing, length = 0, level = thing.place.place === "at" ? thing.place.level : 0;
  const points = [end];
  for (const leg of walk?.legs ?? []) {
    if (leg.by === "via") {
      length += Math.hypot(leg.point[0] - end[0], leg.point[1] - end[1]);
      [end, level] = [leg.point, leg.level];
    } else {
      facing = ((facing + leg.turn) % 360 + 360) % 360;
      const [dx, dy] = VECTORS[facing];
      const side = leg.by === "slide" ? leg.side : 0;
      end = [Math.round(end[0] + dx * leg.go - dy * side), Math.round(end[1] + dy * leg.go + dx * side)];
      length += Math.abs(leg.go || side);
    }
    points.push(end);
  }
  return { points, facing, end, length: Math.round(length), level };
}

/** Who points that near to straight on, in degrees, means straight on: a turn may cost, and nobody points so well. */
const STRAIGHT = 3;

/** A walk with one more leg, to a point: turn towards it and go there; backwards, turn away and back up.
 *  @param {Thing} thing  @param {Walk | undefined} walk  @param {Point} point  @param {{backwards?: boolean, turns?: boolean, snaps?: boolean}} [how]  @returns {Walk} */
export function withLeg(thing, walk, point, { backwards = false, turns = true, snaps = false } = {}) {
  const legs = [...(walk?.legs ?? [])], marks = walk?.marks ?? {}, { end, facing, level } = walked(thing, walk);
  if (point[0] === end[0] && point[1] === end[1]) return { legs, marks }; // it is there already
  if (!turns) return { legs: [...legs, { by: "via", point, level }], marks };
  const last = legs.at(-1), far = Math.round(Math.hypot(point[0] - end[0], point[1] - end[1]) / 10) * 10, wanted = (direction(end, point) + (backwards ? 180 : 0)) % 360;
  const towards = ((wanted - facing + 540) % 360) - 180, turn = snaps && Math.abs(towards) <= STRAIGHT ? 0 : towards, go = backwards ? -far : far;
  if (last?.by === "leg" && turn === 0 && (last.go === 0 || last.go > 0 === go > 0)) legs[legs.length - 1] = { ...last, go: last.go + go };
  else if (last?.by === "leg" && last.go === 0) legs[legs.length - 1] = { by: "leg", turn: ((last.turn + turn + 540) % 360) - 180, go };
  else legs.push({ by: "leg", turn, go });
  return { legs, marks };
}

/** A walk turned at its end.  @param {Walk | undefined} walk  @param {number} degrees  @returns {Walk} */
export function withTurn(walk, degrees) {
  const legs = [...(walk?.legs ?? [])], last = legs.at(-1), marks = walk?.marks ?? {};
  if (last?.by === "leg" && last.go === 0) {
    const turn = ((last.turn + degrees + 540) % 360) - 180;
    return { legs: turn ? [...legs.slice(0, -1), { by: "leg", turn, go: 0 }] : legs.slice(0, -1), marks };
  }
  return { legs: [...legs, { by: "leg", turn: degrees, go: 0 }], marks };
}

// What board and keyboard do to the draft ----

/** @type {(value: any) => void} */
let tried = () => {};
/** Who sends drafts.  @param {(value: any) => void} send */
export const onDraft = (send) => { tried = send; };

/** Try another value for what is asked.  @param {any} value */
export function tryValue(value) {
  change({ draft: value, refusal: null, overdrawn: null, parting: null });
  tried(value);
}

/** @param {Option[]} options  @param {string} id */
const optionAbout = (options, id) => { const unit = state.table?.things[id]?.unit, named = (/** @type {string} */ one) => options.find((o) => !o.refused && (o.id === one || o.about.includes(one))); return named(id) ?? (unit ? named(unit) : undefined); };

/** A thing was pressed: choose it, where it may be chosen. Says whether it meant anything.  @param {string} id */
export function pressThing(id) {
  const now = asked();
  if (!now) return false;
  const { question, value } = now;
  if (question.kind === "choose one" || question.kind === "choose several") {
    const option = optionAbout(question.options, id);
    if (!option) return false;
    if (question.kind === "choose one") tryValue(option.id);
    else toggle(option.id);
    return true;
  }
  if (question.kind === "react") {
    const option = question.options.find((o) => o.actor === id || o.id === id) ?? question.options.find((o) => o.actor && o.actor === state.table?.things[id]?.unit);
    if (option) tryValue({ ...value, option: option.id, amount: option.amount_least, along: value?.along ?? question.stretch?.[0] ?? null });
    return Boolean(option);
  }
  if (question.kind === "move" && question.models.includes(id) || question.kind === "place" && question.things.includes(id)) {
    change({ hand: id });
    return true;
  }
  return false;
}

/** @param {string} id of an option of a choose several */
export function toggle(id) {
  const value = asked()?.value ?? [];
  tryValue(value.includes(id) ? value.filter((/** @type {string} */ one) => one !== id) : [...value, id]);
}

/** A spot of the ground was pressed, or typed: put the thing there, or walk there; who points at it means straight on where it nearly is.
 *  @param {Point} point  @param {{backwards?: boolean, snaps?: boolean}} [how] */
export function pressGround(point, how = {}) {
  const now = asked();
  if (!now) return false;
  const { question, value } = now, hand = inHand(question, value);
  // What is in the hand stays there until another is taken: it may still be turned and shifted.
  if (question.kind === "place" || question.kind === "move") change({ hand });
  if (question.kind === "place") {
    const old = value?.[hand], where = question.where[hand] ?? question.where[""];
    const level = old?.where.place === "at" ? old.where.level : where?.levels[0] ?? 0;
    tryValue({ ...value, [hand]: { where: { place: "at", point, level }, facing: old?.facing ?? facingIn(hand, point) } });
    return true;
  }
  if (question.kind !== "move") return false;
  tryValue({ ...value, ...walkedTo(question, value ?? {}, hand, point, { ...how, backwards: how.backwards || state.backwards }) });
  return true;
}

/** The models in the hand.  @param {MoveModels} question  @param {string} hand */
export const handful = (question, hand) => (hand === ALL ? question.models : [hand]).flatMap((id) => state.table?.things[id] ?? []);

/** The middle of where the models in the hand have come.  @param {Thing[]} things  @param {Record<string, Walk>} value  @returns {Point} */
export function middleOf(things, value) {
  const ends = things.map((thing) => walked(thing, value[thing.id]).end), mean = (/** @type {0 | 1} */ axis) => Math.round(ends.reduce((sum, end) => sum + end[axis], 0) / Math.max(1, ends.length));
  return [mean(0), mean(1)];
}

/** What is in the hand, one leg on: several keep their order around their middle.
 *  @param {MoveModels} question  @param {Record<string, Walk>} value  @param {string} hand  @param {Point} point  @param {{backwards?: boolean, snaps?: boolean}} [how]  @returns {Record<string, Walk>} */
export function walkedTo(question, value, hand, point, how = {}) {
  const things = handful(question, hand), from = middleOf(things, value);
  return Object.fromEntries(things.map((thing) => {
    const { end } = walked(thing, value[thing.id]), to = /** @type {Point} */ ([end[0] + point[0] - from[0], end[1] + point[1] - from[1]]);
    return [thing.id, withLeg(thing, value[thing.id], to, { ...how, turns: question.faces })];
  }));
}

/** The walks in the hand without their last leg.  @param {MoveModels} question  @param {Record<string, Walk>} value  @param {string} hand  @returns {Record<string, Walk>} */
const shorter = (question, value, hand) => Object.fromEntries(handful(question, hand).map(({ id }) => [id, { legs: value[id]?.legs.slice(0, -1) ?? [], marks: {} }]));

/** A thing that comes to the table looks across it.  @param {string} id  @param {Point} point */
function facingIn(id, point) {
  const thing = state.table?.things[id], ground = state.ground;
  if (!thing || !ground || thing.kind !== "model") return 0;
  return direction([0, point[1]], [0, ground.height / 2]);
}

/** Drag the end of what is in the hand.  @param {Point} point */
export function dragHand(point) {
  const now = asked();
  if (now?.question.kind === "place") { pressGround(point); return; }
  if (now?.question.kind !== "move") return;
  // Whoever drags goes on with the path as it was drawn, not as it was cut.
  const hand = inHand(now.question, now.value), value = state.overdrawn?.value ?? now.value ?? {}, back = { ...value, ...shorter(now.question, value, hand) };
  change({ hand });
  tryValue({ ...back, ...walkedTo(now.question, back, hand, point, { backwards: state.backwards, snaps: true }) });
}

/** Move what is in the hand by so much.  @param {number} dx  @param {number} dy  thousandths of the table */
export function nudge(dx, dy) {
  const now = asked(), ground = state.ground;
  if (!now || !ground) return false;
  const { question, value } = now, hand = inHand(question, value);
  if (question.kind === "place") {
    const spot = value?.[hand];
    pressGround(spot?.where.place === "at" ? [spot.where.point[0] + dx, spot.where.point[1] + dy] : middle(question, hand));
    return true;
  }
  if (question.kind !== "move") return false;
  const end = middleOf(handful(question, hand), value ?? {});
  return pressGround([end[0] + dx, end[1] + dy]);
}

/** Straight on, the way it faces, or straight back while it backs up.  @param {number} far  thousandths */
export function ahead(far) {
  const now = asked(), hand = now ? inHand(now.question, now.value) : "", thing = state.table?.things[hand];
  if (now?.question.kind !== "move" || !now.question.faces || !thing) return false;
  const { end, facing } = walked(thing, now.value?.[hand]), [dx, dy] = VECTORS[facing], go = state.backwards ? -far : far;
  return pressGround([Math.round(end[0] + dx * go), Math.round(end[1] + dy * go)]);
}

/** The middle of where a thing may be put: where the keyboard starts.  @param {PlaceThings} question  @param {string} thing  @returns {Point} */
function middle(question, thing) {
  const shape = (question.where[thing] ?? question.where[""])?.inside[0], ground = state.ground;
  if (!shape) return [Math.round((ground?.width ?? 0) / 2), Math.round((ground?.height ?? 0) / 2)];
  if (shape.shape === "disc") return shape.center;
  const mean = (/** @type {number} */ axis) => Math.round(shape.points.reduce((sum, p) => sum + p[axis], 0) / shape.points.length);
  return [mean(0), mean(1)];
}

/** Turn what is in the hand towards a point, where it stands.  @param {Point} point */
export function turnTowards(point) {
  const now = asked();
  if (!now) return false;
  const { question, value } = now, hand = inHand(question, value);
  if (question.kind === "place" && value?.[hand]?.where.place === "at") return turnHand(((direction(value[hand].where.point, point) - value[hand].facing + 540) % 360) - 180);
  if (question.kind !== "move" || hand === ALL) return false;
  const thing = state.table?.things[hand], at = thing && walked(thing, value?.[hand]);
  return at ? turnHand(((direction(at.end, point) - at.facing + 540) % 360) - 180) : false;
}

/** Turn what is in the hand.  @param {number} degrees */
export function turnHand(degrees) {
  const now = asked();
  if (!now) return false;
  const { question, value } = now, hand = inHand(question, value);
  if (question.kind === "place" && question.faces && value?.[hand]) {
    tryValue({ ...value, [hand]: { ...value[hand], facing: ((value[hand].facing + degrees) % 360 + 360) % 360 } });
    return true;
  }
  if (question.kind !== "move" || !question.faces) return false;
  change({ hand });
  tryValue({ ...value, ...Object.fromEntries(handful(question, hand).map(({ id }) => [id, withTurn(value?.[id], degrees)])) });
  return true;
}

/** Take the last leg of the path back.  */
export function dropLeg() {
  const now = asked();
  if (now?.question.kind !== "move") return false;
  const hand = inHand(now.question, now.value), value = now.value ?? {};
  if (!handful(now.question, hand).some(({ id }) => value[id]?.legs.length)) return false;
  tryValue({ ...value, ...shorter(now.question, value, hand) });
  return true;
}

/** Set a mark at the end of the path as it is now, or take it away.  @param {string} mark */
export function toggleMark(mark) {
  const now = asked();
  if (now?.question.kind !== "move") return;
  const hand = inHand(now.question, now.value), value = /** @type {Record<string, Walk>} */ (now.value ?? {});
  tryValue({ ...value, ...Object.fromEntries(handful(now.question, hand).map((thing) => {
    const walk = value[thing.id] ?? { legs: [], marks: {} }, marks = { ...walk.marks }, along = walked(thing, walk).length;
    if (marks[mark] === along) delete marks[mark]; else marks[mark] = along;
    return [thing.id, { ...walk, marks }];
  })) });
}
