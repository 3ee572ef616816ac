"""Things that are put down: whether each lies where its question says."""

from collections.abc import Mapping

from sandtable.engine.questions import PlaceThings, Refusal
from sandtable.engine.shapes import At, Base, Spot
from sandtable.engine.table import Table
from sandtable.field.measure import in_region

#: What something stands on that has no base.
POINT = Base("circle", 0)


def refused_region(table: Table, question: PlaceThings, answer: Mapping[str, Spot]) -> Refusal | None:
    """Why a thing may not be put down there: it is not in the region it is asked for."""
    for name, spot in answer.items():
        thing, region = table[name], question.where.get(name, question.where.get(""))
        if region is None or not isinstance(spot.where, At):
            continue
        if not in_region(region, thing.base or POINT, spot.where.point, spot.facing):
            return Refusal(region.rule, f"{thing.label} may be put down here only: {region.label}.")
    return None
