"""Drawing: well-formed, true to size, the same every time, safe with any name, and readable without colour."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.engine.ids import BLUE, RED, PieceId, Side, ThingId
from sandtable.engine.shapes import At, Band, Base, Disc, In, Off, Point, Polygon, rectangle
from sandtable.engine.table import Contour, Ground, Mark, Piece, Table, Thing
from sandtable.field.directions import along
from sandtable.field.drawing import (
    Bead,
    Held,
    Note,
    PathLine,
    Ruler,
    SightLine,
    Verdict,
    describe,
    draw,
    heading,
    square_of,
    text_map,
)
from sandtable.field.drawing.glyphs import TYPES
from sandtable.field.drawing.ink import line, num
from sandtable.field.drawing.looks import LOOKS
from sandtable.field.drawing.sketch import side_looks
from sandtable.field.drawing.style import PALETTE
from sandtable.field.measure import outline_of
from tests.conftest import ROOT
from tests.field import drawing_table

SVG = "{http://www.w3.org/2000/svg}"
EMPTY = Ground(48000, 48000)
MIDDLE = Point(24000, 24000)

#: Classes that only say what a group is.
GROUPS = {"tray", "land", "models", "model", "signs", "flags", "pencil", "steady", "plain", "open", "red"} | {
    *LOOKS.values()
}


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)


def classes(svg: str) -> set[str]:
    return {name for node in parsed(svg).iter() for name in node.get("class", "").split()}


def of_class(svg: str, name: str) -> list[ET.Element]:
    return [node for node in parsed(svg).iter() if name in node.get("class", "").split()]


def with_things(*things: Thing, ground: Ground = EMPTY) -> Table:
    return Table(ground, (RED, BLUE), {thing.id: thing for thing in things})


def model(name: str = "R1", at: Point = MIDDLE, **more: object) -> Thing:
    plain = Thing(
        ThingId(name), side=RED, label=name, glyph="walker", base=Base("hexagon", 1500), place=At(at), track=10
    )
    return msgspec.structs.replace(plain, **more)


def full_pictures() -> Iterator[tuple[Table, tuple[Verdict, ...]]]:
    yield drawing_table.table(), drawing_table.marks()
    yield drawing_table.key()


# ---------------------------------------------------------------- a sound picture


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_picture_is_well_formed_complete_and_fetches_nothing(theme: str) -> None:
    for table, marks in full_pictures():
        svg = draw(table, theme=theme, marks=marks, states=drawing_table.STATES, homes=drawing_table.HOMES)
        root = parsed(svg)
        assert root.tag == f"{SVG}svg"
        tags = {node.tag.removeprefix(SVG) for node in root.iter()}
        assert not tags & {"filter", "script", "image", "foreignObject", "mask"}
        ids = [node.get("id") for node in root.iter() if node.get("id")]
        assert len(ids) == len(set(ids))
        links = {node.get("href", "#") for node in root.iter()} | set(re.findall(r"url\(([^)]*)\)", svg))
        assert {link for link in links if not link.startswith("#")} == set()
        assert {link.removeprefix("#") for link in links} - {""} <= set(ids)
        assert "http" not in svg.replace('xmlns="http://www.w3.org/2000/svg"', "")


def test_every_class_that_is_drawn_has_a_style() -> None:
    for table, marks in full_pictures():
        svg = draw(table, marks=marks, states=drawing_table.STATES, homes=drawing_table.HOMES)
        styled = set(re.findall(r"\.([a-z][a-z0-9-]*)", svg.split("<style>")[1].split("</style>")[0]))
        assert classes(svg) - styled - GROUPS == set()


def test_same_table_gives_the_same_bytes_in_any_process() -> None:
    code = "from tests.field.drawing_table import picture; import sys; sys.stdout.write(picture())"
    for seed in ("1", "77"):
        found = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
        )
        assert found.stdout.decode("utf-8") == drawing_table.picture()


def test_readme_picture_is_what_is_drawn_today() -> None:
    drawn = (ROOT / "docs" / "pictures" / "table.svg").read_text(encoding="utf-8")
    assert drawn == drawing_table.picture(), "run `python -m tests.field.drawing_table docs/pictures`"
    assert len(drawn.encode()) < 300_000


def test_themes_have_their_own_colours_and_auto_has_both() -> None:
    table = drawing_table.table()
    light, dark, auto = (draw(table, theme=theme) for theme in ("light", "dark", "auto"))
    by_day, by_night = PALETTE["sand"]
    assert by_day in light
    assert by_night not in light
    assert by_night in dark
    assert by_day not in dark
    assert by_day in auto
    assert auto.index(by_night) > auto.index("prefers-color-scheme:dark")


def test_unknown_theme_edge_or_id_is_refused_with_what_would_do() -> None:
    table = with_things()
    with pytest.raises(ValueError, match=r"'sepia'; there are light, dark, auto"):
        draw(table, theme="sepia")
    with pytest.raises(ValueError, match="it has north, east, south, west"):
        draw(table, homes={"up": RED})
    with pytest.raises(ValueError, match="small letters"):
        draw(table, ids="my table")


def test_two_pictures_on_one_page_share_no_id_or_rule() -> None:
    table = drawing_table.table()
    one, two = (draw(table, ids=name) for name in ("left", "right"))
    ids = [{node.get("id") for node in parsed(svg).iter()} - {None} for svg in (one, two)]
    assert not ids[0] & ids[1]
    rules = re.findall(r"(?:^|})([^{}]+){", one.split("<style>")[1].split("</style>")[0])
    assert rules
    assert all(rule.startswith(".left") for rule in rules)


# ---------------------------------------------------------------- true to size


def test_unit_of_the_picture_is_the_unit_of_the_table() -> None:
    svg = draw(drawing_table.table())
    left, top, wide, high = (float(value) for value in parsed(svg).get("viewBox", "").split())
    (sand,) = of_class(svg, "sand")
    assert (sand.get("width"), sand.get("height")) == ("48", "48")
    assert left == top < 0
    assert left + wide > 48 < top + high


def test_outline_seen_is_the_outline_judged() -> None:
    table, _ = drawing_table.key()
    svg = draw(table)
    root = parsed(svg)
    shapes = {node.get("id"): node for node in root.iter() if node.get("id")}

    def drawn(group: ET.Element, looks: str) -> ET.Element:
        use = next(node for node in group.iter() if looks in node.get("class", "").split())
        return shapes[use.get("href", "").removeprefix("#")]

    for thing in table.models():
        (group,) = (node for node in root.iter() if node.get("data-thing") == thing.id)
        assert thing.base is not None
        assert isinstance(thing.place, At)
        outline = outline_of(thing.base, thing.place.point, thing.facing)
        found = drawn(group, "base")
        if isinstance(outline, Disc):
            assert found.get("r") == num(outline.radius)
            assert (found.get("cx"), found.get("cy")) == (num(outline.center.x), num(outline.center.y))
        else:
            assert found.get("d") == line(outline.points, closed=True)
    written = {node.get("d") for node in root.iter()}
    for piece in table.ground.pieces:
        if isinstance(piece.outline, Polygon):
            assert line(piece.outline.points, closed=True) in written
        elif isinstance(piece.outline, Band):
            assert line(piece.outline.points) in written
            assert f"stroke-width:{num(piece.outline.width)}" in svg


def test_everything_on_the_table_is_drawn_and_nothing_else() -> None:
    gone = model("R7", gone="destroyed")
    away = model("R8", place=Off("in reserve"))
    unit = Thing(ThingId("squad"), kind="unit", side=RED, label="Squad")
    table = drawing_table.table()
    table.things |= {thing.id: thing for thing in (gone, away, unit)}
    root = parsed(draw(table))
    assert {node.get("data-thing") for node in root.iter()} - {None} == {"r1", "r2", "r3", "b1", "b2", "b3"}
    assert {node.get("data-piece") for node in root.iter()} - {None} == {piece.id for piece in table.ground.pieces}


def test_those_inside_a_building_keep_a_flag_there() -> None:
    house = Piece(PieceId("house"), "building", rectangle(20000, 20000, 4000, 4000), 2)
    svg = draw(with_things(model("R1", place=In("house", "roof")), ground=Ground(48000, 48000, (house,))))
    (found,) = (node for node in parsed(svg).iter() if node.get("data-thing") == "R1")
    assert "R1" in "".join(found.itertext())
    assert not of_class(svg, "base")


def test_closed_measuring_hides_ticks_and_crosses_but_not_squares() -> None:
    opened, closed = draw(with_things()), draw(with_things(), ticks=False)
    assert {"rim-tick", "rim-long", "cross"} <= classes(opened)
    assert not {"rim-tick", "rim-long", "cross"} & classes(closed)
    assert sorted({node.text or "" for node in of_class(closed, "rim-name")}) == [*"12345678ABCDEFGH"]


# ---------------------------------------------------------------- woods


def crowns(svg: str) -> list[tuple[float, float]]:
    uses = [node for node in parsed(svg).iter(f"{SVG}use") if re.match(r"#table-(tree|dark)\d", node.get("href", ""))]
    return [(float(node.get("x", "0")), float(node.get("y", "0"))) for node in uses]


WOOD = Piece(PieceId("wood"), "heavy-woods", Disc(Point(24000, 24000), 6000), 2)


def test_trees_stay_in_their_wood_and_step_aside_for_bases() -> None:
    ground = Ground(48000, 48000, (WOOD,))
    alone = crowns(draw(with_things(ground=ground)))
    assert len(alone) > 40
    assert all((x - 24) ** 2 + (y - 24) ** 2 <= 36 for x, y in alone)
    assert any((x - 22) ** 2 + (y - 22) ** 2 < 1.5 for x, y in alone)
    beside = crowns(draw(with_things(model(at=Point(22000, 22000)), ground=ground)))
    assert all((x - 22) ** 2 + (y - 22) ** 2 >= 1.5**2 for x, y in beside)


def test_a_wood_does_not_stir_when_models_move_elsewhere() -> None:
    ground = Ground(48000, 48000, (WOOD,))
    before, after = (draw(with_things(model(at=at), ground=ground)) for at in (Point(4000, 4000), Point(40000, 9000)))
    assert crowns(before) == crowns(after)


def test_another_wood_has_other_trees() -> None:
    other = msgspec.structs.replace(WOOD, id="other wood")
    assert crowns(draw(with_things(ground=Ground(48000, 48000, (WOOD,))))) != crowns(
        draw(with_things(ground=Ground(48000, 48000, (other,))))
    )


# ---------------------------------------------------------------- looks and signs


def test_a_piece_is_drawn_by_its_look_whatever_it_is_called() -> None:
    bog = Piece(PieceId("x"), "quaggy mire", Disc(Point(9000, 9000), 3000), traits={"look": "marsh"})
    odd = Piece(PieceId("y"), "flux-field", Disc(Point(20000, 20000), 3000))
    svg = draw(with_things(ground=Ground(48000, 48000, (bog, odd))))
    assert {"marsh", "marsh-edge", "tuft", "plain", "plain-edge"} <= classes(svg)
    assert "flux field" in {node.text for node in parsed(svg).iter()}


def test_hills_number_their_contours_and_show_cliffs() -> None:
    rings = (Contour(1, Disc(Point(24000, 24000), 6000)), Contour(3, Disc(Point(24000, 24000), 3000), cliff=True))
    hill = Piece(PieceId("h"), "hill", rings[0].outline, contours=rings)
    svg = draw(with_things(ground=Ground(48000, 48000, (hill,))))
    assert [node.text for node in of_class(svg, "height")] == ["▲3", "1", "3"]
    assert {"level-1", "level-3", "contour", "hachure", "cliff", "teeth"} <= classes(svg)


def test_heights_that_are_lengths_are_drawn_and_told_like_levels() -> None:
    corners = (Point(9000, 9000), Point(15000, 9000), Point(15000, 15000), Point(9000, 15000))

    def house(height: int) -> Table:
        return with_things(ground=Ground(48000, 48000, (Piece(PieceId("s"), "structure", Polygon(corners), height),)))

    assert draw(house(3000), level=1000) == draw(house(3))
    assert [node.text for node in of_class(draw(house(2500), level=1000), "height")] == ["▲2.5"]
    assert ", ▲2.5," in describe(house(2500), level=1000)


def test_a_road_over_water_has_planks() -> None:
    road = Piece(PieceId("r"), "road", Band((Point(0, 24000), Point(48000, 24000)), 2000))
    river = Piece(PieceId("w"), "river", Band((Point(24000, 0), Point(24000, 48000)), 2000))
    assert "plank" in classes(draw(with_things(ground=Ground(48000, 48000, (road, river)))))
    assert "plank" not in classes(draw(with_things(ground=Ground(48000, 48000, (road,)))))


@pytest.mark.parametrize("harm", [0, 1, 9, 10])
def test_harm_ring_has_a_segment_for_each_point_left(harm: int) -> None:
    svg = draw(with_things(model(harm=harm)))
    count = {name: "".join(node.get("d", "") for node in of_class(svg, name)).count("M") for name in ("left", "lost")}
    assert count == {"left": 10 - harm, "lost": harm}


def test_states_are_signs_or_two_letters_and_change_the_model() -> None:
    states = {"suppressed": Mark(), "dug in": Mark(), "flat out": Mark(), "done": Mark()}
    words = {"suppressed": "shaken", "flat out": "down", "done": "acted"}
    svg = draw(with_things(model(states=states)), states=words)
    assert [node.text for node in of_class(svg, "badge-word")] == ["DI"]
    assert len(of_class(svg, "badge-icon")) == 2
    assert of_class(svg, "lowered")
    assert of_class(svg, "tired")
    (figure,) = of_class(svg, "glyph")
    assert "rotate(90)" in figure.get("transform", "")
    (standing,) = of_class(draw(with_things(model())), "glyph")
    assert "rotate" not in standing.get("transform", "")


def test_sides_are_told_apart_without_colour() -> None:
    sides = (RED, BLUE, Side("green"), Side("grey"))
    things = {str(side): model(side, Point(8000 + 9000 * k, 20000), side=side) for k, side in enumerate(sides)}
    svg = draw(Table(EMPTY, sides, things))
    cloths = {re.sub(r"[\d.-]+", "n", node.get("d", "")) for node in of_class(svg, "cloth")}
    assert len(cloths) == 4
    assert side_looks((Side("raiders"), BLUE, Side("militia"))) == ["red", "blue", "green"]


def test_types_without_a_stencil_get_two_letters() -> None:
    svg = draw(with_things(model("Nameless", glyph=""), model("R2", Point(9000, 9000), glyph="gun")))
    assert [node.text for node in of_class(svg, "initials")] == ["NA"]
    assert [node.get("d") for node in of_class(svg, "glyph")] == [TYPES["gun"]]


def test_lamp_stands_over_who_acts() -> None:
    table = with_things(model("R1"), model("R2", Point(9000, 9000), unit="squad"))
    assert "acts" not in classes(draw(table))
    table.acting = ("red", "squad")
    assert len(of_class(draw(table), "acts")) == 1


def test_models_without_facings_have_no_wedge() -> None:
    assert "wedge" in classes(draw(with_things(model())))
    assert "wedge" not in classes(draw(with_things(model()), facings=False))
    assert "facing" not in draw(with_things(model()), facings=False)


# ---------------------------------------------------------------- verdicts


@pytest.mark.parametrize("mark", drawing_table.key_marks(), ids=lambda mark: type(mark).__name__)
def test_every_kind_of_verdict_is_drawn_in_pencil(mark: Verdict) -> None:
    table, _ = drawing_table.key()
    bare, marked = draw(table, describe=False), draw(table, marks=[mark], describe=False)
    label = getattr(mark, "label", "")
    assert not label or label in {node.text for node in parsed(marked).iter()}
    assert classes(marked) - classes(bare)


def test_sight_says_what_it_crossed_and_where() -> None:
    start, end = Point(10000, 10000), Point(30000, 10000)
    over = Bead(Point(12000, 10000), Point(14000, 10000), "wall: seen over")
    through = Bead(Point(16000, 10000), Point(18000, 10000), "woods −1", counts=True)
    wall = Bead(Point(20000, 10000), label="tower", blocks=True)
    svg = draw(with_things(), marks=[SightLine(start, end, (over, through, wall))])
    (dotted,), (thick,), (beyond,) = (of_class(svg, name) for name in ("over", "counts", "beyond"))
    assert dotted.get("d") == "M12 10 14 10"
    assert thick.get("d") == "M16 10 18 10"
    assert beyond.get("d") == "M20 10 30 10"
    assert [(node.get("cx"), node.get("cy")) for node in of_class(svg, "bead")] == [("12", "10"), ("14", "10")]
    assert [node.get("cx") for node in of_class(svg, "bead-full")] == ["16"]
    assert of_class(svg, "stop")
    said = describe(with_things(), [SightLine(start, end, (over, through, wall))])
    assert said.endswith(
        "Sight from B2 to F2: wall: seen over at C2 does not count; woods −1 at C2 counts; tower at D2 blocks."
    )


def test_clear_sight_is_one_plain_line() -> None:
    svg = draw(with_things(), marks=[SightLine(Point(1000, 1000), Point(9000, 1000))])
    assert [node.get("d") for node in of_class(svg, "sight")] == ["M1 1 9 1"]
    assert not {"bead", "over", "counts", "stop"} & classes(svg)


def test_path_has_a_tick_a_unit_and_its_costs() -> None:
    ticks = tuple(Note(Point(10000 + 1000 * k, 10000), str(k)) for k in range(1, 5))
    svg = draw(with_things(), marks=[PathLine((Point(10000, 10000), Point(14000, 10000)), 1500, ticks)])
    assert len(of_class(svg, "tick")) == 3
    assert sorted(node.text or "" for node in of_class(svg, "cost")) == ["1", "2", "3", "4"]
    (corridor,) = of_class(svg, "corridor")
    assert corridor.get("style") == "stroke-width:1.5"


def test_held_model_leaves_its_footprint() -> None:
    svg = draw(with_things(model()), marks=[Held("R1", Point(30000, 30000), 90)])
    assert len(of_class(svg, "print")) == 1
    assert len(of_class(svg, "base")) == 1


def test_labels_do_not_cover_each_other() -> None:
    rulers = [Ruler(Point(10000, 10000 + 600 * k), Point(20000, 10000 + 600 * k), f"{k}″") for k in range(2)]
    svg = draw(with_things(), marks=rulers)
    spots = [node.get("transform") for node in parsed(svg).iter() if any("cost" in n.get("class", "") for n in node)]
    assert len(set(spots)) == 2


# ---------------------------------------------------------------- any name, any ground

NASTY = Side('</text><script>alert("R&D")</script>\x00\x1b')


def test_names_with_markup_stay_names() -> None:
    ground = Ground(48000, 48000, (Piece(PieceId(NASTY), NASTY, Disc(Point(9000, 9000), 3000), label=NASTY),))
    thing = model(NASTY, states={NASTY: Mark(NASTY)}, side=Side(NASTY), unit=ThingId(NASTY))
    table = Table(ground, (NASTY,), {NASTY: thing}, phase=NASTY, acting=(NASTY, NASTY))
    marks = [SightLine(Point(0, 0), Point(9000, 0), (Bead(Point(1000, 0), label=NASTY),), NASTY)]
    svg = draw(table, title=NASTY, marks=marks, states={NASTY: NASTY})
    root = parsed(svg)
    assert not list(root.iter(f"{SVG}script"))
    plain = NASTY.replace("\x00", "\ufffd").replace("\x1b", "\ufffd")
    assert next(root.iter(f"{SVG}title")).text == plain
    assert plain in {node.get("data-thing") for node in root.iter()}
    assert plain in {node.text for node in of_class(svg, "tag")}


points = st.builds(Point, st.integers(-9000, 60000), st.integers(-9000, 60000))
shapes = st.one_of(
    st.builds(Disc, points, st.integers(0, 20000)),
    st.builds(Band, st.lists(points, min_size=1, max_size=4).map(tuple), st.integers(0, 5000)),
    st.builds(rectangle, st.integers(0, 40000), st.integers(0, 40000), st.integers(1, 20000), st.integers(1, 20000)),
)
pieces = st.builds(
    Piece,
    id=st.text(max_size=5),
    kind=st.sampled_from([*LOOKS, "other"]),
    outline=shapes,
    height=st.integers(0, 5),
    label=st.text(max_size=8),
)
bases = st.one_of(
    st.none(),
    st.builds(Base, st.sampled_from(["hexagon", "circle"]), st.integers(2, 6000)),
    st.builds(Base, st.just("rectangle"), st.integers(2, 6000), st.integers(2, 6000)),
)
things = st.builds(
    Thing,
    id=st.text(max_size=5),
    kind=st.sampled_from(["model", "marker", "holder"]),
    side=st.sampled_from(["red", "blue", ""]),
    label=st.text(max_size=20),
    glyph=st.sampled_from([*TYPES, "", "odd"]),
    base=bases,
    place=st.builds(At, points, st.integers(-1, 3)),
    facing=st.integers(-720, 720),
    harm=st.integers(0, 40),
    track=st.integers(0, 40),
    states=st.dictionaries(st.text(max_size=6), st.builds(Mark), max_size=6),
)


@given(
    st.lists(pieces, max_size=6),
    st.lists(things, max_size=5),
    st.sampled_from([(48000, 48000), (180000, 120000), (1000, 3000), (7, 5)]),
)
@settings(max_examples=40)
def test_any_table_can_be_drawn_told_and_mapped(
    ground: list[Piece], standing: list[Thing], size: tuple[int, int]
) -> None:
    table = Table(Ground(*size, tuple(ground)), (RED, BLUE), {thing.id: thing for thing in standing})
    root = parsed(draw(table, theme="auto"))
    assert sum(1 for node in root.iter() if node.get("data-piece") is not None) == len(ground)
    assert sum(1 for node in root.iter() if node.get("data-thing") is not None) == len(table.things)
    assert describe(table)
    assert len(text_map(table, 32).splitlines()) >= 12


@pytest.mark.parametrize("kind", ["hill", "road", "rough", "light-woods", "water", "structure"])
def test_what_reaches_beyond_any_table_is_drawn_as_small_as_what_does_not(kind: str) -> None:
    far = 1 << 40
    outline: Polygon | Band = Polygon((Point(0, 0), Point(far, 0), Point(far, far)))
    if kind == "road":
        outline = Band((Point(0, 0), Point(far, far)), 2000)
    contours = (Contour(1, outline), Contour(2, outline, True)) if kind == "hill" else ()
    pond = Piece(PieceId("pond"), "water", outline)
    ground = Ground(48, 48, (Piece(PieceId("it"), kind, outline, contours=contours), pond))
    table = Table(ground, (RED, BLUE))
    way = PathLine((Point(0, 0), Point(far, 0)))
    assert len(draw(table, marks=[way])) < 500_000


def test_the_map_of_a_board_like_a_thread_is_squeezed() -> None:
    thread = Table(Ground(48, 1 << 60, (Piece(PieceId("pond"), "water", Disc(Point(20, 20), 10)),)), ())
    assert len(text_map(thread, 40).splitlines()) < 150


def test_twenty_pieces_and_twenty_models_stay_small() -> None:
    kinds = ["heavy-woods", "light-woods", "hill", "water", "rough", "rubble", "swamp", "building", "road", "wall"]
    ground = tuple(
        Piece(
            PieceId(f"p{k}"),
            kinds[k % 10],
            Disc(along(Point(24000, 24000), 18 * k, 15000), 6000),
            2,
            label=f"Place {k}",
        )
        for k in range(20)
    )
    army = {
        f"m{k}": model(
            ThingId(f"m{k}"), Point(2000 + 2200 * k, 24000), harm=k % 10, states={"shaken": Mark(), "down": Mark()}
        )
        for k in range(20)
    }
    svg = draw(Table(Ground(48000, 48000, ground), (RED, BLUE), army), theme="auto")
    assert len(svg.encode()) < 400_000
    forest = Piece(PieceId("forest"), "heavy-woods", rectangle(0, 0, 48000, 48000), 3)
    assert len(draw(with_things(ground=Ground(48000, 48000, (forest,)))).encode()) < 100_000


# ---------------------------------------------------------------- in words and in letters


def test_the_table_in_words() -> None:
    table = drawing_table.table()
    table.things["r9"] = model("R9", gone="destroyed")
    told = describe(table)
    assert told.splitlines()[0] == (
        "Turn 3, activation. Red acts: R1. The board is 48 by 48, squares A1 (north-west) to H8 (south-east)."
    )
    assert "  R1, red, walker, C6, facing north, harm 1 of 10, acts now." in told
    assert "  B1, blue, walker, F3, level 1, on hill, facing south-west, harm 4 of 10, locked, has acted." in told
    assert "  B2, blue, walker, E3, in Shepherd’s Copse (light-woods), facing south-west" in told
    assert "  R9 is lost: destroyed." in told
    assert "Lookout (hill), ▲2, B4 to D6" in told
    svg = draw(table)
    assert next(parsed(svg).iter(f"{SVG}desc")).text == told
    assert not list(parsed(draw(table, describe=False)).iter(f"{SVG}desc"))


def test_squares_are_eighths_of_the_board() -> None:
    ground = Ground(48000, 24000)
    assert [square_of(ground, p) for p in (Point(0, 0), Point(5999, 3000), Point(48000, 24000))] == ["A1", "A2", "H8"]


MAP = '''\
Turn 3, activation. Red acts: R1.
      A     B     C     D     E     F     G     H
  +------------------------------------------------+
  |................==..............................|
1 |................==..............................|
  |.................==.............................|
  |.................==.............................|
2 |......&..&&&&&...==..................11111......|
  |...&&&&&&&&&&&...==...............111122211.....|
  |...&&&&&&&&&......==...."""""""..(B1)122211.....|
3 |....&&&&&&&&&......==.."(B2)"""...111112211.....|
  |....................===."""""".....1....11....~~|
  |......................===.......%%%.........~~..|
