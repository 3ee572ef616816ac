"""The table of a conformance case, as every ruleset reads it: who stands on which side, who acts, in which turn."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from sandtable.engine.ids import Side
from sandtable.forces.data import Data
from sandtable.forces.files import CaseError, Node, nearest
from sandtable.forces.reading import Fail
from sandtable.forces.scenario import SideForm

#: The keys by which a case of any ruleset lays out its table, with what they say.
TABLE_KEYS = {
    "board": "{width, height, terrain: [{kind: hill, circle: [x, y, radius]}]}; rectangle: [x, y, width, height], "
    "polygon: [[x, y], …] and band: {points: [[x, y], …], width: 2} are other outlines; id names a piece. "
    "terrain: random is laid by the rules as the battle is set up",
    "turn": "who acts, one or a list; the battle opens with the first of them. Without it the battle is set up first",
    "turn_number": "which turn it is; 1 where nothing is said. With `turn` or `next`",
    "next": "the side whose turn it is once those named by `turn` have acted",
    "baselines": "{side: edge}: north, south, west or east",
    "options": "{option: value}: optional rules of the battle",
}
MOST_TURNS = 99
#: What stands between a side and what one of its cards is assigned to.
ASSIGNED = ": "


class Opening(msgspec.Struct, frozen=True):
    """Where a case begins: who acts, in which turn, which sides come next, and whose edge is whose."""

    turn: tuple[str, ...] = ()
    turn_number: int = 1
    next: tuple[Side, ...] = ()
    baselines: dict[Side, str] = {}

    def told(self) -> dict[str, object]:
        """As a set-up keeps it: `turn`, and of the rest what a case has said.

        >>> Opening(("A",), 3).told()
        {'turn': ['A'], 'turn_number': 3}
        """
        said = {"turn_number": self.turn_number, "next": list(self.next), "baselines": self.baselines}
        default = {"turn_number": 1, "next": [], "baselines": {}}
        return {"turn": list(self.turn), **{key: one for key, one in said.items() if one != default[key]}}

    @staticmethod
    def of(scenario: Mapping[str, object]) -> "Opening":
        """Out of what a set-up keeps."""
        kept = {key: scenario[key] for key in Opening.__struct_fields__ if key in scenario}
        return msgspec.convert(kept, Opening)


def opening(case: Data, sides: Mapping[Side, SideForm], what: str, edges: Sequence[str]) -> Opening:
    """Where a case begins. `what` they are who act is told; `edges` are those that a side may start from."""
    turn = whose_turn(case, sides.values(), what)
    after = tuple(map(Side, _words(case, "next")))
    for side in after:
        if side.partition(ASSIGNED)[0] not in sides:
            raise case.fail(f"`{side}` in `next` is no side of this case", nearest(side, sides), "next")
    number = case.number("turn_number") if case.has("turn_number") else 1
    if not 1 <= number <= MOST_TURNS:
        raise case.fail(f"the turn is number {number}", f"1 to {MOST_TURNS} would do", "turn_number")
    if number > 1 and not turn and not after:
        raise case.fail(
            "`turn_number` without anybody who acts", "say who acts in it by `turn` or `next`", "turn_number"
        )
    told = case.table("baselines") if case.has("baselines") else {}
    chosen = {Side(side): one.text_at() for side, one in told.items()}
    for side, edge in chosen.items():
        if side not in sides:
            raise case.fail(f"`{side}` in `baselines` is no side of this case", nearest(side, sides), "baselines", side)
        if edge not in edges:
            raise case.fail(f"`{edge}` is no edge to start from here", nearest(edge, edges), "baselines", side)
    if len(set(chosen.values())) != len(chosen):
        raise case.fail("two sides start from one edge", "give each an edge of its own", "baselines")
    return Opening(turn, number, after, chosen)


def see_keys(case: Data, sides: Sequence[Side], others: Iterable[str]) -> None:
    """Refuse a case with a key that is neither a side nor one that cases of the ruleset have."""
    known = (*sides, *others)
    for name in case.names():
        if name not in known:
            raise case.fail(f"`{name}` is no side and no other key", nearest(name, known), name)


def whose_turn(case: Data, sides: Iterable[SideForm], what: str) -> tuple[str, ...]:
    """Those a case lets act (`turn`), one or several in their order; each must stand there. `what` they are is told.

    A unit is named by its own name too: its first model stands for it.
    """
    models = [model for side in sides for model in side.force]
    known = [model.name for model in models if model.name]
    first = {model.unit: model.name for model in reversed(models) if model.unit not in known}
    turn = tuple(first.get(name, name) for name in _words(case, "turn"))
    for name in turn:
        if name not in known:
            remedy = (
                nearest(name, known) if name not in case.names() else f"name one of its {what}, or say `next: {name}`"
            )
            raise case.fail(f"`{name}` in `turn` is none of the {what}", remedy, "turn")
    return turn


def _words(case: Data, key: str) -> tuple[str, ...]:
    """One word or a list of them."""
    if not case.has(key):
        return ()
    return case.texts(key) if isinstance(case.at(key).node.value, list) else (case.text_at(key),)


def told_by_its_line(case: Data, sides: Sequence[Side]) -> Fail:
    """How to say what is wrong with a case laid out as a scenario: each model with its own line."""
    forces = {
        str(side): Node({"force": node}, node.line) for side in sides if (node := case.node.child(side)) is not None
    }
    board = case.node.child("board") or Node({}, case.line)
    return Fail(case.file, Node({"board": board, "sides": Node(dict(forces), case.line)}, case.line), CaseError)
