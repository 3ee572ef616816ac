"""Which modules a shot passes, in the order in which it comes to them: `python -m tests.walk_of_a_shot CASE`.

Traced in a process of its own, so that nothing is kept from before.
"""

import sys
from pathlib import Path
from types import FrameType
from typing import Any

from sandtable.engine.battle import Battle
from sandtable.lab.cases.batch import Stage
from sandtable.lab.cases.form import read_cases

#: What a reader of the rules looks for: the rules themselves and what they are built from.
ROOMS = ("sandtable.rulesets.", "sandtable.tabletop.")


def modules_passed(case: Path) -> list[str]:
    """The modules of rules and tabletop that answers of a case's first battle lead through."""
    passed: dict[str, None] = {}
    answer = Battle.answer

    def note(frame: FrameType, event: str, arg: object) -> None:
        name = str(frame.f_globals.get("__name__", ""))
        if event == "call" and name.startswith(ROOMS):
            passed[name] = None

    def traced(battle: Battle, *args: Any, **named: Any) -> Any:
        sys.setprofile(note)
        try:
            return answer(battle, *args, **named)
        finally:
            sys.setprofile(None)

    Battle.answer = traced  # type: ignore[method-assign, assignment]
    outcome = Stage().play(read_cases(case)[0])
    assert outcome.passed, outcome
    return list(passed)


if __name__ == "__main__":
    print("\n".join(modules_passed(Path(sys.argv[1]))))
