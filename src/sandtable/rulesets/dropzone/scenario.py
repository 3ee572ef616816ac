"""Scenarios: the table, the armies, who waits where, scoring and the end."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import PhaseBegan, Placed, Scored
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import At, In, Off, Point, rectangle
from sandtable.engine.state import Step
from sandtable.engine.table import Ground, Mark, Table, Thing
from sandtable.field.measure import gap
from sandtable.forces.case_table import TABLE_KEYS
from sandtable.forces.ledger import rule
from sandtable.forces.models import UNDEPLOYED, Fielded, ModelForm, StateForm
from sandtable.forces.scenario import Scenario
from sandtable.rulesets.dropzone.basics import CENTRE
from sandtable.rulesets.dropzone.command.cards import HAND, TOP, ShuffleDecks, assemble, deal, in_use
from sandtable.rulesets.dropzone.command.commanders import COMMANDER, cost
from sandtable.rulesets.dropzone.fortitude import STRENGTH
from sandtable.rulesets.dropzone.movement.arriving import DEPLOYMENT, EDGE
from sandtable.rulesets.dropzone.objectives import CARRIED, MOBILE, held
from sandtable.rulesets.dropzone.rounds import (
    ACTIVATION_ENDS,
    AFTER_ACTION,
    AUXILIARIES,
    RESERVES,
    ROUND_BEGINS,
    ROUND_ENDS,
    ActivationEnds,
    NextActivation,
    NextSquad,
    RoundBegins,
    SquadActs,
    acts_in,
)
from sandtable.rulesets.dropzone.scenery import lay
from sandtable.rulesets.dropzone.shooting.aiming import ATTRITION
from sandtable.rulesets.dropzone.transports import ONE_BATTLEGROUP, carriers_of
from sandtable.rulesets.dropzone.units import (
    ACTED,
    ACTIVATED,
    AIRBORNE,
    AUXILIARY,
    BATTLEGROUP,
    END_OF_ROUND,
    FAST,
    LEVELS,
    NAMED,
    READINESS,
    RESERVE,
    battlegroup,
    card,
    flies,
    is_fast,
)
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.endings import end, last_side_standing
from sandtable.tabletop.opening import MORE_KEYS, TURN_LIMIT, Begun, Opener, lay_board
from sandtable.tabletop.states import give

TABLE = rule("dropzone.scenario.table")
AERIAL_ADVANTAGE = rule("dropzone.scenario.aerial-advantage")
POINTS = rule("dropzone.scenario.victory-and-kill-points")
GAME_END = rule("dropzone.scenario.game-end")
SEIZE = rule("dropzone.scenario.seize-and-extract")
SAMPLE = rule("dropzone.forces.sample-armies")
PLACING = rule("dropzone.objectives.placing")
UNIT_RULE = LEVELS

#: The option of a side that names a sample army, and the switch that names how a battle is won.
ARMY, VICTORY = "army", "victory"
HQ = "hq"


def sample_force(side: str, name: str) -> tuple[ModelForm, ...]:
    """The sample army of the ledger as the entries of a force, loaded as the ledger says."""
    army = SAMPLE.at("armies", name)
    letter = side[0].upper()
    squads: list[tuple[str, str, int, dict[str, Any]]] = []
    for n, group in enumerate(army.items("battlegroups"), 1):
        title = f"{side}-{group.text_at('kind')}"
        for m, squad in enumerate(group.items("squads"), 1):
            options: dict[str, Any] = {BATTLEGROUP: title}
            squads.append((f"{letter}{n}{'abcdef'[m - 1]}", squad.text_at("unit"), squad.number("count"), options))
    carriers = [
        (f"{letter}T{n}", one.text_at("unit"), one.number("count"), {AUXILIARY: 1})
        for n, one in enumerate(army.items("auxiliary"), 1)
    ]
    rides = _rides(army, [one[0] for one in squads], [one[0] for one in carriers])
    chief = army.text_at("commander", "mounted_in")
    forms = []
    for name, unit, count, options in (*carriers, *squads):
        for number in range(1, count + 1):
            states: dict[str, int | str | StateForm] = (
                {COMMANDER: army.number("commander", "command_value")} if unit == chief and number == 1 else {}
            )
            forms.append(
                ModelForm(
                    model=unit,
                    name=f"{name}{number}",
                    inside=rides.get((name, number), ""),
                    unit=name,
                    options=options,
                    states=states,
                )
            )
            chief = "" if states else chief
    return tuple(forms)


def _rides(army: Any, squads: Sequence[str], carriers: Sequence[str]) -> dict[tuple[str, int], str]:
    """Who starts in which Transport: by squad and number."""
    found: dict[tuple[str, int], str] = {}
    loaded: dict[str, int] = {}
    for load in army.items("loads"):
        transport = f"{carriers[load.number('auxiliary')]}1"
        for one in load.items("carries"):
            name = squads[one.number("squad")] if one.has("squad") else carriers[one.number("auxiliary")]
            for _ in range(one.number("count")):
                loaded[name] = loaded.get(name, 0) + 1
                found[name, loaded[name]] = transport
    return found


class DropzoneOpener(Opener):
    """Units one by one, in squads and Battlegroups; most of them come later."""

    default = "checkpoint"
    sides_of_a_scenario = 2
    board_rule = TABLE
    keys = {**TABLE_KEYS, **MORE_KEYS}
    side_options = {
        ARMY: "a sample army of the ledger",
        HAND: "the Command Cards in its hand, by their names",
        TOP: "the Command Cards on top of its deck",
    }
    battle_options = {
        VICTORY: "how the battle is won",
        "garrison-range": "the Garrisons out of which Infantry shoot further",
    }

    def prepared(self, form: Scenario, size: int = 0) -> Scenario:
        """Put the sample armies of the ledger in."""
        sides = {}
        for name, side in form.sides.items():
            army = side.options.get(ARMY)
            sides[name] = replace(side, force=(*side.force, *sample_force(name, str(army)))) if army else side
        return replace(form, sides=sides)

    def edges(self, board: Any) -> Sequence[str]:
        """A side may come from any edge."""
        return ("north", "south", "west", "east")

    def lay_ground(self, battle: Battle, ground: Ground) -> None:
        """The board, its scenery, and the part that scenery takes in the battle."""
        lay_board(battle, ground, self.board_rule)
        for piece in ground.pieces:
            lay(battle, piece)

    def bring(self, battle: Battle, fielded: Fielded[Any], force: Sequence[Fielded[Any]], form: Scenario) -> None:
        """A unit with its squad and its Battlegroup."""
        thing, options = fielded.thing, fielded.form.options
        squad = thing.unit or f"{thing.id} squad"
        group = str(options.get(BATTLEGROUP, "")) or f"{squad} group"
        auxiliary = bool(options.get(AUXILIARY))
        if not auxiliary and group not in battle.table.things:
            made = Thing(group, kind="battlegroup", side=thing.side, label=_spoken(group))
            battle.happens(Placed(group, Off(), made=made, rule=LEVELS.id))
        if squad not in battle.table.things:
            states = {AUXILIARY: Mark()} if auxiliary else {BATTLEGROUP: Mark(group)}
            made = Thing(squad, kind="unit", side=thing.side, label=fielded.card.name + " " + squad, states=states)
            strength = sum(
                one.card.stats.track for one in force if (one.thing.unit or f"{one.thing.id} squad") == squad
            )
            battle.happens(Placed(squad, Off(), made=replace(made, counts={STRENGTH: strength}), rule=LEVELS.id))
        place, marks = thing.place, dict(thing.states)
        if isinstance(place, At) and flies(thing) and not options.get("landed"):
            marks.setdefault(AIRBORNE, Mark())
        if isinstance(place, In) and not place.slot and place.holder in battle.table.things:
            if battle.table[place.holder].kind == "holder":
                place = In(place.holder, CENTRE)
        if place == UNDEPLOYED:
            place = Off(READINESS)
        track = fielded.card.stats.track
        made = replace(thing, unit=squad, states=marks, track=track, height=0)
        battle.happens(Placed(thing.id, place, thing.facing, made=made, rule=UNIT_RULE.id))

    def lay_marker(self, battle: Battle, marker: Thing) -> None:
        """An Objective lies on the table, or in the Garrison that stands there."""
        place: At | In = marker.place if isinstance(marker.place, At) else At(Point(0, 0))
        for piece in battle.table.ground.pieces:
            if piece.id in battle.table.things and isinstance(place, At):
                if gap(piece.outline, rectangle(place.point.x, place.point.y, 1, 1)) < 0:
                    place = In(piece.id)
        battle.happens(Placed(marker.id, place, made=replace(marker, place=place), rule=PLACING.id))

    def give_baseline(self, battle: Battle, side: str, edge: str) -> None:
        """Tell that an edge is a side's."""
        give(battle, side, EDGE, DEPLOYMENT, edge)

    def deal(self, battle: Battle, form: Scenario) -> bool:
        """Put the decks together; gives whether a hand or the top of a deck is said, so that nothing is shuffled."""
        if not in_use(battle.table):
            return False
        assemble(battle)
        said = {side: (_cards(one.options.get(HAND)), _cards(one.options.get(TOP))) for side, one in form.sides.items()}
        told = any(hand or top for hand, top in said.values())
        for side, (hand, top) in said.items():
            if told:
                deal(battle, side, hand, top)
        return told

    def begin(self, battle: Battle, begun: Begun) -> None:
        """Begin with the first round, or with those whom a case names."""
        begins = begun.begins
        dealt = self.deal(battle, begun.form)
        if not begins.baselines:
            for side, form in begun.form.sides.items():
                if form.zone:
                    give(battle, side, EDGE, DEPLOYMENT, form.zone)
        if not begins.turn and not begins.next:
            wait_in_reserve(battle)
            battle.push(*([ShuffleDecks()] if in_use(battle.table) and not dealt else []), RoundBegins())
            return
        battle.happens(PhaseBegan(begins.turn_number, "battlegroup activation", rule=DEPLOYMENT.id))
        after = begins.next[0] if begins.next else begun.setup.sides[0]
        battle.push(*activated(battle, begins.turn), NextActivation(after))


