"""Special Actions: what the equipment of a model lets it do for an action point. Smoke, reloading, putting out fire."""

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Declared, Detail, Forfeited, Placed, TerrainChanged
from sandtable.engine.ids import NO_SIDE, PieceId
from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import Band, Disc, Off, Point, Shape
from sandtable.engine.table import Piece, Thing
from sandtable.field.directions import along
from sandtable.field.measure import CONTACT, gap
from sandtable.field.walking.paths import Pose, length_between
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.cav.concepts import base_of, center, outline
from sandtable.rulesets.strikeops.damage import in_play
from sandtable.rulesets.strikeops.datacard import rating, reach
from sandtable.rulesets.strikeops.dice import DICE
from sandtable.rulesets.strikeops.state_names import CountName, StateName, Until
from sandtable.rulesets.strikeops.terrain import SMOKE
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give, take

SPECIAL = rule("strikeops.actions.special-action")
LASTS = rule("strikeops.attributes.activated-duration")
SMOKE_MADE = rule("strikeops.attributes.smoke-generate")
RE_SUPPLY = rule("strikeops.attributes.re-supply")
EXTINGUISH = rule("strikeops.attributes.fire-proof-extinguish")
LIMITED = rule("strikeops.attributes.limited-uses")

CLOUD, LINE, RELOAD = "smoke-cloud", "smoke-line", "re-supply"
PUT_OUT, PUT_OUT_OWN = "extinguish", "extinguish-own"
#: A state of a model: where its back has been in this activation, as far as smoke may come of it.
TRAIL = "trail"
#: A state of a model: its smoke, each piece with the activations it has left and the turn it was made in.
SMOKES = "smoke made"


class Use(NamedTuple):
    """A use of the Special Action: what stands on its button, the attribute it takes, of which level, and its rule."""

    label: str
    attribute: str
    rule: Rule
    level: int = 1


USES: dict[str, Use] = {
    CLOUD: Use("Smoke around itself", "smoke", SMOKE_MADE),
    LINE: Use("Smoke behind it as it moves", "smoke", SMOKE_MADE),
    RELOAD: Use("Reload a model in contact", "re_supply", RE_SUPPLY),
    PUT_OUT: Use("Put out fires around it", "fire_proof", EXTINGUISH, 2),
    PUT_OUT_OWN: Use("Put out fires around it, of its own side only", "fire_proof", EXTINGUISH, 2),
}


def uses_of(model: Thing) -> list[str]:
    """What a model may use the Special Action for."""
    return [name for name, use in USES.items() if rating(model, use.attribute) >= use.level]


def refused_special(model: Thing) -> Refusal | None:
    """Why a model may not declare the Special Action: nothing of its equipment grants it."""
    return None if uses_of(model) else Refusal(SPECIAL.id, f"{model.label} has no equipment that needs it.")


def carry_out(battle: Battle, model: str, use: str, friend: str, moves_on: bool) -> None:
    """Use the Special Action; a line of smoke comes when the model has done its moves."""
    if use == CLOUD:
        thing = battle.table[model]
        lay(battle, thing, Disc(center(thing), SMOKE_MADE.inches("cloud_radius")))
    elif use == LINE and not moves_on:
        lay_line(battle, model)
    elif use == RELOAD:
        reload_model(battle, model, friend)
    elif use in (PUT_OUT, PUT_OUT_OWN):
        extinguish(battle, model, own=use == PUT_OUT_OWN)


# Smoke --------------------------------------------------------------------------------------------------------------


def note_trail(battle: Battle, model: str, poses: Sequence[Pose]) -> None:
    """Remember where the back of a model that can make smoke has been."""
    thing = battle.table[model]
    if not rating(thing, "smoke"):
        return
    half = base_of(thing).size // 2
    backs = [along(pose.point, pose.facing + 180, half) for pose in poses]
    spelled = [str(number) for back in backs for number in back]
    value = (*thing.words(TRAIL), *spelled)
    give(battle, model, TRAIL, SMOKE_MADE, value, until=Until.NEXT_ACTIVATION)


