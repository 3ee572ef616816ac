"""Before a one-off battle: who is missing, and how good everybody is (two options of the chapter scenario)."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, ModelLost, Rolled, StateChanged
from sandtable.engine.ids import Side
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.data import Data
from sandtable.forces.ledger import rule, same_number
from sandtable.forces.scenario import Scenario
from sandtable.rulesets.stargrunt.dice.rolls import table_roll
from sandtable.rulesets.stargrunt.moments import OPENS
from sandtable.rulesets.stargrunt.state_names import CountName, StateName
from sandtable.rulesets.stargrunt.units.leaders import LEADER_ROLL, new_leadership
from sandtable.rulesets.stargrunt.units.record import (
    LOSS_OF_LEADER,
    QUALITY,
    fit,
    hidden,
    hull_of,
    leadership,
    quality,
    units,
)
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give

UNDERSTRENGTH = rule("stargrunt.scenario.understrength")
RANDOM_QUALITY = rule("stargrunt.scenario.random-quality")
#: The switches: `understrength: 1`, and `random-quality: all`, or `regular` for armies without the best and the worst.
MISSING, DRAWN, REGULAR_ARMY = "understrength", "random-quality", "regular"
LEFT_OUT = ("untrained", "elite")


class CallTheRoll(Step, frozen=True):
    """See who of a unit is missing."""

    unit: str


class DrawMarkers(Step, frozen=True):
    """The units of a side draw quality and LV from a set of markers."""

    side: Side
    regular: bool


def opens(table: Table, form: Scenario) -> Sequence[Step]:
    """What the options ask for before anything else."""
    found: list[Step] = []
    drawn = str(table.options.get(DRAWN, ""))
    if drawn:
        found += [DrawMarkers(side, drawn == REGULAR_ARMY) for side in table.sides]
    if table.options.get(MISSING):
        found += [CallTheRoll(unit.id) for unit in units(table) if not hull_of(table, unit.id)]
    return found


def call_the_roll(battle: Battle, step: CallTheRoll) -> Procedure[None]:
    """A die for each figure by the unit's fatigue; whoever shows a 1 is missing, with whatever it carries.

    stargrunt.scenario.understrength    a missing leader is replaced by the leader roll
    """
    yield from ()
    unit = battle.table[step.unit]
    known = (unit.side,) if hidden(unit) else ()
    figures = fit(battle.table, unit.id)
    die = UNDERSTRENGTH.number(str(unit.value(StateName.FATIGUE) or "fresh"))
    fell = battle.dice.total(f"{len(figures)}d{die}")
    absent = [one for one, face in zip(figures, fell.faces, strict=True) if face == UNDERSTRENGTH.number("missing_on")]
    n = battle.happens(
        Rolled(
            *("who is there", unit.id, fell.dice, fell.faces, fell.natural),
            total=fell.natural,
            outcome=f"{len(absent)} missing" if absent else "all there",
            rule=UNDERSTRENGTH.id,
            known_to=known,
        )
    )
    for one in absent:
        battle.happens(ModelLost(one.id, "missing", rule=UNDERSTRENGTH.id, because=n, known_to=known))
    left = fit(battle.table, unit.id)
    if absent:
        before = unit.count(CountName.STRENGTH)
        told = (unit.id, CountName.STRENGTH, before, len(left))
        battle.happens(Counted(*told, rule=UNDERSTRENGTH.id, because=n, known_to=known))
    if left and unit.value(StateName.LEADER) in [one.id for one in absent]:
        _new_leader(battle, unit, left[0].id, known, n)


def _new_leader(battle: Battle, unit: Thing, figure: str, known: tuple[Side, ...], because: int) -> None:
    """The next figure leads, and a die says how well; nobody is shaken by it before the battle."""
    asked = (battle, "the new leader", unit.id, LEADER_ROLL, UNDERSTRENGTH)
    score, n, _ = table_roll(*asked, because=because, more=(LOSS_OF_LEADER,), known_to=known)
    before, after = leadership(unit), new_leadership(leadership(unit), score)
    give(battle, unit.id, StateName.LEADER, UNDERSTRENGTH, figure, because=n, known_to=known)
    if after != before:
        counted = (unit.id, CountName.LEADERSHIP, before, after)
        battle.happens(Counted(*counted, rule=UNDERSTRENGTH.id, because=n, known_to=known))


# Drawing quality and leadership ------------------------------------------------------------------------------------


def markers(regular: bool) -> list[tuple[str, int]]:
    """The markers of a set, each with a quality and an LV.

    >>> len(markers(False)), len(markers(True))
    (84, 64)
    """
    kinds = [kind for kind in RANDOM_QUALITY.names() if not (regular and kind in LEFT_OUT)]
    return [
        (kind, int(lv))
        for kind in kinds
        for lv in RANDOM_QUALITY.names(kind)
        for _ in range(RANDOM_QUALITY.number(kind, lv))
    ]


same_number("the qualities of the markers", RANDOM_QUALITY.names(), QUALITY.names())


def draw_markers(battle: Battle, step: DrawMarkers) -> Procedure[None]:
    """Every unit of a side draws a marker, and none is put back (stargrunt.scenario.random-quality)."""
    yield from ()
    left = markers(step.regular)
    for unit in units(battle.table, step.side):
        kind, lv = left.pop(battle.dice.number(len(left)))
        known = (unit.side,) if hidden(unit) else ()
        told = (unit.id, StateName.QUALITY, unit.value(StateName.QUALITY), kind)
        n = battle.happens(StateChanged(*told, rule=RANDOM_QUALITY.id, known_to=known))
        if lv != leadership(unit):
            counted = (unit.id, CountName.LEADERSHIP, leadership(unit), lv)
            battle.happens(Counted(*counted, rule=RANDOM_QUALITY.id, because=n, known_to=known))
        assert quality(battle.table[unit.id]) == kind


def _how_many(table: Table, asked: Data) -> object:
    wanted = (asked.text_at("quality"), asked.number("leadership"))
    return markers(regular=False).count(wanted)


CHAPTER = Chapter(
    values={"markers": _how_many},
    steps={CallTheRoll: call_the_roll, DrawMarkers: draw_markers},
    switches={
        MISSING: "some figures are missing from the start (stargrunt.scenario.understrength)",
        DRAWN: "all, or regular: units draw quality and LV at random (stargrunt.scenario.random-quality)",
    },
    at=(OPENS(opens),),
)
