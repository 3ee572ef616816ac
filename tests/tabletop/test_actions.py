"""Actions as data: what an activation has no room for, and what a unit can no longer do."""

from sandtable.engine.ids import BLUE, RED, ThingId
from sandtable.engine.questions import Refusal
from sandtable.engine.table import Ground, Table, Thing
from sandtable.forces.ledger import ledger
from sandtable.tabletop.actions import Action, Budget, Menu

RULE = next(iter(ledger("quickstart").rules.values()))
TABLE = Table(Ground(9000, 9000), (RED, BLUE))
UNIT = Thing(ThingId("A"), side=RED, label="A")


def action(**more: object) -> Action:
    return Action(id="drive", label="Drive", rule=RULE, carry_out=lambda battle, unit, step: iter(()), **more)  # type: ignore[arg-type, return-value]


def refused(one: Action, budget: Budget) -> Refusal | None:
    return Menu({one.id: one}, ()).refused(TABLE, UNIT, budget, one)


def test_what_a_unit_has_lost_the_means_for_is_refused_before_its_own_judge_is_asked() -> None:
    """Somebody broke in between choice and action: a vehicle that is gone cannot be asked whether it is stuck."""

    def stuck(table: Table, unit: Thing) -> Refusal | None:
        raise AssertionError("there is nothing to drive")

    gone = action(shown=lambda table, unit: False, refused=stuck)
    found = refused(gone, Budget(2))
    assert found is not None
    assert found.rule == RULE.id


def test_an_activation_holds_so_much_and_nothing_twice() -> None:
    assert refused(action(), Budget(1)) is None
    assert refused(action(cost=2), Budget(1)) is not None
    assert refused(action(), Budget(1, tried=("drive",))) is not None
    assert refused(action(repeats=True), Budget(1)) is None
