"""Squads as they start: their record and their figures, on the table or waiting to enter."""

from sandtable.engine.battle import Battle
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import Placed
from sandtable.engine.ids import Side, ThingId
from sandtable.engine.shapes import At, In, Off, Place, Point
from sandtable.engine.table import Mark, Table, Thing
from sandtable.forces.data import Data
from sandtable.forces.files import nearest as closest
from sandtable.forces.ledger import citing
from sandtable.forces.models import Fielded
from sandtable.forces.scenario import Scenario
from sandtable.rulesets.stargrunt.confidence.levels import ARTILLERY, FATIGUE, MOTIVATION, levels_lost, threat
from sandtable.rulesets.stargrunt.confidence.levels import WORDS as CAUSES
from sandtable.rulesets.stargrunt.cover.protection import WORDS, cover_from, sees, unit_in_integrity
from sandtable.rulesets.stargrunt.dice.rolls import (
    LADDER,
    clock_degrees,
    major,
    nearest,
    one_die,
    open_shifted,
    shifted,
)
from sandtable.rulesets.stargrunt.forces.cards import SCHEMA, SQUADS, Squad, card, kit, kits, squad
from sandtable.rulesets.stargrunt.movement.terrain_costs import MOBILITY
from sandtable.rulesets.stargrunt.movement.walking import away_from_home, base_mobility, mobility_die
from sandtable.rulesets.stargrunt.scenario.objectives import TABLE
from sandtable.rulesets.stargrunt.state_names import CountName, StateName
from sandtable.rulesets.stargrunt.units.record import (
    ARMOUR,
    BASE,
    BASES,
    DEAD,
    POWER_ARMOUR,
    QUALITY,
    RECORD,
    STANDS_FOR_IT,
    UNIT_AND_ELEMENT,
    WAITING,
    WOUNDED,
    armour_die,
    block,
    hidden,
    in_power_armour,
    leadership,
    quality,
    quality_die,
)
from sandtable.rulesets.stargrunt.weapons import AMMUNITION, COUNTED, SMALL_ARMS, SUPPORT, SUPPORT_WEAPONS
from sandtable.tabletop.chapters import Chapter


def bring_squad(
    battle: Battle, one: Fielded[Squad], superior: ThingId, form: Scenario, aboard: In | None = None
) -> None:
    """Bring a unit and its figures, on the table, aboard a vehicle, or waiting (stargrunt.units.unit-record)."""
    data, thing = one.card.stats, one.thing
    side = form.sides[thing.side]
    states = dict(thing.states)
    for word, default in ((StateName.MOTIVATION, MOTIVATION.text_at("default")), (StateName.FATIGUE, "fresh")):
        states.setdefault(word, Mark(str(side.options.get(word, default))))
    if not data.independent:
        states.setdefault(StateName.CONFIDENCE, Mark(FATIGUE.text_at(str(states[StateName.FATIGUE].value))))
    figures = figure_names(thing.id, sum(entry.count for entry in data.figures))
    states[StateName.LEADER] = Mark(figures[0])
    counts = {
        CountName.LEADERSHIP: data.leadership,
        CountName.SUPPRESSION: 0,
        CountName.STRENGTH: len(figures),
        **{word: count for word, count in thing.counts.items() if word not in COUNTED.values()},
    }
    placed = isinstance(thing.place, At | In)
    made = Thing(
        id=thing.id,
        kind="unit",
        side=thing.side,
        label=thing.label,
        card=thing.card,
        glyph=one.card.glyph,
        unit=superior,
        states=states,
        counts=counts,
    )
    told = citing(MOTIVATION, FATIGUE, RECORD, UNIT_AND_ELEMENT, QUALITY, SCHEMA, TABLE)
    where = thing.place if hidden(thing) else Off(STANDS_FOR_IT if placed else WAITING)
    known = (thing.side,) if hidden(thing) else ()
    n = battle.happens(Placed(thing.id, where, made=made, rule=RECORD.id, detail=told, known_to=known))
    for name, spot in zip(figures, _places(one, len(figures), aboard), strict=True):
        figure = _figure(one, ThingId(name), figures.index(name) + 1)
        if figure is not None:
            battle.happens(Placed(name, spot, made=figure, rule=BASES.id, because=n, known_to=known))