def activated(battle: Battle, names: Sequence[str]) -> list[Step]:
    """The steps of an activation that a case begins within: whose squads act, named by one unit of each.

    Auxiliary squads among them are named with the Battlegroup, as are those that carry it.
    """
    table = battle.table
    acting = [table[name] for name in dict.fromkeys(table[one].unit for one in names)]
    groups = list(dict.fromkeys(battlegroup(one) for one in acting if battlegroup(one)))
    for group in groups:
        give(battle, group, ACTIVATED, DEPLOYMENT, until=END_OF_ROUND)
        give(battle, group, ACTED, DEPLOYMENT, until=END_OF_ROUND)
        for one in carriers_of(table, group):
            give(battle, one.id, NAMED, ONE_BATTLEGROUP, group, until=END_OF_ROUND)
    for one in acting:
        if groups and one.has(AUXILIARY) and not table[one.id].has(NAMED):
            give(battle, one.id, NAMED, AUXILIARIES, groups[0], until=END_OF_ROUND)
    steps: list[Step] = []
    for number, one in enumerate(acting):
        steps.append(SquadActs(one.id))
        group = acts_in(table[one.id])
        if group and all(acts_in(table[other.id]) != group for other in acting[number + 1 :]):
            steps += [NextSquad(group), ActivationEnds(group)]
    return steps


