"""Shots at models and at sections of a house."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import HarmNoted, TerrainChanged
from sandtable.engine.explain import ExplainedPart, explain
from sandtable.engine.ids import PieceId
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Settle
from sandtable.field.walking.paths import length_between
from tests.miniatures import house as h
from tests.miniatures.creatures import (
    CREATURES,
    DEFENCE,
    TO_HIT,
    defence_needs,
    hit_modifiers,
    hits,
    needs_to_hit,
    pen_part,
    severity,
    thrown,
)
from tests.miniatures.house_collapse import note_collapse
from tests.miniatures.house_fight import BUILDING, DESTROYED, NOW, PARTIAL, PIERCED, card_of


def shoot(battle: Battle, shooter: str, target: str) -> Procedure[None]:
    """One shot at a model or a section; everything it causes is settled before anything else is done."""
    table = battle.table
    card = card_of(table[shooter])
    building = target not in table.things
    at = h.section(table, target).outline.points[0] if building else h.where(table, table[target])  # type: ignore[union-attr]
    added = hit_modifiers(table[shooter], card, length_between(h.where(table, table[shooter]), at), building)
    if added is None:
        return
    needed = needs_to_hit(card)
    roll = battle.dice.total("d6")
    hit = hits(roll.natural, roll.natural + added.total, needed.total)
    n = battle.happens(thrown("to hit", shooter, roll, added, needed, "hit" if hit else "miss", TO_HIT, 0))
    if hit and building:
        hit_section(battle, shooter, target, card.pen, n)
    elif hit:
        hit_creature(battle, target, card.pen, n)
    battle.push(Settle(NOW))
    yield from ()


def hit_creature(battle: Battle, target: str, pen: int, because: int) -> None:
    """The Defence Roll of a creature, and the harm it notes."""
    added, needed = pen_part(pen), defence_needs(card_of(battle.table[target]).pf)
    roll = battle.dice.total("d6")
    through = roll.natural + added.total >= needed.total
    outcome = "damaged" if through else "held"
    n = battle.happens(thrown("defence", target, roll, added, needed, outcome, DEFENCE, because))
    if through:
        harm = severity(roll.natural, battle.table[target])
        battle.note(HarmNoted(target, harm, NOW, rule=CREATURES, because=n))


def hit_section(battle: Battle, shooter: str, name: str, pen: int, because: int) -> None:
    """The opponent of the shooter rolls for the section; its die says what becomes of it."""
    table = battle.table
    opponent = next(side for side in table.sides if side != table[shooter].side)
    added, needed = pen_part(pen), defence_needs(h.PF)
    roll = battle.dice.total("d6")
    through = roll.natural + added.total >= needed.total
    pierced, partly = roll.natural >= 5, roll.natural in (3, 4)
    outcome = "held" if not through else "pierced" if pierced else "partial collapse" if partly else "destroyed"
    n = battle.happens(thrown("defence", opponent, roll, added, needed, outcome, BUILDING, because))
    state = h.section(table, name).state
    if not through:
        return
    if pierced:
        pierce(battle, name, pen, n)
    elif partly and not state:
        battle.happens(TerrainChanged(PieceId(h.HOUSE), name, state, "collapsed", rule=PARTIAL, because=n))
    else:
        note_collapse(battle, name, PARTIAL if partly else DESTROYED, n)


def pierce(battle: Battle, name: str, pen: int, because: int) -> None:
    """The shot goes through the wall: each model inside is hit on a 4 or more."""
    for model in h.inside(battle.table, name):
        roll = battle.dice.total("d6")
        needed = explain("pierced", ExplainedPart("behind the wall", 4, PIERCED))
        outcome = "hit" if roll.natural >= 4 else "miss"
        n = battle.happens(thrown("pierced", model.id, roll, explain(""), needed, outcome, PIERCED, because))
        if outcome == "hit":
            hit_creature(battle, model.id, pen, n)
