"""Victory Points and Kill Points, what each scenario scores, and the end."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Left, Scored, StepBegan
from sandtable.engine.explain import inches
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.questions import Confirm, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At, In, Shape
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import gap_to_point
from sandtable.forces.data import Data
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.dropzone.basics import roll_number
from sandtable.rulesets.dropzone.command.commanders import COMMANDER, cost
from sandtable.rulesets.dropzone.damage import DamageRolls, Hits
from sandtable.rulesets.dropzone.movement.arriving import BUNKERS, own_edge_within
from sandtable.rulesets.dropzone.objectives import CARRIED, CLAIMED, carries, held, objectives
from sandtable.rulesets.dropzone.rounds import ACTIVATION_ENDS, AFTER_ACTION, ROUND_ENDS, acts_in
from sandtable.rulesets.dropzone.scenario.missions import BLOCKS, SEIZE, mission
from sandtable.rulesets.dropzone.scenery import RUBBLE
from sandtable.rulesets.dropzone.shooting.aiming import ATTRITION
from sandtable.rulesets.dropzone.transports import outermost
from sandtable.rulesets.dropzone.units import READINESS, card, is_fast, is_kind, squads
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Check, throw
from sandtable.tabletop.endings import end, last_side_standing
from sandtable.tabletop.opening import TURN_LIMIT
from sandtable.tabletop.states import give

POINTS = rule("dropzone.scenario.victory-and-kill-points")
GAME_END = rule("dropzone.scenario.game-end")

#: The switch that says that Kill Points alone decide; and a state of an Objective: the die of its first claim.
VICTORY, SWEPT = "victory", "swept"
LEAVE = "extract"


class SeeWhoStands(Step, frozen=True):
    """The battle is over when a side has nobody left."""


class FinalScore(Step, frozen=True):
    """After the last round the points decide."""


class Extract(Step, frozen=True):
    """A squad with an Objective may leave by its own edge."""

    squad: str


class Sweep(Step, frozen=True):
    """What comes of Objectives that have been claimed for the first time."""


def stands(table: Table, side: Side) -> bool:
    """Whether a side has a unit left, on the table or off it."""
    return any(one.side == side and not one.gone for one in table.of_kind("model"))


def kill_points(table: Table, side: Side) -> int:
    """The points of all enemy units and Commanders that are destroyed."""
    lost = [one for one in table.of_kind("model") if one.side != side and one.gone]
    chiefs = [one.value(COMMANDER) for one in lost]
    return sum(card(one).points for one in lost) + sum(cost(value) for value in chiefs if isinstance(value, int))


def see_who_stands(battle: Battle, step: SeeWhoStands) -> Procedure[None]:
    """End the battle where at most one side has a unit left."""
    yield from ()
    if battle.table.ending is not None:
        return
    winner = last_side_standing(battle.table, lambda side: stands(battle.table, side))
    if winner:
        end(battle, winner, GAME_END, "nobody is left on the other side", scores(battle.table))
    elif winner == "":
        decide(battle)


def by_kills(table: Table) -> bool:
    """Whether Kill Points are all that counts."""
    named = mission(table)
    return ATTRITION.text_at("scoring") == (
        named.text_at("scoring") if named is ATTRITION else table.options.get(VICTORY)
    )


def scores(table: Table) -> dict[Side, int]:
    """The Victory Points of each side; in a battle of attrition its Kill Points."""
    if by_kills(table):
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
    end(battle, best[0] if len(best) == 1 else NO_SIDE, POINTS, "the last round is over", points)


def after_action(battle: Battle, squad: Thing) -> Sequence[Step]:
    """After every action it is seen what was claimed, and whether anybody is left."""
    return seen_to(battle.table)


def seen_to(table: Table) -> Sequence[Step]:
    """The steps by which it is seen what was claimed, and whether anybody is left."""
    return (*([Sweep()] if mission(table) is BLOCKS else []), SeeWhoStands())


def after_activation(battle: Battle, group: str) -> Sequence[Step]:
    """After an activation too; and who carries an Objective may leave."""
    acted = [one for one in squads(battle.table) if acts_in(one) == group] if mission(battle.table) is SEIZE else []
    return (*(Extract(one.id) for one in acted), *seen_to(battle.table))


def last_round(battle: Battle) -> Sequence[Step]:
    """After everything has burnt too; after the last round of the scenario the battle is over."""
    named = mission(battle.table)
    limit = battle.table.options.get(TURN_LIMIT, named.number("rounds") if named is not None else None)
    over = isinstance(limit, int) and battle.table.turn >= limit
    return (*seen_to(battle.table), *([FinalScore()] if over else []))


# Seize and Extract -------------------------------------------------------------------------------------------------


def may_leave(table: Table, squad: Thing) -> bool:
    """Whether a squad, or its Transport, is at its own edge."""
    far = SEIZE.inches("extraction", "edge_distance_in")
    return any(own_edge_within(table, outermost(table, one), far) for one in table.members(squad.id))


def not_to_leave(view: View, question: Confirm, answer: str) -> Refusal | None:
    """The rule by which a squad is not asked whether it leaves by its edge."""
    if mission(view.table) is not SEIZE:
        return None
    squad, far = view.table[question.about[0]], inches(SEIZE.inches("extraction", "edge_distance_in"))
    return Refusal(SEIZE.id, f"{squad.label} is not within {far} of its own edge with an Objective.")


def extract(battle: Battle, step: Extract) -> Procedure[None]:
    """Ask whether a squad leaves with its Objective; it is In Readiness then, and its Transport stays."""
    table = battle.table
    squad, carried = table[step.squad], carries(table, step.squad)
    if carried is None or not may_leave(table, squad):
        return
    leaves = yield Confirm(
        squad.side,
        f"{squad.label} is at its own edge with {carried.label}. Does it leave with it?",
        topic=LEAVE,
        about=(squad.id, carried.id),
        rules=(SEIZE.id,),
        yes="It leaves",
        no="It stays",
    )
    if leaves:
        for one in table.members(squad.id):
            battle.happens(Left(one.id, READINESS, rule=SEIZE.id))
        n = battle.happens(Left(carried.id, "extracted", rule=SEIZE.id))
        worth = SEIZE.number("scoring", "extracted")
        battle.happens(Scored(squad.side, worth, "an Objective extracted", rule=SEIZE.id, because=n))


# Sweep the Blocks --------------------------------------------------------------------------------------------------


def sweep(battle: Battle, step: Sweep) -> Procedure[None]:
    """Roll for every Objective that has just been claimed for the first time."""
    yield from ()
    for objective in objectives(battle.table):
        side = objective.value(CLAIMED)
        if objective.has(SWEPT) or not isinstance(side, str):
            continue
        thrown = throw(battle, Check(what="sweep", by=objective.id, dice="d6", rule=BLOCKS))
        row = sweep_row(thrown.natural)
        give(battle, objective.id, SWEPT, BLOCKS, thrown.natural, because=thrown.n)
        points = row.number("victory_points")
        battle.happens(Scored(Side(side), points, "an Objective claimed", rule=BLOCKS.id, because=thrown.n))
        garrison = objective.place.holder if isinstance(objective.place, In) else ""
        if row.has("garrison_hits", "roll") and garrison:
            count = roll_number(
                battle, "explosion", row.text_at("garrison_hits", "roll"), objective.id, BLOCKS, thrown.n
            )
            energy = row.number("garrison_hits", "energy")
            hits = Hits(garrison, count, energy, "explosion", objective.id, because=thrown.n)
            battle.push(DamageRolls((hits,)))
        if not row.flag("stays"):
            battle.happens(Left(objective.id, "swept", rule=BLOCKS.id, because=thrown.n))


def sweep_row(face: int) -> Data:
    """The row of the claim table that a face falls into."""
    return next(one for one in BLOCKS.items("claim_table") if face in one.numbers("rolls"))


# The last count ----------------------------------------------------------------------------------------------------


def ground_of(table: Table, piece: str) -> Shape | None:
    """The outline of a piece, or of the rubble where it stood."""
    found = [one for one in table.ground.pieces if one.id in (piece, f"{piece}-{RUBBLE}")]
    return found[0].outline if found else None


def strength_near(table: Table, side: Side, piece: str, far: int, doubled: int = 1) -> int:
    """The points of a side's units near a Garrison, or inside; Infantry inside count so many times."""
    outline, total = ground_of(table, piece), 0
    for one in table.of_kind("model"):
        if one.side != side or one.gone or is_fast(one):
            continue
        if isinstance(one.place, In) and one.place.holder == piece:
            total += card(one).points * (doubled if is_kind(one, "infantry") else 1)
        elif isinstance(one.place, At) and outline is not None and gap_to_point(outline, one.place.point) <= far:
            total += card(one).points
    return total


