"""What a case may ask of the set-up: where a feature may lie, how one is drawn, what a scenario brings."""

from itertools import pairwise

import msgspec

from sandtable.engine.dice import SeededDice
from sandtable.engine.ids import PieceId, Side
from sandtable.engine.shapes import Band, Point, Polygon, Shape
from sandtable.engine.table import Piece, Table
from sandtable.field.ground import features
from sandtable.field.measure import gap_floor
from sandtable.field.random_terrain import across
from sandtable.field.walking.paths import length_between
from sandtable.forces.data import Data
from sandtable.forces.files import CaseError
from sandtable.forces.reading import Fail
from sandtable.forces.scenario import Scenario
from sandtable.forces.terrain import PieceForm
from sandtable.rulesets import ruleset
from sandtable.rulesets.quickstart.setup.board import quiet_turns_to_draw
from sandtable.rulesets.quickstart.setup.scenarios import board_fits
from sandtable.rulesets.quickstart.setup.terrain import BY_RULE, KINDS, LEVELS, kinds_for, refused_feature, terrain_type
from sandtable.tabletop.features import shapes_of


def _height_of(table: Table, asked: Data) -> object:
    """How high a kind of terrain is by itself."""
    return KINDS[asked.text_at()].height


def _may_lie(table: Table, asked: Data) -> object:
    """Whether a feature may be placed so, or the words of the refusal."""
    form = asked.read(PieceForm)
    shape = form.shape(Fail(asked.file, asked.node, CaseError))
    depth = form.traits.get("depth", 0)
    refusal = refused_feature(table.ground, form.kind, [shape], Point(0, 0), int(depth))
    return "yes" if refusal is None else refusal.sentence


def _feature(table: Table, asked: Data) -> object:
    """A feature as the dice draw it: how wide it is, its parts, levels, and how near its contours are."""
    kind = asked.text_at("kind")
    source = SeededDice(f"{kind} {asked.number('outline')}")
    piece = BY_RULE.draw(source, PieceId(kind), kind, asked.number("level") if asked.has("level") else 0)
    shapes = shapes_of(piece)
    return {
        "across": across(*shapes),
        "pieces": len(shapes),
        "levels": len(piece.contours) or piece.height,
        "width": piece.outline.width if isinstance(piece.outline, Band) else 0,
        "shortest-side": _shortest_side(piece),
        "contours-apart": _contours_apart(piece),
    }


def _shortest_side(piece: Piece) -> int:
    rings = [_ring(part.outline).points for part in piece.parts if part.outline is not None]
    return min((length_between(a, b) for ring in rings for a, b in pairwise(ring)), default=0)


def _contours_apart(piece: Piece) -> int:
    """How near two neighbouring contours come to each other."""
    rings = [_ring(contour.outline) for contour in piece.contours]
    return min((gap_floor(lower, upper) for lower, upper in pairwise(rings)), default=0)


def _ring(shape: Shape) -> Band:
    assert isinstance(shape, Polygon)
    return Band((*shape.points, shape.points[0]), 0)


def _joined(table: Table, asked: Data) -> object:
    """The features of the board: joined pieces of one kind are one."""
    return tuple(tuple(piece.id for piece in group) for group in features(table.ground.pieces))


def _terrain_type(table: Table, asked: Data) -> object:
    """What a roll for terrain lets a side place."""
    return terrain_type(asked.number())


def _kinds_for(table: Table, asked: Data) -> object:
    """The kinds of terrain that such a result lets it place."""
    return tuple(kinds_for(asked.text_at().replace("-", "_").replace(" ", "_")))


def _levels_for(table: Table, asked: Data) -> object:
    """The levels that a kind of terrain may have."""
    return tuple(LEVELS[asked.text_at()])


def _board_fits(table: Table, asked: Data) -> object:
    """Whether a board, `[width, height]`, is large enough for the rules."""
    return board_fits(asked.length(0), asked.length(1))


def _scenario(table: Table, asked: Data) -> object:
    """What a scenario of the edition brings, by name and, where it has one, size."""
    size = asked.number("size") if asked.has("size") else 0
    made = ruleset("quickstart").setup(asked.text_at("name"), size)
    form = msgspec.convert(made.scenario["form"], Scenario)
    size = made.size or form.size.default if form.size is not None else 1
    return {
        "sides": made.sides,
        "width": form.board.width,
        "height": form.board.height,
        "terrain": form.board.terrain if isinstance(form.board.terrain, str) else "laid out",
        "models": {side: _fielded(form, side, size) for side in made.sides},
        "deployment": form.deployment,
        "victory": form.victory,
    }


def _fielded(form: Scenario, side: Side, size: int) -> tuple[str, ...]:
    return tuple(one.model for one in form.sides[side].force for _ in range(size if one.count == "size" else one.count))


def _quiet_turns(table: Table, asked: Data) -> object:
    """After how many turns without harm the battle is a draw."""
    return quiet_turns_to_draw(table)


SETUP_VALUES = {
    "height-of": _height_of,
    "may-lie": _may_lie,
    "feature": _feature,
    "joined": _joined,
    "terrain-type": _terrain_type,
    "kinds-for": _kinds_for,
    "levels-for": _levels_for,
    "board-fits": _board_fits,
    "scenario": _scenario,
    "quiet-turns": _quiet_turns,
}
