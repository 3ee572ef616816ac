"""Movement: what an inch and a turn cost, how far a walk leads, and where a model may halt on it.

An edition says by `GroundRules` which part of a base pays, what each kind of terrain costs each move class, what turns,
slopes and going backwards add, and by which rules.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Detail, Moved
from sandtable.engine.explain import ExplainedPart, Explanation, explain, inches
from sandtable.engine.ids import RuleId, ThingId
from sandtable.engine.questions import MoveModels, Refusal
from sandtable.engine.shapes import At, Base, Leg, Walk
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.field.directions import along as along_the_way
from sandtable.field.ground import crossings, depth_of, on_way
from sandtable.field.measure import outline_of, overlap
from sandtable.field.walking.cost import Stop, Touch, Trace, TurnTouch, price
from sandtable.field.walking.encounters import leaves_board, surely_passed
from sandtable.field.walking.paths import Pose, Track, resolve
from sandtable.forces.ledger import Rule
from sandtable.rulesets.cav.concepts import base_of, center, outline

HILL, WATER, STRUCTURE, RUBBLE, WRECK, OPEN = "hill", "water", "structure", "rubble", "wreck", "open"


class Turning(NamedTuple):
    """Facing changes: the rules of free and of further ones, how many are free, how wide, what more costs."""

    free: Rule
    extra: Rule
    free_each: int  # for every Move Action
    most: int  # degrees
    cost: int


class GroundRules(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What an edition says of moving over ground."""

    part: str  # what of a base touches terrain that is paid for
    turning: Turning
    cost: Callable[[str, Piece], int | None]  # MV an inch for a move class, none where it may not go
    open_cost: Callable[[str], int]
    road_cost: Callable[[str], int]
    kinds: Mapping[str, Rule]  # the rule of each kind of terrain
    road_kind: str
    no_effect: Callable[[str], tuple[str, ...]]  # kinds that never count as an effect of combined terrain
    barring: Callable[[Piece], Rule]  # by which rule a base may not touch a piece
    bridged: Callable[[Piece], bool]  # what a road leads over though a base may not touch it
    open: Rule
    road: Rule
    road_in_combined: Rule
    road_bonus: Callable[[str], int]  # MV more for a move class and a Move Action that is all road
    bonus: Rule | None = None  # by which rule
    combined: Rule
    each_more: int
    hills: Rule
    climb: Callable[[str], int]
    descend: int
    steepest: int  # no two contours are crossed one way within this, in thousandths
    slope: Rule
    backwards: Rule
    backward: Mapping[str, int]  # what an inch backwards costs more, by the kind of terrain
    backward_else: int
    minimum: Rule
    per_inch: Rule
    move: Rule | None = None  # which says that a Move Action goes no farther than the MV
    immobile: Rule
    stacking: Rule
    suppressed: Rule
    also: Mapping[RuleId, tuple[RuleId, ...]] = {}  # what else forbids just that which a rule forbids

    def refuses(self, why: Rule, words: str) -> Refusal:
        """A refusal by a rule and by all that forbid the same."""
        return Refusal(why.id, words, self.also.get(why.id, ()))

    def forbids(self, move_class: str, piece: Piece, on_road: bool) -> bool:
        """Whether a base may not touch a piece; a road carries it over some."""
        return self.cost(move_class, piece) is None and not (on_road and self.bridged(piece))

    def effects(self, move_class: str, pieces: Sequence[Piece]) -> dict[str, tuple[int, Rule]]:
        """The kinds of terrain that count in an inch, with cost and rule; open ground and roads are no effect."""
        found: dict[str, tuple[int, Rule]] = {}
        left_out = self.no_effect(move_class)
        for piece in pieces:
            cost = self.cost(move_class, piece)
            if cost is None or piece.kind in left_out:
                continue  # what could not be entered is bridged by a road
            kind = RUBBLE if piece.kind == WRECK else piece.kind
            if kind == WATER and not depth_of(piece):
                continue  # water that is not deep is played as open ground
            if kind not in found or found[kind][0] < cost:
                found[kind] = (cost, self.kinds.get(piece.kind, self.open))
        return found


