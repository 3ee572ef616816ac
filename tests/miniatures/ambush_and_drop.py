"""Transcript 5: squads held back come in, a squad drops from orbit, an ambusher brings its field work with it.

A cut of strikeops: the Draw Deck with skips and an assigned card, delayed squads, the landing with its drift, ambush
placement. Nobody walks here; a model that is on the table may fire one weapon an activation.
"""

from typing import Any

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.directions import along
from sandtable.engine.events import (
    BattleEnded,
    Declared,
    Forfeited,
    Harm,
    HarmApplied,
    HarmNoted,
    Landed,
    ModelLost,
    PhaseBegan,
    Placed,
    Rolled,
    Scored,
    StateChanged,
    StepBegan,
)
from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.questions import (
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    Option,
    PlaceThings,
    Plan,
    PlanPart,
    Refusal,
    Together,
)
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.shapes import UNIT, At, Base, Disc, Leg, Off, Point, Region, Spot, Walk, rectangle
from sandtable.engine.state import Due, Step
from sandtable.engine.table import Table, Thing
from sandtable.field.encounters import leaves_board, over_edge
from sandtable.field.measure import center_gap, covers, outline_of, overlap
from sandtable.field.paths import Pose, resolve
from tests.miniatures import draw_deck as deck
from tests.miniatures.squad_shooting import rolled
from tests.miniatures.standing import base_of, board, others, outline, outside, point_of, taken

FORCES = "strikeops.setup.declare-forces"
PHASES = "strikeops.initiative.sequence-of-play"
ACTIVATION = "strikeops.initiative.activation-phase"
ONE_ACTIVATION = "strikeops.initiative.one-activation-a-turn"
ODST_CARD = "strikeops.upgrades.odst-card"
LANDING = "strikeops.upgrades.odst-landing"
PUT_OFF = "strikeops.upgrades.odst-delay"
AFTER_LANDING = "strikeops.upgrades.odst-card-after-landing"
HELD_BACK = "strikeops.attributes.ambush-hold-back"
AMBUSH = "strikeops.attributes.ambush-placement"
WITH_ASSETS = "strikeops.attributes.ambush-with-assets"
POSITION = "strikeops.assets.infantry-fighting-position"
DECLARE = "strikeops.actions.declare-the-whole-squad-first"
NO_MEASURING = "strikeops.actions.no-pre-measuring"
IMPOSSIBLE = "strikeops.actions.impossible-action-is-forfeit"
SURPLUS = "strikeops.damage.surplus-attacks-are-lost"
COMBAT_ROLL = "strikeops.shooting.combat-roll"
BANDS = "strikeops.shooting.band-target-points"
AT_END = "strikeops.damage.applied-at-end-of-activation"
TRACK = "strikeops.damage.damage-track"
WINNER = "strikeops.victory.winner-by-points"

WIDTH, HEIGHT, RNG = 36 * UNIT, 48 * UNIT, 10
FOOT = Base("circle", UNIT)
WORKS = Base("circle", 2 * UNIT)
BAND_NEEDS = {"short": 6, "medium": 7, "long": 8, "extreme": 9}
END = "end of activation"

#: Limits that a draft may be tested against although measuring is closed: the place is chosen before anything is
#: declared, so without them nobody could choose a lawful one.
MAY_BE_TESTED = (LANDING,)


class Squad(msgspec.Struct, frozen=True):
    """A squad as the scenario fields it: models with their places in inches; those without one are held back."""

    id: str
    side: str
    models: dict[str, tuple[int, int] | None]
    recon: bool = False
    drops: bool = False
    works: dict[str, str] = {}  # an ambusher → the field work it brings


class Scenario(msgspec.Struct, frozen=True):
    """What a battle starts from."""

    squads: tuple[Squad, ...] = (
        Squad("squad 1", "red", {"R1": (18, 6), "R2": (24, 6)}, recon=True),
        Squad("squad 2", "blue", {"B1": (18, 42), "B9": None}, recon=True, works={"B9": "position 9"}),
        Squad("squad 3", "red", {"R3": (10, 8)}),
        Squad("squad 4", "blue", {"B4": None}),
        Squad("squad 5", "blue", {"B5": None, "B6": None, "B7": None}, drops=True),
    )
    turns: int = 3


class Start(Step, frozen=True):
    turns: int


class Announce(Step, frozen=True):
    """A side says which of its held-back squads come in."""

    side: str


