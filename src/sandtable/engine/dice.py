"""Dice are a strategy: rules ask for results, and who rolls decides where they come from.

Seeded dice play, scripted dice test, branching dice (see `enumerator`) walk every outcome. A throw knows both how to
read its result off the faces and, for the odds, how likely each result is; the two are held together by a test that
counts every combination of faces.
"""

import hashlib
import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb, prod
from struct import Struct
from typing import NamedTuple

#: What a throw can come to: the result, in how many ways of all, and faces that show it.
Ways = tuple[tuple["Result", int], ...]


class Result(NamedTuple):
    """What a throw came to: what the dice are called, their faces, and the number (or class) read off them."""

    dice: str
    faces: tuple[int, ...]
    natural: int
    kind: Hashable = None


class Throw:
    """One ask of the dice: which dice, and how a result is read off their faces."""

    def __init__(self, name: str, sides: tuple[int, ...], read: Callable[[tuple[int, ...]], int]) -> None:
        self.name = name
        self.sides = sides
        self.read = read
        self.count = prod(sides)  # in how many ways it can fall

    def result(self, faces: tuple[int, ...]) -> Result:
        """The result that these faces show."""
        return Result(self.name, faces, self.read(faces))

    def ways(self) -> Ways:
        """Every result with the number of ways it can fall, by counting all faces."""
        counted: dict[int, tuple[Result, int]] = {}
        for faces in product(*(range(1, sides + 1) for sides in self.sides)):
            result = self.result(faces)
            known = counted.get(result.natural)
            counted[result.natural] = (result, 1) if known is None else (known[0], known[1] + 1)
        return tuple(counted[natural] for natural in sorted(counted))


class _Sum(Throw):
    """The sum of dice, its ways found by adding one die at a time."""

    def __init__(self, name: str, sides: tuple[int, ...]) -> None:
        super().__init__(name, sides, sum)

    def ways(self) -> Ways:
        sums: dict[int, tuple[tuple[int, ...], int]] = {0: ((), 1)}
        for sides in self.sides:
            added: dict[int, tuple[tuple[int, ...], int]] = {}
            for total, (faces, count) in sums.items():
                for face in range(1, sides + 1):
                    known = added.get(total + face)
                    added[total + face] = ((*faces, face), count) if known is None else (known[0], known[1] + count)
            sums = added
        return tuple((Result(self.name, faces, total), count) for total, (faces, count) in sorted(sums.items()))


class _Sorted(Throw):
    """How many of several like dice fall into each of some classes: `kind` says so; `natural` is all but class 0."""

    def __init__(self, name: str, count: int, classes: tuple[int, ...]) -> None:
        super().__init__(name, (len(classes),) * count, lambda faces: sum(classes[face - 1] > 0 for face in faces))
        self.classes = classes
        self.faces_of = [
            tuple(n + 1 for n, one in enumerate(classes) if one == kind) for kind in range(max(classes) + 1)
        ]

    def result(self, faces: tuple[int, ...]) -> Result:
        kinds = [self.classes[face - 1] for face in faces]
        counts = tuple(kinds.count(kind) for kind in range(len(self.faces_of)))
        return Result(self.name, faces, self.read(faces), counts)

    def ways(self) -> Ways:
        found = []
        for counts in _shares(len(self.sides), len(self.faces_of)):
            if any(count and not faces for count, faces in zip(counts, self.faces_of, strict=True)):
                continue
            ways, left = 1, len(self.sides)
            shown: tuple[int, ...] = ()
            for count, faces in zip(counts, self.faces_of, strict=True):
                ways *= comb(left, count) * len(faces) ** count
                left -= count
                shown += faces[-1:] * count
            found.append((Result(self.name, shown, len(self.sides) - counts[0], counts), ways))
        return tuple(found)