4 |..^^^^.........11......#==.......%......========|
  |.^^^^^...1111111111#####.==..###.(B3)===...~....|
  |..^^^^..11222222211......==..=====.......~~~....|
5 |........11222221111......=====.####..~..~~~~~~..|
  |.........1111111111.......==.##.....~~~~~~~~~~..|
  |.............11111........==.#......~~~~~~~~~~..|
6 |..............[R1].........==........~~~~~~~~~..|
  |......................&....===...........~......|
  |......"""".........&&&&&&...==...........~......|
7 |...""""""".[R3]...&&&&&&..[R2]..........~.......|
  |...."""""............&&&....==...,,,...~........|
  |............................==..,,,,,,.~~.......|
8 |.............................==..,,,,...~.......|
  |.............................==.........~.......|
  +------------------------------------------------+
. open  = road  & heavy woods  1 hill, level 1
2 hill, level 2  " light woods  ~ water  % rubble
^ rough  # structure  , marsh
[R1] C6, facing north, harm 1 of 10, acts now
[R2] E7, facing north, harm 3 of 10, suppressed
[R3] C7, facing north-east, harm 0 of 10, on watch, has acted
(B1) F3, level 1, facing south-west, harm 4 of 10, locked, has acted
(B2) E3, facing south-west, harm 1 of 10, has acted
(B3) F4, facing south-west, harm 0 of 10
'''


def test_the_table_in_letters() -> None:
    assert text_map(drawing_table.table(), 48) + "\n" == MAP


def test_sides_are_told_by_brackets_and_signs_keep_off_each_other() -> None:
    crowd = [model(ThingId(f"R{k}"), Point(24000 + 100 * k, 24000)) for k in range(4)]
    table = with_things(*crowd, model("B1", Point(24000, 24000), side="blue"))
    lines = text_map(table, 48).splitlines()
    map_part = "\n".join(lines[:-5])
    assert all(sign in map_part for sign in ("[R0]", "[R1]", "[R2]", "[R3]", "(B1)"))
    assert {len(row) for row in lines[2 : lines.index(lines[2], 3) + 1]} == {52}


@pytest.mark.parametrize(
    ("names", "signs"),
    [
        (("Monolith R3", "Monolith R4"), ("[R3]", "[R4]")),
        (("Harrow One 1", "Harrow One 2"), ("[HO1]", "[HO2]")),
        (("Carters 1", "Cutters 1"), ("[C1]", "[Cu1]")),
        (("Carters", "R1"), ("[Carter]", "[R1]")),
    ],
)
def test_models_with_long_names_are_told_apart_on_the_map(names: tuple[str, str], signs: tuple[str, str]) -> None:
    models = [model(ThingId(f"m{k}"), Point(20000 + 9000 * k, 24000), label=name) for k, name in enumerate(names)]
    lines = text_map(with_things(*models), 48).splitlines()
    assert all(sign in "\n".join(lines[:-2]) for sign in signs)
    called = ["" if f"[{name}]" == sign else f"{name}, " for name, sign in zip(names, signs, strict=True)]
    assert lines[-2].startswith(f"{signs[0]} {called[0]}D5, ")
    assert lines[-1].startswith(f"{signs[1]} {called[1]}E5, ")


def test_states_and_what_they_are_about_are_read_out() -> None:
    states = {"hot": Mark("bolt_gun"), "lock": Mark("b1"), "shaken": Mark(2), "prone": Mark()}
    table = with_things(model("R1", states=states), model("b1", side="blue", label="B1"))
    said = {"hot": "has hot weapons", "bolt_gun": "bolt gun"}
    told = text_map(table, 48, say=lambda word: said.get(word, word)).splitlines()[-2]
    assert told.endswith("has hot weapons: bolt gun, lock: B1, shaken 2, prone")


def test_nobody_acts_where_no_side_does_and_before_turn_1_the_table_is_set_up() -> None:
    assert heading(msgspec.structs.replace(with_things(), phase="deployment", acting=("",))) == "Set-up, deployment."
    unit, rifle = Thing(ThingId("u"), kind="unit", side=RED, label="Harrow One"), model("R1", unit="u")
    table = msgspec.structs.replace(with_things(unit, rifle), turn=2, acting=("red", "u", "R1"))
    assert heading(table) == "Turn 2. Red acts: Harrow One."


def test_a_map_too_narrow_to_read_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 16"):
        text_map(with_things(), 15)