def called(piece: Piece) -> str:
    """What players call a piece."""
    return piece.label or f"the {piece.kind.replace('-', ' ')}"


class Rates(msgspec.Struct, frozen=True):
    """What an inch and a turn cost a model with so much MV, and why: those of one Move Action, or of several pooled."""

    rules: GroundRules
    mv: int
    label: str = "A"
    spent: int = 0  # paid before a halt in the same action
    turns_made: int = 0  # turns made before it
    immobile: bool = False  # its own MV is 0, whatever an action takes from it
    footed: bool = False  # infantry: it has no facing, so that a turn costs it nothing
    move_class: str = ""
    actions: int = 1  # Move Actions that are pooled
    turns_free: bool = True  # whether a Move Action has free turns at all
    by_road: tuple[tuple[int, int], ...] | None = None  # where it goes by road; none where the whole way decides
    leaving: tuple[str, ...] = ()  # pieces it may not enter, yet stands in: out of them an inch takes a whole action
    entered: int = 0  # how far it has come straight over its edge in the same action, in thousandths

    @property
    def allowance(self) -> int:
        """The MV that may still be spent."""
        return max(0, self.mv - self.spent)

    @property
    def free_turns(self) -> int:
        """How many turns are free."""
        return self.rules.turning.free_each * self.actions if self.turns_free else 0

    @property
    def part(self) -> str:
        """What of its base touches terrain."""
        return self.rules.part

    def road(self, piece: Piece) -> bool:
        """Whether a piece is a road."""
        return piece.kind == self.rules.road_kind

    def turn(self, turn: TurnTouch) -> Explanation | Refusal:
        """The first turn of an action is free, each further one costs."""
        turning = self.rules.turning
        number = 0 if self.footed else self.turns_made + turn.number
        free = self.footed or number < self.free_turns
        if abs(turn.turn.degrees) > turning.most and not self.footed:
            words = f"A facing change is at most {turning.most} degrees; this one is {turn.turn.degrees}."
            return Refusal((turning.free if free else turning.extra).id, words)
        for piece in turn.pieces:
            on_road = any(self.road(one) and on_way(one, turn.turn.point) for one in turn.pieces)
            if self.rules.forbids(self.move_class, piece, on_road) and piece.id not in self.leaving:
                words = f"{self.label} has no room to turn here: {called(piece)} is in the way."
                return Refusal(self.rules.stacking.id, words)
        if free:
            return explain("turn", ExplainedPart("free facing change", 0, turning.free.id))
        return explain("turn", ExplainedPart("further facing change", turning.cost, turning.extra.id))

    def inch(self, touch: Touch) -> Explanation | Refusal:
        """The cost of an inch: the dearest terrain, more for each other kind, climbing, going backwards.

        A way that is all road pays the road alone. A Move Action always buys one inch forward, whatever it costs.
        """
        rules = self.rules
        for piece in touch.pieces:
            if rules.forbids(self.move_class, piece, touch.on_road) and piece.id not in self.leaving:
                return rules.refuses(rules.barring(piece), f"{self.label} may not enter {called(piece)}.")
        if self.leaving and not self.immobile:
            return explain("inch", ExplainedPart("minimum move", self.mv // self.actions, rules.minimum.id))
        if any(crossing.cliff for crossing in touch.climbs):
            return rules.refuses(rules.slope, "A cliff is in the way; it is played as an obstruction.")
        parts = self._along_road(touch) if self._by_road(touch) else self._terrain(touch)
        parts += self._backwards(touch)
        cost = explain("inch", *parts)
        each = self.mv // self.actions
        ahead = not touch.backwards and not touch.sideways
        if ahead and cost.total > each and not self.immobile:
            bought = self._minimum_move(touch, each)
            if bought is not None and bought < cost.total:
                return explain("inch", *parts, ExplainedPart("minimum move", bought - cost.total, rules.minimum.id))
        return cost

    def _minimum_move(self, touch: Touch, each: int) -> int | None:
        """What a Move Action that is still whole pays for one inch: all its MV, and what those before it left."""
        left = self.mv - self.spent - touch.spent
        whole = left // each if each else self.actions - touch.number
        return left - (whole - 1) * each if whole > 0 else None

    def too_dear(self, cost: Explanation, left: int) -> Refusal:
        """What is said when the MV is used up: also by which rules the inch is dearer than one in the open."""
        rules = self.rules
        if cost.what == "turn":
            words = f"A further facing change costs {cost.total} MV; {left} of {self.mv} left."
            return Refusal(rules.turning.extra.id, words)
        if self.immobile:
            return Refusal(rules.immobile.id, f"{self.label} has MV 0 and cannot move.")
        words = f"The next {cost.what} costs {cost.total} MV ({cost.words()}); {left} of {self.mv} left."
        also = [*([] if rules.move is None else [rules.move.id]), *self.spent_by([cost])]
        if cost.total > self.mv // self.actions:
            words += " More than a whole Move Action has is paid for one inch forward only, the first and only one."
            also.append(rules.minimum.id)
        return Refusal(rules.per_inch.id, words, tuple(dict.fromkeys(also)))

    def spent_by(self, costs: Iterable[Explanation]) -> list[RuleId]:
        """The rules by which anything costs otherwise than an inch in the open or along a road."""
        plain = (self.rules.open.id, self.rules.road.id, self.rules.road_in_combined.id)
        return [part.rule for cost in costs for part in cost.parts if part.value and part.rule not in plain]

    def _by_road(self, touch: Touch) -> bool:
        if self.by_road is None:
            return touch.whole_way
        return any(start <= touch.start and touch.end <= end for start, end in self.by_road)

    def _along_road(self, touch: Touch) -> list[ExplainedPart]:
        rules = self.rules
        why = rules.road if all(self.road(piece) for piece in touch.pieces) else rules.road_in_combined
        found = [ExplainedPart("along the road", rules.road_cost(self.move_class), why.id)]
        bonus = rules.road_bonus(self.move_class)
        begins = touch.number < self.actions
        if self.by_road is not None:
            begins = any(touch.start == start for start, _ in self.by_road)
        if bonus and begins and not self.spent and not self.immobile:
            found.append(ExplainedPart("road bonus", -bonus, (rules.bonus or rules.road).id))
        return found

    def _terrain(self, touch: Touch) -> list[ExplainedPart]:
        rules = self.rules
        kinds = rules.effects(self.move_class, touch.pieces)
        if not kinds:
            parts = [ExplainedPart("open", rules.open_cost(self.move_class), rules.open.id)]
        else:
            dearest = max(kinds, key=lambda kind: (kinds[kind][0], -list(kinds).index(kind)))
            cost, why = kinds[dearest]
            parts = [ExplainedPart(dearest.replace("-", " "), cost, why.id)]
            others = [kind for kind in kinds if kind != dearest]
            more = rules.each_more
            parts += [ExplainedPart(f"also {kind.replace('-', ' ')}", more, rules.combined.id) for kind in others]
        for word, each, times in (
            ("climb", rules.climb(self.move_class), touch.up),
            ("descend", rules.descend, touch.down),
        ):
            if each * times:
                parts.append(ExplainedPart(f"{word}ing", each * times, rules.hills.id))
        return parts

    def _backwards(self, touch: Touch) -> list[ExplainedPart]:
        if not touch.backwards:
            return []
        rules = self.rules
        kinds = [rules.road_kind] if self._by_road(touch) else [*rules.effects(self.move_class, touch.pieces)] or [OPEN]
        surcharge = max(rules.backward.get(kind, rules.backward_else) for kind in kinds)
        return [ExplainedPart("backwards", surcharge, rules.backwards.id)]


def too_steep(ground: Ground, track: Track, rules: GroundRules) -> Stop | None:
    """Where a path would change by more levels within an inch than it may: that slope is a cliff, and stops it.

    A path that begins between two contours is looked at from an inch before: a halt makes no stairs of a cliff.
    """
    most = rules.steepest
    before: tuple[int, bool] | None = None
    for stretch in track.stretches:
        if stretch.along == 0 and stretch.degrees is not None:
            behind = along_the_way(stretch.start, stretch.degrees + 180, most)
            for crossing in crossings(ground, behind, stretch.start, most):
                before = (crossing.along - most, crossing.up)
        for crossing in crossings(ground, stretch.start, stretch.end, stretch.length):
            at = stretch.along + crossing.along
            if before is not None and before[1] == crossing.up and at - before[0] < most:
                return Stop(at, rules.refuses(rules.slope, "The slope is too steep here: two levels within an inch."))
            before = (at, crossing.up)
    return None


class Going(msgspec.Struct, frozen=True):
    """How far a walk can lawfully go, why no farther, and what it meets at its end."""

    track: Track
    trace: Trace
    reach: int
    why: Refusal | None = None
    contact: str = ""  # the model it comes into declared contact with
    leaves: bool = False  # it goes over the edge there


#: Who stands in the way of a path, how far one gets along it, and why not on; no reason where contact is meant.
InTheWay = tuple[str, int, Refusal | None]


def over_ground(ground: Ground, base: Base, track: Track, rates: Rates) -> Going:
    """How far a base can go along a track for all that the board says: MV, slopes, the edge."""
    trace = _from_outside(ground, base, track, rates) if rates.entered else price(track, base, ground, rates)
    reach, why = trace.length if trace.stop is None else trace.stop.along, trace.stop.why if trace.stop else None
    steep = too_steep(ground, track, rates.rules)
    if steep is not None and steep.along <= reach:
        reach, why = steep.along, steep.why
    edge = leaves_board(track, base, ground)
    if edge is not None and edge <= reach:
        return Going(track, trace, edge, leaves=True)
    return Going(track, trace, reach, why)


def _from_outside(ground: Ground, base: Base, track: Track, rates: Rates) -> Trace:
    """What a track costs that goes on from outside the board: the inch begun over the edge is gone to its end."""
    begun = rates.entered
    outside = resolve(track.start, Walk((Leg(0, -begun),))).pose_at(begun).point
    whole = resolve(Pose(outside, track.start.facing), Walk((Leg(0, begun), *track.walk.legs)))
    trace = price(whole, base, ground, rates)
    steps = [
        replace(one, start=max(0, one.start - begun), end=one.end - begun)
        for one in trace.steps
        if one.end > begun or (one.turn and one.end == begun)
    ]
    stop = None if trace.stop is None else replace(trace.stop, along=max(0, trace.stop.along - begun))
    return Trace(tuple(steps), trace.total, max(0, trace.length - begun), stop)


def held_up(gone: Going, model: Thing, rates: Rates, nearer: int | None, in_the_way: Iterable[InTheWay]) -> Going:
    """How far a model can go for all that others say: enemies it may not come nearer to, bases in its way.

    `nearer` is the last distance before a suppressed model would come closer to an enemy, none where it never does.
    """
    reach, why, contact, leaves = gone.reach, gone.why, "", gone.leaves
    if nearer is not None and nearer < reach:
        sentence = f"{model.label} is suppressed and may not come closer to any enemy."
        reach, why, leaves = nearer, Refusal(rates.rules.suppressed.id, sentence), False
    for other, stop, refusal in in_the_way:
        if stop < reach or (stop == reach and (refusal is None or stop < gone.track.length)):
            reach, why, leaves = stop, refusal, False
            contact = other if refusal is None else ""
    return Going(gone.track, gone.trace, reach, why, contact, leaves)


def cut_short(gone: Going, model: Thing, rates: Rates) -> Refusal | None:
    """Why a path is not gone to its end, and how far it is; where the MV runs out, also what it was spent on."""
    if gone.why is None or gone.reach >= gone.track.length:
        return None
    words, also = f"{gone.why.sentence} {model.label} gets {inches(gone.reach)} along this path.", gone.why.also
    if gone.why.rule == rates.rules.per_inch.id:
        turned = [turn for turn in gone.track.turns if turn.along <= gone.reach]
        paid_turns = [rates.rules.turning.extra.id] if rates.turns_made + len(turned) > rates.free_turns else []
        also = tuple(dict.fromkeys([*also, *rates.spent_by(step.cost for step in gone.trace.steps), *paid_turns]))
    return Refusal(gone.why.rule, words, also)


def on_its_level(table: Table, model: Thing) -> list[Thing]:
    """The other models that a base could collide with: not those on another floor."""
    floor = model.place.level if isinstance(model.place, At) else 0
    return [
        other
        for other in table.models()
        if other.id != model.id and isinstance(other.place, At) and other.place.level == floor
    ]


def clear_at(table: Table, model: Thing, track: Track) -> Callable[[int], bool]:
    """Whether a model that halts somewhere along a track would stand on nobody.

    A place on the way is rounded to the thousandth, so along a base in contact one may lie a hair too near, though the
    way as a whole does not.
    """
    base = base_of(model)
    passed = surely_passed(track, base, 0)
    near = [outline(one) for one in on_its_level(table, model) if not passed(center(one), base_of(one))]

    def clear(along: int) -> bool:
        at = track.pose_at(along)
        return not near or not any(overlap(outline_of(base, at.point, at.facing), shape) for shape in near)

    return clear


def halts_at(table: Table, model: Thing, gone: Going, wanted: int, start: int = 0) -> int:
    """Where a model halts that wants to halt somewhere along its way: there, or the last place before that is clear."""
    wanted = min(wanted, gone.reach)
    if gone.leaves and wanted == gone.reach:
        return wanted
    clear = clear_at(table, model, gone.track)
    return next((at for at in range(wanted, start, -1) if clear(at)), start)


def pose_after(going_: Going) -> Pose:
    """The pose at the end of a going, with the turns made there."""
    return going_.track.pose_at(going_.reach, turned=True)


def spent(gone: Going, end: int) -> int:
    """The MV that was paid for a track up to a distance along it, turns among it."""
    return sum(step.cost.total for step in gone.trace.steps if step.end <= end)


def paid(gone: Going, start: int, end: int, terrain: Sequence[Rule]) -> Detail:
    """What was paid for a part of a track, and by which rules; `terrain` are those of paying for it at all."""
    steps = [step for step in gone.trace.steps if start <= step.start and step.end <= end]
    rules = dict.fromkeys(part.rule for step in steps for part in step.cost.parts)
    if any(step.pieces for step in steps):
        rules.update(dict.fromkeys(one.id for one in terrain))
    return {"mv": sum(step.cost.total for step in steps), "rules": tuple(rules)}


def with_last_turns(track: Track, end: int, walked: Walk) -> Walk:
    """A part of a walk with the turns that are made at its end."""
    turns = tuple(Leg(turn.degrees) for turn in track.turns if turn.along == end and end > 0)
    held = sum(isinstance(leg, Leg) and leg.go == 0 and leg.turn != 0 for leg in walked.legs)
    return replace(walked, legs=walked.legs + turns) if turns and not held else walked


def facing_asked(model: Thing, topic: str, why: Rule) -> MoveModels:
    """The question how a model turns that stands up."""
    return MoveModels(
        model.side,
        f"{model.label} stands up. Facing which way?",
        topic=topic,
        about=(model.id,),
        rules=(why.id,),
        shows=("distance",),
        models=(model.id,),
        allowance={model.id: 0},
        decline="As it lay",
    )


def turn_up(battle: Battle, model: ThingId, answer: dict[str, Walk] | None, why: Rule) -> None:
    """A model that stood up faces the way that was answered; with no answer the way it lay."""
    thing = battle.table[model]
    turn = sum(leg.turn for leg in answer[model].legs if isinstance(leg, Leg)) if answer and model in answer else 0
    if turn % 360:
        facing = (thing.facing + turn) % 360
        battle.happens(Moved(model, thing.place, thing.place, facing, Walk((Leg(turn),)), rule=why.id))
