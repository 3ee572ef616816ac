"""A roll before it falls: which dice, what is added, what it needs. Play, preview, odds and opponents read one object.

`throw` is where dice fall and are told. `Check.chances` walks the very same fall with branching dice, so the odds of a
check cannot disagree with the check that is thrown. What is more than one check (a volley, an assault) is walked whole
by the enumerator.

Several dice against one are a check too: each is compared by itself, and how many are higher decides (`throw_each`).
"""

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from functools import lru_cache, partial
from typing import NamedTuple

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.dice import Dice, Result, notation
from sandtable.engine.enumerator import chances_of
from sandtable.engine.events import Detail, Rolled
from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.ids import Side
from sandtable.engine.questions import Chance, Preview
from sandtable.forces.ledger import Rule, citing


class ExtraDie(NamedTuple):
    """A die that a natural score adds to itself: which scores do, each by the rule that says so."""

    dice: str
    naturals: Mapping[int, Rule]
    label: str = "critical success"


class AddedDie(NamedTuple):
    """A die that is thrown with a check and added to it, but is no part of its natural score.

    One that lies on the table already says what it shows.
    """

    dice: str
    rule: Rule
    label: str
    shows: int = 0

    def fall(self, dice: Dice, into: Callable[[int], Hashable] | None = None) -> tuple[tuple[int, ...], int]:
        """Its faces and what they add."""
        if self.shows:
            return (self.shows,), self.shows
        fell = dice.total(self.dice, into)
        return fell.faces, fell.natural


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """How faces become a result, beyond adding them up: what always fails or succeeds, and what adds a die.

    `same` says which margins of success come to the same thing, and that nothing hangs on how far a check fails: odds
    then walk one of several falls for all. Without it every natural score is walked.
    """

    always_fails: tuple[int, ...] = ()
    always_succeeds: tuple[int, ...] = ()
    extra: ExtraDie | None = None
    succeeded: str = "succeeds"
    failed: str = "fails"
    always_failed: str = ""  # the outcome in words where the natural score fails whatever is added
    same: Callable[[int], Hashable] | None = None
    each: Callable[[int], str] | None = None  # of several dice against one: what so many higher ones are called


class Fall(NamedTuple):
    """How a check fell: its faces, the natural score, what an extra die added, and what it comes to."""

    faces: tuple[int, ...]
    natural: int
    extra: int
    score: int
    margin: int
    succeeds: bool
    against: int = 0  # what an opposing check came to
    added: int = 0  # what an added die shows


class Thrown(NamedTuple):
    """A check that was thrown and told; `n` is its event."""

    n: int
    natural: int
    score: int
    margin: int
    succeeds: bool
    theirs: int = 0  # what the opposing check came to, where there was one


class Tally(NamedTuple):
    """Several dice against one so far: how many are higher, and what all of them add up to."""

    higher: int = 0
    total: int = 0

    def plus(self, face: int, against: int) -> "Tally":
        """The tally with one die more."""
        return Tally(self.higher + (face > against), self.total + face)


