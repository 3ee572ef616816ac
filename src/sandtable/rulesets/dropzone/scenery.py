"""Scenery that takes part: it is damaged, burns, hurts who is inside, and falls on who stands near."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Placed, Rolled, TerrainChanged
from sandtable.engine.ids import PieceId, ThingId
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, At, Off, Point, Shape
from sandtable.engine.state import Step
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.ground import box_of
from sandtable.field.measure import gap_to_point
from sandtable.forces.ledger import Rule, citing, rule, same_number
from sandtable.forces.terrain import TerrainKind
from sandtable.rulesets.dropzone.basics import (
    MORE_PIECES,
    ORDER,
    PIECES,
    PROPERTIES,
    SOLID,
    active_side,
    has_property,
    in_order,
    roll_number,
    scenery_data,
    spoken,
)
from sandtable.rulesets.dropzone.damage import (
    COLLATERAL,
    FALLS,
    HURT,
    KINDLED,
    OCCUPANTS,
    SETTLED,
    TO_DAMAGE,
    TOKENS,
    DamageRolls,
    Dealt,
    Destroyed,
    Hits,
    TakeOff,
    add_tokens,
    damage_pool,
)
from sandtable.rulesets.dropzone.movement.placing import Survivors
from sandtable.rulesets.dropzone.units import inside, value_of
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.choosing import choose_thing
from sandtable.tabletop.pools import throw_pool
from sandtable.tabletop.states import take

DESTRUCTION = rule("dropzone.scenery.destruction")
SMALL = rule("dropzone.scenery.small-pieces-just-vanish")
INSIDE = rule("dropzone.scenery.occupied-garrison-destroyed")
FLAMMABLE = rule("dropzone.scenery.flammable")
BURNS = rule("dropzone.scenery.collateral-in-round-up")
AT_ONCE = rule("dropzone.scenery.collateral-in-occupied-garrison")
GOES_OUT = rule("dropzone.scenery.collateral-token-removal")

#: What is left where a large piece stood.
RUBBLE = "rubble"
#: What a scenario or a case may say of a piece: the Damage Points that it has lost.
HARM = "harm"
#: The question who is hit first of several that are as near.
HIT_FIRST = "hit-first"
same_number("how hot a Flammable piece burns", FLAMMABLE.number("collateral_energy"), BURNS.number("flammable_energy"))
same_number("what a token does", TO_DAMAGE.number("damage"), BURNS.number("max_damage_per_token"))


def kinds() -> dict[str, TerrainKind]:
    """The kinds of scenery of the ledger, with how high each is, in thousandths."""
    found = {}
    for word in (*PIECES.names("pieces"), *MORE_PIECES.names("pieces")):
        data = MORE_PIECES.at("sizes", word) if MORE_PIECES.has("sizes", word) else scenery_data(word)
        height = data.inches("height_in") if data.has("height_in") else 0
        found[word.replace("_", "-")] = TerrainKind(height=height, level=UNIT)
    return found


class Collapse(Step, frozen=True):
    """A piece of scenery falls down."""

    piece: str
    because: int = 0


class Rubble(Step, frozen=True):
    """What lies there afterwards."""

    piece: str


class Burn(Step, frozen=True):
    """The tokens on a piece burn once."""

    piece: str


class BurnKindled(Step, frozen=True):
    """The tokens on occupied Garrisons burn that have got new ones."""


def thing_of(piece: Piece) -> Thing | None:
    """The part a piece takes in the battle: it holds units, or can be destroyed; none for other pieces."""
    destructible, garrison = has_property(piece, "destructible"), has_property(piece, "garrison")
    if not destructible and not garrison:
        return None
    data = scenery_data(piece.kind)
    west, north, east, south = box_of(piece.outline)
    points, counts = 0, {}
    if destructible:
        points, counts = data.number("damage_points"), {"armour": data.number("armour")}
        if _said(piece, TOKENS):
            counts[TOKENS] = _said(piece, TOKENS)
    return Thing(
        ThingId(piece.id),
        kind="holder",
        label=spoken(piece),
        card=piece.kind,
        place=At(Point((west + east) // 2, (north + south) // 2)),
        track=points,
        harm=min(_said(piece, HARM), points),
        counts=counts,
    )


def _said(piece: Piece, trait: str) -> int:
    """A number that a scenario or a case says of a piece; 0 where it says none."""
    number = piece.traits.get(trait)
    return max(0, number) if isinstance(number, int) else 0


def lay(battle: Battle, piece: Piece) -> None:
    """Put the part that a piece takes in the battle on the table."""
    thing = thing_of(piece)
    if thing is not None:
        laid = Placed(thing.id, thing.place, made=thing, rule=PROPERTIES.id, detail=citing(*laid_by(piece)))
        battle.happens(laid)


def laid_by(piece: Piece) -> Iterator[Rule]:
    """The rules that say what a piece of scenery is."""
    yield PIECES if PIECES.has("pieces", piece.kind.replace("-", "_")) else MORE_PIECES
    if has_property(piece, "solid"):
        yield SOLID


# Falling down ------------------------------------------------------------------------------------------------------


def falls(battle: Battle, thing: Thing, step: Destroyed) -> Sequence[Step]:
    """A destroyed piece collapses."""
    return (Collapse(thing.id, step.because),) if thing.kind == "holder" else ()


def collapse(battle: Battle, step: Collapse) -> Procedure[None]:
    """Those inside are hit first, then all who stand near; who survives inside is placed on what is left.

    dropzone.scenery.small-pieces-just-vanish    a small piece hurts nobody outside
    """
    table = battle.table
    thing, piece = table[step.piece], table.ground.piece(step.piece)
    small = thing.track <= SMALL.number("max_starting_damage_points")
    dice = DESTRUCTION.text_at("roll")
    far = 0 if small else roll_number(battle, "collapse", dice, piece.id, DESTRUCTION, step.because)
    armour = thing.count("armour")
    occupants = sorted(inside(table, piece.id), key=lambda one: in_order(table).index(one.side))
    hits: list[Hits] = []
    if occupants:
        count = roll_number(battle, "collapse", INSIDE.text_at("hits"), piece.id, INSIDE, step.because)
        hits += [Hits(one.id, count, armour, "collapse", piece.id, because=step.because) for one in occupants]
    struck = [] if small else (yield from by_nearness(battle, piece.outline, far * UNIT))
    hits += [Hits(one.id, far, armour, "collapse", piece.id, because=step.because) for one in struck]
    out = Survivors(piece.id, INSIDE.id, piece.outline, coherent=True)
    battle.push(*([DamageRolls(tuple(hits))] if hits else []), Rubble(piece.id), *([out] if occupants else []))


def by_nearness(battle: Battle, outline: Shape, far: int) -> Procedure[list[Thing]]:
    """The units within a distance of a piece, nearest first; of several as near the active side says who."""
    left, found = near_collapse(battle.table, outline, far), []
    while left:
        nearest = _away(outline, left[0])
        tied = [one for one in left if _away(outline, one) == nearest]
        name = yield from choose_thing(
            active_side(battle.table),
            "It falls on several that are as near. Who is hit first?",
            tied,
            *(DESTRUCTION, ORDER),
            topic=HIT_FIRST,
            about=tuple(one.id for one in tied),
            default=True,
        )
        found.append(battle.table[name])
        left = [one for one in left if one.id != name]
    return found


def _away(outline: Shape, unit: Thing) -> int:
    assert isinstance(unit.place, At)
    return gap_to_point(outline, unit.place.point)


def near_collapse(table: Table, outline: Shape, far: int) -> list[Thing]:
    """The units within a distance of a piece, nearest first; those that stand on it are."""
    found = [one for one in table.models() if _away(outline, one) <= far]
    return sorted(found, key=lambda one: (_away(outline, one), one.id))


def destructible_near(table: Table, at: Point, far: int) -> Iterator[Thing]:
    """The Destructible scenery within a distance of a point."""
    for one in table.of_kind("holder"):
        if one.track and not one.gone and gap_to_point(table.ground.piece(one.id).outline, at) <= far:
            yield one


def rubble(battle: Battle, step: Rubble) -> Procedure[None]:
    """Replace a large piece by a flat one of Tough ground; a small one leaves nothing."""
    yield from ()
    table = battle.table
    thing, piece = table[step.piece], table.ground.piece(step.piece)
    small = thing.track <= SMALL.number("max_starting_damage_points")
    source = SMALL if small else DESTRUCTION
    n = battle.happens(TerrainChanged(piece.id, before=piece.kind, after="", rule=source.id))
    if not small:
        left = Piece(PieceId(f"{piece.id}-{RUBBLE}"), RUBBLE, piece.outline, label=f"Rubble of {spoken(piece)}")
        battle.happens(Placed(left.id, Off(), piece=left, rule=DESTRUCTION.id, because=n))


# Burning -----------------------------------------------------------------------------------------------------------


def collateral_energy(piece: Piece) -> int:
    """The Energy of the tokens on a piece."""
    return FLAMMABLE.number("collateral_energy") if has_property(piece, "flammable") else BURNS.number("energy")


def burn(battle: Battle, step: Burn) -> Procedure[None]:
    """Each token hits the piece, and one squad inside; those that do not damage the piece go out."""
    yield from ()
    table = battle.table
    thing = table[step.piece]
    take(battle, thing.id, KINDLED, AT_ONCE)
    count = thing.count(TOKENS)
    if thing.gone or not count:
        return
    piece = table.ground.piece(thing.id)
    energy = collateral_energy(piece)
    hits = Hits(thing.id, count, energy, "collateral damage", thing.id, manner=(COLLATERAL,))
    pool = damage_pool(table, hits)
    fell = throw_pool(battle, replace(pool, citing=(*pool.citing, BURNS)))
    stays = fell.counts[1]
    if stays < count:
        battle.happens(Counted(thing.id, TOKENS, count, stays, rule=GOES_OUT.id, because=fell.n))
    squads = list(dict.fromkeys(one.unit for one in inside(table, thing.id)))
    steps: list[Step] = []
    if squads:
        squad = squad_at_random(battle, thing, squads, fell.n)
        on_squad = Hits(squad, count, energy, "collateral damage", thing.id, manner=(COLLATERAL,), because=fell.n)
        steps.append(DamageRolls((on_squad,)))
    if stays:
        steps.append(TakeOff((Dealt(hits, stays, 0, fell.n),)))
    battle.push(*steps)


def squad_at_random(battle: Battle, piece: Thing, squads: Sequence[str], because: int) -> str:
    """The squad inside that all tokens hit: a roll among them, told; none where there is but one."""
    if len(squads) == 1:
        return squads[0]
    dice = f"d{len(squads)}"
    fell = battle.dice.total(dice)
    squad = squads[fell.natural - 1]
    told = Rolled(
        *("squad", piece.id, dice, fell.faces, fell.natural),
        total=fell.natural,
        outcome=battle.table[squad].label,
        rule=OCCUPANTS.id,
        because=because,
    )
    battle.happens(told)
    return squad


def flame_on_flammable(battle: Battle, thing: Thing, dealt: Dealt) -> Sequence[Step]:
    """A Flammable piece that is damaged by Flame gets one more token."""
    if thing.kind == "holder" and not thing.gone and value_of(dealt.hits.special, "flame") is not None:
        if has_property(battle.table.ground.piece(thing.id), "flammable") and dealt.points:
            add_tokens(battle, thing.id, FLAMMABLE.number("extra_tokens"), FLAMMABLE, dealt.because)
    return ()


def kindled(battle: Battle) -> Sequence[Step]:
    """After all damage of an event, tokens on occupied Garrisons burn at once."""
    return (BurnKindled(),) if any(one.has(KINDLED) for one in battle.table.of_kind("holder")) else ()


def burn_kindled(battle: Battle, step: BurnKindled) -> Procedure[None]:
    """Burn the tokens on the occupied Garrisons that have got new ones; the others wait for the Round Up Phase."""
    yield from ()
    for one in [one for one in battle.table.of_kind("holder") if one.has(KINDLED)]:
        if inside(battle.table, one.id) and not one.gone:
            battle.push(Burn(one.id))
        else:
            take(battle, one.id, KINDLED, AT_ONCE)


def burning(table: Table) -> list[Step]:
    """The pieces that burn in the Round Up Phase."""
    return [Burn(one.id) for one in table.of_kind("holder") if one.count(TOKENS) and not one.gone]


CHAPTER = Chapter(
    steps={Collapse: collapse, Rubble: rubble, Burn: burn, BurnKindled: burn_kindled},
    at=(FALLS(falls), HURT(flame_on_flammable), SETTLED(kindled)),
    terrain=kinds(),
    answers={HIT_FIRST: "who is hit first of several that are as near to what falls down"},
)
