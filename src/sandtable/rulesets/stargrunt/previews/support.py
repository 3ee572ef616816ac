"""What calling for support would take, and how accurate the fire would be: before anybody commits to it."""

from msgspec.structs import replace

from sandtable.engine.questions import AnyQuestion, PlaceThings, Preview
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import At, Spot
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.stargrunt.artillery.assets import CALLER, MARKERS, REAL, asset, chits_of, requesting
from sandtable.rulesets.stargrunt.artillery.gunnery import crew_accuracy
from sandtable.rulesets.stargrunt.artillery.missions import accuracy
from sandtable.rulesets.stargrunt.artillery.pieces import commands
from sandtable.rulesets.stargrunt.chapter import on_foot
from sandtable.rulesets.stargrunt.communications import UNJAMMED, call_preview
from sandtable.rulesets.stargrunt.confidence.levels import removing_suppression
from sandtable.rulesets.stargrunt.confidence.nerve import SUPPORT
from sandtable.rulesets.stargrunt.cover.lines import distance, point_note
from sandtable.rulesets.stargrunt.dice.foretold import trial_preview
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.turn.order import must_activate
from sandtable.rulesets.stargrunt.units.record import spot, suppressed
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.previews import measured, together

#: What the chance of an accuracy roll is called.
ACCURATE = "it falls where it is aimed"


def request_preview(table: Table, unit: Thing, thing: Thing, chits: int) -> Preview:
    """How likely a request with so many chits is granted, if nobody jams it."""
    shown = trial_preview("the request is granted", requesting(table, unit, thing, chits))
    return replace(shown, odds_note=UNJAMMED)


def support_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """The message to a piece on the table; else the request, as it is before any chit is spent."""
    unit, thing = view.table[question.about[0]], view.table[answer]
    if commands(view.table, unit, thing):
        return call_preview(view.table, unit, view.table[thing.unit])
    shown, held = request_preview(view.table, unit, thing, 0), chits_of(view.table, unit.side)
    return replace(shown, notes=(*shown.notes, f"without any of {held} chits")) if held else shown


def chits_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """The request with so many chits."""
    unit, thing = (view.table[name] for name in question.about)
    return request_preview(view.table, unit, thing, int(answer))


def aim_preview(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Preview:
    """How accurate fire on each of the points that are marked would be, as things stand now."""
    unit, thing = (view.table[name] for name in question.about)
    trials = {
        name: accuracy(view.table, unit, asset(thing).kind, put.where.point)
        for name, put in answer.items()
        if isinstance(put.where, At)
    }
    first, sight = next(iter(trials.values()), None), _looks(view, question, answer)
    if first is not None and all(trial == first for trial in trials.values()):
        return together(sight, trial_preview(ACCURATE, first))
    return together(sight, *(trial_preview(f"{name[-1].upper()}: {ACCURATE}", one) for name, one in trials.items()))


def _looks(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Preview:
    """The lines of the unit that aims to what it aims at."""
    aimed = [put.where.point for put in answer.values() if isinstance(put.where, At)]
    return Preview(sight=tuple(note for at in aimed for note in point_note(view.table, question.about[0], at)))


def piece_preview(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Preview:
    """How accurate a crew is that fires at what it sees itself."""
    trial = crew_accuracy(view.table[question.about[0]])
    return together(_looks(view, question, answer), trial_preview(ACCURATE, trial))


def mission_preview(table: Table, thing: Thing) -> Preview:
    """How accurate the fire of a mission that has arrived is; its owner knows which marker is real."""
    names, caller = thing.value(MARKERS), table.things.get(str(thing.value(CALLER)))
    real = [table[name] for name in names if table[name].has(REAL)] if isinstance(names, tuple) else []
    if caller is None or not real:
        return Preview()
    return trial_preview(ACCURATE, accuracy(table, caller, asset(thing).kind, spot(real[0])))


def activate_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """What comes at once of an activation: the fire of a mission, or a unit that must go back and is pinned down."""
    thing = view.table.things.get(answer)
    if thing is not None and thing.card == SUPPORT:
        return Preview() if asset(thing).vehicle else mission_preview(view.table, thing)
    if thing is None or thing.kind != "unit" or not must_activate(view.table, thing):
        return Preview()
    if suppressed(thing) and on_foot(view.table, thing) and not thing.has(StateName.PANICKED):
        return trial_preview("a marker is removed", removing_suppression(view.table, thing))
    return Preview()


CHAPTER = Chapter(
    previews={
        "activate": activate_preview,
        "support": support_preview,
        "chits": chits_preview,
        "aim": aim_preview,
        "piece-aim": measured(piece_preview, distance),
    },
)
