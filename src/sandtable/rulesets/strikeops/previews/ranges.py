"""Range bands, firing arcs, what rings of reach cost, and who could fire at a model: where a walk would leave it.

A walk is drawn after it is declared, so everything may be measured (strikeops.actions.no-pre-measuring).
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from sandtable.engine.questions import MoveModels, Preview, Ring, Threat
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import Walk
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.cav.concepts import center, enemies
from sandtable.rulesets.cav.movement import Rates
from sandtable.rulesets.cav.previews import arc_rings, drawn_around, moved_to, threats_to
from sandtable.rulesets.strikeops.damage import in_play
from sandtable.rulesets.strikeops.datacard import Weapon, weapons
from sandtable.rulesets.strikeops.movement import going, question_rates
from sandtable.rulesets.strikeops.previews.reaching import walk_reach
from sandtable.rulesets.strikeops.shooting.aiming import (
    BANDS,
    CAV_ARCS,
    COMBAT_ACTION,
    Aim,
    Attack,
    aim,
    band_ends,
    front_arcs,
    is_indirect,
    may_fire,
)
from sandtable.rulesets.strikeops.sight import distance, line_of_sight
from sandtable.tabletop.previews import band_words, cost_rings, cost_steps, range_rings, shown_range


def around_walk(view: View, question: MoveModels, answer: dict[str, Walk] | None) -> Preview:
    """What a page wants drawn around a model where its walk ends."""
    table, model = view.table, view.table[question.models[0]]
    rates = question_rates(model, question)
    gone = going(table, model, (answer or {}).get(model.id, Walk()), rates)
    there = moved_to(table, model, gone.track.pose_at(gone.reach, turned=True))
    moved = there[model.id]

    def ranges() -> tuple[tuple[Ring, ...], dict[str, str]]:
        named = [weapons(model)[name].weapon for name in question.about[2:] if name in weapons(model)]
        guns = [one for one in named or _carried(model) if not is_indirect(one) and band_ends(one)]
        foes = [one for one in enemies(there, moved) if in_play(one)]
        return _rings(there, moved, guns), {foe.id: _ranges(distance(moved, foe), guns) for foe in foes} if guns else {}

    return drawn_around(question, lambda: _costs(table, model, rates), ranges, lambda: _threats(there, moved))


def _carried(model: Thing) -> list[Weapon]:
    return [one.weapon for one in weapons(model).values() if may_fire(model, one.weapon) is None]


def _ranges(away: int, guns: Sequence[Weapon]) -> str:
    """A distance, and where it lies among the bands of the weapon that reaches farthest."""
    return shown_range(away, band_words(away, band_ends(max(guns, key=_farthest))))


def _farthest(weapon: Weapon) -> int:
    return max(band_ends(weapon).values())


def _costs(table: Table, model: Thing, rates: Rates) -> tuple[Ring, ...]:
    """How far some of its movement points take it; the nearer rings only, for far ones take as long as the last."""
    near = [one for one in cost_steps(rates.allowance, 1) if 2 * one <= rates.allowance]
    allowances = [*near, rates.allowance]
    return cost_rings({str(one): walk_reach(table, model, replace(rates, mv=rates.spent + one)) for one in allowances})


def _rings(table: Table, model: Thing, guns: Sequence[Weapon]) -> tuple[Ring, ...]:
    """The bands of the weapon that reaches farthest, from centre to centre, and the arc that it fires into."""
    if not guns:
        return ()
    rings = range_rings(table.ground, center(model), 0, band_ends(max(guns, key=_farthest)), BANDS.id)
    return (*rings, *arc_rings(table, model, front_arcs(model), CAV_ARCS))


def _threats(table: Table, model: Thing) -> tuple[Threat, ...]:
    """The enemies who could fire at a model from where they stand."""

    def aims(foe: Thing) -> Iterator[tuple[str, str]]:
        for name, system in weapons(foe).items() if in_play(foe) else ():
            aimed = aim(table, Attack(foe.id, model.id, (name,)), name) if not is_indirect(system.weapon) else None
            if isinstance(aimed, Aim):
                needs = sum(part.value for part in (*aimed.needs.parts, *aimed.modifiers))
                yield system.weapon.name, f"{aimed.band} range, needs {needs}"

    return threats_to(table, model, aims, lambda foe: line_of_sight(table, foe, model).line, COMBAT_ACTION)