def _shares(count: int, kinds: int) -> Iterator[tuple[int, ...]]:
    """Every way to share so many among so many kinds."""
    if kinds == 1:
        yield (count,)
        return
    for first in range(count + 1):
        for rest in _shares(count - first, kinds - 1):
            yield (first, *rest)


class _Scatter(Throw):
    """A distance and a whole-degree direction, told apart only as far as `into` does."""

    def __init__(self, name: str, sides: tuple[int, ...], into: Callable[[int, int], Hashable] | None) -> None:
        super().__init__(name, (*sides, 360), lambda faces: sum(faces[:-1]))
        self.into = into

    def result(self, faces: tuple[int, ...]) -> Result:
        # A face of 360 is the direction 0, so that scripted faces may name either.
        shown = (*faces[:-1], faces[-1] % 360)
        kind = None if self.into is None else self.into(sum(shown[:-1]), shown[-1])
        return Result(self.name, shown, sum(shown[:-1]), kind)

    def ways(self) -> Ways:
        counted: dict[Hashable, tuple[Result, int]] = {}
        for (_, faces, length, _), count in _sums(self.sides[:-1]):
            for degrees in range(360):
                kind = None if self.into is None else self.into(length, degrees)
                apart = (length, degrees) if self.into is None else kind
                known = counted.get(apart)
                if known is None:
                    counted[apart] = (Result(self.name, (*faces, degrees), length, kind), count)
                else:
                    counted[apart] = (known[0], known[1] + count)
        return tuple(counted.values())


@lru_cache(maxsize=64)
def _sums(sides: tuple[int, ...]) -> Ways:
    return _Sum("", sides).ways()


#: More dice in one throw, or more faces on one of them, are a slip of the pen.
MOST_DICE = 100
MOST_FACES = 1_000_000


@lru_cache(maxsize=256)
def notation(dice: str) -> tuple[int, ...]:
    """The dice of a notation, each by its number of sides.

    >>> notation("2d6"), notation("d10"), notation("2d6+d4")
    ((6, 6), (10,), (6, 6, 4))
    """
    sides: list[int] = []
    for term in dice.replace(" ", "").lower().split("+"):
        found = re.fullmatch(r"([0-9]{0,3})d([0-9]{1,7})", term)
        count, faces = (int(found[1] or 1), int(found[2])) if found else (0, 0)
        if not (1 <= count <= MOST_DICE and 1 <= faces <= MOST_FACES):
            raise ValueError(f"{dice!r} are no dice; write them as 2d6, d10 or 2d6+d4")
        sides += [faces] * count
    return tuple(sides)


@lru_cache(maxsize=256)
def _total(dice: str) -> Throw:
    return _Sum(dice, notation(dice))


@lru_cache(maxsize=256)
def _highest(keep: int, dice: str) -> Throw:
    assert keep > 0, "the highest none of some dice"
    return Throw(f"best {keep} of {dice}", notation(dice), lambda faces: sum(sorted(faces)[-keep:]))


@lru_cache(maxsize=1024)
def _sorted_dice(count: int, classes: tuple[int, ...]) -> Throw:
    return _Sorted(f"{count}d{len(classes)}", count, classes)


@lru_cache(maxsize=1024)
def _ways(throw: Throw) -> Ways:
    return throw.ways()