class ThrownEach(NamedTuple):
    """Several dice that were thrown against one, and told: what each shows, and the last event."""

    n: int
    scores: tuple[int, ...]
    tally: Tally


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One roll before it falls. It succeeds by reaching what it needs, or by beating the check against it."""

    what: str  # its name in logs, cases and standing orders
    by: str
    dice: str
    rule: Rule
    keep: int = 0  # so many of its dice count, the highest; none where all do
    needs: Explanation | None = None  # none where an opposing check decides, or nothing does
    modifiers: tuple[ExplainedPart, ...] = ()
    dice_parts: tuple[ExplainedPart, ...] = ()  # why it is these dice
    times: ExplainedPart | None = None  # its score is multiplied: by how much, and by which rule
    against: "Check | None" = None
    added_die: AddedDie | None = None
    reading: Reading = Reading()
    citing: tuple[Rule, ...] = ()
    known_to: tuple[Side, ...] = ()

    @property
    def sides(self) -> int:
        """How many sides its die has, where it is one die."""
        (sides,) = notation(self.dice)
        return sides

    @property
    def target(self) -> int:
        """The score it has to reach."""
        assert self.needs is not None, f"{self.what} needs nothing"
        return self.needs.total

    def fall(self, dice: Dice, needs: int | None = None, *, whole: bool = False, fallen: Result | None = None) -> Fall:
        """Let it fall. What it needs is its own, or what the check against it came to.

        Odds that ask for more than the rules do have it fall `whole`: every natural score by itself. Of dice that have
        `fallen` already, only an extra die is thrown.
        """
        wanted = needs if needs is not None else 0 if self.needs is None else self.needs.total
        added, reading = sum([part.value for part in self.modifiers]), self.reading
        times = 1 if self.times is None else self.times.value
        decides = needs is not None or self.needs is not None

        def came_to(natural: int, extra: int = 0) -> tuple[int, bool]:
            margin = natural * times + extra + added - wanted
            fails = natural in reading.always_fails
            return margin, decides and not fails and (margin >= 0 or natural in reading.always_succeeds)

        def sort(natural: int, extra: int = 0) -> Hashable:
            margin, succeeds = came_to(natural, extra)
            alike = reading.same(margin) if succeeds and reading.same is not None else None
            return natural in reading.always_fails, alike, succeeds

        adds = reading.extra
        grows: Mapping[int, Rule] = {} if adds is None else adds.naturals
        merges = decides and reading.same is not None and not whole
        plus, fell = self.added_die, fallen
        into = (lambda natural: natural if natural in grows else sort(natural)) if merges and plus is None else None
        if fell is None:
            fell = dice.highest(self.keep, self.dice, into) if self.keep else dice.total(self.dice, into)
        natural = fell.natural
        faces, extra, bonus = fell.faces, 0, 0
        if plus is not None:
            thrown, bonus = plus.fall(dice, partial(sort, natural) if merges and natural not in grows else None)
            faces = (*faces, *thrown)
        if adds is not None and natural in grows:
            more = dice.total(adds.dice, (lambda face: sort(natural, face + bonus)) if merges else None)
            faces, extra = (*faces, *more.faces), more.natural
        margin, succeeds = came_to(natural, extra + bonus)
        return Fall(faces, natural, extra, margin + wanted, margin, succeeds, added=bonus)

    def chances(self, result: Callable[[Fall], Hashable] = lambda fall: fall.succeeds) -> dict[Hashable, Fraction]:
        """How likely each result is, by letting it fall in every way there is."""

        def play(dice: Dice) -> Hashable:
            if self.against is None:
                return result(self.fall(dice, whole=True))
            theirs = self.against.fall(dice, whole=True).score
            return result(self.fall(dice, theirs + 1, whole=True)._replace(against=theirs))

        return chances_of(play)

    def passes(self) -> Fraction:
        """How likely it is to succeed."""
        return self.chances().get(True, Fraction(0))

    def tallies(self) -> Mapping[Tally, Fraction]:
        """How likely several dice come to each tally against the one die of the check against them."""
        assert self.against is not None, f"{self.what}: several dice against nothing"
        return _tallies(notation(self.dice), self.against.sides)

    def preview(self) -> Preview:
        """The check told before it falls: what it needs, what is added, and how likely it is to succeed."""
        added = (explain(f"added to {self.what}", *self.modifiers),) if self.modifiers else ()
        needs = () if self.needs is None else (self.needs,)
        passes = self.passes()
        odds = (
            Chance(self.reading.succeeded, passes.numerator, passes.denominator, one_of=True),
            Chance(self.reading.failed, passes.denominator - passes.numerator, passes.denominator, one_of=True),
        )
        return Preview((*needs, *added), odds=odds if needs or self.against is not None else ())


def to_beat(label: str, score: int, rule: Rule, exceeds: Rule, known_to: tuple[Side, ...] = ()) -> Explanation:
    """What a check needs that has to be higher than a score.

    >>> rolled = ExplainedPart("their die", 4, "r.opposed")
    >>> Explanation("to beat", 5, (rolled, ExplainedPart("to exceed it", 1, "r.exceed"))).total
    5
    """
    parts = (ExplainedPart(label, score, rule.id, known_to), ExplainedPart("to exceed it", 1, exceeds.id))
    return Explanation("to beat", score + 1, parts)


def throw(
    battle: Battle,
    check: Check,
    because: int = 0,
    *,
    exceeds: Rule | None = None,
    outcome: Callable[[int, int], str] | None = None,
    detail: Callable[[Fall], Detail] | None = None,
    fallen: Result | None = None,
) -> Thrown:
    """Let a check fall and tell it. An opposing check falls first, and has to be exceeded.

    `outcome` says in words what the own and the opposing score come to; `exceeds` is the rule that an equal score
    fails; `detail` is told along with the roll; `fallen` are dice that lie on the table already.
    """
    needs, theirs = check.needs, 0
    if check.against is not None:
        assert exceeds is not None, f"{check.what}: name the rule that says who wins"
        opposing = throw(battle, check.against, because)
        theirs, because = opposing.score, opposing.n
        # One part that is not a side's to know hides this score too: it is what the other die has shown.
        known = next((part.known_to for part in check.against.dice_parts if part.known_to), ())
        needs = to_beat(check.against.what, theirs, check.rule, exceeds, known)
    fell = check.fall(battle.dice, None if needs is None else needs.total, fallen=fallen)
    n = battle.tells(lambda: _told(check, fell, needs, because, theirs, outcome, detail))
    return Thrown(n, fell.natural, fell.score, fell.margin, fell.succeeds, theirs)


def _told(
    check: Check,
    fell: Fall,
    needs: Explanation | None,
    because: int,
    theirs: int,
    outcome: Callable[[int, int], str] | None,
    detail: Callable[[Fall], Detail] | None,
) -> Rolled:
    """A check that fell, as it is told."""
    parts = list(check.modifiers)
    if check.times is not None and check.times.value != 1:
        grown = fell.natural * (check.times.value - 1)
        parts.append(ExplainedPart(check.times.label, grown, check.times.rule))
    if check.added_die is not None:
        parts.append(ExplainedPart(check.added_die.label, fell.added, check.added_die.rule.id))
    if fell.extra and check.reading.extra is not None:
        extra = check.reading.extra
        parts.append(ExplainedPart(extra.label, fell.extra, extra.naturals[fell.natural].id))
    if outcome is not None:
        word = outcome(fell.score, theirs)
    else:
        word = _outcome(check, fell) if needs is not None else ""
    return Rolled(
        check.what,
        check.by,
        f"best {check.keep} of {check.dice}" if check.keep else check.dice,
        fell.faces,
        fell.natural,
        tuple(parts),
        fell.score,
        None if needs is None else needs.total,
        () if needs is None else needs.parts,
        None if needs is None else fell.margin,
        word,
        dice_parts=check.dice_parts,
        rule=check.rule.id,
        because=because,
        detail=detail(fell) if detail is not None else citing(*check.citing),
        known_to=check.known_to,
    )


def throw_each(battle: Battle, check: Check, because: int = 0) -> ThrownEach:
    """Let several dice fall, one by one, and then the one against them; tell both. The second says what comes of it."""
    against, outcome = check.against, check.reading.each
    assert against is not None, f"{check.what}: several dice against nothing"
    assert outcome is not None, f"{check.what}: say what so many higher dice come to"
    scores = tuple([battle.dice.total(f"d{die}").natural for die in notation(check.dice)])
    theirs = battle.dice.total(against.dice).natural
    tally = Tally()
    for score in scores:
        tally = tally.plus(score, theirs)
    n = because
    for one, faces, word in ((check, scores, ""), (against, (theirs,), outcome(tally.higher))):
        n = battle.happens(
            Rolled(
                *(one.what, one.by, one.dice, faces, sum(faces)),
                total=sum(faces),
                outcome=word,
                dice_parts=one.dice_parts,
                rule=one.rule.id,
                because=n,
                detail=citing(*one.citing),
                known_to=one.known_to,
            )
        )
    return ThrownEach(n, scores, tally)


@lru_cache(maxsize=1024)
def _tallies(dice: tuple[int, ...], against: int) -> Mapping[Tally, Fraction]:
    """Every fall of some dice against one, counted die by die: equal tallies go on together.

    >>> sum(share for tally, share in _tallies((8, 8), 4).items() if tally.higher == 2)
    Fraction(63, 128)
    """
    found: dict[Tally, int] = {}
    for theirs in range(1, against + 1):
        ways = {Tally(): 1}
        for die in dice:
            after: dict[Tally, int] = {}
            for tally, count in ways.items():
                for face in range(1, die + 1):
                    more = tally.plus(face, theirs)
                    after[more] = after.get(more, 0) + count
            ways = after
        for tally, count in ways.items():
            found[tally] = found.get(tally, 0) + count
    every = sum(found.values())
    return {tally: Fraction(count, every) for tally, count in found.items()}


def _outcome(check: Check, fell: Fall) -> str:
    if fell.succeeds:
        return check.reading.succeeded
    fumbled = fell.natural in check.reading.always_fails and check.reading.always_failed
    return check.reading.always_failed if fumbled else check.reading.failed
