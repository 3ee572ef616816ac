"""The one place through which anything of a battle reaches a seat.

What is made here is made of the side's view, its own log, its own question and what is public: who is asked, who
offers a draw. Never the seed, the journal, another side's events, questions or orders. Nothing else in the server
reads a battle's tables for a page while it is going on.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from sandtable.engine.answers.clipping import clipped
from sandtable.engine.answers.judging import check, offered, open_parts, unasked, wanting
from sandtable.engine.battle import SPECTATOR, Battle
from sandtable.engine.ids import Side
from sandtable.engine.questions import AnyQuestion, MoveModels, Plan, Preview, Refusal, fingerprint
from sandtable.engine.records.journal import table_digest
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.shapes import In
from sandtable.engine.table import Ground, Table
from sandtable.server.seats.messages import ClaimShown, ClockShown, PartShown, Situation, TableShown, Verdict
from sandtable.server.seats.telling import Telling

#: The log of a side in words.
Told = Callable[[Side], Telling]


class Stale(Exception):
    """The question that a draft or an answer names is not open to this side."""


class Late(BaseException):
    """Raised from a signal: a verdict takes too long. No rule may catch it."""


def seat_view(
    battle: Battle,
    side: Side,
    told: Told,
    *,
    n: int,
    since: int = 0,
    ground: Ground | None = None,
    claim: ClaimShown | None = None,
    clocks: tuple[ClockShown, ...] = (),
    trouble: str = "",
) -> Situation:
    """How things stand for one side (empty: a spectator). `ground` is the one its page has; the same is not sent again.

    `since` is how many lines of the log the page has.
    """
    view = battle.view(side)
    table = view.table
    question = battle.question_for(side) if side != SPECTATOR else None
    telling = told(side)
    lines = telling.lines
    since = min(since, len(lines))
    return Situation(
        n=n,
        side=side,
        digest=table_digest(table),
        ground=None if table.ground is ground else table.ground,
        table=table_shown(table),
        log_from=since,
        log=tuple(lines[since:]),
        scenes=telling.scenes.since(since),
        question=None if question is None else offered(battle.ruleset, view, question),
        asks="" if question is None else fingerprint(question),
        waiting=asked(battle),
        may_undo=side != SPECTATOR and may_undo(battle, side),
        may_ask_undo=side != SPECTATOR and battle.may_ask_undo(side) is None,
        asks_undo=battle.asks_undo,
        clocks=clocks,
        measuring=may_measure(battle, question),
        offers=battle.state.offers,
        orders=tuple(order for order in battle.state.orders if order.side == side),
        claim=claim,
        trouble=trouble,
        zones=tuple(battle.ruleset.zones(view)),
        slots=slots_shown(battle.ruleset, table),
    )


def slots_shown(ruleset: Ruleset, table: Table) -> dict[str, dict[str, str]]:
    """What players call the slots of holders in which somebody is, where a ruleset has words for them."""
    found: dict[str, dict[str, str]] = {}
    for thing in table.things.values():
        if isinstance(thing.place, In) and thing.place.slot:
            words = ruleset.slot_words(table.ground, thing.place)
            if words != thing.place.slot:
                found.setdefault(thing.place.holder, {})[thing.place.slot] = words
    return found


def table_shown(table: Table) -> TableShown:
    """A side's table without its ground."""
    return TableShown(
        table.sides,
        table.things,
        table.decks,
        table.secrets,
        table.scores,
        table.turn,
        table.phase,
        table.acting,
        table.ending,
        table.options,
    )


def table_of(ground: Ground, shown: TableShown) -> Table:
    """A side's table again, from what is shown of it and its ground."""
    fields = {name: getattr(shown, name) for name in shown.__struct_fields__}
    return Table(ground, **fields)


def asked(battle: Battle) -> tuple[str, ...]:
    """The sides that have something to answer. That they are asked is public; what, is not."""
    return tuple(side for side in battle.table.sides if battle.question_for(side) is not None)


def may_undo(battle: Battle, side: Side) -> bool:
    """Whether a side may take its last answer back."""
    return battle.may_undo(side) is None


def may_measure(battle: Battle, question: AnyQuestion | None) -> bool:
    """Whether the table lets a side measure now: always, or where the question it is asked shows distances."""
    return battle.ruleset.free_measuring or (question is not None and "distance" in question.shows)


def open_question(battle: Battle, side: Side, name: str) -> AnyQuestion:
    """The question of a side, if it is the one that was named; `Stale` if it is not, or not any more."""
    question = battle.question_for(side) if side != SPECTATOR else None
    if question is None or battle.ended or fingerprint(question) != name:
        raise Stale
    return question


def judged_draft(
    ruleset: Ruleset,
    view: View,
    question: AnyQuestion,
    asks: str,
    draft: Any,
    part: str = "",
    value: Any = None,
    wants: Sequence[str] = (),
) -> Verdict:
    """What a draft comes to, by what its side knows; of a plan, also which parts are open. It changes nothing.

    `asks` is the question's fingerprint. Whoever hurries it by raising `Late` gets a verdict that says so.
    """
    parts: tuple[PartShown, ...] | None = None
    plan, said = question, draft
    try:
        if isinstance(question, Plan):
            found = open_parts(ruleset, view, question, draft)
            if isinstance(found, Refusal):
                return Verdict(question=asks, refusal=found)
            parts = tuple(PartShown(one.id, offered(ruleset, view, one.question), one.optional) for one in found)
            if part:
                tried = next((one for one in parts if one.id == part), None)
                if tried is None:
                    return Verdict(question=asks, refusal=unasked(question, (part,), found), parts=parts)
                question, draft = tried.question, value
        question = wanting(question, wants)
        judged = check(ruleset, view, question, draft)
        if not isinstance(judged, Refusal):
            shown = judged.preview()
            if part and shown == Preview():
                # What the part brings is told by the plan that it makes, where that would do as it stands.
                whole = check(ruleset, view, plan, {**said, part: value})
                shown = shown if isinstance(whole, Refusal) else whole.preview()
            return Verdict(question=asks, preview=shown, parts=parts)
        if isinstance(question, MoveModels) and not draft:
            # Nothing is drawn yet: how far it gets is seen all the same.
            shown = ruleset.preview(view, question, {}).allowed(question.shows)
            return Verdict(question=asks, refusal=judged, preview=shown, parts=parts)
        shorter = clipped(ruleset, view, question, draft) if isinstance(question, MoveModels) else None
        walked = check(ruleset, view, question, msgspec.to_builtins(shorter)) if shorter else judged
        if isinstance(walked, Refusal):
            return Verdict(question=asks, refusal=judged, parts=parts)
        return Verdict(question=asks, refusal=judged, clipped=shorter, preview=walked.preview(), parts=parts)
    except Late:
        return Verdict(question=asks, parts=parts, late=True)