class Dice:
    """What rules ask. Each ask is one draw; the state of the dice is a seed and the number of draws."""

    def __init__(self) -> None:
        self.draws = 0

    def fall(self, throw: Throw) -> Result:
        """Let the dice of one throw fall. Each strategy has its own way."""
        raise NotImplementedError

    def copy(self) -> "Dice":
        """Dice that go on as these would, on their own, where the strategy allows it; else these."""
        return self

    def total(self, dice: str, into: Callable[[int], Hashable] | None = None) -> Result:
        """The sum of some dice, such as "2d6" or "d10".

        `into` says which sums come to the same thing (all that miss), so that odds walk one of them for all.
        """
        return self.fall(_total(dice))

    def highest(self, keep: int, of: str, into: Callable[[int], Hashable] | None = None) -> Result:
        """The sum of the highest few of some dice; `into` as of `total`."""
        return self.fall(_highest(keep, of))

    def successes(self, count: int, needs: int, die: int = 6) -> Result:
        """How many of several dice show at least a number."""
        return self.sorted(count, tuple(int(face >= needs) for face in range(1, die + 1)))

    def sorted(self, count: int, classes: tuple[int, ...]) -> Result:
        """Several like dice, each put into a class by the face it shows: `kind` says how many there are of each.

        >>> SeededDice(1).sorted(3, (0, 0, 0, 1, 1, 2)).kind  # of three dice one misses, and two hit twice over
        (1, 0, 2)
        """
        return self.fall(_sorted_dice(count, classes))

    def opposed(self, ours: str, theirs: str) -> tuple[Result, Result]:
        """One throw for each of two sides."""
        return self.total(ours), self.total(theirs)

    def number(self, limit: int) -> int:
        """A whole number from 0 up to, but not including, a limit."""
        return self.total(f"d{limit}").natural - 1 if limit > 1 else 0

    def shuffled(self, cards: Sequence[str]) -> tuple[str, ...]:
        """The cards in a new order, each order equally likely."""
        left, order = list(cards), []
        while len(left) > 1:
            order.append(left.pop(self.number(len(left))))
        return tuple(order + left)

    def scatter(self, dice: str, into: Callable[[int, int], Hashable] | None = None) -> Result:
        """A distance and a direction in whole degrees (the last face).

        `into` says which of them come to the same thing (who is caught), so that odds need not walk 3,600 of them.
        """
        return self.fall(_Scatter(f"{dice} and a direction", notation(dice), into))


class SeededDice(Dice):
    """Dice from a seed and a counter: the same battle falls the same way on every machine.

    >>> first, second = SeededDice(7), SeededDice(7)
    >>> first.total("2d6") == second.total("2d6")
    True
    """

    def __init__(self, seed: int | str, draws: int = 0) -> None:
        super().__init__()
        self.seed = seed
        self.draws = draws
        key = hashlib.blake2b(str(seed).encode(), digest_size=32).digest()
        self._keyed = hashlib.blake2b(key=key, digest_size=64)

    def copy(self) -> "SeededDice":
        return SeededDice(self.seed, self.draws)

    def fall(self, throw: Throw) -> Result:
        self.draws += 1
        # Almost always the first number of the draw's block does for each die.
        faces = []
        for number, sides in zip(self._block(self.draws, 0), throw.sides, strict=False):
            if number >= _ALL - _ALL % sides:
                break
            faces.append(number % sides + 1)
        if len(faces) < len(throw.sides):
            stream = self._numbers(self.draws)
            faces = [_face(stream, sides) for sides in throw.sides]
        return throw.result(tuple(faces))

    def _numbers(self, draw: int) -> Iterator[int]:
        """Numbers of 32 bits that belong to one draw, as many as it takes."""
        block = 0
        while True:
            yield from self._block(draw, block)
            block += 1

    def _block(self, draw: int, block: int) -> tuple[int, ...]:
        named = self._keyed.copy()
        named.update(draw.to_bytes(8, "big") + block.to_bytes(4, "big"))
        return _NUMBERS.unpack(named.digest())


#: One block of numbers of 32 bits, and how many such numbers there are.
_NUMBERS = Struct(">16I")
_ALL = 1 << 32


def _face(stream: Iterator[int], sides: int) -> int:
    limit = _ALL - _ALL % sides
    while True:
        number = next(stream)
        if number < limit:
            return number % sides + 1


class OutOfFaces(Exception):
    """A script of dice ran out, or holds a face its die does not have."""


