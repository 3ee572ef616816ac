"""Point Defense: munitions that are shot down before they strike."""

from collections.abc import Sequence
from functools import partial

from sandtable.engine.battle import Battle
from sandtable.engine.events import Forfeited
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import Confirm, Preview
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import Point
from sandtable.engine.table import Table, Thing
from sandtable.field.walking.paths import length_between
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.cav.dice import fumbled, target
from sandtable.rulesets.cav.states import Rolling
from sandtable.rulesets.strikeops.command import before_imposed, inspire
from sandtable.rulesets.strikeops.damage import in_play
from sandtable.rulesets.strikeops.datacard import Weapon, rating, reach, weapons
from sandtable.rulesets.strikeops.dice import DICE
from sandtable.rulesets.strikeops.state_names import Until
from sandtable.rulesets.strikeops.states import UNSTEADY
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Check
from sandtable.tabletop.modifiers import parts
from sandtable.tabletop.states import give

POINT_DEFENSE = rule("strikeops.attributes.point-defense")
POINT_DEFENSE_FUMBLE = rule("strikeops.attributes.point-defense-fumble")
RANGE = rule("strikeops.attributes.range-measurement")

ASKED = "point-defense"
#: A state of a model whose Point Defense has failed for good.
DISABLED = "point-defense disabled"
_MUNITIONS, _RADIUS = POINT_DEFENSE.texts("munitions"), POINT_DEFENSE.inches("radius")
for _level in POINT_DEFENSE.names("levels"):
    _lowered = POINT_DEFENSE.number("target_modifier_per_level") * int(_level)
    _point = POINT_DEFENSE.number("target_point") + _lowered
    same_number(f"Point Defense {_level}", POINT_DEFENSE.number("levels", _level, "target_point"), _point)
    same_number("how far it reaches", POINT_DEFENSE.inches("levels", _level, "range"), _RADIUS)


def is_munition(weapon: Weapon) -> bool:
    """Whether what a weapon fires can be shot down: rockets, shells, missiles and mortar rounds."""
    return weapon.family.removesuffix("_launcher") in _MUNITIONS


def guards(table: Table, at: Point) -> list[Thing]:
    """The models whose Point Defense reaches a point, the nearest first; friend or foe of who fires makes no odds.

    strikeops.attributes.range-measurement    from centre to centre, or to the point
    """
    near = [(length_between(center(one), at), one) for one in table.models() if rating(one, "point_defense")]
    able = [(away, one) for away, one in near if away <= reach(one, _RADIUS) and in_play(one) and not one.has(DISABLED)]
    return [one for _, one in sorted(able, key=lambda found: found[0])]


def defense_check(guard: Thing) -> Check:
    """The roll of a Point Defense before it falls; what unsteadies its crew counts, for it is one of two dice."""
    needs = target(POINT_DEFENSE.number("target_point"), "point defense", POINT_DEFENSE)
    lowered = POINT_DEFENSE.number("target_modifier_per_level") * rating(guard, "point_defense")
    modifiers = (ExplainedPart("level", lowered, POINT_DEFENSE.id), *parts(UNSTEADY, ASKED, Rolling(guard)))
    return DICE.check(
        *(ASKED, guard.id, needs, modifiers, POINT_DEFENSE),
        succeeded="shot down",
        failed="gets through",
        alike=lambda margin: True,
    )


def getting_through(battle: Battle, shooter: Thing, fired: Sequence[str], at: Point) -> Procedure[tuple[str, ...]]:
    """Let Point Defense roll against each munition fired at a point or a model; gives the weapons that get through.

    strikeops.attributes.point-defense           the owner is asked for each munition; the nearest rolls first
    strikeops.attributes.point-defense-fumble    a natural 2 disables it for the game
    """
    left: list[str] = []
    for name in fired:
        weapon = weapons(shooter)[name].weapon
        for guard in guards(battle.table, at) if is_munition(weapon) else ():
            use = yield Confirm(
                guard.side,
                f"{guard.label}: shoot at the {weapon.name} of {shooter.label} with Point Defense?",
                topic=ASKED,
                about=(guard.id,),
                rules=(POINT_DEFENSE.id,),
                shows=("odds",),
                default=True,
            )
            if not use:
                continue
            inspired = yield from before_imposed(battle, guard.id, partial(defense_check, guard))
            fell = DICE.throw(battle, inspire(defense_check(battle.table[guard.id]), inspired), modified=True)
            if fumbled(fell):
                give(battle, guard.id, DISABLED, POINT_DEFENSE_FUMBLE, until=Until.GAME, because=fell.n)
            if fell.succeeds:
                battle.happens(Forfeited(shooter.id, name, rule=POINT_DEFENSE.id, because=fell.n))
                break
        else:
            left.append(name)
    return tuple(left)


def foretold(view: View, question: Confirm, answer: bool) -> Preview:
    """How likely a munition is shot down."""
    return defense_check(view.table[question.about[0]]).preview() if answer else Preview()


CHAPTER = Chapter(
    previews={ASKED: foretold},
    answers={ASKED: "false: a model does not use its Point Defense against a munition"},
    states={DISABLED: "its Point Defense has failed for good"},
)
