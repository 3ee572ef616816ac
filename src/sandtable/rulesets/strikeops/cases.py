"""The words of this ruleset's conformance cases: what each model of a squad does, and the weapons of the cards."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.engine.ids import NO_THING, PieceId, Side
from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import UNIT, rectangle
from sandtable.engine.table import Mark, Piece, Table, Thing
from sandtable.field.ground import level_at
from sandtable.forces.data import Data
from sandtable.forces.ledger import rule
from sandtable.forces.outlines import Circle
from sandtable.forces.terrain import PieceForm
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.cav.indirect import POINT
from sandtable.rulesets.cav.movement import HILL, WATER, WRECK
from sandtable.rulesets.strikeops.actions.attack_parts import INDIRECT
from sandtable.rulesets.strikeops.actions.listing import NOTHING, action_points
from sandtable.rulesets.strikeops.command import points
from sandtable.rulesets.strikeops.damage import row
from sandtable.rulesets.strikeops.datacard import (
    CARDS,
    Stats,
    Weapon,
    armor,
    damage_control,
    experience,
    movement,
    weapons,
)
from sandtable.rulesets.strikeops.indirect import POINT_MODIFIERS
from sandtable.rulesets.strikeops.initiative import DRAW_DECK
from sandtable.rulesets.strikeops.laying import FEATURES, RANDOM
from sandtable.rulesets.strikeops.movement import STANDING
from sandtable.rulesets.strikeops.rows import special
from sandtable.rulesets.strikeops.scenarios import ready_board
from sandtable.rulesets.strikeops.shooting.aiming import MODIFIERS, Attack, aim
from sandtable.rulesets.strikeops.sight import line_of_sight
from sandtable.rulesets.strikeops.state_names import CountName, StateName
from sandtable.rulesets.strikeops.terrain import KINDS, height, sunk, terrain_cost
from sandtable.rulesets.strikeops.victory import surviving
from sandtable.tabletop.case_words import BookWords
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.modifiers import Modifier

FAMILIES = rule("strikeops.weapons.families")


class StrikeOpsWords(BookWords):
    """What a case may say: a squad declares its actions as a plan."""

    def actions(self, table: Table, actor: str, value: Data) -> Mapping[str, Any]:
        """`{A: shoot}` and `{A: [target-lock, shoot]}` are the actions of A; other keys of the step fill the rest.

        Who has no action points is not asked for any, and does nothing all the same.
        """
        actions = value.texts() if isinstance(value.node.value, list) else (value.text_at(),)
        if actions == (NOTHING,) and not table[actor].count(CountName.AP):
            return {}
        return {f"{actor} {n}": action for n, action in enumerate(actions, 1)}

    def called(self, table: Table, thing: Thing) -> Sequence[str]:
        """What a squad does may be said of any of its models."""
        return (thing.unit,) if thing.kind == "model" and thing.unit in table.things else ()

    @property
    def facings(self) -> Collection[str]:
        """Who stands up says which way it faces then."""
        return (STANDING,)

    @property
    def implied(self) -> Mapping[str, tuple[str, Any]]:
        """Who names a strike-point fires indirectly, and who names the point that is locked locks a point."""
        return {"fire": (POINT, INDIRECT), "lock": ("lock-point", POINT)}

    def more(self) -> Mapping[str, Mapping[str, str]]:
        """What changes a roll, its deck, the weapons of its cards, and the points by which players shape terrain."""
        carried = [weapons(Thing(NO_THING, card=card.id)) for card in self.book.cards or ()]
        rows: list[Modifier[Any]] = [*MODIFIERS, *POINT_MODIFIERS]
        return {
            "parts": {row.label: row.rule.title.lower() for row in rows if isinstance(row.label, str)},
            "decks": {DRAW_DECK.name: "which side acts next; `deck` is it too"},
            "weapons": {name: one.weapon.name for systems in carried for name, one in systems.items()},
            "declared": {"penetrated": "of a hit: the armor does not hold", "deflected": "of a hit: it does"},
            "points": dict.fromkeys(FEATURES[RANDOM].every_point(), "a point that a feature is shaped by"),
        }


# Values ---------------------------------------------------------------------------------------------------------------


def _model(table: Table, asked: Data, key: str) -> Thing:
    return table[asked.text_at(key)]


def _aim(table: Table, asked: Data) -> object:
    """What a shot `needs` by its band, what changes that by its label, and the `total`; or the rule that forbids it."""
    shooter, name = _model(table, asked, "of"), asked.text_at("weapon")
    if asked.has("lock"):
        table = table.copy()
        states = {**shooter.states, StateName.TARGET_LOCK: Mark(asked.text_at("lock"))}
        table.things[shooter.id] = replace(shooter, states=states)
    fired = asked.texts("weapons") if asked.has("weapons") else (name,)
    aimed = aim(table, Attack(shooter.id, asked.text_at("target"), fired), name)
    if isinstance(aimed, Refusal):
        return aimed.rule
    known = {row.label: 0 for row in MODIFIERS if isinstance(row.label, str)}
    total = aimed.needs.total + sum(part.value for part in aimed.modifiers)
    return {"needs": aimed.needs.total, "total": total, **known, **{one.label: one.value for one in aimed.modifiers}}


def _ground_under(table: Table, model: Thing) -> int:
    at = center(model)
    return level_at(table.ground, at) - sunk(table.ground, model, at)


def _card(table: Table, asked: Data) -> object:
    """A value of a model's card as it is now."""
    model = _model(table, asked, "model")
    known: dict[str, object] = {
        "mv": movement(model),
        "armor": armor(model),
        "exp": experience(model),
        "dc": _dash(damage_control(model)),
        "action-points": action_points(model),
        "height": height(model),
        "total elevation": height(model) + _ground_under(table, model),
    }
    return known[asked.text_at("value")]


