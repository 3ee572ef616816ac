"""Transcript 11: counters and dummies under observation.

A red patrol looks for a blue ambush. Blue's units lie under face-down counters, some of which are dummies; red observes
them, fires at them, walks past them. Red must never learn from an option, a refusal, a preview, a roll or from blue's
being asked what a counter is. Confidence and leaders are left out; all counters lie in scrub, in sight of everybody.
"""

from collections.abc import Sequence
from typing import Any

from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    BattleEnded,
    Counted,
    Declared,
    Forfeited,
    Placed,
    Rolled,
    Scored,
    StateChanged,
    StepBegan,
)
from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.questions import (
    UNTIL_REVEALED,
    Allocate,
    AnyQuestion,
    Chance,
    ChooseOne,
    ChooseSeveral,
    MoveModels,
    Option,
    PlaceThings,
    Preview,
    ReactOption,
    Refusal,
)
from sandtable.engine.ruleset import Procedure, Setup, View
from sandtable.engine.shapes import UNIT, At, Disc, Off, Point, Region, Spot
from sandtable.engine.state import Step
from sandtable.engine.table import Piece, Table, Thing
from sandtable.engine.windows import Reacted, reaction_window
from sandtable.field.measure import on_or_inside
from tests.miniatures.alternating import ALTERNATING, Alternating, NextActivation, TurnBegins, TurnEnds
from tests.miniatures.die_types import exceed, shifted
from tests.miniatures.figures import CHAIN, figure, fit, lay_board, move_refused, row, spot, unit_gap, walk_on
from tests.miniatures.hidden_counters import (
    COUNTERS,
    DUMMY,
    IN_POSITION,
    OBSERVE,
    PATROL,
    REVEALS,
    SOFT,
    counters,
    face_up,
    figures_refused,
    flip,
    identify,
    lies_under,
    observed,
    open_parts,
    owners_die,
    place_figures,
    position_part,
    success,
)
from tests.miniatures.nerve import remove_suppression, suppress
from tests.miniatures.small_arms import DICE, RANGE_LIMIT, fire, opposed, range_die, range_die_parts

TWO_ACTIONS = "stargrunt.actions.two-actions"
FIRE_LIMIT = "stargrunt.actions.fire-limit"
REMOVING = "stargrunt.actions.removing-suppression"
SUPPRESSION = "stargrunt.actions.suppression-of-infantry"
SPOOF = "stargrunt.electronic-warfare.spoof"
TIMING = "stargrunt.electronic-warfare.timing"
SYSTEM = "stargrunt.electronic-warfare.system-die"
MARKERS = "stargrunt.electronic-warfare.markers"
REACTION_FIRE = "stargrunt.turn.reaction-fire"
RECON_BY_FIRE = "stargrunt.observation.recon-by-fire"
NORMAL_MOVE = "stargrunt.movement.normal"
VICTORY = "stargrunt.scenario.victory"

BOARD = 36
REACH = 6 * UNIT
NAMES = "KLMNOPQRST"
RED = (("patrol", Point(18 * UNIT, 30 * UNIT)), ("rear", Point(8 * UNIT, 33 * UNIT)))
ROSTER = (("Alpha", 8, 3), ("Bravo", 6, 3))
SCRUB = tuple(
    Point(x * UNIT, y * UNIT)
    for x, y in ((18, 10), (6, 14), (30, 14), (12, 6), (24, 6), (4, 6), (32, 6), (18, 4), (12, 18), (24, 18))
)
PATCH = 2 * UNIT


class Deploy(Step, frozen=True):
    """Blue lays its counters; how many dummies, if the scenario says so."""

    dummies: int = 0


class Activate(Step, frozen=True):
    unit: str
    actions: int = 2
    moved: bool = False  # whether its first action was a move


class Unmask(Step, frozen=True):
    """A hidden unit is activated: its figures are placed first."""

    counter: str