def figure_names(unit: str, strength: int) -> list[str]:
    """The names of a unit's figures, which are numbered.

    >>> figure_names("A", 2), figure_names("red-1", 2)
    (['A1', 'A2'], ['red-1-1', 'red-1-2'])
    """
    dash = "-" if unit[-1].isdigit() else ""
    return [f"{unit}{dash}{n}" for n in range(1, strength + 1)]


def _places(one: Fielded[Squad], figures: int, aboard: In | None) -> list[Place]:
    """Where the figures of a unit stand: in rows around its point, aboard something, or waiting with it."""
    place = one.thing.place
    if aboard is not None:
        return [aboard] * figures
    if not isinstance(place, At):
        return [place if hidden(one.thing) else Off(WAITING)] * figures
    spots = block(figures, place.point)
    apart = one.form.options.get("apart", 0)
    if isinstance(apart, int) and apart:
        spots[-1] = Point(spots[-1].x + apart * 1000, spots[-1].y)
    return [At(spot) for spot in spots]


def _called(unit: str, number: int) -> str:
    """A figure as players call it: by its unit and its number.

    >>> _called("Red Two", 7), _called("Teamsters", 7), _called("A", 7), _called("R2", 7)
    ('Red Two 7', 'Teamsters 7', 'A7', 'R2.7')
    """
    between = " " if " " in unit or len(unit) > 4 else "." if unit[-1:].isdigit() else ""
    return f"{unit}{between}{number}"


def _figure(one: Fielded[Squad], name: ThingId, number: int) -> Thing | None:
    """A figure of a unit as it starts; none where a case says it is dead."""
    options, data = one.form.options, one.card.stats

    def listed(word: str) -> bool:
        value = options.get(word, ())
        return str(number) in (value if isinstance(value, tuple) else (str(value),))

    if listed("dead"):
        return None
    kits = [entry for entry in data.figures for _ in range(entry.count)]
    counted = COUNTED.get(kits[number - 1].support_weapon)
    held = {counted: one.thing.counts.get(counted, _rounds(data, counted))} if counted else {}
    hurt = listed("wounded") or listed("stabilised")
    return Thing(
        id=name,
        side=one.thing.side,
        label=_called(one.thing.label or one.thing.id, number),
        card=one.thing.card,
        glyph="command" if number == 1 else "foot",
        base=BASE,
        unit=one.thing.id,
        harm=WOUNDED if hurt else 0,
        track=DEAD,
        states={"stabilised": Mark()} if listed("stabilised") else {},
        counts={"number": number, **held},
    )


def _rounds(data: Squad, counted: str) -> int:
    """How many rounds of a counted kind a figure starts with."""
    return data.missiles if counted == "missiles" else data.rockets_each


def in_play(thing: Thing) -> list[str]:
    """The rules that a squad brings into play by being there: its data, its weapons, its armour and mobility."""
    if thing.kind != "unit":
        return []
    rule = card(thing).rule
    named = [rule] if rule in [one.id for one in SQUADS] else []
    carried = [one.support_weapon for one in kits(thing) if one.support_weapon in SUPPORT]
    named += [SUPPORT_WEAPONS.id] if carried else []
    named += [AMMUNITION.id] if any(one in COUNTED for one in carried) else []
    named += [POWER_ARMOUR.id] if squad(thing).armour.endswith("_power") else []
    return [*named, SCHEMA.id, SMALL_ARMS.id, ARMOUR.id, MOBILITY.id] if squad(thing).figures else named


# What a case may ask -----------------------------------------------------------------------------------------------