def _row(table: Table, asked: Data) -> object:
    """What a row of the Combat Damage Table does."""
    found = row(asked.number())
    return {
        "damage": found.damage,
        "pilot check": "none" if found.pilot_check is None else found.pilot_check,
        "suppressed": StateName.SUPPRESSED in found.states,
        "critical": found.critical_damage_roll,
    }


def _terrain_cost(table: Table, asked: Data) -> object:
    """What an inch of each kind of terrain costs a move class."""
    outline = rectangle(0, 0, 1, 1)
    pieces = {kind: Piece(PieceId(""), kind, outline) for kind in KINDS if kind not in (HILL, WATER, WRECK)}
    pieces |= {f"{WATER} {depth}": Piece(PieceId(""), WATER, outline, traits={"depth": depth}) for depth in range(3)}
    pieces["open"] = Piece(PieceId(""), "open", outline)
    costs = {kind: terrain_cost(asked.text_at(), piece) for kind, piece in pieces.items()}
    return {kind: "NA" if cost is None else cost for kind, cost in costs.items()}


def _line(table: Table, asked: Data) -> object:
    """Of a line of sight: `blocked` (yes or no), `by` which rule, and how much its `cover` adds to what is needed."""
    turret = asked.has("turret") and asked.scalar("turret") in (True, "yes")
    found = line_of_sight(table, _model(table, asked, "of"), _model(table, asked, "to"), turret)
    return {
        "blocked": "yes" if found.blocked else "no",
        "by": found.blocked_by,
        "cover": sum(part.value for part in found.cover),
    }


def _cards(table: Table, asked: Data) -> object:
    """How many cards of a side the draw deck is made of, those that lie open included."""
    return DRAW_DECK.cards(table).count(asked.text_at())


def _points(table: Table, asked: Data) -> object:
    """How many C3 points a side has left."""
    return points(table, Side(asked.text_at()))


def _surviving(table: Table, asked: Data) -> object:
    """What a model would count at the end."""
    return surviving(table[asked.text_at()])


