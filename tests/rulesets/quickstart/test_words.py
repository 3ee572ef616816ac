"""Its log reads like a battle report where ids alone would not."""

from sandtable.engine.events import AnyEvent, Declared, StateChanged
from sandtable.engine.ids import BLUE, RED, ThingId
from sandtable.engine.table import Ground, Table, Thing
from sandtable.lab.vocabularies import vocabulary_of
from sandtable.telling.words import sentence


def test_what_its_log_says() -> None:
    table = Table(
        Ground(0, 0), (RED, BLUE), {name: Thing(name, label=name.upper()) for name in (ThingId("a"), ThingId("b"))}
    )
    said: list[tuple[AnyEvent, str]] = [
        (Declared("a", "penetrated", ("b",), ("light-gm",)), "The light GM of A penetrates B."),
        (Declared("a", "deflected", ("b",), ("light-gm",)), "The light GM of A is deflected by B."),
        (Declared("a", "defensive-fire", ("b",), ("light-gm",)), "A will answer B by defensive fire with light GM."),
        (StateChanged("red", "edge", None, "north", "game"), "Red starts from the north edge."),
        (StateChanged("a", "target-lock", "b", None), "A has no target lock any more."),
        (StateChanged("a", "knockdown", None, 1, "stand_up"), "A is knocked down."),
        (StateChanged("a", "disabled", None, 1, "game"), "A is disabled."),
    ]
    assert [sentence(event, table, vocabulary_of("quickstart")) for event, _ in said] == [text for _, text in said]
