"""What is risked on the way: mines that are known, getting out of a position, coming down, a leader who is replaced."""

from collections.abc import Mapping
from fractions import Fraction

from sandtable.engine.questions import AnyQuestion, MoveModels, PlaceThings, Preview
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import At, Point, Spot, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.walking.paths import Pose, resolve
from sandtable.rulesets.stargrunt.actions.elements import within_call
from sandtable.rulesets.stargrunt.aerospace.craft import DROPPING, drop_wounds
from sandtable.rulesets.stargrunt.communications import call_preview
from sandtable.rulesets.stargrunt.cover.lines import distance
from sandtable.rulesets.stargrunt.dice.foretold import chance, contest_chances, face_chances, outcomes
from sandtable.rulesets.stargrunt.dice.rolls import one_die
from sandtable.rulesets.stargrunt.fire.wounds import harm_done, impact_dice
from sandtable.rulesets.stargrunt.forces.cards import vehicle
from sandtable.rulesets.stargrunt.movement.actions import going_preview, position_preview
from sandtable.rulesets.stargrunt.obstacles.mines import (
    CLEARING,
    MINES,
    MIXED,
    VEHICLES,
    goes_off,
    hits_figures,
    mine_result,
    minefields,
    suspension_die,
)
from sandtable.rulesets.stargrunt.obstacles.treading import MINEFIELDS, REACH, passes
from sandtable.rulesets.stargrunt.units.leaders import LEADER_DIE, new_leadership
from sandtable.rulesets.stargrunt.units.record import block, is_hull, leadership, quality_die, spot
from sandtable.rulesets.stargrunt.vehicles.driving import preview as drive_preview
from sandtable.tabletop.chapters import Chapter, Previewer
from sandtable.tabletop.face_down import lies_under
from sandtable.tabletop.previews import measured, together

_NONE = Fraction(0)


# Mines that are known -------------------------------------------------------------------------------------------------


def crossed_fields(table: Table, mover: Thing, walk: Walk) -> list[Thing]:
    """The minefields, as far as they are known, through which a walk leads somebody, and which do anything to it."""
    track = resolve(Pose(spot(mover), mover.facing), walk)
    way = [track.start.point, *(stretch.end for stretch in track.stretches)]
    if len(way) < 2:
        return []
    known = [one for one in minefields(table) if passes(way, spot(one), REACH)]
    return [one for one in known if goes_off(one, mover)]


def hurt_by(table: Table, figure: Thing, field: Thing) -> Fraction:
    """How likely a figure is hurt that moves in a minefield (stargrunt.obstacles.minefields)."""
    die, hits = quality_die(table[figure.unit]), hits_figures(field)
    trod = face_chances(die, lambda score: "trod" if score in hits else "")
    both = impact_dice(field.id, figure, MINEFIELDS.number("impact"), ())
    unhurt = contest_chances(*both, harm_done).get("no effect", _NONE)
    return trod.get("trod", _NONE) * (1 - unhurt)


def stopped_by(table: Table, hull: Thing, field: Thing) -> dict[str, Fraction]:
    """How likely a minefield immobilises or disables a vehicle (stargrunt.obstacles.mines-and-vehicles)."""
    attacked = Fraction(1)
    if vehicle(hull).engineer:
        worst, die = CLEARING.number("attacked_on"), quality_die(table[hull.unit])
        attacked = face_chances(die, lambda score: "mine" if score <= worst else "").get("mine", _NONE)
    elif MINES[lies_under(field)] == MINES[MIXED]:
        least, die = VEHICLES.number("mixed_from"), VEHICLES.number("mixed_die")
        attacked = face_chances(die, lambda score: "mine" if score >= least else "").get("mine", _NONE)
    both = one_die("mine", field.id, VEHICLES.number("die")), one_die("suspension", hull.id, suspension_die(hull))
    found = contest_chances(*both, mine_result)
    told = {word: attacked * share for word, share in found.items() if word != "it holds"}
    return {f"{hull.label} holds against the mines": 1 - sum(told.values(), _NONE), **told}


def mines_preview(table: Table, walks: Mapping[str, Walk]) -> Preview:
    """What the minefields on the ways would do: to each vehicle, or to any figure of those that walk."""
    told: list[Preview] = []
    unhurt, in_mines = Fraction(1), False
    for name, walk in walks.items():
        for field in crossed_fields(table, table[name], walk):
            if is_hull(table[name]):
                told.append(Preview(odds=outcomes(stopped_by(table, table[name], field))))
            else:
                in_mines, unhurt = True, unhurt * (1 - hurt_by(table, table[name], field))
    if in_mines:
        told.append(Preview(odds=(chance("somebody is hurt by the mines", 1 - unhurt),)))
    return together(*told)


def through_mines(preview: Previewer) -> Previewer:
    """A preview of a move with what known minefields on the way would do."""

    def shown(view: View, question: MoveModels, answer: dict[str, Walk]) -> Preview:
        return together(preview(view, question, answer), mines_preview(view.table, answer))

    return shown


# Getting in, getting out, taking over -------------------------------------------------------------------------------


def carrier_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """A unit that gets into a vehicle may have to get out of its position."""
    return position_preview(view.table, view.table[question.about[0]])


def element_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """Whether an element hears its leader: told directly, or by radio (stargrunt.actions.detached-elements-details)."""
    unit, element = view.table[question.about[0]], view.table[answer]
    if within_call(view.table, unit, answer):
        return Preview(notes=("near enough to be told directly: no roll",))
    return call_preview(view.table, unit, element, by_radio=True)


def drop_preview(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Preview:
    """How likely somebody is hurt who comes down by rope or jump pack; who gets out on the ground is not."""
    table, put = view.table, answer.get(question.things[0])
    if DROPPING.id not in question.rules or put is None or not isinstance(put.where, At):
        return Preview()
    unit, figures = table[question.about[0]], question.about[1:]
    unhurt, die = Fraction(1), quality_die(unit)
    for at in block(len(figures), put.where.point):
        unhurt *= 1 - _falls(table, unit, die, at)
    return Preview(odds=(chance("somebody is wounded coming down", 1 - unhurt),))


def _falls(table: Table, unit: Thing, die: int, at: Point) -> Fraction:
    wounds = drop_wounds(table, unit, at)
    return face_chances(die, lambda score: "wounded" if score in wounds else "").get("wounded", _NONE)


def leader_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """How good a new leader will be, whoever it is (stargrunt.units.loss-of-leader)."""
    before = leadership(view.table[question.about[0]])
    return Preview(odds=outcomes(face_chances(LEADER_DIE, lambda score: f"LV {new_leadership(before, score)}")))


CHAPTER = Chapter(
    previews={
        **dict.fromkeys(("move", "combat-move"), through_mines(going_preview)),
        **dict.fromkeys(("drive", "combat-drive"), through_mines(drive_preview)),
        "carrier": measured(carrier_preview, distance),
        "which-element": measured(element_preview, distance),
        "get-out": drop_preview,
        "new-leader": leader_preview,
    },
)
