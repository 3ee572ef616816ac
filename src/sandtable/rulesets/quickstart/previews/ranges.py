"""Range bands, firing arcs, what rings of reach cost, and who could fire at a model: where a walk would leave it.

A walk is drawn after it is declared, so everything may be measured (quickstart.turn.no-premeasuring).
"""

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine.explain import signed
from sandtable.engine.questions import MoveModels, Preview, Refusal, Ring, Threat
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import Walk
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.cav.concepts import base_of, center, enemies
from sandtable.rulesets.cav.previews import moved_to
from sandtable.rulesets.quickstart.concepts import distance
from sandtable.rulesets.quickstart.datacard import Weapon, is_infantry, weapons
from sandtable.rulesets.quickstart.movement.moves import going
from sandtable.rulesets.quickstart.movement.walking import contacts_of, rates_of, shots_of
from sandtable.rulesets.quickstart.previews.reaching import walk_reach
from sandtable.rulesets.quickstart.shooting.direct_fire import (
    BANDS,
    DIRECT,
    RANGED_ASSAULT,
    Aim,
    Shot,
    aim,
    arms,
    band_ends,
    farthest,
    is_indirect,
    working_weapons,
)
from sandtable.rulesets.quickstart.sight import BEARS_ON, FIRING_ARCS, line_of_sight
from sandtable.tabletop.previews import band_words, cost_rings, cost_steps, range_rings, sector, shown_range


def around_walk(view: View, question: MoveModels, answer: dict[str, Walk] | None) -> Preview:
    """What a page wants drawn around a model where its walk ends."""
    table, model = view.table, view.table[question.models[0]]
    walk = (answer or {}).get(model.id, Walk())
    gone = going(table, model, walk, rates_of(model, question), contacts_of(question))
    there = moved_to(table, model, gone.track.pose_at(gone.reach, turned=True))
    shown, moved = Preview(), there[model.id]
    if "costs" in question.shows:
        shown = replace(shown, rings=_costs(table, model, question))
    if "ranges" in question.shows:
        guns = [weapons(model)[shot.weapons[0]] for shot in shots_of(question)] or list(arms(model).unguided)
        far = {foe.id: ranges(distance(moved, foe), guns) for foe in enemies(there, moved)}
        shown = replace(shown, rings=(*shown.rings, *_rings(there, moved, guns)), targets=far)
    return replace(shown, threats=_threats(there, moved)) if "threats" in question.shows else shown


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
    far = max(table.ground.width, table.ground.height)
    arcs = [sector(center(model), model.facing, start, end, far) for start, end in BEARS_ON]
    return (*rings, *(Ring("arc", "firing arc", arc, FIRING_ARCS.id) for arc in arcs))


def _threats(table: Table, model: Thing) -> tuple[Threat, ...]:
    """The enemies who could fire at a model from where they stand, each with the weapons that can."""
    found = []
    for foe in enemies(table, model):
        aims: dict[str, list[Aim]] = {}
        for name, weapon in working_weapons(foe).items():
            aimed = aim(table, Shot(foe.id, model.id, (name,), DIRECT)) if not is_indirect(weapon) else None
            if aimed is not None and not isinstance(aimed, Refusal):
                aims.setdefault(weapon.name, []).append(aimed)
        if aims:
            line = line_of_sight(table, foe, model).line
            said = "; ".join(_words(name, several) for name, several in aims.items())
            found.append(Threat(foe.id, said, line.start, line.end, RANGED_ASSAULT.id))
    return tuple(found)


def _words(name: str, aims: Sequence[Aim]) -> str:
    first = aims[0]
    added = sum(part.value for part in first.modifiers)
    count = f"{len(aims)} × " if len(aims) > 1 else ""
    return f"{count}{name}, {first.band} range, needs {first.needs.total} with {signed(added)}"
