"""Fire out of hiding and at what hides: nobody learns from it more than what stirs."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Forfeited, Scored, StateChanged
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import ChooseOne, Option, ReactOption
from sandtable.engine.ruleset import Procedure
from sandtable.engine.table import Table, Thing
from sandtable.engine.windows import reaction_window
from tests.miniatures.alternating import ALTERNATING
from tests.miniatures.figures import fit, spot, unit_gap
from tests.miniatures.hidden_counters import (
    DUMMY,
    REVEALS,
    SOFT,
    counters,
    face_up,
    flip,
    lies_under,
    place_figures,
    position_part,
)
from tests.miniatures.nerve import suppress
from tests.miniatures.small_arms import DICE, RANGE_LIMIT, fire, opposed, range_die, range_die_parts

TWO_ACTIONS = "stargrunt.actions.two-actions"
FIRE_LIMIT = "stargrunt.actions.fire-limit"
REACTION_FIRE = "stargrunt.turn.reaction-fire"
RECON_BY_FIRE = "stargrunt.observation.recon-by-fire"
VICTORY = "stargrunt.scenario.victory"


def located(table: Table, side: str) -> list[Thing]:
    """The units of a side with fit figures on the table."""
    return [unit for unit in table.of_kind("unit") if unit.side == side and fit(table, unit.id)]


def waiting(table: Table, side: str) -> list[Thing]:
    return [unit for unit in located(table, side) if not unit.has("activated")]


def mark_activated(battle: Battle, unit: str, because: int) -> None:
    """An activated unit is finished for the turn."""
    until = "end of turn"
    battle.happens(StateChanged(unit, "activated", after=1, until=until, rule=TWO_ACTIONS, because=because))


def mark_fired(battle: Battle, unit: Thing, because: int) -> None:
    """No weapon fires twice in a turn."""
    until = "end of turn"
    battle.happens(StateChanged(unit.id, "fired", after=1, until=until, rule=FIRE_LIMIT, because=because))


def targets(table: Table, unit: Thing) -> list[Option]:
    """Located units, and face-down counters, which may be fired at whatever they are."""
    found = []
    for enemy in located(table, "blue" if unit.side == "red" else "red"):
        far = range_die(range_parts(table, unit, enemy)) is None
        refused = "The Range Die would be beyond D12." if far else ""
        found.append(Option(enemy.id, enemy.label, (enemy.id,), (RANGE_LIMIT, DICE), refused))
    if unit.side == "red":
        hidden = [counter for counter in counters(table) if not face_up(counter)]
        found += [Option(c.id, c.label, (c.id,), (RECON_BY_FIRE,)) for c in hidden]
    return found


def range_parts(table: Table, unit: Thing, target: Thing) -> tuple[ExplainedPart, ...]:
    """The steps of the Range Die; a face-down counter's position is its owner's to know."""
    ours = [spot(one) for one in fit(table, unit.id)]
    if target.kind == "marker":
        shifts = (ExplainedPart("soft cover", 1, SOFT), position_part(target))
        return range_die_parts(unit_gap(ours, [spot(target)]), unit.count("quality"), shifts)
    theirs = [spot(one) for one in fit(table, target.id)]
    dug_in = 1 if target.has("in position") else 0
    known = (ExplainedPart("In Position", dug_in, "stargrunt.cover.in-position-direct-fire"),)
    return range_die_parts(unit_gap(ours, theirs), unit.count("quality"), known)


def fire_action(battle: Battle, unit: Thing, options: Sequence[Option]) -> Procedure[None]:
    """Fire at a unit, or at a counter to see what stirs."""
    chosen = yield ChooseOne(
        unit.side,
        "Fire at what?",
        topic="fire at",
        about=(unit.id,),
        options=tuple(options),
        rules=(DICE, RECON_BY_FIRE),
    )
    target = battle.table[chosen]
    n = battle.happens(Declared(unit.id, "fire", (target.id,), rule=DICE))
    if target.kind == "marker":
        recon_by_fire(battle, unit, target, n)
    else:
        shoot(battle, unit, target, n)


def shoot(battle: Battle, unit: Thing, target: Thing, cause: int) -> None:
    """Fire at a unit whose figures stand on the table."""
    mark_fired(battle, unit, cause)
    exposed = [one.id for one in battle.table.members(target.id) if one.on_table]
    parts = range_parts(battle.table, unit, target)
    if range_die(parts) is None:  # the figures were placed farther away than their counter was
        battle.happens(Forfeited(unit.id, "fire", rule=RANGE_LIMIT, because=cause))
        return
    fired = fire(battle, unit, fit(battle.table, unit.id), target.id, exposed, parts, because=cause)
    if fired.exceeded:
        suppress(battle, target, fired.n)
    if fired.hurt:
        battle.happens(Scored(unit.side, len(fired.hurt), "enemies hurt", rule=VICTORY, because=fired.n))


def recon_by_fire(battle: Battle, unit: Thing, counter: Thing, cause: int) -> None:
    """Only a major success against a unit shows anything; a dummy lies there as before.

    stargrunt.observation.recon-by-fire    the roll is made whatever the Range Die would be, and veiled
    """
    mark_fired(battle, unit, cause)
    parts = range_parts(battle.table, unit, counter)
    die, shooters = range_die(parts), fit(battle.table, unit.id)
    real = lies_under(counter) != DUMMY
    words = ("nothing stirs", "nothing stirs", "it is a unit" if real and die else "nothing stirs")
    exceeded, _, n = opposed(battle, unit, shooters, counter.id, die or 12, parts, cause, outcomes=words)
    if exceeded > 1 and real and die:
        flip(battle, counter, RECON_BY_FIRE, n)
        suppress(battle, counter, n)


def reaction_fire(battle: Battle, mover: Thing, cause: int) -> Procedure[None]:
    """One unactivated enemy unit may fire at a unit that dashes through the open.

    Blue is asked as long as anything of its own, dummies too, could be such a unit: being asked tells nothing.
    """
    broke_in = yield from reaction_window(
        battle,
        moment="dash",
        prompt=f"{mover.label} dashes on: fire at it?",
        options=lambda side, so_far: [] if so_far else ambushers(battle.table, mover),
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
        mark_activated(battle, name, cause)
        ahead = StateChanged("blue", "activated ahead", after=1, until="end of turn", rule=ALTERNATING)
        battle.happens(ahead)
        shoot(battle, battle.table[name], mover, cause)


def ambushers(table: Table, mover: Thing) -> list[ReactOption]:
    """The hidden and the placed units that could fire at a mover."""
    found = []
    for thing in (*counters(table), *waiting(table, "blue")):
        unit = thing if thing.kind == "unit" else table.things.get(lies_under(thing))
        if unit is not None and not unit.has("fired") and not thing.count("suppression"):
            at = [spot(thing)] if thing.kind == "marker" else [spot(one) for one in fit(table, thing.id)]
            gap = unit_gap(at, [spot(one) for one in fit(table, mover.id)])
            if range_die(range_die_parts(gap, unit.count("quality"))) is not None:
                found.append(ReactOption(thing.id, actor=thing.id, rules=(REACTION_FIRE,)))
    return found