def strongest(table: Table, piece: str, far: int, doubled: int = 1) -> Side:
    """The side with the most points near a Garrison; empty where none has more than the others."""
    found = {side: strength_near(table, side, piece, far, doubled) for side in table.sides}
    best = [side for side, points in found.items() if points == max(found.values())]
    return best[0] if len(best) == 1 else NO_SIDE


def final_score(battle: Battle, step: FinalScore) -> Procedure[None]:
    """Count what the scenario counts at the end, and decide."""
    yield from ()
    if battle.table.ending is not None:
        return
    battle.happens(StepBegan("last count", rule=GAME_END.id))
    named = mission(battle.table)
    if named is SEIZE:
        for side in battle.table.sides:
            found = [one for one in held(battle.table, side) if one.has(CARRIED)]
            _score(battle, side, len(found) * SEIZE.number("scoring", "held_at_end"), "Objectives carried", SEIZE)
    elif named is BUNKERS:
        _count_bunkers(battle)
    elif named is BLOCKS:
        _count_blocks(battle)
    decide(battle)


def _score(battle: Battle, side: Side, points: int, why: str, source: Rule) -> None:
    if points and side:
        battle.happens(Scored(side, points, why, rule=source.id))


def _count_bunkers(battle: Battle) -> None:
    table = battle.table
    for side in table.sides:
        each = BUNKERS.number("scoring", "objective_each")
        _score(battle, side, len(list(held(table, side))) * each, "Objectives held", BUNKERS)
    far, doubled = BUNKERS.inches("nearness_in"), BUNKERS.number("scoring", "infantry_inside_multiplier")
    kind = BUNKERS.text_at("garrisons", "piece").replace("_", "-")
    for bunker in [one for one in table.of_kind("holder") if one.card == kind]:
        award = BUNKERS.number("scoring", "most_points_if_destroyed" if bunker.gone else "most_points_within_6")
        _score(battle, strongest(table, bunker.id, far, doubled), award, "most points at a bunker", BUNKERS)


def _count_blocks(battle: Battle) -> None:
    table = battle.table
    for objective in objectives(table):
        face = objective.value(SWEPT)
        if isinstance(face, int) and isinstance(objective.place, In):
            best = strongest(table, objective.place.holder, BLOCKS.inches("nearness_in"))
            _score(battle, best, sweep_row(face).number("end_bonus"), "most points at an Objective", BLOCKS)


CHAPTER = Chapter(
    steps={SeeWhoStands: see_who_stands, FinalScore: final_score, Extract: extract, Sweep: sweep},
    at=(AFTER_ACTION(after_action), ACTIVATION_ENDS(after_activation), ROUND_ENDS(last_round)),
    unoffered={LEAVE: not_to_leave},
    states={SWEPT: "the die that fell when the Objective was first claimed"},
    answers={LEAVE: "yes or no: whether a squad leaves by its edge with its Objective"},
    values={
        "kill-points": lambda table, asked: kill_points(table, Side(asked.text_at())),
        "victory-points": lambda table, asked: scores(table)[Side(asked.text_at())],
    },
)