class CountersAndDummies(Alternating):
    """Red scores for every counter it identifies, blue for every red figure it hurts."""

    name = "counters-and-dummies"
    steps = (Deploy, TurnBegins, NextActivation, TurnEnds, Activate, Unmask)
    concession_rule = VICTORY
    draw_rule = VICTORY

    def open(self, battle: Battle, setup: Setup) -> None:
        lay_board(battle, BOARD)
        for n, at in enumerate(SCRUB, 1):
            patch = Piece(f"scrub {n}", "scrub", Disc(at, PATCH))
            battle.happens(Placed(patch.id, Off(), piece=patch, rule="stargrunt.cover.what-gives-cover"))
        for name, at in RED:
            counts = {"quality": 8, "leadership": 2, "sensors": 6}
            made = Thing(name, kind="unit", side="red", label=name, counts=counts)
            battle.happens(Placed(name, Off("its figures stand for it"), made=made, rule=PATROL))
            for n, place in enumerate(row(at, 4), 1):
                one = figure(f"{name}{n}", "red", name)
                battle.happens(Placed(one.id, At(place), made=one, rule=PATROL))
        for name, quality, figures in setup.scenario.get("roster", ROSTER):
            counts = {"quality": quality, "leadership": 2, "figures": figures}
            made = Thing(name, kind="unit", side="blue", label=name, counts=counts)
            battle.happens(Placed(name, Off("under its counter"), made=made, known_to=("blue",), rule=COUNTERS))
        battle.happens(Counted("blue", "EW die", 0, 6, rule=SYSTEM))
        battle.happens(Counted("blue", "EW markers", 0, 3, rule=MARKERS))
        battle.push(Deploy(setup.scenario.get("dummies", 0)))

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        match step:
            case Deploy():
                return self.deploy(battle, step)
            case Activate():
                return self.activate(battle, step)
            case Unmask(counter):
                return self.unmask(battle, counter)
            case _:
                return self.turn_procedure(battle, step)

    def roll_dummies(self, battle: Battle) -> int:
        """A D6 that only its owner sees: the counters on the table are units and dummies together."""
        fell = battle.dice.total("d6")
        n, secret = fell.natural, ("blue",)
        battle.happens(Rolled("dummies", "blue", fell.dice, fell.faces, n, total=n, known_to=secret, rule=COUNTERS))
        return n

    def deploy(self, battle: Battle, step: Deploy) -> Procedure[None]:
        """Blue says in secret what each counter is and which are In Position, and lays them openly.

        stargrunt.observation.hidden-counters       a counter for each unit, and D6 dummies for up to four units
        stargrunt.observation.in-position-harder    a dummy may be declared In Position like a unit
        """
        hidden = [unit for unit in battle.table.of_kind("unit") if unit.side == "blue"]
        dummies = step.dummies or self.roll_dummies(battle)
        names = tuple(NAMES[: len(hidden) + dummies])
        options = tuple(Option(name, f"counter {name}") for name in names)
        lying: dict[str, str] = yield Allocate(
            "blue",
            "What is each counter?",
            topic="counters",
            items=options,
            bins=(*(Option(unit.id) for unit in hidden), Option(DUMMY)),
            bin_least={unit.id: 1 for unit in hidden},
            bin_most={unit.id: 1 for unit in hidden},
            sealed=UNTIL_REVEALED,
            rules=(COUNTERS,),
        )
        dug_in: tuple[str, ...] = yield ChooseSeveral(
            "blue",
            "Which counters are In Position?",
            topic="in position",
            options=options,
            sealed=UNTIL_REVEALED,
            rules=(IN_POSITION,),
            default=(),
        )
        patches = tuple(Disc(at, PATCH) for at in SCRUB)
        spots: dict[str, Spot] = yield PlaceThings(
            "blue",
            "Lay the counters",
            topic="lay",
            things=names,
            where={"": Region(inside=patches, whole=False, rule=COUNTERS, label="in scrub")},
            faces=False,
            rules=(COUNTERS,),
            default={name: Spot(At(at)) for name, at in zip(names, SCRUB, strict=False)},
        )
        for name in names:
            made = Thing(name, kind="marker", side="blue", label=f"counter {name}", glyph="counter")
            battle.happens(Placed(name, spots[name].where, made=made, rule=COUNTERS))
        for name in names:
            secret = ("blue",)
            battle.happens(StateChanged(name, "is", after=lying[name], known_to=secret, rule=COUNTERS))
            if name in dug_in:
                battle.happens(StateChanged(name, "in position", after=1, known_to=secret, rule=IN_POSITION))
        battle.push(TurnBegins())

    # Turns -------------------------------------------------------------------------------------------------------

    def may_activate(self, table: Table, side: str) -> list[Option]:
        found = [Option(unit.id, rules=(TWO_ACTIONS,)) for unit in _waiting(table, side)]
        if side == "blue":
            real = [counter for counter in counters(table) if lies_under(counter) != DUMMY]
            found += [Option(c.id, f"the unit under {c.id}", rules=(TWO_ACTIONS, REVEALS)) for c in real]
        return found

    def unactivated(self, table: Table, side: str) -> int:
        return len(_waiting(table, side)) + (len(counters(table)) if side == "blue" else 0)

    def units_of(self, table: Table, side: str) -> int:
        return len(_located(table, side)) + (len(counters(table)) if side == "blue" else 0)

    def activation(self, battle: Battle, chosen: str) -> Step:
        return Unmask(chosen) if battle.table[chosen].kind == "marker" else Activate(chosen)

    def decided(self, battle: Battle) -> bool:
        if _located(battle.table, "red"):
            return False
        self.end(battle, "the patrol is lost")
        return True

    def turn_over(self, battle: Battle) -> None:
        if battle.table.turn >= self.last_turn:
            self.end(battle, "the last turn is over")

    def end(self, battle: Battle, reason: str) -> None:
        """Whoever has more points has won."""
        points = {side: battle.table.scores.get(side, 0) for side in battle.table.sides}
        red, blue = battle.table.sides
        winner = "" if points[red] == points[blue] else max(points, key=lambda side: points[side])
        battle.happens(BattleEnded(winner, points, reason, rule=VICTORY))

    # An activation -----------------------------------------------------------------------------------------------

    def unmask(self, battle: Battle, counter: str) -> Procedure[None]:
        """A unit that is activated shows itself."""
        n = battle.happens(StepBegan("activation", "blue", (counter,), rule=REVEALS))
        unit = yield from place_figures(battle, battle.table[counter], REVEALS, n)
        battle.push(Activate(unit))

    def activate(self, battle: Battle, step: Activate) -> Procedure[None]:
        """One action of a unit, and the rest of its activation put back on the agenda."""
        unit = battle.table[step.unit]
        if not fit(battle.table, unit.id):
            return
        n = battle.happens(StepBegan("activation", unit.side, (unit.id,), rule=TWO_ACTIONS))
        if step.actions == 2:
            self.mark_activated(battle, unit.id, n)
        action = yield ChooseOne(
            unit.side,
            f"{unit.label}: {'first' if step.actions == 2 else 'second'} action?",
            topic="action",
            about=(unit.id,),
            options=tuple(self.actions(battle.table, unit)),
            rules=(TWO_ACTIONS,),
            default="done",
        )
        if action == "done":
            return
        if step.actions > 1:
            battle.push(Activate(unit.id, step.actions - 1, action == "move"))
        if action == "observe":
            yield from self.observe(battle, unit)
        elif action == "move":
            yield from self.move(battle, unit, step.moved)
        elif action == "fire":
            yield from self.fire(battle, unit)
        else:
            remove_suppression(battle, unit)

    def mark_activated(self, battle: Battle, unit: str, because: int) -> None:
        """An activated unit is finished for the turn."""
        until = "end of turn"
        battle.happens(StateChanged(unit, "activated", after=1, until=until, rule=TWO_ACTIONS, because=because))

    def actions(self, table: Table, unit: Thing) -> list[Option]:
        """What a unit may do with an action, by what everybody knows."""
        done = Option("done", "Nothing more", rules=(TWO_ACTIONS,))
        found = []
        if unit.side == "red" and counters(table):
            found.append(Option("observe", rules=(OBSERVE,)))
        if unit.count("suppression"):
            return [*found, Option("remove suppression", rules=(REMOVING, SUPPRESSION)), done]
        if unit.side == "red":
            found.append(Option("move", rules=(NORMAL_MOVE,)))
        if not unit.has("fired") and any(not option.refused for option in self.targets(table, unit)):
            found.append(Option("fire", rules=(DICE,)))
        return [*found, done]

    # Observing ---------------------------------------------------------------------------------------------------

    def observe(self, battle: Battle, unit: Thing) -> Procedure[None]:
        """Try to make out a counter; the other side may spoof the sensors before any die is rolled.

        stargrunt.observation.observe
        stargrunt.electronic-warfare.spoof     the EW die above any one of the observer's: the attempt fails
        """
        chosen = yield ChooseOne(
            unit.side,
            "Observe which counter?",
            topic="observe",
            about=(unit.id,),
            options=tuple(Option(c.id, c.label, (c.id,), (OBSERVE,)) for c in counters(battle.table)),
            rules=(OBSERVE,),
            shows=("distance", "odds"),
        )
        counter = battle.table[chosen]
        cause = battle.happens(Declared(unit.id, "observe", (counter.id,), rule=OBSERVE))
        spoofs = yield from reaction_window(
            battle,
            moment="observation",
            prompt=f"{unit.label} observes {counter.label}: spoof its sensors?",
            options=lambda side, so_far: self.spoofing(battle.table, side, so_far),
            rules=(SPOOF, TIMING),
            about=(unit.id, counter.id),
            sides=(counter.side,),
            because=cause,
        )
        higher, scores, n = observed(battle, unit, counter, cause)
        for side, reaction in spoofs:
            extra, base = reaction.amount - 1, battle.table[side].count("EW die")
            left = battle.table[side].count("EW markers") - reaction.amount
            lowest = (ExplainedPart("the lowest of the observer's dice", min(scores), SPOOF),)
            kind = (ExplainedPart(f"D{base}", 0, SYSTEM), ExplainedPart("extra markers", extra, SYSTEM))
            roll = exceed(battle, "spoofing", side, shifted(base, extra), lowest, SPOOF, because=n, dice_parts=kind)
            battle.happens(Counted(side, "EW markers", left + reaction.amount, left, rule=TIMING, because=cause))
            if roll.passed:
                battle.happens(Forfeited(unit.id, "observe", rule=SPOOF, because=roll.n))
                return
        if higher:
            yield from identify(battle, counter, higher, n)

    def spoofing(self, table: Table, side: str, so_far: Sequence[Reacted]) -> list[ReactOption]:
        """The markers a side may still spoof with; they lie open."""
        left = table[side].count("EW markers")
        if so_far or not left:
            return []
        return [ReactOption("spoof", "Spoof", side, {"EW markers": 1}, (SPOOF,), amount_least=1, amount_most=left)]

    # Moving ------------------------------------------------------------------------------------------------------

    def move(self, battle: Battle, unit: Thing, dashes: bool) -> Procedure[None]:
        """A normal move; between the first and the second an enemy may fire, and is asked whoever lies there."""
        n = battle.happens(Declared(unit.id, "move", rule=NORMAL_MOVE))
        if dashes and not self.finished(battle.table, "blue"):
            yield from self.reaction_fire(battle, unit, n)
            if battle.table[unit.id].count("suppression") or not fit(battle.table, unit.id):
                battle.happens(Forfeited(unit.id, "second move", rule=REACTION_FIRE, because=n))
                return
        models = tuple(one.id for one in fit(battle.table, unit.id))
        walks = yield MoveModels(
            unit.side,
            f"Move {unit.label}",
            topic="move",
            about=(unit.id,),
            models=models,
            allowance=dict.fromkeys(models, REACH),
            together=CHAIN,
            rules=(NORMAL_MOVE,),
            shows=("distance",),
            default={},
        )
        walk_on(battle, models, walks, NORMAL_MOVE, because=n)

    def reaction_fire(self, battle: Battle, mover: Thing, cause: int) -> Procedure[None]:
        """One unactivated enemy unit may fire at a unit that dashes through the open.

        Blue is asked as long as anything of its own, dummies too, could be such a unit: being asked tells nothing.
        """
        broke_in = yield from reaction_window(
            battle,
            moment="dash",
            prompt=f"{mover.label} dashes on: fire at it?",
            options=lambda side, so_far: [] if so_far else self.ambushers(battle.table, mover),
            rules=(REACTION_FIRE,),
            about=(mover.id,),
            sides=("blue",),
            once=True,
            blind=True,
            because=cause,
        )
        for _, reaction in broke_in:
            name = reaction.option
            if battle.table[name].kind == "marker":
                name = yield from place_figures(battle, battle.table[name], REVEALS, cause)
            self.mark_activated(battle, name, cause)
            ahead = StateChanged("blue", "activated ahead", after=1, until="end of turn", rule=ALTERNATING)
            battle.happens(ahead)
            self.shoot(battle, battle.table[name], mover, cause)

    def ambushers(self, table: Table, mover: Thing) -> list[ReactOption]:
        """The hidden and the placed units that could fire at a mover."""
        found = []
        for thing in (*counters(table), *_waiting(table, "blue")):
            unit = thing if thing.kind == "unit" else table.things.get(lies_under(thing))
            if unit is not None and not unit.has("fired") and not thing.count("suppression"):
                at = [spot(thing)] if thing.kind == "marker" else [spot(one) for one in fit(table, thing.id)]
                gap = unit_gap(at, [spot(one) for one in fit(table, mover.id)])
                if range_die(range_die_parts(gap, unit.count("quality"))) is not None:
                    found.append(ReactOption(thing.id, actor=thing.id, rules=(REACTION_FIRE,)))
        return found

    # Fire --------------------------------------------------------------------------------------------------------

    def targets(self, table: Table, unit: Thing) -> list[Option]:
        """Located units, and face-down counters, which may be fired at whatever they are."""
        found = []
        for enemy in _located(table, "blue" if unit.side == "red" else "red"):
            far = range_die(self.range_parts(table, unit, enemy)) is None
            refused = "The Range Die would be beyond D12." if far else ""
            found.append(Option(enemy.id, enemy.label, (enemy.id,), (RANGE_LIMIT, DICE), refused))
        if unit.side == "red":
            hidden = [counter for counter in counters(table) if not face_up(counter)]
            found += [Option(c.id, c.label, (c.id,), (RECON_BY_FIRE,)) for c in hidden]
        return found

    def range_parts(self, table: Table, unit: Thing, target: Thing) -> tuple[ExplainedPart, ...]:
        """The steps of the Range Die; a face-down counter's position is its owner's to know."""
        ours = [spot(one) for one in fit(table, unit.id)]
        if target.kind == "marker":
            shifts = (ExplainedPart("soft cover", 1, SOFT), position_part(target))
            return range_die_parts(unit_gap(ours, [spot(target)]), unit.count("quality"), shifts)
        theirs = [spot(one) for one in fit(table, target.id)]
        dug_in = 1 if target.has("in position") else 0
        known = (ExplainedPart("In Position", dug_in, "stargrunt.cover.in-position-direct-fire"),)
        return range_die_parts(unit_gap(ours, theirs), unit.count("quality"), known)

    def fire(self, battle: Battle, unit: Thing) -> Procedure[None]:
        """Fire at a unit, or at a counter to see what stirs."""
        chosen = yield ChooseOne(
            unit.side,
            "Fire at what?",
            topic="fire at",
            about=(unit.id,),
            options=tuple(self.targets(battle.table, unit)),
            rules=(DICE, RECON_BY_FIRE),
        )
        target = battle.table[chosen]
        n = battle.happens(Declared(unit.id, "fire", (target.id,), rule=DICE))
        if target.kind == "marker":
            self.recon_by_fire(battle, unit, target, n)
        else:
            self.shoot(battle, unit, target, n)

    def shoot(self, battle: Battle, unit: Thing, target: Thing, cause: int) -> None:
        """Fire at a unit whose figures stand on the table."""
        self.mark_fired(battle, unit, cause)
        exposed = [one.id for one in battle.table.members(target.id) if one.on_table]
        parts = self.range_parts(battle.table, unit, target)
        if range_die(parts) is None:  # the figures were placed farther away than their counter was
            battle.happens(Forfeited(unit.id, "fire", rule=RANGE_LIMIT, because=cause))
            return
        fired = fire(battle, unit, fit(battle.table, unit.id), target.id, exposed, parts, because=cause)
        if fired.exceeded:
            suppress(battle, target, fired.n)
        if fired.hurt:
            battle.happens(Scored(unit.side, len(fired.hurt), "enemies hurt", rule=VICTORY, because=fired.n))

    def recon_by_fire(self, battle: Battle, unit: Thing, counter: Thing, cause: int) -> None:
        """Only a major success against a unit shows anything; a dummy lies there as before.

        stargrunt.observation.recon-by-fire    the roll is made whatever the Range Die would be, and veiled
        """
        self.mark_fired(battle, unit, cause)
        parts = self.range_parts(battle.table, unit, counter)
        die, shooters = range_die(parts), fit(battle.table, unit.id)
        real = lies_under(counter) != DUMMY
        words = ("nothing stirs", "nothing stirs", "it is a unit" if real and die else "nothing stirs")
        exceeded, _, n = opposed(battle, unit, shooters, counter.id, die or 12, parts, cause, outcomes=words)
        if exceeded > 1 and real and die:
            flip(battle, counter, RECON_BY_FIRE, n)
            suppress(battle, counter, n)

    def mark_fired(self, battle: Battle, unit: Thing, because: int) -> None:
        """No weapon fires twice in a turn."""
        until = "end of turn"
        battle.happens(StateChanged(unit.id, "fired", after=1, until=until, rule=FIRE_LIMIT, because=because))

    # What sides are told -----------------------------------------------------------------------------------------

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        if isinstance(question, MoveModels):
            enemy = next(side for side in view.table.sides if side != view.side)
            return move_refused(view.table, question, answer, NORMAL_MOVE, avoid=enemy)
        if question.topic == "lay":
            for name, put in answer.items():
                at = put.where.point if isinstance(put.where, At) and put.where.level == 0 else None
                if at is None or not any(on_or_inside(Disc(patch, PATCH), at) for patch in SCRUB):
                    return Refusal(COUNTERS, f"{name} must lie in scrub.")
        if isinstance(question, PlaceThings) and question.topic == "figures":
            return figures_refused(view, question, answer)
        return None

    def preview(self, view: View, question: AnyQuestion, answer: Any) -> Preview:
        if question.topic != "observe":
            return Preview()
        return observation_preview(view.table, view.table[question.about[0]], view.table[answer])


