"""A number that decides is a list of parts, each naming its rule: preview, log line and input of the odds."""

import msgspec

from sandtable.engine.ids import RuleId, Side


class ExplainedPart(msgspec.Struct, frozen=True, gc=False):
    """One part of a number: what it is, how much, which rule says so, and who may know (none named: everybody).

    A part may bring a die rather than a number to add: its value is the sides, and its label ends with the die.

    >>> ExplainedPart("cover", 1, "r.cover").words(), ExplainedPart("armour D8", 8, "r.armour").words()
    ('cover +1', 'armour D8')
    """

    label: str
    value: int
    rule: RuleId
    known_to: tuple[Side, ...] = ()

    def words(self) -> str:
        """The part as players say it."""
        return f"{self.label} {worth}" if (worth := self.worth()) else self.label

    def worth(self) -> str:
        """How much it is, with its sign; nothing where it brings a die, which its label tells."""
        return "" if self.label.endswith(f" D{self.value}") else signed(self.value)


class Explanation(msgspec.Struct, frozen=True, gc=False):
    """A number and the parts it is the sum of.

    >>> e = explain("to hit", ExplainedPart("Wizzo", 1, "r.a"), ExplainedPart("light cover", -1, "r.b"))
    >>> e.total, e.words()
    (0, 'Wizzo +1 · light cover −1')
    """

    what: str
    total: int
    parts: tuple[ExplainedPart, ...] = ()

    def words(self) -> str:
        """The parts as players say them."""
        return " · ".join(part.words() for part in self.parts)

    def seen_by(self, side: Side) -> "Explanation | None":
        """What a side may know of it: all of it, or nothing where a part is not its to know.

        A total with one part missing would tell that part, so it goes as a whole.
        """
        if all(not part.known_to or (side and side in part.known_to) for part in self.parts):
            return self
        return None


def explain(what: str, *parts: ExplainedPart) -> Explanation:
    """The explanation whose total is the sum of its parts."""
    return Explanation(what, sum([part.value for part in parts]), parts)


def signed(value: int) -> str:
    """A modifier as it is printed: +1, −2, 0."""
    return f"+{value}" if value > 0 else f"−{-value}" if value < 0 else "0"


def inches(thousandths: int, mark: str = "″") -> str:
    """A distance as players read it, without a float.

    >>> inches(12000), inches(1705), inches(-250, " cm")
    ('12″', '1.705″', '-0.25 cm')
    """
    whole, rest = divmod(abs(thousandths), 1000)
    text = f"{whole}.{rest:03}".rstrip("0").rstrip(".")
    return f"{'-' if thousandths < 0 else ''}{text}{mark}"