class Shuffle(Step, frozen=True):
    pass


class Flip(Step, frozen=True):
    turns: int


class Card(Step, frozen=True):
    """A card lies open and nobody skips it."""

    card: str


class Drop(Step, frozen=True):
    """One model comes down from orbit, aimed at the landing zone."""

    model: str
    x: int
    y: int
    facing: int


class Activate(Step, frozen=True):
    squad: str


class Act(Step, frozen=True):
    model: str
    target: str


class Settle(Step, frozen=True):
    squad: str


class EndPhase(Step, frozen=True):
    turns: int


# Pure functions -----------------------------------------------------------------------------------------------------


def may_act(table: Table, squad: str) -> bool:
    """Whether a squad can still activate this turn: it is in play or announced, and has not yet activated."""
    unit = table[squad]
    waiting = unit.has("activated") or unit.has("held back") or unit.has("in orbit")
    return not waiting and bool(table.members(squad))


def to_drop(table: Table) -> list[Thing]:
    """The squads whose own card still means something this turn."""
    units = [unit for unit in table.of_kind("unit") if unit.has("in orbit")]
    return [unit for unit in units if not unit.has("put off")]


def recon(table: Table, side: str) -> Thing | None:
    """A recon squad of a side that may still skip a card this turn: with a model on the board."""
    for unit in table.of_kind("unit"):
        fresh = unit.side == side and unit.card == "recon" and not unit.has("skipped")
        if fresh and any(model.on_table for model in table.members(unit.id)):
            return unit
    return None


