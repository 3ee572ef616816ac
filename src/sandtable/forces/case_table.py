"""The table of a conformance case, as every ruleset reads it: who stands on which side, and who acts."""

from collections.abc import Iterable, Sequence

from sandtable.forces.data import Data
from sandtable.forces.files import CaseError, Node, nearest
from sandtable.forces.reading import Fail
from sandtable.forces.scenario import SideForm


def see_keys(case: Data, sides: Sequence[str], others: Sequence[str]) -> None:
    """Refuse a case with a key that is neither a side nor one that cases of the ruleset have."""
    for name in case.names():
        if name not in (*sides, *others):
            raise case.fail(f"`{name}` is no side and no other key", nearest(name, (*sides, *others)), name)


def whose_turn(case: Data, sides: Iterable[SideForm], what: str) -> tuple[str, ...]:
    """Those a case lets act (`turn`), one or several in their order; each must stand there. `what` they are is told."""
    if not case.has("turn"):
        return ()
    turn = case.texts("turn") if isinstance(case.at("turn").node.value, list) else (case.text_at("turn"),)
    known = [model.name for side in sides for model in side.force]
    for name in turn:
        if name not in known:
            raise case.fail(f"`{name}` is none of the {what}", f"one of {', '.join(known)} would do", "turn")
    return turn


def told_by_its_line(case: Data, sides: Sequence[str]) -> Fail:
    """How to say what is wrong with a case laid out as a scenario: each model with its own line."""
    forces = {side: Node({"force": node}, node.line) for side in sides if (node := case.node.child(side)) is not None}
    board = case.node.child("board") or Node({}, case.line)
    return Fail(case.file, Node({"board": board, "sides": Node(dict(forces), case.line)}, case.line), CaseError)