def _cards(said: object) -> tuple[str, ...]:
    """Cards as a case names them: one, or a list."""
    return (said,) if isinstance(said, str) else said if isinstance(said, tuple) else ()


def _spoken(name: str) -> str:
    return " ".join(word.capitalize() for word in name.replace("_", "-").split("-"))


# Who waits ---------------------------------------------------------------------------------------------------------


def wait_in_reserve(battle: Battle) -> None:
    """Aerial Advantage: what does not come wholly in Aircraft, and is no HQ, starts In Reserve; so do Fast units."""
    table = battle.table
    for group in list(table.of_kind("battlegroup")):
        units = [one for one in table.of_kind("model") if _group(table, one) == group.id]
        outside = [one for one in units if isinstance(one.place, Off)]
        if outside and HQ not in group.id and not all(flies(one) for one in outside):
            for one in outside:
                battle.happens(Placed(one.id, Off(RESERVE), rule=AERIAL_ADVANTAGE.id))
    for one in table.of_kind("model"):
        if isinstance(one.place, Off) and _group(table, one) == "":
            grounded = not flies(one) and not _carries(battle.table, one)
            if is_fast(one) or grounded:
                source = FAST if is_fast(one) else AERIAL_ADVANTAGE
                battle.happens(Placed(one.id, Off(RESERVE), rule=source.id))