class ScriptedDice(Dice):
    """Dice that fall as written: for cases and tests. A draw made again, as after an undo, falls as it fell before.

    >>> ScriptedDice([2, 3]).total("2d6").natural
    5
    """

    def __init__(self, faces: Sequence[int] = ()) -> None:
        super().__init__()
        self.faces = list(faces)
        self.fallen: list[tuple[int, ...]] = []  # the faces of every draw so far

    def fall(self, throw: Throw) -> Result:
        self.draws += 1
        if self.draws <= len(self.fallen):
            return throw.result(self.fallen[self.draws - 1])
        if len(self.faces) < len(throw.sides):
            raise OutOfFaces(f"{throw.name} needs {len(throw.sides)} faces; {len(self.faces)} are left in the script")
        faces, self.faces = tuple(self.faces[: len(throw.sides)]), self.faces[len(throw.sides) :]
        for face, sides in zip(faces, throw.sides, strict=True):
            if not (1 <= face <= sides or (sides == 360 and face == 0)):
                raise OutOfFaces(f"{throw.name} cannot show {face}; a d{sides} has the faces 1 to {sides}")
        self.fallen.append(faces)
        return throw.result(faces)

    def copy(self) -> "ScriptedDice":
        """Dice that go on as these would, on their own."""
        twin = ScriptedDice(self.faces)
        twin.fallen, twin.draws = list(self.fallen), self.draws
        return twin


class TooManyWays(Exception):
    """There are more ways to walk than was allowed."""


class BranchingDice(Dice):
    """Dice that follow a given path of results and note the branches they pass. Used by the enumerator.

    `known` keeps what each path came to for those who walk the same step again. A path that passes more than `most`
    branches is left: one on which the dice are thrown until they differ has no end.
    """

    def __init__(
        self, path: Sequence[int] = (), known: dict[tuple[int, ...], Ways] | None = None, most: int | None = None
    ) -> None:
        super().__init__()
        self.most = most
        self.path = list(path)
        self.known = {} if known is None else known
        self.at = 0
        self.good, self.all = 1, 1  # in so many ways of all this path is gone
        self.open: list[tuple[list[int], int]] = []  # the path up to a branch, and how many results it has
        self.passed = 0  # so many branches

    def fall(self, throw: Throw) -> Result:
        return self._branch(throw, throw.ways if isinstance(throw, _Scatter) else lambda: _ways(throw))

    def total(self, dice: str, into: Callable[[int], Hashable] | None = None) -> Result:
        """One branch for all the sums that come to the same thing."""
        throw = _total(dice)
        return self._branch(throw, lambda: _ways(throw) if into is None else _sorted_into(_ways(throw), into))

    def highest(self, keep: int, of: str, into: Callable[[int], Hashable] | None = None) -> Result:
        """One branch for all the sums that come to the same thing."""
        throw = _highest(keep, of)
        return self._branch(throw, lambda: _ways(throw) if into is None else _sorted_into(_ways(throw), into))

    def _branch(self, throw: Throw, counted: Callable[[], Ways]) -> Result:
        self.draws += 1
        so_far = tuple(self.path[: self.at])
        ways = self.known.get(so_far)
        if ways is None:
            ways = self.known[so_far] = counted()
        if self.at == len(self.path):
            if len(ways) > 1:
                self.open.append((self.path[:], len(ways)))
                self.passed += len(ways) - 1
                if self.most is not None and self.passed > self.most:
                    raise TooManyWays
            self.path.append(0)
        result, count = ways[self.path[self.at]]
        self.at += 1
        self.good *= count
        self.all *= throw.count
        return result

    @property
    def chance(self) -> Fraction:
        """How likely the path is that the dice followed."""
        return Fraction(self.good, self.all)


def _sorted_into(ways: Ways, into: Callable[[int], Hashable]) -> Ways:
    """The ways of a throw with those added up that come to the same thing."""
    counted: dict[Hashable, tuple[Result, int]] = {}
    for result, count in ways:
        kind = into(result.natural)
        known = counted.get(kind)
        counted[kind] = (result, count) if known is None else (known[0], known[1] + count)
    return tuple(counted.values())