def observation_preview(table: Table, unit: Thing, counter: Thing) -> Preview:
    """What an observer may know beforehand: the owner's die, or the two it may be, and the chance or its range."""
    known = open_parts(table, unit.id, counter)
    position = position_part(counter)
    dug_in = ExplainedPart("In Position", 1, IN_POSITION)
    if face_up(counter):
        cases = [(*known, position)]
    else:
        cases = [known, (*known, dug_in)]
    explanations: list[Explanation] = []
    chances = []
    for parts in cases:
        die = owners_die(parts)
        explanations.append(explain(f"owner's die D{die}, in steps above D4", *parts))
        chances.append(success(unit.count("quality"), unit.count("sensors"), die))
    best, worst = chances[0], chances[-1]
    if best == worst:
        odds = Chance("identified", *best)
    else:
        low, high = worst[0] * 1000 // worst[1], -(-best[0] * 1000 // best[1])
        odds = Chance("identified", 0, 1, range=(low, high))
    return Preview(explanations=tuple(explanations), odds=(odds,), odds_note="if the sensors are not spoofed")


def _located(table: Table, side: str) -> list[Thing]:
    """The units of a side with fit figures on the table."""
    return [unit for unit in table.of_kind("unit") if unit.side == side and fit(table, unit.id)]


def _waiting(table: Table, side: str) -> list[Thing]:
    return [unit for unit in _located(table, side) if not unit.has("activated")]
