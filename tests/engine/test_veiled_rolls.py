"""A roll with a part that is one side's secret shows the others its outcome, and nothing that tells the part."""

from sandtable.engine.events import Rolled, seen_by
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import BLUE, NO_SIDE, RED, RuleId

OPEN = ExplainedPart("soft cover", 1, RuleId("r.cover"))
SECRET = ExplainedPart("in position", 1, RuleId("r.position"), known_to=(BLUE,))


def _roll(**changes: object) -> Rolled:
    fields: dict[str, object] = {
        "what": "hide",
        "by": "K",
        "dice": "d10",
        "faces": (5,),
        "natural": 5,
        "parts": (OPEN,),
        "total": 6,
        "needs": 4,
        "needs_parts": (ExplainedPart("base", 4, RuleId("r.base")),),
        "margin": 2,
        "outcome": "minor success",
        "dice_parts": (OPEN,),
        "detail": {"shifts": 2},
    }
    return Rolled(**{**fields, **changes})  # type: ignore[arg-type]


def test_a_secret_part_leaves_the_outcome_alone() -> None:
    veiled = Rolled("hide", "K", outcome="minor success")
    for where in ("parts", "needs_parts", "dice_parts"):
        roll = _roll(**{where: (OPEN, SECRET)})
        assert seen_by(roll, RED) == seen_by(roll, NO_SIDE) == veiled, where
        assert seen_by(roll, BLUE) is roll, where


def test_a_secret_part_of_no_weight_veils_all_the_same() -> None:
    weightless = ExplainedPart("in position", 0, RuleId("r.position"), known_to=(BLUE,))
    assert seen_by(_roll(dice_parts=(OPEN, weightless)), RED) == Rolled("hide", "K", outcome="minor success")


def test_a_roll_without_secrets_is_shown_to_all() -> None:
    roll = _roll()
    assert seen_by(roll, RED) is roll