def lay_line(battle: Battle, model: str) -> None:
    """Lay smoke along the way of the back of the base; who has not moved lays none."""
    thing = battle.table[model]
    known = thing.value(TRAIL)
    if not isinstance(known, tuple):
        battle.happens(Forfeited(model, LINE, rule=SMOKE_MADE.id))
        return
    points = [Point(int(x), int(y)) for x, y in zip(known[::2], known[1::2], strict=True)]
    way = tuple(point for n, point in enumerate(points) if n == 0 or point != points[n - 1])
    take(battle, model, TRAIL, SMOKE_MADE)
    if len(way) > 1:
        lay(battle, thing, Band(way, SMOKE_MADE.inches("line_width")))


def lay(battle: Battle, model: Thing, shape: Shape) -> None:
    """Lay smoke that lasts half a die of the model's activations, rounded up (strikeops.attributes.smoke-generate)."""
    fell = DICE.plain_roll(battle, "smoke", model.id, SMOKE_MADE.text_at("duration", "dice"), SMOKE_MADE)
    lasts = -(-fell // SMOKE_MADE.number("duration", "divide_by"))
    piece = Piece(PieceId(battle.new_id("smoke")), SMOKE, shape, label="the smoke")
    battle.happens(Placed(piece.id, Off(), piece=piece, rule=SMOKE_MADE.id))
    value = (*model.words(SMOKES), piece.id, str(lasts), str(battle.table.turn + lasts))
    give(battle, model.id, SMOKES, SMOKE_MADE, value, until=Until.GAME)


def clear_smoke(battle: Battle, model: str) -> None:
    """An activation begins: smoke that has lasted its time goes."""
    held = battle.table[model].value(SMOKES)
    if not isinstance(held, tuple):
        return
    left: tuple[str, ...] = ()
    for piece, lasts, until in zip(held[::3], held[1::3], held[2::3], strict=True):
        if int(lasts) > 1:
            left = (*left, piece, str(int(lasts) - 1), until)
        else:
            battle.happens(TerrainChanged(PieceId(piece), before=SMOKE, rule=SMOKE_MADE.id))
    give(battle, model, SMOKES, SMOKE_MADE, left or None, until=Until.GAME)


def clear_smoke_of_the_gone(battle: Battle) -> None:
    """The End Phase: smoke of models that are gone goes by turns."""
    for model in list(battle.table.of_kind("model")):
        held = model.value(SMOKES)
        if isinstance(held, tuple) and not in_play(model):
            pieces = {one.id for one in battle.table.ground.pieces}
            for piece, _, until in zip(held[::3], held[1::3], held[2::3], strict=True):
                if int(until) <= battle.table.turn and piece in pieces:
                    battle.happens(TerrainChanged(PieceId(piece), before=SMOKE, rule=SMOKE_MADE.id))


# Reloading and putting out fires ------------------------------------------------------------------------------------


def reload_model(battle: Battle, model: str, friend: str) -> None:
    """Clear all jams of a friend in contact, and fill its bins (strikeops.attributes.re-supply)."""
    thing, other = battle.table[model], battle.table[friend]
    if other.gone or gap(outline(thing), outline(other)) > CONTACT:
        battle.happens(Forfeited(model, RELOAD, rule=RE_SUPPLY.id))
        return
    battle.happens(Declared(model, RELOAD, (friend,), rule=RE_SUPPLY.id))
    take(battle, friend, StateName.JAMMED, RE_SUPPLY)
    before, full = other.count(CountName.AMMO_BIN), rating(other, "ammo_bin")
    if before < full:
        detail: Detail = {"rules": (LIMITED.id,)}
        battle.happens(Counted(friend, CountName.AMMO_BIN, before, full, rule=RE_SUPPLY.id, detail=detail))


def extinguish(battle: Battle, model: str, *, own: bool) -> None:
    """Put out every fire within three inches, of all or of one's own (strikeops.attributes.fire-proof-extinguish)."""
    here = center(battle.table[model])
    far = reach(battle.table[model], EXTINGUISH.inches("radius"))
    for other in list(battle.table.models(battle.table[model].side if own else NO_SIDE)):
        if other.has(StateName.BURNING) and length_between(here, center(other)) <= far:
            take(battle, other.id, StateName.BURNING, EXTINGUISH)


CHAPTER = Chapter(
    states={
        TRAIL: "where the back of its base has been, in thousandths",
        SMOKES: "the smoke it has made, with how long each lasts",
    },
)
