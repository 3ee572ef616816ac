"""Several dice that are read one by one: shots that hit or miss, hits that do nothing, harm, or harm twice over.

A pool is to many dice what a check is to one: play, preview, odds and opponents read the same object.
"""

from collections.abc import Hashable
from fractions import Fraction
from typing import NamedTuple

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.dice import Dice
from sandtable.engine.enumerator import chances_of
from sandtable.engine.events import Rolled
from sandtable.engine.explain import Explanation
from sandtable.forces.ledger import Rule, citing
from sandtable.telling.vocabulary import by_number


class Fell(NamedTuple):
    """How a pool fell: the number of its event, its faces, and how many dice came to each class."""

    n: int
    faces: tuple[int, ...]
    counts: tuple[int, ...]


class Pool(msgspec.Struct, frozen=True, kw_only=True):
    """Some like dice before they fall. Each face has its class: 0 is nothing, higher ones are better.

    `words` names the classes above 0, for one and for several (`hit[|s]`); they are told as "2 hits · 1 critical".
    """

    what: str
    by: str
    count: int
    rule: Rule
    needs: Explanation
    classes: tuple[int, ...]  # of the face 1, the face 2 and so on
    words: tuple[str, ...] = ("hit[|s]",)
    citing: tuple[Rule, ...] = ()

    @property
    def kinds(self) -> int:
        """How many classes are told apart."""
        return len(self.words) + 1

    def fall(self, dice: Dice) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Let it fall: its faces, and how many of each class."""
        if not self.count:
            return (), (0,) * self.kinds
        fell = dice.sorted(self.count, self.classes)
        counts = fell.kind
        assert isinstance(counts, tuple)
        return fell.faces, (*counts, *((0,) * (self.kinds - len(counts))))

    def chances(self) -> dict[tuple[int, ...], Fraction]:
        """How likely each result is, by letting it fall in every way there is."""

        def play(dice: Dice) -> Hashable:
            return self.fall(dice)[1]

        found = chances_of(play)
        return {counts: chance for counts, chance in found.items() if isinstance(counts, tuple)}

    def outcome(self, counts: tuple[int, ...]) -> str:
        """What a result reads like.

        >>> from sandtable.forces.ledger import ledger, systems
        >>> rule = next(iter(ledger(systems()[0]).rules.values()))
        >>> needs = Explanation("to hit", 4)
        >>> pool = Pool(what="hit", by="A", count=3, rule=rule, needs=needs, classes=(0, 0, 0, 1, 1, 1))
        >>> pool.outcome((1, 2)), pool.outcome((3, 0))
        ('2 hits', 'no hit')
        """
        told = [f"{n} {by_number(word, n > 1)}" for n, word in zip(counts[1:], self.words, strict=True) if n]
        return " · ".join(told) or f"no {by_number(self.words[0], False)}"


def throw_pool(battle: Battle, pool: Pool, because: int = 0, *, replaces: int = 0) -> Fell:
    """Let a pool fall and tell it; nothing is told of one without dice."""
    faces, counts = pool.fall(battle.dice)
    if not faces:
        return Fell(because, faces, counts)
    told = Rolled(
        pool.what,
        pool.by,
        f"{pool.count}d{len(pool.classes)}",
        faces,
        sum(counts[1:]),
        total=sum(counts[1:]),
        needs=pool.needs.total,
        needs_parts=pool.needs.parts,
        outcome=pool.outcome(counts),
        replaces=replaces,
        rule=pool.rule.id,
        because=because,
        detail=citing(*pool.citing) if pool.citing else {},
    )
    return Fell(battle.happens(told), faces, counts)
