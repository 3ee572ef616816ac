"""What is wrong with the table of a case is told with its line, and what would do."""

import pytest

from sandtable.engine.ids import BLUE, RED
from sandtable.forces.case_table import Opening, opening, see_keys, told_by_its_line, whose_turn
from sandtable.forces.data import Data
from sandtable.forces.files import CaseError, read_text
from sandtable.forces.models import ModelForm
from sandtable.forces.scenario import SideForm

SIDES = (RED, BLUE)
FORCES = (SideForm(force=(ModelForm(model="tank", name="A"),)), SideForm(force=(ModelForm(model="tank", name="B"),)))


def case(text: str) -> Data:
    return Data(read_text(text, "it", CaseError), "it", CaseError)


def test_a_key_that_nobody_knows_is_refused_with_the_nearest() -> None:
    see_keys(case("{red: [], board: {}}"), SIDES, ("board",))
    with pytest.raises(CaseError, match="it:2: `bleu` is no side and no other key; did you mean `blue`"):
        see_keys(case("red: []\nbleu: []"), SIDES, ("board",))


@pytest.mark.parametrize(("text", "turn"), [("{}", ()), ("{turn: B}", ("B",)), ("{turn: [B, A]}", ("B", "A"))])
def test_who_acts_is_one_or_several_in_their_order(text: str, turn: tuple[str, ...]) -> None:
    assert whose_turn(case(text), FORCES, "models") == turn


def test_a_unit_acts_by_its_own_name() -> None:
    squad = SideForm(force=tuple(ModelForm(model="tank", name=name, unit="A") for name in ("A1", "A2")))
    assert whose_turn(case("{turn: [A, B]}"), (squad, FORCES[1]), "models") == ("A1", "B")


def test_who_is_not_there_cannot_act() -> None:
    with pytest.raises(CaseError, match="it:2: `C` in `turn` is none of the units; it may be `A` or `B`"):
        whose_turn(case("red: []\nturn: C"), FORCES, "units")


def test_what_is_wrong_with_a_model_is_told_with_its_own_line() -> None:
    fail = told_by_its_line(case("board: {}\nred:\n  - {model: a}\n  - {model: b}"), SIDES)
    assert str(fail("it is wrong", "this", "sides", "red", "force", 1)).startswith("it:4: it is wrong")


BY_NAME = dict(zip(SIDES, FORCES, strict=True))


def test_where_a_case_begins_comes_back_out_of_its_set_up() -> None:
    begins = opening(
        case("{turn: A, turn_number: 3, next: blue, baselines: {red: north}}"), BY_NAME, "units", ("north", "south")
    )
    assert begins == Opening(("A",), 3, (BLUE,), {RED: "north"})
    assert Opening.of({"form": {}, **begins.told()}) == begins
    assert opening(case("{turn: A}"), BY_NAME, "units", ()).told() == {"turn": ["A"]}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{turn: red, red: []}", "name one of its units, or say `next: red`"),
        ("{next: bleu}", "`bleu` in `next` is no side of this case; did you mean `blue`"),
        ("{turn: A, turn_number: 0}", "the turn is number 0; 1 to 99 would do"),
        ("{turn_number: 2}", "`turn_number` without anybody who acts"),
        ("{turn: A, baselines: {bleu: north}}", "`bleu` in `baselines` is no side"),
        ("{turn: A, baselines: {blue: nort}}", "`nort` is no edge to start from here; did you mean `north`"),
        ("{turn: A, baselines: {blue: north, red: north}}", "two sides start from one edge"),
    ],
)
def test_a_beginning_that_cannot_be_is_told(text: str, says: str) -> None:
    with pytest.raises(CaseError, match=says):
        opening(case(text), BY_NAME, "units", ("north", "south"))