def _group(table: Table, unit: Thing) -> str:
    return str(table[unit.unit].value(BATTLEGROUP) or "")


def _carries(table: Table, unit: Thing) -> bool:
    return any(isinstance(one.place, In) and one.place.holder == unit.id for one in table.of_kind("model"))


def reserves(battle: Battle) -> Sequence[Step]:
    """From round two on what is In Reserve is In Readiness."""
    if battle.table.turn >= RESERVES.number("default_ready_from_round"):
        for one in [one for one in battle.table.of_kind("model") if one.place == Off(RESERVE)]:
            battle.happens(Placed(one.id, Off(READINESS), rule=RESERVES.id))
    return ()


# Scoring and the end -----------------------------------------------------------------------------------------------


class SeeWhoStands(Step, frozen=True):
    """The battle is over when a side has nobody left."""


class FinalScore(Step, frozen=True):
    """After the last round the points decide."""


def stands(table: Table, side: str) -> bool:
    """Whether a side has a unit left, on the table or off it."""
    return any(one.side == side and not one.gone for one in table.of_kind("model"))


def kill_points(table: Table, side: str) -> int:
    """The points of all enemy units and Commanders that are destroyed."""
    lost = [one for one in table.of_kind("model") if one.side != side and one.gone]
    chiefs = [one.value(COMMANDER) for one in lost]
    return sum(card(one).points for one in lost) + sum(cost(value) for value in chiefs if isinstance(value, int))


def see_who_stands(battle: Battle, step: SeeWhoStands) -> Procedure[None]:
    """End the battle where at most one side has a unit left."""
    yield from ()
    winner = last_side_standing(battle.table, lambda side: stands(battle.table, side))
    if winner:
        end(battle, winner, GAME_END, "nobody is left on the other side", scores(battle.table))
    elif winner == "":
        decide(battle)


def scores(table: Table) -> dict[str, int]:
    """The Victory Points of each side; in a battle of attrition its Kill Points."""
    if table.options.get(VICTORY) == ATTRITION.text_at("scoring"):
        return {side: kill_points(table, side) for side in table.sides}
    return {side: table.scores.get(side, 0) for side in table.sides}


def decide(battle: Battle) -> None:
    """Victory Points decide, then Kill Points; else it is a draw."""
    table = battle.table
    points = scores(table)
    best = [side for side in table.sides if points[side] == max(points.values())]
    if len(best) > 1:
        kills = {side: kill_points(table, side) for side in best}
        best = [side for side in best if kills[side] == max(kills.values())]
    end(battle, best[0] if len(best) == 1 else "", POINTS, "the last round is over", points)


def after_action(battle: Battle, squad: Thing) -> Sequence[Step]:
    """After every action it is seen whether anybody is left."""
    return (SeeWhoStands(),)


def after_activation(battle: Battle, group: str) -> Sequence[Step]:
    """After an activation too."""
    return (SeeWhoStands(),)


def last_round(battle: Battle) -> Sequence[Step]:
    """After the last round of the scenario the battle is over."""
    limit = battle.table.options.get(TURN_LIMIT)
    return (FinalScore(),) if isinstance(limit, int) and battle.table.turn >= limit else ()


def final_score(battle: Battle, step: FinalScore) -> Procedure[None]:
    """Count what is held, and decide."""
    yield from ()
    for side in battle.table.sides:
        found = [one for one in held(battle.table, side) if one.has(CARRIED) or not one.has(MOBILE)]
        if found:
            worth = SEIZE.number("scoring", "held_at_end")
            battle.happens(Scored(side, worth * len(found), "Objectives held", rule=SEIZE.id))
    decide(battle)


CHAPTER = Chapter(
    steps={SeeWhoStands: see_who_stands, FinalScore: final_score},
    at=(
        ROUND_BEGINS(reserves),
        AFTER_ACTION(after_action),
        ACTIVATION_ENDS(after_activation),
        ROUND_ENDS(last_round),
    ),
    options={"landed": "1 where an Aircraft stands on the ground", ARMY: "a sample army"},
)
