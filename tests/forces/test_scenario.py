"""Scenarios: exact both ways, laid out as the engine needs them, wrong ones refused with file and line."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.engine.ids import RED, PieceId
from sandtable.engine.shapes import UNIT, At, Band, Base, Disc, In, Off, Point, Polygon, rectangle
from sandtable.engine.table import Contour, Ground, Mark, Part, Piece
from sandtable.forces.catalogue import Catalogue
from sandtable.forces.files import FileError, ScenarioError
from sandtable.forces.models import ANYTHING, UNDEPLOYED, ModelForm, StateForm, Words, field_models
from sandtable.forces.outlines import Rectangle
from sandtable.forces.reading import Fail, load_text
from sandtable.forces.scenario import Laid, Scenario, find_scenario, lay_out, load_scenario, scenario_from_text
from sandtable.forces.terrain import BoardForm, PieceForm, TerrainKind, board_of, ground_of
from sandtable.forces.writing import dump
from tests.forces.skirmish import KINDS, Stats, book, catalogue

SCENARIO = """\
ruleset: skirmish
name: bridge
title: "The Bridge: a test"
rules: [skirmish.table.size]
board:
  width: {rule: skirmish.table.size, at: [size_in, 0]}
  height: {rule: skirmish.table.size, at: [size_in, 1]}
  terrain:
    - {kind: wood, circle: [20, 10, 3]}
    - {kind: wood, polygon: [[1, 1], [5, 1], [3, 4.125]], height: 2, label: Spinney}
    - {kind: house, id: farm, rectangle: [30, 20, 4, 2, 90], height: 2, traits: {enterable: 1, look: barn},
       parts: [{id: hall, level: 1, state: sound}, {id: wing, rectangle: [30, 20, 1, 1]}]}
    - {kind: road, band: {points: [[0, 15], [40, 15]], width: 2}}
    - {kind: hill, contours: [{level: 1, circle: [10, 22, 4]}, {level: 2, circle: [10, 22, 2], cliff: true}]}
    - {kind: hill, circle: [35, 5, 3]}
size: {counts: walkers a side, default: 2, most: 4}
sides:
  red:
    zone: west
    force:
      - {model: walker, count: size}
      - {model: trooper, as: A, at: [20, 20.5], facing: 90, level: 1, harm: 2, states: [prone], counts: {shots: 3}}
  blue:
    zone: keep
    options: {tactics: 2}
    force:
      - {model: trooper, as: B, in: farm, slot: hall, states: {shaken: 2, prone: {until: end of turn}}}
      - {model: trooper, as: C, off: reserve, unit: second}
