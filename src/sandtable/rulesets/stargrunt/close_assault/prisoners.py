"""Prisoners: taken, held by their captors, and sent to the rear under guard."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Grouped, Placed
from sandtable.engine.ids import ThingId
from sandtable.engine.questions import ChooseOne, ChooseSeveral, Option, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import In
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule, citing
from sandtable.rulesets.stargrunt.actions.elements import DETACHED, cannot_form, detach, may_have_elements
from sandtable.rulesets.stargrunt.chapter import Action, Activate, Outcome, on_foot
from sandtable.rulesets.stargrunt.close_assault import moves as moves
from sandtable.rulesets.stargrunt.confidence.levels import SURRENDER
from sandtable.rulesets.stargrunt.units.leaders import leader
from sandtable.rulesets.stargrunt.units.record import CAPTIVE, PRISONERS, STATUS, captives, points, standing
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give


def capture(battle: Battle, figures: Sequence[ThingId], captor: str, why: Rule, because: int) -> None:
    """Make prisoners of some figures: out of the fight, they go where their captors go.

    stargrunt.units.figure-status         a prisoner is neither OK nor a casualty of its unit any more
    stargrunt.confidence.surrender        they count as lost, and take no room on the table
    """
    for name in figures:
        told = citing(STATUS, SURRENDER)
        n = give(battle, name, CAPTIVE, why, captor, because=because, detail=told)
        battle.happens(Grouped((name,), ThingId(f"{captor} {PRISONERS}"), rule=why.id, because=n))
        battle.happens(Placed(name, In(captor, PRISONERS), rule=why.id, because=n))


def surrender(battle: Battle, unit: Thing, captor: str, why: Rule, because: int = 0) -> Procedure[None]:
    """The OK figures of a unit give themselves up; their captors fetch them or have them come.

    stargrunt.confidence.surrender    the captor's player moves its unit to them or them to it, at once
    """
    figures, place = standing(battle.table, unit.id), points(battle.table, unit.id)
    holder = battle.table[captor]
    how = yield ChooseOne(
        holder.side,
        f"{unit.label} surrenders to {holder.label}",
        topic="prisoners",
        about=(holder.id, unit.id),
        options=(Option("come", "They come over"), Option("fetch", "We go and fetch them")),
        rules=(SURRENDER.id,),
        default="come",
    )
    capture(battle, [one.id for one in figures], captor, why, because)
    if how == "fetch":
        moves.advance(battle, battle.table[captor], place, None, 0, SURRENDER)


def guards(prisoners: int) -> int:
    """How many guards so many prisoners need: one for every six, or part of six.

    >>> guards(6), guards(7)
    (1, 2)
    """
    return -(-prisoners // SURRENDER.number("guards_per_captives"))


def _too_few(table: Table, unit: Thing) -> Refusal | None:
    refusal = cannot_form(table, unit)
    if refusal is None and guards(len(captives(table, unit.id))) >= len(standing(table, unit.id)):
        return Refusal(SURRENDER.id, f"{unit.label} has too few figures to guard its prisoners.")
    return refusal


def _send_back(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """Send the prisoners to the rear with a detached element of guards (stargrunt.confidence.surrender)."""
    led_by = leader(battle.table, unit.id)
    able = [one for one in standing(battle.table, unit.id) if led_by is None or one.id != led_by.id]
    held = captives(battle.table, unit.id)
    needed = guards(len(held))
    chosen: tuple[ThingId, ...] = yield ChooseSeveral(
        unit.side,
        "Who guards the prisoners?",
        deed="Let {} guard them",
        topic="guards",
        about=(unit.id,),
        options=tuple(Option(one.id, one.label, (one.id,)) for one in able),
        at_least=needed,
        at_most=needed,
        rules=(SURRENDER.id, DETACHED.id),
    )
    element = detach(battle, unit, chosen)
    hand_over(battle, held, element, SURRENDER)
    return Outcome()


def hand_over(battle: Battle, held: Sequence[Thing], to: str, why: Rule) -> None:
    """Prisoners go with somebody else."""
    for one in held:
        n = give(battle, one.id, CAPTIVE, why, to)
        battle.happens(Placed(one.id, In(to, PRISONERS), rule=why.id, because=n))


CHAPTER = Chapter(
    actions=(
        Action(
            id="send-prisoners",
            entry="form_detached_element",
            label="Send the prisoners to the rear",
            rule=SURRENDER,
            carry_out=_send_back,
            shown=lambda table, unit: (
                on_foot(table, unit) and may_have_elements(table, unit) and bool(captives(table, unit.id))
            ),
            refused=_too_few,
        ),
    ),
    states={CAPTIVE: "of a figure: the unit that holds it prisoner"},
    answers={"prisoners": "come or fetch: who goes to whom in a surrender", "guards": "who guards the prisoners"},
    values={
        "guards": lambda table, asked: guards(asked.number()),
        "prisoners": lambda table, asked: tuple(one.id for one in captives(table, asked.text_at())),
    },
)
