"""Looking down: whoever is in the air, drone or craft, sees what lies in the open and may make out one other counter.

stargrunt.aerospace.spotting     all of the table is in sight
stargrunt.observation.observe    Quality and a second die against the counter's, range from straight above
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import ChooseOne, Option, Preview
from sandtable.engine.ruleset import Procedure
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.stargrunt import electronic_warfare
from sandtable.rulesets.stargrunt.cover.protection import OPEN
from sandtable.rulesets.stargrunt.dice.rolls import die_part
from sandtable.rulesets.stargrunt.observation.counters import (
    covered,
    enemy_counters,
    is_sniper,
    lies_under,
    place_figures,
)
from sandtable.rulesets.stargrunt.observation.observing import look, odds, open_parts
from sandtable.rulesets.stargrunt.units.record import QUALITY, gap_between, quality_die, spot

SPOTTING = rule("stargrunt.aerospace.spotting")


def from_the_air(battle: Battle, side: str, why: Rule, because: int) -> Procedure[None]:
    """Units under counters in the open are revealed without a roll."""
    for one in [*enemy_counters(battle.table, side)]:
        unit = battle.table.things.get(lies_under(one))
        if unit is not None and not is_sniper(unit) and one.on_table and covered(battle.table, one) == OPEN:
            yield from place_figures(battle, one, why, because)


class FromAbove(NamedTuple):
    """Who looks down: the thing in the air, in words, its die beside Quality, and the question that asks at what."""

    eye: Thing
    words: str
    second: ExplainedPart
    topic: str
    prompt: str
    rules: tuple[Rule, ...]


def spot_from_above(
    battle: Battle, unit: Thing, looks: FromAbove, options: Callable[[Table, Thing], Sequence[Option]], because: int
) -> Procedure[None]:
    """What lies in the open is plain; one other counter may be looked at, and the other side may spoof that."""
    yield from from_the_air(battle, unit.side, SPOTTING, because)
    offered = options(battle.table, unit)
    if not offered:
        return
    chosen = yield ChooseOne(
        unit.side,
        looks.prompt,
        topic=looks.topic,
        about=(unit.id,),
        options=tuple(offered),
        rules=tuple(one.id for one in looks.rules),
        shows=("distance", "odds"),
    )
    counter, eye = battle.table[chosen], looks.eye
    prompt = f"{looks.words} looks at {counter.label}: spoof it?"
    spoofs = yield from electronic_warfare.spoofing(battle, unit.side, prompt, (eye.id, counter.id), because)
    range_ = gap_between([spot(eye)], [spot(counter)])
    dice = (die_part("Quality", quality_die(unit), QUALITY), looks.second)
    parts = open_parts(battle.table, counter, None, range_)
    yield from look(battle, unit.id, counter, dice, parts, range_, spoofs, because)


def odds_from_above(table: Table, unit: Thing, eye: Thing, counter: Thing, second: int) -> Preview:
    """The die of a counter and the chance to make it out from the air."""
    parts = open_parts(table, counter, None, gap_between([spot(eye)], [spot(counter)]))
    return odds(parts, counter, (quality_die(unit), second))