zones:
  - {id: west, edge: west, depth: 6, label: Red's edge, rule: skirmish.table.size}
  - {id: keep, rectangle: [30, 0, 10, 30]}
markers:
  - {kind: objective, as: crossing, at: [20, 15], side: blue, counts: {worth: 2}, states: {held: {value: 3}}}
options: {night: 1}
turn_limit: 8
victory: last-side-remaining
"""


def laid(tmp_path: Path, text: str = SCENARIO, size: int = 0, words: Words = ANYTHING) -> Laid[Stats]:
    cards = catalogue(tmp_path)
    loaded = scenario_from_text(text, cards.book, "bridge.yaml")
    return lay_out(loaded.value, cards, KINDS, loaded.fail, size=size, words=words)


def test_the_ground_is_exact(tmp_path: Path) -> None:
    ground = laid(tmp_path).ground
    assert (ground.width, ground.height) == (40_000, 30_000)
    corners = (Point(33000, 19000), Point(33000, 23000), Point(31000, 23000), Point(31000, 19000))
    assert ground.pieces == (
        Piece(PieceId("wood-1"), "wood", Disc(Point(20000, 10000), 3000), 3),
        Piece(
            PieceId("wood-2"),
            "wood",
            Polygon((Point(1000, 1000), Point(5000, 1000), Point(3000, 4125))),
            2,
            label="Spinney",
        ),
        Piece(
            PieceId("farm"),
            "house",
            Polygon(corners),
            2,
            parts=(Part("hall", None, 1, "sound"), Part("wing", rectangle(30000, 20000, 1000, 1000))),
            traits={"enterable": 1, "look": "barn"},
        ),
        Piece(PieceId("road-1"), "road", Band((Point(0, 15000), Point(40000, 15000)), 2000)),
        Piece(
            PieceId("hill-1"),
            "hill",
            Disc(Point(10000, 22000), 4000),
            2,
            (Contour(1, Disc(Point(10000, 22000), 4000)), Contour(2, Disc(Point(10000, 22000), 2000), True)),
        ),
        Piece(
            PieceId("hill-2"), "hill", Disc(Point(35000, 5000), 3000), 1, (Contour(1, Disc(Point(35000, 5000), 3000)),)
        ),
    )


def test_models_are_placed_with_their_condition(tmp_path: Path) -> None:
    sides = laid(tmp_path).models
    one, two, a = (fielded.thing for fielded in sides["red"])
    b, c = (fielded.thing for fielded in sides["blue"])
    assert [(thing.id, thing.label, thing.place) for thing in (one, two)] == [
        ("red-1", "Anvil", UNDEPLOYED),
        ("red-2", "Bastion", UNDEPLOYED),
    ]
    assert (one.card, one.glyph, one.base, one.height, one.side) == (
        "walker",
        "walker",
        Base("hexagon", 1250),
        3,
        "red",
    )
    assert (a.id, a.place, a.facing, a.harm) == ("A", At(Point(20000, 20500), 1), 90, 2)
    assert (a.states, a.counts) == ({"prone": Mark()}, {"shots": 3})
    assert (b.place, b.states) == (In("farm", "hall"), {"shaken": Mark(2), "prone": Mark(1, "end of turn")})
    assert (c.place, c.unit) == (Off("reserve"), "second")


def test_a_size_fills_in_for_counts(tmp_path: Path) -> None:
    red = laid(tmp_path, size=4).models["red"]
    assert [fielded.thing.label for fielded in red] == ["Anvil", "Bastion", "Walker 3", "Walker 4", "A"]
    for size in (5, -1):
        with pytest.raises(ScenarioError, match=rf"bridge\.yaml:16: {size} walkers a side do not fit; 1 to 4 would do"):
            laid(tmp_path, size=size)
    with pytest.raises(ScenarioError, match="has one size only"):
        laid(tmp_path, SCENARIO.replace("size: {counts: walkers a side, default: 2, most: 4}\n", ""), size=2)


def test_zones_and_markers_are_laid(tmp_path: Path) -> None:
    table = laid(tmp_path)
    assert table.zones["west"].inside == (rectangle(0, 0, 6000, 30000),)
    assert (table.zones["west"].rule, table.zones["west"].label) == ("skirmish.table.size", "Red's edge")
    assert table.zones["keep"].inside == (rectangle(30000, 0, 10000, 30000),)
    (marker,) = table.markers
    assert (marker.id, marker.kind, marker.card, marker.side) == ("crossing", "marker", "objective", "blue")
    assert (marker.place, marker.counts, marker.states) == (At(Point(20000, 15000)), {"worth": 2}, {"held": Mark(3)})


@pytest.mark.parametrize(
    ("edge", "strip"),
    [
        ("north", rectangle(0, 0, 40000, 6000)),
        ("south", rectangle(0, 24000, 40000, 6000)),
        ("east", rectangle(34000, 0, 6000, 30000)),
    ],
)
def test_a_zone_may_lie_along_any_edge(edge: str, strip: Polygon, tmp_path: Path) -> None:
    assert laid(tmp_path, SCENARIO.replace("edge: west", f"edge: {edge}")).zones["west"].inside == (strip,)


def test_a_mutated_ledger_changes_the_board(tmp_path: Path) -> None:
    entries = book(tmp_path, {("skirmish.table.size", ("size_in", 0)): 41})
    assert scenario_from_text(SCENARIO, entries).value.board.width == 41_000


def test_a_roster_may_be_the_force(tmp_path: Path) -> None:
    roster = "roster: {ruleset: skirmish, name: R, units: [{name: Alpha, models: [{model: elite, count: 2}]}]}"
    table = laid(tmp_path, SCENARIO.replace("    zone: west", f"    zone: west\n    {roster}"))
    assert [(one.thing.id, one.thing.unit) for one in table.models["red"][-2:]] == [
        ("red-4", "Alpha"),
        ("red-5", "Alpha"),
    ]


def test_a_random_board_is_bare(tmp_path: Path) -> None:
    board = load_text("{width: 30, height: 20, terrain: random}", BoardForm).value
    ground = ground_of(board, KINDS, Fail("it"))
    assert (ground.width, ground.height, ground.pieces) == (30_000, 20_000, ())


def test_a_scenario_goes_through_file_and_journal_unchanged(tmp_path: Path) -> None:
    scenario = scenario_from_text(SCENARIO, book(tmp_path)).value
    assert scenario_from_text(dump(scenario), book(tmp_path)).value == scenario
    header = msgspec.json.encode(msgspec.to_builtins(scenario))
    assert msgspec.convert(msgspec.json.decode(header), Scenario) == scenario


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("ruleset: skirmish", "ruleset: chess", 1, "the scenario is for `chess`"),
        ("rules: [skirmish.table.size]", "rules: [skirmish.table.sise]", 4, "did you mean `skirmish.table.size`?"),
        (
            "{rule: skirmish.table.size, at: [size_in, 0]}",
            "5000",
            6,
            "too large for a table; at most 1048.576 would do",
        ),
        ("{rule: skirmish.table.size, at: [size_in, 0]}", "0.5", 6, "the width of the board is less than 1"),
        ("at: [size_in, 1]", "at: [size_in, 2]", 7, "there is no `2` under size_in"),
        ("kind: wood, circle", "kind: wod, circle", 9, "there is no terrain `wod`; did you mean `wood`?"),
        ("circle: [20, 10, 3]", "circle: [20, 10, 3], band: {points: [[1, 1]], width: 1}", 9, "there are 2 outlines"),
        ("{kind: wood, circle: [20, 10, 3]}", "{kind: wood}", 9, "there is no outline"),
        ("circle: [20, 10, 3]", "circle: [20, 10, 0]", 9, "the circle has no size"),
        ("circle: [20, 10, 3]", "circle: [20, 10]", 9, "`circle` has 2 entries"),
        ("circle: [20, 10, 3]", "circle: [90, 90, 3]", 9, "`wood-1` lies wholly off the board"),
        ("circle: [20, 10, 3]", "circle: [20, 10, 1045]", 9, "the circle lies too far out for a table"),
        ("[3, 4.125]", "[3, 1]", 10, "the polygon is no outline"),
        ("[5, 1], [3, 4.125]", "[5, 5], [5, 1], [1, 5]", 10, "the polygon is no outline"),
        ("[[0, 15], [40, 15]]", "[[0, 15]]", 13, "the band has no length"),
        ("level: 2, circle: [10, 22, 2]", "level: 1, circle: [10, 22, 2]", 14, "contour 2 has the level 1; 2 would do"),
        ("[10, 22, 2]", "[13, 22, 2]", 14, "level 2 does not lie inside the level below"),
        (
            "kind: house, id: farm",
            "kind: house, id: farm, contours: [{level: 1, circle: [9, 9, 1]}]",
            11,
            "no contours",
        ),
        ("{kind: hill, circle: [35, 5, 3]}", "{kind: hill, circle: [35, 5, 3], height: 21}", 15, "more than 20 levels"),
        ("cliff: true}]", "cliff: true}], height: 3", 14, "the height is 3"),
        ("height: 2", "height: 1.5", 10, "`height` is 1.5; heights are counted in whole levels here"),
        ("height: 2", "height: -1", 10, "`height` is -1; at least 0 would do"),
        ("height: 2", "height: 100", 10, "`height` is 100; at most 99 would do"),
        ("height: 2", "height: tall", 10, "`height` is the text `tall`; a number or nothing would do"),
        ("level: 2, circle: [10, 22, 2]", "level: 1.5, circle: [10, 22, 2]", 14, "`level` is 1.5; heights are counted"),
        ("label: Spinney", "id: farm", 11, "two pieces have the id `farm`"),
        ("zone: west", "zone: wset", 19, "there is no zone `wset`; did you mean `west`?"),
        ("{model: walker,", "{model: waker,", 21, "there is no model `waker`; did you mean `walker`?"),
        ("as: A, at", "as: A, count: 2, at", 22, "2 models share one name or place"),
        ("at: [20, 20.5]", "at: [20, 20.5], off: reserve", 22, "is in two places, at and off"),
        ("at: [20, 20.5]", "at: [40, 20.5]", 22, "the base of `A` hangs over the edge"),
        ("at: [20, 20.5]", "at: [41, 20.5]", 22, "`A` stands off the board"),
        ("at: [20, 20.5]", "at: [20.0005, 20]", 22, "20.0005 has more than three decimals"),
        ("facing: 90", "facing: 360", 22, "`facing` is 360; at most 359 would do"),
        ("facing: 90", "facing: 22.5", 22, "`facing` is the number 22.5; a whole number would do"),
        ("states: [prone]", "states: [pronne]", 22, "there is no state `pronne`; did you mean `prone`?"),
        ("shots: 3", "shits: 3", 22, "nothing called `shits` is counted; did you mean `shots`?"),
        ("as: B, in: farm", "as: A, in: farm", 27, "there are two models called `A`"),
        ("off: reserve", "slot: hall", 28, "`slot` without `in`"),
        ("off: reserve", "level: 2", 28, "`level` without `at`"),
        ("off: reserve", "at: [20.5, 20.5], level: 1", 28, "the bases of `A` and `C` overlap"),
        ("depth: 6", "depth: 60", 30, "the depth of `west` does not fit the board"),
        ("edge: west, depth: 6", "edge: west", 30, "the zone `west` is not clear"),
        ("rule: skirmish.table.size}\n  - {id", "rule: skirmish}\n  - {id", 30, "there is no rule `skirmish`"),
        ("id: keep", "id: west", 31, "two zones have the id `west`"),
        ("side: blue", "side: blu", 33, "there is no side `blu`; did you mean `blue`?"),
        ("at: [20, 15]", "at: [20, 31]", 33, "lies off the board"),
        ("as: crossing", "as: B", 33, "the name `B` is taken"),
        ("turn_limit: 8", "turn_limit: 0", 35, "`turn_limit` is 0; at least 1 would do"),
        ("victory:", "victorie:", 36, "unknown key `victorie`; did you mean `victory`?"),
    ],
)
def test_mistakes_are_told_with_their_line(old: str, new: str, line: int, words: str, tmp_path: Path) -> None:
    assert SCENARIO.count(old) >= 1
    known = Words(frozenset({"prone", "shaken"}), frozenset({"shots", "worth"}))
    with pytest.raises(ScenarioError) as caught:
        laid(tmp_path, SCENARIO.replace(old, new, 1), words=known)
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"bridge.yaml:{line}: ")


def test_bases_on_different_levels_may_share_a_spot(tmp_path: Path) -> None:
    table = laid(tmp_path, SCENARIO.replace("off: reserve", "at: [20.5, 20.5]"))
    assert isinstance(table.models["blue"][1].thing.place, At)


def test_who_is_in_the_air_may_be_above_another(tmp_path: Path) -> None:
    cards = catalogue(tmp_path)
    text = SCENARIO.replace("off: reserve", "at: [20.5, 20.5], level: 1")
    loaded = scenario_from_text(text, cards.book, "bridge.yaml")
    with pytest.raises(ScenarioError, match="overlap"):
        lay_out(loaded.value, cards, KINDS, loaded.fail)
    lay_out(loaded.value, cards, KINDS, loaded.fail, high=lambda fielded: int(fielded.thing.id == "C"))


def test_heights_are_read_in_levels_or_in_the_unit_of_the_table(tmp_path: Path) -> None:
    kinds = {**KINDS, "wood": MEASURED["wood"]}
    cards = catalogue(tmp_path)
    loaded = scenario_from_text(SCENARIO, cards.book, "bridge.yaml")
    ground = lay_out(loaded.value, cards, kinds, loaded.fail).ground
    assert [piece.height for piece in ground.pieces[:3]] == [2500, 2000, 2]


#: Kinds of terrain whose heights are measured.
MEASURED = {name: TerrainKind(2500 if kind.height == 3 else 0, kind.contoured, UNIT) for name, kind in KINDS.items()}


def measured(text: str) -> Ground:
    """The ground of a board whose heights are measured."""
    loaded = load_text(f"width: 40\nheight: 30\nterrain:\n  - {text}", BoardForm, "board.yaml")
    return ground_of(loaded.value, MEASURED, loaded.fail)


def test_heights_that_are_measured_have_up_to_three_decimals() -> None:
    hill = "{kind: hill, contours: [{level: 0.3, circle: [9, 9, 5]}, {level: 1.505, circle: [9, 9, 3]}]}"
    (piece,) = measured(hill).pieces
    assert (piece.height, [one.level for one in piece.contours]) == (1505, [300, 1505])
    house = "{kind: house, circle: [9, 9, 5], height: 4.125, parts: [{id: roof, level: 2.5}]}"
    (piece,) = measured(house).pieces
    assert (piece.height, piece.parts[0].level) == (4125, 2500)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{kind: wood, circle: [9, 9, 5], height: 1.0005}", "`height` is 1.0005; a length of three decimals, such as"),
        ("{kind: wood, circle: [9, 9, 5], height: 99.001}", "`height` is 99.001; at most 99 would do"),
        ("{kind: wood, circle: [9, 9, 5], height: -0.5}", "`height` is -0.5; at least 0 would do"),
        ("{kind: wood, circle: [9, 9, 5], parts: [{id: a, level: 0.0001}]}", "`level` is 0.0001; a length of three"),
        ("{kind: hill, contours: [{level: 20.5, circle: [9, 9, 5]}]}", "the hill has more than 20; make it lower"),
        ("{kind: hill, contours: [{level: 0, circle: [9, 9, 5]}]}", "contour 1 rises to 0, no higher than what is"),
        (
            "{kind: hill, contours: [{level: 1.5, circle: [9, 9, 5]}, {level: 1.5, circle: [9, 9, 3]}]}",
            "contour 2 rises to 1.5, no higher than what is below",
        ),
        (
            "{kind: hill, contours: [{level: 1.5, circle: [9, 9, 5]}, {level: 2.5, circle: [9, 9, 6]}]}",
            "level 2.5 does not lie inside the level below",
        ),
        ("{kind: hill, height: 2, contours: [{level: 1.5, circle: [9, 9, 5]}]}", "is 2, the highest contour 1.5"),
    ],
)
def test_a_wrong_height_that_is_measured_is_told_with_its_line(text: str, words: str) -> None:
    with pytest.raises(FileError) as caught:
        measured(text)
    assert str(caught.value).startswith("board.yaml:4: ")
    assert words in str(caught.value)


@pytest.mark.parametrize("number", ["1e999999", "1e-999999", "NaN", "Infinity"])
def test_a_height_that_no_file_could_hold_is_no_form(number: str) -> None:
    for form in (
        {"kind": "wood", "height": number},
        {"kind": "wood", "contours": [{"level": number}]},
        {"kind": "wood", "parts": [{"id": "a", "level": number}]},
    ):
        with pytest.raises(msgspec.ValidationError, match=r"a height such as 2 or 1\.5 would do"):
            msgspec.convert(form, PieceForm)


def test_options_may_be_true_and_states_of_markers_a_list(tmp_path: Path) -> None:
    text = SCENARIO.replace("{night: 1}", "{night: true}").replace("states: {held: {value: 3}}", "states: [held]")
    loaded = scenario_from_text(text, catalogue(tmp_path).book, "bridge.yaml").value
    assert loaded.options == {"night": 1}
    assert type(loaded.options["night"]) is int
    assert laid(tmp_path, text).markers[0].states == {"held": Mark()}


def test_numbered_models_step_aside_for_names(tmp_path: Path) -> None:
    forms = [ModelForm(model="walker", name="red-2"), ModelForm(model="walker")]
    fielded = field_models(forms, RED, catalogue(tmp_path), Fail("it"), taken=["red-1"])
    assert [one.thing.id for one in fielded] == ["red-2", "red-3"]


def test_scenarios_are_found_by_name_or_by_file(tmp_path: Path) -> None:
    path = tmp_path / "bridge.yaml"
    path.write_text(SCENARIO)
    assert find_scenario(str(path), book(tmp_path)).value == load_scenario(path, book(tmp_path)).value
    for name, words in (
        ("bridg", "neither a scenario of the ruleset nor"),
        (str(tmp_path / "no.yaml"), "no such file"),
    ):
        with pytest.raises(ScenarioError, match=words):
            find_scenario(name, book(tmp_path))


coordinate = st.integers(-2000, 42_000)
points = st.builds(Point, coordinate, coordinate)
discs = st.builds(Disc, st.builds(Point, st.integers(0, 40_000), st.integers(0, 30_000)), st.integers(1, 9000))
bands = st.builds(
    Band, st.lists(st.builds(Point, st.integers(0, 40_000), st.integers(0, 30_000)), min_size=2, max_size=5).map(tuple),
    st.integers(1, 5000),
)  # fmt: skip
turned = st.builds(
    Rectangle, st.integers(0, 39_000), st.integers(0, 29_000), st.integers(1, 9000), st.integers(1, 9000),
    st.integers(0, 359),
).map(Rectangle.polygon).filter(lambda shape: len(set(shape.points)) == 4)  # fmt: skip


@st.composite
def grounds(draw: st.DrawFn, level: int = 1) -> Ground:
    pieces: list[Piece] = []
    for n in range(draw(st.integers(0, 5))):
        shape = draw(st.one_of(discs, bands, discs))
        height = draw(st.integers(0, 9 * level))
        label = draw(st.text(st.characters(codec="utf-8"), max_size=5))
        storey = (level + 1) // 2
        parts = tuple(Part(f"p{i}", draw(st.none() | discs), i * storey) for i in range(draw(st.integers(0, 2))))
        traits: dict[str, int | str] = draw(
            st.dictionaries(st.text("ab", max_size=2), st.integers(0, 3) | st.just("x"))
        )
        pieces.append(
            Piece(PieceId(f"it {n}"), draw(st.sampled_from(["wood", "road"])), shape, height, (), parts, traits, label)
        )
    if draw(st.booleans()):
        disc = draw(discs)
        inner = Disc(disc.center, (disc.radius + 1) // 2)
        low = draw(st.integers(1, level))
        high = low + draw(st.integers(1, level))
        contours = (Contour(low, disc, draw(st.booleans())), Contour(high, inner, draw(st.booleans())))
        pieces.append(Piece(PieceId("hill"), "hill", disc, high, contours))
    return Ground(draw(st.integers(40_000, 60_000)), 30_000, tuple(pieces))


@settings(max_examples=120, deadline=None)
@given(grounds())
def test_a_ground_is_saved_and_loaded_exactly(ground: Ground) -> None:
    again = ground_of(load_text(dump(board_of(ground)), BoardForm).value, KINDS, Fail("it"))
    assert (again.width, again.height, again.pieces) == (ground.width, ground.height, ground.pieces)


@settings(max_examples=120, deadline=None)
@given(grounds(level=UNIT))
def test_a_ground_whose_heights_are_measured_goes_through_file_and_journal_exactly(ground: Ground) -> None:
    form = load_text(dump(board_of(ground, UNIT)), BoardForm).value
    assert msgspec.convert(msgspec.json.decode(msgspec.json.encode(msgspec.to_builtins(form))), BoardForm) == form
    assert ground_of(form, MEASURED, Fail("it")).pieces == ground.pieces


@settings(max_examples=100, deadline=None)
@given(
    st.builds(
        ModelForm,
        model=st.text(max_size=5),
        name=st.text(st.characters(codec="utf-8"), max_size=5),
        at=st.none() | points,
        level=st.integers(0, 5),
        off=st.none() | st.just(""),
        facing=st.integers(0, 359),
        states=st.lists(st.text("ab", max_size=3), max_size=3).map(tuple)
        | st.dictionaries(
            st.text("ab", max_size=2),
            st.integers(0, 5)
            | st.just("x")
            | st.builds(StateForm, st.integers(0, 3) | st.just(("x",)), st.text("e", max_size=2)),
            min_size=1,
        ),
        counts=st.dictionaries(st.text("ab", max_size=2), st.integers(-5, 5)),
        count=st.integers(1, 5) | st.just("size"),
    )
)
def test_a_model_entry_is_saved_and_loaded_exactly(form: ModelForm) -> None:
    assert load_text(dump(form), ModelForm).value == form


@settings(max_examples=250, deadline=None)
@given(st.data())
def test_a_mangled_scenario_is_laid_out_or_refused_with_its_line(cards: Catalogue[Stats], data: st.DataObject) -> None:
    text = SCENARIO
    for _ in range(data.draw(st.integers(1, 3))):
        here = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 12))
        put = data.draw(
            st.sampled_from(["", "1", "-1", "null", "[", "]", "{", "}", ",", ": ", "\n", "size", "999999", "x"])
        )
        text = text[:here] + put + text[here + cut :]
    told = outcome(cards, text)
    if isinstance(told, FileError):
        assert told.line >= 1
        assert str(told).startswith(f"bridge.yaml:{told.line}: ")


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Catalogue[Stats]:
    return catalogue(tmp_path_factory.mktemp("skirmish"))


def outcome(cards: Catalogue[Stats], text: str) -> Laid[Stats] | FileError:
    try:
        loaded = scenario_from_text(text, cards.book, "bridge.yaml")
        return lay_out(loaded.value, cards, KINDS, loaded.fail)
    except FileError as error:
        return error