def landing_zone(table: Table, side: str) -> Region:
    """Where a landing zone may lie: on the board, not closer than 12" to any enemy."""
    enemies = [model for model in table.models() if model.side != side]
    return Region(
        inside=(rectangle(FOOT.size // 2, FOOT.size // 2, WIDTH - FOOT.size, HEIGHT - FOOT.size),),
        outside=tuple(Disc(point_of(enemy), 12 * UNIT) for enemy in enemies),
        whole=False,
        rule=LANDING,
        label='a landing zone on the board, not closer than 12" to any enemy',
    )


def zone_exists(table: Table, side: str) -> bool:
    """Whether some point of the board, tried inch by inch, can be a landing zone."""
    region = landing_zone(table, side)
    points = (Point(x, y) for x in range(UNIT, WIDTH, UNIT) for y in range(UNIT, HEIGHT, UNIT))
    return any(outside(region, FOOT, Spot(At(point))) is None for point in points)


def ambush_region(table: Table, side: str) -> Region:
    """Where an ambusher may appear: not in the enemy's half, and farther than 5" (recon: 10") from every enemy."""
    half = rectangle(0, HEIGHT // 2, WIDTH, HEIGHT // 2) if side == "blue" else rectangle(0, 0, WIDTH, HEIGHT // 2)
    enemies = [model for model in table.models() if model.side != side]
    near = tuple(Disc(point_of(enemy), keeps_away(table, enemy)) for enemy in enemies)
    return Region(inside=(half,), outside=near, rule=AMBUSH, label="its own half, away from every enemy", whole=True)


def keeps_away(table: Table, enemy: Thing) -> int:
    """How far from an enemy an ambusher must be."""
    return (10 if table[enemy.unit].card == "recon" else 5) * UNIT


def needs(table: Table, shooter: Thing, target: Thing) -> Explanation | None:
    """What a combat roll needs; none beyond extreme range."""
    squared = center_gap(point_of(shooter), point_of(target))
    for number, band in enumerate(BAND_NEEDS, 1):
        if squared <= (number * RNG * UNIT) ** 2:
            parts = [ExplainedPart(f"{band} range", BAND_NEEDS[band], BANDS)]
            if in_works(table, target):
                parts.append(ExplainedPart("fighting position", 2, POSITION))
            return explain("combat roll", *parts)
    return None


def in_works(table: Table, model: Thing) -> bool:
    """Whether a model stands in a fighting position."""
    works = [marker for marker in table.of_kind("marker") if isinstance(marker.place, At)]
    return any(covers(outline(marker), outline(model)) for marker in works)


def free_spot(table: Table, at: Point, base: Base) -> Point:
    """The nearest free place to a point, on rings a tenth of an inch apart, the first direction clockwise from east."""
    for distance in range(0, 10 * UNIT, UNIT // 10):
        for degrees in range(0, 360, 5):
            point = along(at, degrees, distance)
            if taken(table, base, Spot(At(point)), LANDING) is None:
                return point
    raise AssertionError("no free place within ten inches")


class AmbushAndDrop(Ruleset):
    """Cards decide whose squad acts; some squads are not on the table yet."""

    name = "ambush-and-drop"
    title = "Ambush and a drop from orbit"
    steps = (Start, Announce, Shuffle, Flip, Card, Drop, Activate, Act, Settle, EndPhase)
    concession_rule = WINNER
    draw_rule = WINNER

    def open(self, battle: Battle, setup: Setup) -> None:
        """Lay out everything; forces are open, so what is held back is on the table too, off it."""
        scenario = msgspec.convert(setup.scenario, Scenario)
        battle.happens(board(WIDTH, HEIGHT, "strikeops.setup.board-size"))
        for squad in scenario.squads:
            self.field(battle, squad)
        for side in setup.sides:
            ready = [squad for squad in scenario.squads if squad.side == side and any(squad.models.values())]
            deck.add_cards(battle, (side,) * (1 + 2 * len(ready)), deck.COMPOSITION)
        for squad in scenario.squads:
            if squad.drops:
                deck.add_cards(battle, (f"drop: {squad.id}",), ODST_CARD)
        battle.push(Start(scenario.turns))

    def field(self, battle: Battle, squad: Squad) -> None:
        unit = Thing(squad.id, "unit", squad.side, squad.id, card="recon" if squad.recon else "")
        battle.happens(Placed(unit.id, Off("a squad"), made=unit, rule=FORCES))
        for model, at in squad.models.items():
            made = Thing(model, side=squad.side, unit=squad.id, base=FOOT, track=2)
            why = "in orbit" if squad.drops else "held back"
            where = Off(why) if at is None else At(Point(at[0] * UNIT, at[1] * UNIT))
            battle.happens(Placed(model, where, 90 if squad.side == "red" else 270, made=made, rule=FORCES))
        for model, works in squad.works.items():
            made = Thing(works, "marker", squad.side, f"the field work of {model}", base=WORKS)
            battle.happens(Placed(works, Off("held back"), made=made, rule=WITH_ASSETS))
            battle.happens(StateChanged(model, "brings", None, works, rule=WITH_ASSETS))
        if squad.drops:
            battle.happens(StateChanged(squad.id, "in orbit", None, 1, rule=ODST_CARD))
        elif not any(squad.models.values()):
            battle.happens(StateChanged(squad.id, "held back", None, 1, rule=HELD_BACK))

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        match step:
            case Start(turns):
                return self.start(battle, turns)
            case Announce(side):
                return self.announce(battle, side)
            case Shuffle():
                return self.shuffle(battle)
            case Flip(turns):
                return self.flip(battle, turns)
            case Card(card):
                return self.play_card(battle, card)
            case Drop():
                return self.drop(battle, step)
            case Activate(squad):
                return self.activate(battle, squad)
            case Act(model, target):
                return self.act(battle, model, target)
            case Settle(squad):
                return self.settle_up(battle, squad)
            case EndPhase(turns):
                return self.end_phase(battle, turns)
        raise AssertionError(step)

    def asking_order(self, battle: Battle, opened_by: str = "") -> tuple[str, ...]:
        """The side whose card it is comes first."""
        return super().asking_order(battle)

    # The turn ---------------------------------------------------------------------------------------------------

    def start(self, battle: Battle, turns: int) -> Procedure[None]:
        table = battle.table
        battle.happens(PhaseBegan(table.turn + 1, "start", rule=PHASES))
        for unit in list(table.of_kind("unit")):
            for state in ("activated", "skipped", "put off"):
                if unit.has(state):
                    battle.happens(StateChanged(unit.id, state, 1, None, rule=ONE_ACTIVATION))
        battle.push(*(Announce(side) for side in table.sides), Shuffle(), Flip(turns))
        yield from ()

    def announce(self, battle: Battle, side: str) -> Procedure[None]:
        """Held-back squads that come in bring their two cards, before the shuffle."""
        back = [unit for unit in battle.table.of_kind("unit") if unit.side == side and unit.has("held back")]
        if not back:
            return
        squads = yield ChooseSeveral(
            side,
            "Which held-back squads come in this turn?",
            topic="come in",
            rules=(deck.DELAYED,),
            options=tuple(Option(unit.id, unit.label, (unit.id,)) for unit in back),
            default=(),
        )
        for squad in squads:
            battle.happens(StateChanged(squad, "held back", 1, None, rule=HELD_BACK))
            deck.add_cards(battle, (side, side), deck.DELAYED)

    def shuffle(self, battle: Battle) -> Procedure[None]:
        deck.shuffle(battle)
        battle.happens(PhaseBegan(battle.table.turn, "activation", rule=PHASES))
        yield from ()

    def flip(self, battle: Battle, turns: int) -> Procedure[None]:
        """Flip the next card while anybody can act, and ask those with a recon squad whether it is skipped."""
        table = battle.table
        squads = [unit for unit in table.of_kind("unit") if may_act(table, unit.id)]
        if self.decided(table) or not (squads or to_drop(table)):
            battle.push(EndPhase(turns))
            return
        if not deck.cards_left(table):
            deck.shuffle(battle)
        card = deck.draw(battle)
        side = table[card.removeprefix("drop: ")].side if card not in table.sides else card
        battle.happens(StepBegan("card", side, rule=ACTIVATION))
        battle.push(Flip(turns))
        for asked in self.asking_order(battle):
            scouts = recon(table, asked)
            if scouts is None:
                continue
            skips = yield Confirm(
                asked,
                "Skip this card?",
                topic="skip",
                about=(scouts.id,),
                rules=(deck.SKIP,),
                yes=f"{card} goes under the deck",
                no=f"{card} is played",
            )
            if skips:
                battle.happens(StateChanged(scouts.id, "skipped", None, 1, "end of turn", rule=deck.SKIP))
                deck.skip(battle, card)
                return
        deck.discard(battle, card)
        battle.push(Card(card))

    def play_card(self, battle: Battle, card: str) -> Procedure[None]:
        """What a card that nobody skipped brings: one squad of its side, or the squad it is assigned to."""
        table = battle.table
        if card not in table.sides and table[card.removeprefix("drop: ")].has("in orbit"):
            yield from self.land(battle, card.removeprefix("drop: "))
            return
        side = card if card in table.sides else table[card.removeprefix("drop: ")].side
        squads = [unit for unit in table.of_kind("unit") if unit.side == side and may_act(table, unit.id)]
        if not squads:
            return
        squad = squads[0].id
        if len(squads) > 1:
            options = tuple(Option(unit.id, unit.label, (unit.id,)) for unit in squads)
            squad = yield ChooseOne(side, "Which squad?", topic="squad", options=options, rules=(ACTIVATION,))
        battle.push(Activate(squad))

    def end_phase(self, battle: Battle, turns: int) -> Procedure[None]:
        """Who is beaten or out of time is counted out; a lost squad takes one card with it."""
        table = battle.table
        battle.happens(PhaseBegan(table.turn, "end", rule=PHASES))
        if self.decided(table) or table.turn >= turns:
            for side in table.sides:
                battle.happens(Scored(side, len(table.models(side)), "models on the board", rule=WINNER))
            scores = dict(table.scores)
            best = [side for side in scores if scores[side] == max(scores.values())]
            battle.happens(BattleEnded(best[0] if len(best) == 1 else "", scores, "models left", rule=WINNER))
            return
        for unit in list(table.of_kind("unit")):
            if not table.members(unit.id) and not unit.has("lost"):
                battle.happens(StateChanged(unit.id, "lost", None, 1, rule=deck.REMOVING))
                deck.remove_card(battle, unit.side)
        battle.push(Start(turns))
        yield from ()

    def decided(self, table: Table) -> bool:
        """Whether a side has nobody left anywhere."""
        return any(not any(m.side == side and not m.gone for m in table.of_kind("model")) for side in table.sides)

    # From orbit ---------------------------------------------------------------------------------------------------

    def land(self, battle: Battle, squad: str) -> Procedure[None]:
        """Land now or put it off; the zone's distance to the enemy is tested although measuring is closed.

        strikeops.upgrades.odst-delay      declining, or having no lawful zone, puts it off to a later turn
        strikeops.upgrades.odst-landing    one zone for all, then each model drifts by itself
        """
        table = battle.table
        side = table[squad].side
        lands = False
        if zone_exists(table, side):
            lands = yield Confirm(side, f"Land {squad} now?", topic="land", about=(squad,), rules=(PUT_OFF,))
        if not lands:
            battle.happens(StateChanged(squad, "put off", None, 1, "end of turn", rule=PUT_OFF))
            return
        zone = yield PlaceThings(
            side,
            "Landing zone",
            topic="zone",
            about=(squad,),
            rules=(LANDING,),
            things=("landing zone",),
            where={"": landing_zone(table, side)},
        )
        spot: Spot = zone["landing zone"]
        assert isinstance(spot.where, At)
        x, y = spot.where.point
        battle.happens(StateChanged(squad, "in orbit", 1, None, rule=AFTER_LANDING))
        drops = [Drop(model.id, x, y, spot.facing) for model in table.members(squad)]
        battle.push(*drops, Activate(squad))

    def drop(self, battle: Battle, step: Drop) -> Procedure[None]:
        """One model drifts from the zone; where it falls on another of its squad its side sets it beside that one."""
        table = battle.table
        zone = Point(step.x, step.y)
        roll = battle.dice.scatter("d10")
        n = battle.happens(
            Rolled("drift", step.model, roll.dice, roll.faces, roll.natural, total=roll.natural, rule=LANDING)
        )
        track = resolve(Pose(zone, roll.faces[-1]), Walk((Leg(go=roll.natural * UNIT),)))
        edge = leaves_board(track, FOOT, table.ground)
        at = track.end.point if edge is None else track.pose_at(edge - 1).point
        shape = outline_of(FOOT, at, step.facing)
        under = [model for model in others(table) if overlap(shape, outline(model))]
        caught = tuple(model.id for model in under)
        n = battle.happens(Landed(step.model, zone, at, shape, caught, rule=LANDING, because=n))
        spot = Spot(At(at), step.facing)
        if under and under[0].unit == table[step.model].unit:
            spot = yield from self.beside(battle, step.model, under[0])
        elif under:
            spot = Spot(At(free_spot(table, at, FOOT)), step.facing)
        battle.happens(Placed(step.model, spot.where, spot.facing, rule=LANDING, because=n))

    def beside(self, battle: Battle, model: str, other: Thing) -> Procedure[Spot]:
        """Ask where a model goes that fell on another: adjacent to it, which is within an inch."""
        reach = FOOT.size // 2 + base_of(other).size // 2
        ring = Region(
            inside=(Disc(point_of(other), reach + UNIT),),
            outside=(Disc(point_of(other), reach),),
            whole=False,
            rule=LANDING,
            label=f"adjacent to {other.id}",
        )
        spots = yield PlaceThings(
            battle.table[model].side,
            f"{model} falls on {other.id}: place it adjacent",
            topic="beside",
            about=(model, other.id),
            rules=(LANDING, "strikeops.concepts.adjacent"),
            things=(model,),
            where={"": ring},
        )
        spot: Spot = spots[model]
        return spot

    # Activations ------------------------------------------------------------------------------------------------

    def activate(self, battle: Battle, squad: str) -> Procedure[None]:
        """Declare for every model at whom it fires; one that is held back may come in to do so."""
        table = battle.table
        side = table[squad].side
        members = [model.id for model in table.members(squad)]
        battle.happens(StepBegan("activate", side, (squad,), rule=ACTIVATION))
        plan = yield Plan(
            side,
            f"Declare {squad}",
            topic="declare",
            about=(squad,),
            rules=(DECLARE, NO_MEASURING),
            actors=tuple(members),
        )
        for model in members:
            action = "hold" if plan[model] == "hold" else "fire"
            targets = () if action == "hold" else (plan[model],)
            battle.happens(Declared(model, action, targets, rule=DECLARE))
        battle.open_measuring()
        battle.push(*(Act(model, plan[model]) for model in members if plan[model] != "hold"), Settle(squad))

    def parts(self, view: View, plan: Plan, draft: dict[str, Any]) -> list[PlanPart]:
        enemies = tuple(Option(enemy.id, f"fire at {enemy.id}", (enemy.id,)) for enemy in view.enemies())
        found = []
        for model in plan.actors:
            away = not view.table[model].on_table
            stay = Option("hold", "stay off the board" if away else "hold fire")
            prompt = f"{model} comes in and fires at?" if away else f"{model} fires at?"
            question = ChooseOne(plan.side, prompt, about=(model,), options=(*enemies, stay), rules=(DECLARE,))
            found.append(PlanPart(model, question))
        return found

    def act(self, battle: Battle, model: str, target: str) -> Procedure[None]:
        """An ambusher is placed, with its field work if it brings one, and then fires like anybody."""
        table = battle.table
        if not table[model].on_table:
            came = yield from self.come_in(battle, model)
            if not came:
                battle.happens(Forfeited(model, "fire", rule=IMPOSSIBLE))
                return
        noted = sum(entry.harm.amount for entry in battle.state.due if entry.target == target)
        if table[target].harm + noted >= table[target].track:
            battle.happens(Forfeited(model, "fire", rule=SURPLUS))
            return
        needed = needs(table, table[model], table[target])
        if needed is None:
            battle.happens(Forfeited(model, "fire", rule=IMPOSSIBLE))
            return
        roll = battle.dice.total("2d6")
        hit = roll.natural >= needed.total and roll.natural > 2
        outcome = "hit" if hit else "miss"
        n = battle.happens(rolled("combat roll", model, roll, needed, outcome, COMBAT_ROLL, target=target))
        if hit:
            battle.note(HarmNoted(target, Harm("damage", 1), END, rule=AT_END, because=n))

    def come_in(self, battle: Battle, model: str) -> Procedure[bool]:
        """Place an ambusher, and its field work at once with it. Declining keeps it off the board."""
        table = battle.table
        works = table[model].value("brings")
        things = (model, works) if isinstance(works, str) else (model,)
        together = Together(within=UNIT // 2, rule=WITH_ASSETS, label=f"{model} starts in {works}")
        spots = yield PlaceThings(
            table[model].side,
            f"{model} comes in",
            topic="ambush",
            about=things,
            rules=(AMBUSH, WITH_ASSETS),
            shows=("distance", "reach", "sight", "odds"),
            things=things,
            where={"": ambush_region(table, table[model].side)},
            together=together if len(things) > 1 else None,
            decline="Stay off the board",
        )
        for thing, spot in (spots or {}).items():
            battle.happens(Placed(thing, spot.where, spot.facing, rule=AMBUSH))
        return spots is not None

    def settle_up(self, battle: Battle, squad: str) -> Procedure[None]:
        yield from battle.settle(END)
        battle.happens(StateChanged(squad, "activated", None, 1, "end of turn", rule=ONE_ACTIVATION))

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        model = battle.table[due.target]
        entries = [due, *battle.taken_with(due)]
        after = min(model.harm + sum(entry.harm.amount for entry in entries), model.track)
        harm = Harm("damage", after - model.harm)
        n = battle.happens(HarmApplied(model.id, harm, model.harm, after, rule=AT_END, because=due.because))
        if after >= model.track:
            battle.happens(ModelLost(model.id, "out of action", rule=TRACK, because=n))
        yield from ()

    # Drafts -----------------------------------------------------------------------------------------------------

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        if not isinstance(question, PlaceThings) or answer is None:
            return None
        if not all(isinstance(spot.where, At) and spot.where.level == 0 for spot in answer.values()):
            return Refusal(question.rules[0], "It comes down on the ground.")
        if question.topic == "zone":
            return outside(question.where[""], FOOT, answer["landing zone"])
        if question.topic == "beside":
            (spot,) = answer.values()
            return outside(question.where[""], FOOT, spot) or taken(view.table, FOOT, spot, LANDING)
        return refused_ambush(view, question, answer)


def refused_ambush(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Why an ambusher, and what it brings, cannot come in there: each alone, then both together."""
    model = question.things[0]
    for thing, spot in answer.items():
        base = base_of(view.table[thing])
        assert isinstance(spot.where, At)
        refusal = outside(Region(inside=question.where[""].inside, rule=AMBUSH, label="its own half"), base, spot)
        if refusal is not None:
            return refusal
        for enemy in view.enemies():
            if center_gap(spot.where.point, point_of(enemy)) <= keeps_away(view.table, enemy) ** 2:
                return Refusal(AMBUSH, f"That is too near {enemy.id}.")
        if over_edge(outline_of(base, spot.where.point, spot.facing), view.table.ground):
            return Refusal(AMBUSH, "That is not wholly on the board.")
    refusal = taken(view.table, FOOT, answer[model], AMBUSH)
    if refusal is not None or question.together is None:
        return refusal
    shapes = [outline_of(base_of(view.table[thing]), answer[thing].where.point, 0) for thing in question.things]  # type: ignore[union-attr]
    if not covers(shapes[1], shapes[0]):
        return Refusal(WITH_ASSETS, f"{model} starts inside {question.things[1]}.")
    return None
