"""A table drawn: as an SVG picture with any verdict on it, in words, or in letters for a terminal."""

from sandtable.field.drawing.letters import text_map
from sandtable.field.drawing.picture import draw
from sandtable.field.drawing.verdicts import (
    ArcFan,
    Bead,
    DriftArrow,
    Held,
    Note,
    PathLine,
    Pick,
    RangeBand,
    ReachArea,
    Ruler,
    SightLine,
    Template,
    Verdict,
)
from sandtable.field.drawing.words import compass, describe, heading, model_words, square_of

__all__ = [
    "draw",
    "describe",
    "heading",
    "text_map",
    "model_words",
    "square_of",
    "compass",
    "Verdict",
    "SightLine",
    "Bead",
    "PathLine",
    "Note",
    "ArcFan",
    "RangeBand",
    "ReachArea",
    "Template",
    "DriftArrow",
    "Ruler",
    "Pick",
    "Held",
]
