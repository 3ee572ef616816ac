"""The table and the state: copies stand alone, and what is asked of things is what they have."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from sandtable.engine.changes import apply
from sandtable.engine.events import (
    BattleEnded,
    Counted,
    DeckChanged,
    ModelLost,
    Moved,
    PhaseBegan,
    Placed,
    Revealed,
    Scored,
    Sealed,
    StateChanged,
    TerrainChanged,
)
from sandtable.engine.ids import BLUE, RED, PieceId, ThingId
from sandtable.engine.shapes import At, Disc, In, Off, Point, rectangle
from sandtable.engine.state import Due, State, Step
from sandtable.engine.table import Deck, Ending, Ground, Mark, Piece, Table, Thing, following_from_formation


def full_table() -> Table:
    table = Table(Ground(10, 10, (Piece(PieceId("p"), "woods", rectangle(0, 0, 1, 1)),)), (RED, BLUE), options={"x": 1})
    table.things["A"] = Thing(
        ThingId("A"), side=RED, unit=ThingId("U"), place=At(Point(1, 1)), states={"prone": Mark(2, "end")}
    )
    table.things["B"] = Thing(ThingId("B"), side=BLUE, unit=ThingId("V"), place=In("house"))
    table.things["C"] = Thing(ThingId("C"), side=RED, unit=ThingId("U"), place=Off("dead"), gone="dead")
    table.things["M"] = Thing(ThingId("M"), kind="marker", place=At(Point(2, 2)))
    table.decks["d"] = Deck({"a": 1}, ("a",))
    table.secrets["red: x"] = 1
    table.scores[RED] = 2
    table.turn, table.phase, table.acting, table.ending = 3, "fight", ("red", "A"), Ending(RED, {}, "won")
    return table


def test_a_copy_of_a_table_has_every_field_and_an_index_of_its_own() -> None:
    table = full_table()
    copy = table.copy()
    assert msgspec.json.encode(copy) == msgspec.json.encode(table)
    assert copy.things is not table.things


def test_what_happens_to_a_table_does_not_happen_to_its_copy() -> None:
    for event in (
        DeckChanged("d", "drawn", ("a",)),
        Sealed(BLUE, "y", 2),
        Revealed("red: x", value=3),
        Scored(RED, 1, "luck"),
        Counted("A", "paces", 0, 1),
        StateChanged("A", "prone", 2, None),
        Moved(ThingId("A"), At(Point(1, 1)), At(Point(2, 1))),
        ModelLost(ThingId("A"), "dead", Piece(PieceId("w"), "wreck", rectangle(0, 0, 1, 1))),
        PhaseBegan(4, "rest"),
        BattleEnded(BLUE),
    ):
        table = full_table()
        copy, before = table.copy(), msgspec.json.encode(table)
        apply(table, event)
        assert msgspec.json.encode(table) != before, event
        assert msgspec.json.encode(copy) == before, event


def test_what_is_kept_with_the_posture_goes_as_soon_as_one_comes_goes_moves_or_turns() -> None:
    table = full_table()
    table.posture["found"] = 1
    copy = table.copy()
    for event in (Counted("A", "paces", 0, 1), StateChanged("A", "prone", 2, None), Scored(RED, 1, "luck")):
        apply(table, event)
        assert table.posture["found"] == 1, event
    for change in (
        Moved(ThingId("A"), At(Point(1, 1)), At(Point(2, 1))),
        Moved(ThingId("A"), At(Point(2, 1)), At(Point(2, 1)), facing=90),
        Placed("N", At(Point(3, 3)), made=Thing(ThingId("N"))),
        ModelLost(ThingId("A"), "dead"),
    ):
        table.posture["found"] = 1
        apply(table, change)
        assert "found" not in table.posture, change
    del table.things["N"]
    assert "found" not in table.posture
    assert copy.posture["found"] == 1


def test_what_is_kept_goes_as_soon_as_the_terrain_changes() -> None:
    table = full_table()
    before = table.copy()
    view = table.copy(table.things)
    wall = Piece(PieceId("wall"), "wall", Disc(Point(5000, 5000), 1000))
    for change in (Placed("wall", Off(), piece=wall), TerrainChanged(PieceId("wall"), before="wall", after="")):
        kept = (table.things_cache, table.posture, table.formation)
        for one in kept:
            one["found"] = 1
        apply(table, change)
        assert all("found" not in one for one in (table.things_cache, table.posture, table.formation)), change
    assert before.posture["found"] == 1
    assert view.things is table.things
    assert view.posture["found"] == 1, "another ground under the same things"


def test_a_copy_of_a_state_has_every_field_and_shares_no_list() -> None:
    state = State(full_table(), {RED: full_table()}, [Step()], [], ("x: y",), 4, 5, 6, (), (RED,))
    copy = state.copy()
    for field in State.__struct_fields__:
        mine, its = getattr(state, field), getattr(copy, field)
        assert msgspec.json.encode(mine) == msgspec.json.encode(its), field
        if isinstance(mine, list | dict | Table):
            assert mine is not its, field
    assert copy.views[RED] is not state.views[RED]


def test_models_are_those_in_play_on_the_table_in_the_order_they_came() -> None:
    table = full_table()
    assert [thing.id for thing in table.models()] == ["A"]
    assert [thing.id for thing in table.models(BLUE)] == []
    assert [thing.id for thing in table.members("U")] == ["A"]
    assert [thing.id for thing in table.members("V")] == ["B"], "wherever it is"
    assert [thing.id for thing in table.of_kind("model")] == ["A", "B", "C"]


def test_what_a_thing_has_is_told_and_what_it_has_not_is_none() -> None:
    table = full_table()
    assert table["A"].has("prone")
    assert table["A"].value("prone") == 2
    assert table["A"].value("stunned") is None
    assert table["A"].count("AP") == 0
    assert table["A"].on_table
    assert not table["B"].on_table
    assert not table["C"].on_table


def test_a_piece_is_found_by_its_name_or_told_missing() -> None:
    assert full_table().ground.piece("p").kind == "woods"
    with pytest.raises(KeyError):
        full_table().ground.piece("q")


def test_a_step_is_named_by_its_class() -> None:
    class Fire(Step, frozen=True):
        weapon: str

    assert Fire.name() == "Fire"
    assert msgspec.json.encode(Fire("gun")) == b'{"step":"Fire","weapon":"gun"}'


def test_what_is_due_is_plain() -> None:
    raw = b'{"id":1,"target":"A","moment":"end","harm":{"what":"wound","amount":1}}'
    assert msgspec.json.decode(raw, type=Due).harm.amount == 1


CHANGES: dict[str, Callable[[dict[str, Thing]], object]] = {
    "set": lambda things: things.__setitem__("B", Thing(ThingId("B"), side=BLUE, place=At(Point(3, 3)))),
    "delete": lambda things: things.__delitem__("A"),
    "pop": lambda things: things.pop("A"),
    "update": lambda things: things.update(B=Thing(ThingId("B"), side=BLUE, place=At(Point(3, 3)))),
    "join": lambda things: things.__ior__({"B": Thing(ThingId("B"), side=BLUE, place=At(Point(3, 3)))}),
    "default": lambda things: things.setdefault("D", Thing(ThingId("D"), side=BLUE, place=At(Point(3, 3)))),
    "last": lambda things: (things.pop("M"), things.pop("C"), things.pop("B"), things.popitem()),
    "clear": lambda things: things.clear(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_who_stands_on_the_table_is_found_out_anew_after_any_change(change: str) -> None:
    def ask(of: Table) -> list[list[Thing]]:
        return [of.models(), of.models(RED), of.enemies_of(RED), of.members("U"), of.members("V"), of.members("")]

    table = full_table()
    asked = ask(table)
    twin = table.copy()
    CHANGES[change](table.things)
    again = ask(table)
    assert again == ask(Table(table.ground, table.sides, dict(table.things)))
    assert again != asked
    assert ask(twin) == asked, "a copy is on its own"


def test_the_list_of_models_is_the_callers_own() -> None:
    table = full_table()
    table.models().clear()
    table.enemies_of(BLUE).clear()
    table.members("U").clear()
    assert [model.id for model in table.members("U")] == ["A"]
    assert [model.id for model in table.models()] == [model.id for model in table.enemies_of(BLUE)] == ["A"]


@pytest.mark.parametrize("change", CHANGES)
def test_a_stamp_stays_until_a_thing_changes(change: str) -> None:
    table = full_table()
    things_cache, twin = table.things_cache, table.copy()
    table.models(RED)
    assert table.things_cache is twin.things_cache is things_cache
    CHANGES[change](table.things)
    assert table.things_cache is not things_cache
    assert twin.things_cache is things_cache
    changed = table.things_cache
    twin.things["A"] = twin["A"]
    assert twin.things_cache is not things_cache
    assert twin.things_cache is not changed


def test_things_given_as_another_dict_are_asked_all_the_same() -> None:
    table = full_table()
    table.things = {"Z": Thing(ThingId("Z"), side=RED, place=At(Point(5, 5)))}
    assert [model.id for model in table.models()] == ["Z"]
    table.things["Y"] = Thing(ThingId("Y"), side=RED, place=At(Point(6, 6)))
    assert [model.id for model in table.models()] == ["Z", "Y"]


# What is kept for as long as it holds ------------------------------------------------------------------------------


def test_what_follows_from_the_formation_is_worked_out_anew_when_somebody_moves_or_is_hurt_and_only_then() -> None:
    found: list[str] = []

    @following_from_formation
    def unhurt(table: Table, unit: str) -> tuple[str, ...]:
        found.append(unit)
        return tuple(one.id for one in table.members(unit) if not one.harm)

    def changed(name: str, **fields: Any) -> None:
        table.things[name] = replace(table.things[name], **fields)

    here, there = At(Point(0, 0)), At(Point(1, 0))
    table = Table(Ground(0, 0), (RED,), {name: Thing(ThingId(name), unit=ThingId("U"), place=here) for name in "AB"})
    assert unhurt(table, "U") == ("A", "B")
    changed("A", states={"prone": Mark()}, counts={"rounds": 2})
    twin = table.copy()
    assert (unhurt(table, "U"), unhurt(twin, "U"), found) == (("A", "B"), ("A", "B"), ["U"])
    for fields, left in (
        ({"harm": 1}, ("B",)),
        ({"harm": 0}, ("A", "B")),
        ({"unit": "V"}, ("B",)),
        ({"unit": "U"}, ("A", "B")),
        ({"place": there}, ("A", "B")),
        ({"gone": "lost"}, ("B",)),
    ):
        found.clear()
        changed("A", **fields)
        assert (unhurt(table, "U"), found) == (left, ["U"])
    found.clear()
    assert (unhurt(twin, "U"), found) == (("A", "B"), []), "a copy keeps what it knew"


def test_things_of_a_kind_come_in_their_order_and_as_they_are_now() -> None:
    table = Table(Ground(0, 0), (RED,), {name: Thing(ThingId(name), kind="unit") for name in "BA"})
    assert [one.id for one in table.of_kind("unit")] == ["B", "A"]
    table.things["C"] = Thing(ThingId("C"), kind="unit")
    table.things["B"] = replace(table.things["B"], states={"prone": Mark()})
    table.things["A"] = replace(table.things["A"], kind="marker")
    assert [(one.id, one.has("prone")) for one in table.of_kind("unit")] == [("B", True), ("C", False)]
    del table.things["B"]
    assert [one.id for one in table.of_kind("unit")] == ["C"]