def _listed_weapon(table: Table, asked: Data) -> object:
    """A class of a weapon as the weapon list prints it: its fire, range, RAV and attributes."""
    family, size = (re.sub(r"[ -]", "_", asked.text_at(key).lower()) for key in ("family", "class"))
    printed = special().weapons[family].entries[0].at("classes", size)
    attributes = {name: printed.scalar("attributes", name) for name in printed.names("attributes")}
    values = ["-" if one.node.value is None else str(one.number()) for one in printed.items("rav")]
    return {
        "fire": FAMILIES.text_at("families", family, "fire"),
        "range": printed.number("range") if printed.has("range") else "-",
        "rav": "/".join(values),
        "attributes": _with(attributes),
    }


# Cards and boards as they are printed -----------------------------------------------------------------------------


def _dash(value: int | None) -> str:
    return "-" if value is None else str(value)


def _columns(name: str, values: Iterable[int | None]) -> str:
    return " ".join((name, *(_dash(value) for value in values)))


def _with(attributes: Mapping[str, object]) -> str:
    """Attributes with their ratings, those without a number alone."""
    said = [name if value is True else f"{name} {_listed(value)}" for name, value in attributes.items()]
    return ", ".join(said) or "nothing"


def _listed(value: object) -> str:
    return " and ".join(str(one) for one in value) if isinstance(value, tuple) else str(value)


def _weapon_line(weapon: Weapon) -> str:
    where = "".join(weapon.mounts) or "carried"
    reach = f"range {_dash(weapon.range)}, not within {_dash(weapon.minimum_range)}"
    values = " ".join("/".join(_dash(one) for one in pair) for pair in weapon.rav or ()) or "-"
    return f"{weapon.count} × {weapon.name} ({where}), {weapon.fire}, {reach}, RAV {values}, {_with(weapon.attributes)}"


def _card_lines(card: Stats) -> tuple[str, ...]:
    """What a card says, line by line."""
    sort = " ".join(word for word in (card.chassis_size, card.variety, card.kind, card.model_type) if word)
    columns = card.columns
    lines = [
        f"{card.name}, {card.faction}",
        f"{sort}, task {card.task}, {card.damage_tracks} DT, {card.threat_value} TV",
        _columns(f"{card.move_class} MV", columns.move_value),
        _columns("AV", columns.armor_value),
        _columns("EXP", columns.exp),
        _columns("DC", columns.damage_control),
        *(_weapon_line(weapon) for weapon in card.weapons),
        f"attributes {_with(card.attributes)}",
    ]
    lines += [f"{card.pylons} pylons"] if card.pylons else []
    lines += [f"options {', '.join(card.engineering_options)}"] if card.engineering_options else []
    built = ", ".join(f"{name} {value}" for name, value in card.construction.items())
    return (*lines, *([f"built with {built}"] if built else []))


def _laid_pieces(name: str) -> tuple[str, ...]:
    """The pieces of a ready board, with their shapes in inches."""
    terrain = ready_board(name).terrain
    return tuple(f"{one.kind} {one.id}: {_shaped(one)}" for one in terrain if isinstance(one, PieceForm))


def _shaped(piece: PieceForm) -> str:
    parts = [f"level {one.level} {_round(one.circle)}" for one in piece.contours if one.circle is not None]
    parts += [_round(piece.circle)] if piece.circle is not None else []
    parts += [" ".join(_numbers(point) for point in piece.polygon)] if piece.polygon else []
    if piece.band is not None:
        parts.append(f"{' '.join(_numbers(point) for point in piece.band.points)} wide {piece.band.width / UNIT:g}")
    parts += [f"depth {piece.traits['depth']}"] if "depth" in piece.traits else []
    return ", ".join(parts)


def _round(circle: Circle) -> str:
    return _numbers((circle.x, circle.y, circle.radius))


def _numbers(values: Iterable[int]) -> str:
    return "/".join(f"{value / UNIT:g}" for value in values)


CHAPTER = Chapter(
    values={
        "printed-card": lambda table, asked: _card_lines(CARDS.held[asked.text_at()].stats),
        "ready-board": lambda table, asked: _laid_pieces(asked.text_at()),
        "aim": _aim,
        "card": _card,
        "row": _row,
        "listed-weapon": _listed_weapon,
        "terrain-cost": _terrain_cost,
        "line": _line,
        "cards": _cards,
        "C3": _points,
        "surviving": _surviving,
    }
)
