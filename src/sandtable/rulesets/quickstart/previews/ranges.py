"""Range bands, firing arcs, what rings of reach cost, and who could fire at a model: where a walk would leave it.

A walk is drawn after it is declared, so everything may be measured (quickstart.turn.no-premeasuring).
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from sandtable.engine.explain import signed
from sandtable.engine.questions import MoveModels, Preview, Refusal, Ring, Threat
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import Walk
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.cav.concepts import base_of, center, enemies
from sandtable.rulesets.cav.previews import arc_rings, drawn_around, moved_to, threats_to
from sandtable.rulesets.quickstart.concepts import distance
from sandtable.rulesets.quickstart.datacard import Weapon, is_infantry, weapons
from sandtable.rulesets.quickstart.movement.moves import going
from sandtable.rulesets.quickstart.movement.walking import contacts_of, rates_of, shots_of
from sandtable.rulesets.quickstart.previews.reaching import walk_reach
from sandtable.rulesets.quickstart.shooting.direct_fire import (
    BANDS,
    DIRECT,
    RANGED_ASSAULT,
    Shot,
    aim,
    arms,
    band_ends,
    farthest,
    is_indirect,
    working_weapons,
)
from sandtable.rulesets.quickstart.sight import BEARS_ON, FIRING_ARCS, line_of_sight
from sandtable.tabletop.previews import band_words, cost_rings, cost_steps, range_rings, shown_range


def around_walk(view: View, question: MoveModels, answer: dict[str, Walk] | None) -> Preview:
    """What a page wants drawn around a model where its walk ends."""
    table, model = view.table, view.table[question.models[0]]
    walk = (answer or {}).get(model.id, Walk())
    gone = going(table, model, walk, rates_of(model, question), contacts_of(question))
    there = moved_to(table, model, gone.track.pose_at(gone.reach, turned=True))
    moved = there[model.id]

    def far() -> tuple[tuple[Ring, ...], dict[str, str]]:
        guns = [weapons(model)[shot.weapons[0]] for shot in shots_of(question)] or list(arms(model).unguided)
        told = {str(foe.id): ranges(distance(moved, foe), guns) for foe in enemies(there, moved)}
        return _rings(there, moved, guns), told

    return drawn_around(question, lambda: _costs(table, model, question), far, lambda: _threats(there, moved))


def ranges(away: int, guns: Sequence[Weapon]) -> str:
    """A distance, and where it lies among the range bands of weapons; they are named where they differ."""
    told = {gun.name: band_words(away, band_ends(gun)) for gun in guns}
    same = len(set(told.values())) < 2
    words = next(iter(told.values()), "") if same else "; ".join(f"{name} {words}" for name, words in told.items())
    return shown_range(away, words)


def _costs(table: Table, model: Thing, question: MoveModels) -> tuple[Ring, ...]:
    """How far each movement point takes it (quickstart.movement.move-action)."""
    allowance, spent = question.allowance[model.id], question.facts["spent"]
    less = {
        cost: replace(question, allowance={model.id: cost}, facts={**question.facts, "mv": spent + cost})
        for cost in cost_steps(allowance, 1)
    }
    reached = {str(cost): walk_reach(table, model, asked) for cost, asked in less.items()}
    return cost_rings({**reached, str(allowance): walk_reach(table, model, question)})


def _rings(table: Table, model: Thing, guns: Sequence[Weapon]) -> tuple[Ring, ...]:
    """The bands of the weapon that reaches farthest, and the arc that arm-mounted weapons bear on."""
    if not guns:
        return ()
    gun = max(guns, key=farthest)
    rings = range_rings(table.ground, center(model), base_of(model).size // 2, band_ends(gun), BANDS.id)
    if is_infantry(model):
        return rings
    return (*rings, *arc_rings(table, model, BEARS_ON, FIRING_ARCS))


def _threats(table: Table, model: Thing) -> tuple[Threat, ...]:
    """The enemies who could fire at a model from where they stand."""

    def aims(foe: Thing) -> Iterator[tuple[str, str]]:
        for name, weapon in working_weapons(foe).items():
            aimed = aim(table, Shot(foe.id, model.id, (name,), DIRECT)) if not is_indirect(weapon) else None
            if aimed is not None and not isinstance(aimed, Refusal):
                added = sum(part.value for part in aimed.modifiers)
                yield weapon.name, f"{aimed.band} range, needs {aimed.needs.total} with {signed(added)}"

    return threats_to(table, model, aims, lambda foe: line_of_sight(table, foe, model).line, RANGED_ASSAULT)