def _threat(table: Table, asked: Data) -> object:
    """The Threat Level of a Confidence Test by its causes, rows of the table; `no test` where none is required."""
    known = {one: one for one in (*CAUSES, ARTILLERY)} | {label: one for one, label in CAUSES.items()}
    causes = [known.get(one) or known.get(one.replace(" ", "_").replace("-", "_")) for one in asked.texts("causes")]
    for said, cause in zip(asked.texts("causes"), causes, strict=True):
        if cause is None:
            raise asked.fail(f"`{said}` is no cause of a Confidence Test", closest(said, known), "causes")
    parts = threat(table, table[asked.text_at("of")], tuple(one for one in causes if one))
    return "no test" if parts is None else sum(part.value for part in parts)


def _line(table: Table, asked: Data) -> object:
    """A line of a squad's data."""
    unit = table[asked.text_at("of")]
    what = asked.text_at("value")
    values: dict[str, object] = {
        "quality": quality(unit),
        "quality-die": quality_die(unit),
        "leadership": leadership(unit),
        "mobility": base_mobility(unit),
        "mobility-die": mobility_die(unit),
        "armour-die": armour_die(unit),
        "figures": len(kits(unit)),
        "weapons": tuple(f"{one.small_arm} {one.support_weapon}".strip() for one in kits(unit)),
        "roles": tuple(one.role for one in kits(unit)),
    }
    return values[what] if what in values else getattr(squad(unit), what.replace("-", "_"))


def _figure_line(table: Table, asked: Data) -> object:
    """What one figure wears and carries."""
    figure = table[asked.text_at("of")]
    values: dict[str, object] = {
        "armour-die": armour_die(figure),
        "small-arm": kit(figure).small_arm,
        "power-armour": in_power_armour(figure),
    }
    return values[asked.text_at("value")]


CHAPTER = Chapter(
    in_play=in_play,
    states={
        StateName.CONFIDENCE: "CO, ST, SH, BR or RO",
        StateName.MOTIVATION: "low, medium or high",
        StateName.FATIGUE: "fresh, tired or exhausted",
        StateName.QUALITY: "untrained, green, regular, veteran or elite, if not that of its data",
        StateName.ACTIVATED: "it has had its activation of this turn",
        StateName.LEADER: "the figure that leads it",
        StateName.LEFT_BEHIND: "of a casualty: its unit has moved off",
        StateName.STABILISED: "of a casualty: it has been treated",
        "suit wrecked": "of a figure in Power Armour: it cannot get out",
        "out of its suit": "of a figure: it fights without it",
    },
    counts={
        CountName.LEADERSHIP: "its LV, if not that of its data",
        "missiles": "rounds of each of its launchers, if not those of its data",
        "rockets": "infantry rockets of each of its rocketeers, if not those of its data",
    },
    options={
        "wounded": "the numbers of its wounded figures, [3, 4]",
        "stabilised": "the numbers of its stabilised figures",
        "dead": "the numbers of its dead figures",
        "apart": "the last figure stands apart by so many inches to the east",
    },
    answers={
        "first": "which side activates first",
        "activate": "which unit is activated; pass-on or finish",
        "action": "what an activated unit does",
        "new-leader": "who takes over",
    },
    values={
        "shifted": lambda table, asked: shifted(asked.number("die"), asked.number("by")),
        "open-shift": lambda table, asked: open_shifted(
            asked.number("die"), asked.number("by"), asked.number("against")
        ),
        "clock": lambda table, asked: clock_degrees(
            asked.number("score"), away_from_home(table, Side(asked.text_at("side")))
        ),
        "multiplied": lambda table, asked: (
            one_die("", "", LADDER[-1], times=asked.number("times")).fall(ScriptedDice([asked.number("score")])).score
        ),
        "nearest": lambda table, asked: nearest(int(2 * asked.fraction())),
        "success": lambda table, asked: major(asked.number()),
        "threat": _threat,
        "cover": lambda table, asked: WORDS[cover_from(table, asked.text_at("of"), asked.text_at("from"))],
        "squad": _line,
        "figure": _figure_line,
        "sees": lambda table, asked: sees(table, *asked.texts()),
        "levels-lost": lambda table, asked: levels_lost(asked.number("score"), asked.number("target")),
        "integrity": lambda table, asked: unit_in_integrity(table, asked.text_at()),
    },
)
