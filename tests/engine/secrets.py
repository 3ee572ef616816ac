"""Two battles that differ only in what a side cannot know look the same to it, byte for byte.

`byte_equal` drives two battles with the same answers and compares, at every moment, all that one side can get at: its
view, its log, who is asked what, how its drafts are refused or previewed, and whether it may take something back. It
stops at the first difference that is lawful: a draw, a die or a reveal that the secret decides.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import msgspec

from sandtable.bots.protocol import NoAnswer
from sandtable.engine.answers.judging import offered
from sandtable.engine.battle import Battle
from sandtable.engine.events import AnyEvent, BattleEnded, stops_undo
from sandtable.engine.ids import Side
from sandtable.engine.questions import AnyQuestion, ChooseOne, Refusal, fingerprint
from sandtable.engine.records.replay import folded
from tests.engine.answers import NONSENSE, Randomly


class Compared(NamedTuple):
    """How far two battles were the same to a side: moments looked at, answers given, and why it went no further."""

    moments: int
    answers: int
    stopped: str


#: Whether a secret lawfully decides two events that differ; none where one battle has nothing there.
Decides = Callable[[AnyEvent | None, AnyEvent | None], bool]


class Leak(AssertionError):
    """A side can tell two battles apart that it should not be able to."""


def byte_equal(
    make_battle_a: Callable[[], Battle],
    make_battle_b: Callable[[], Battle],
    side: Side,
    answers: Iterable[tuple[str, Any]] | int,
    *,
    most: int = 300,
    decides: Decides | None = None,
    whole: bool = True,
    bot: Randomly | None = None,
) -> Compared:
    """Drive two battles alike and raise `Leak` where `side` can tell them apart; say how far they went.

    `answers` are pairs of side and draft, or a seed for lawful answers at random. What another side could only answer
    in one of the battles is not answered at all; where that leaves nothing to say, it stops. `decides` says whether a
    secret lawfully decides two events that differ; without it any draw, die or reveal may. Battles that begin in the
    middle are not `whole`: their logs cannot be folded. `bot` has other habits than answering at random.
    """
    a, b = make_battle_a(), make_battle_b()
    bot = bot or Randomly(answers if isinstance(answers, int) else 0)
    given = iter(_at_random(a, b, bot, most) if isinstance(answers, int) else answers)
    moments = said = 0
    while True:
        lawful = _first_difference(a, b, side, decides)
        if lawful:
            return Compared(moments, said, lawful)
        _same_to(a, b, side, bot, whole=whole)
        moments += 1
        if a.ended:
            return Compared(moments, said, "the battles are over")
        answer = next(given, None)
        if answer is None:
            return Compared(moments, said, "nothing more was said")
        said += 1
        who, draft = answer
        found = [battle.answer(draft, Side(who)) for battle in (a, b)]
        if who == side and found[0] != found[1]:
            raise Leak(f"{side} answers {draft!r}: {found[0]} in one battle, {found[1]} in the other")
        if found[0] is not None or found[1] is not None:
            raise AssertionError(f"{who} cannot answer {draft!r} in both battles: {found}")


def _at_random(a: Battle, b: Battle, bot: Randomly, most: int) -> Iterable[tuple[str, Any]]:
    """Answers that are lawful in both battles, until none is found."""
    for _ in range(most):
        asked = [who for who in a.table.sides if a.question_for(who) and b.question_for(who)]
        bot.random.shuffle(asked)
        found = next(((who, draft) for who in asked for draft in _drafts(a, b, who, bot)), None)
        if found is None:
            return
        yield found


def _drafts(a: Battle, b: Battle, who: Side, bot: Randomly) -> Iterable[Any]:
    question = a.question_for(who)
    assert question is not None
    for _ in range(8):
        try:
            draft = bot(a.ruleset, a.view(who), question)
        except NoAnswer:
            return
        if not isinstance(b.check(draft, who), Refusal):
            yield draft


def _first_difference(a: Battle, b: Battle, side: Side, decides: Decides | None = None) -> str:
    """What the first difference in a side's log is, if it is lawful; a `Leak`, if it is not."""
    one, other = a.logs[side].events, b.logs[side].events
    for n in range(max(len(one), len(other))):
        left = one[n] if n < len(one) else None
        right = other[n] if n < len(other) else None
        if _bytes(left) == _bytes(right):
            continue
        if decides is not None and decides(left, right):
            return f"a lawful difference: {left or right}"
        for event, rest in ((left, other[n:]), (right, one[n:])):
            if decides is None and _lawful(event, rest):
                return f"a lawful difference: {event}"
        raise Leak(f"{side} sees {left} in one battle and {right} in the other")
    return ""


def _lawful(event: AnyEvent | None, rest: list[AnyEvent]) -> bool:
    """Whether an event is a draw, a die or a reveal, and the other battle has nothing like it from here on.

    If it has, the difference is what came in between. How a battle ends is none: something must have shown it.
    """
    if event is None or not stops_undo(event) or isinstance(event, BattleEnded):
        return False
    return _bare(event) not in [_bare(later) for later in rest]


def _bare(event: AnyEvent) -> AnyEvent:
    return msgspec.structs.replace(event, n=0, because=0)


def _same_to(a: Battle, b: Battle, side: Side, bot: Randomly, *, whole: bool = True) -> None:
    """All that a side can get at is the same in both battles."""
    _equal(side, "view", a.view(side).table, b.view(side).table)
    if whole:
        *_, folded_a = folded(a.logs[side].events, a.table.sides, a.journal.header.setup.options)
        _equal(side, "folded log", folded_a, b.view(side).table)
    asked = [[q.side for q in battle.questions if battle.question_for(q.side)] for battle in (a, b)]
    _equal(side, "list of those asked", *asked)
    _equal(side, "end", a.ended, b.ended)
    questions = [battle.question_for(side) for battle in (a, b)]
    _equal(side, "question", *questions)
    takes_back = [battle.may_undo(side) for battle in (a, b)]
    _equal(side, "right to take back", *takes_back)
    question = questions[0]
    if question is not None and questions[1] is not None:
        _equal(side, "fingerprint", fingerprint(question), fingerprint(questions[1]))
        shown = [offered(battle.ruleset, battle.view(side), one) for battle, one in ((a, question), (b, questions[1]))]
        _equal(side, "options", *shown)
        for draft in _tried(a, side, question, bot):
            _equal(side, f"check of {str(draft)[:60]!r}", *(_checked(battle, draft, side) for battle in (a, b)))


def _tried(battle: Battle, side: Side, question: AnyQuestion, bot: Randomly) -> list[Any]:
    drafts = [bot.draft(battle.ruleset, battle.view(side), question, attempt) for attempt in range(4)]
    ids = [one.id for one in question.options] if isinstance(question, ChooseOne) else []
    return [*drafts, *ids, bot.spoilt(drafts[0]), bot.random.choice(NONSENSE[:16])]


def _checked(battle: Battle, draft: Any, side: Side) -> object:
    """A refusal, or all that a preview shows."""
    found = battle.check(draft, side)
    return found if isinstance(found, Refusal) else found.preview()


def _equal(side: Side, what: str, one: object, other: object) -> None:
    if _bytes(one) != _bytes(other):
        raise Leak(f"{side} can tell by its {what}:\n  {_bytes(one).decode()}\n  {_bytes(other).decode()}")


def _bytes(value: object) -> bytes:
    return msgspec.json.encode(value)
