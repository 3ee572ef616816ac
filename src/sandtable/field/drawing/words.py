"""The table in words: for screen readers, terminals and the log. Squares A1 to H8 are eighths of the board."""

from collections.abc import Callable, Sequence

from sandtable.engine.ids import Side
from sandtable.engine.shapes import In, Off, Point, Region
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.field.drawing.ink import num
from sandtable.field.drawing.looks import UNDERFOOT, look_of
from sandtable.field.drawing.verdicts import (
    ArcFan,
    DriftArrow,
    Held,
    PathLine,
    Pick,
    ReachArea,
    Ruler,
    SightLine,
    Template,
    Verdict,
)
from sandtable.field.ground import box_of, level_at, pieces_at

_COMPASS = ("east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east")
#: How a ruleset's id is read out.
Say = Callable[[str], str]


def square_of(ground: Ground, point: Point) -> str:
    """The square a point lies in: A to H from west to east, 1 to 8 from north to south.

    >>> square_of(Ground(48000, 48000), Point(13000, 1000))
    'C1'
    """
    column = min(7, max(0, point.x * 8 // max(1, ground.width)))
    row = min(7, max(0, point.y * 8 // max(1, ground.height)))
    return f"{'ABCDEFGH'[column]}{row + 1}"


def compass(facing: int) -> str:
    """The eighth of the compass a facing points to.

    >>> compass(0), compass(250), compass(337)
    ('east', 'north', 'north-east')
    """
    return _COMPASS[((2 * facing + 45) % 720) // 90]


def _named(piece: Piece) -> str:
    return f"{piece.label} ({piece.kind})" if piece.label else piece.kind


def _where(table: Table, thing: Thing, ground: bool) -> list[str]:
    place = thing.place
    if isinstance(place, In):
        return [f"in {_holder_name(table, place.holder)}" + (f", {place.slot}" if place.slot else "")]
    if isinstance(place, Off):
        return [f"off the table{', ' + place.why if place.why else ''}"]
    words = [square_of(table.ground, place.point)]
    height = level_at(table.ground, place.point)
    if place.level:
        words.append(f"level {height + place.level}")
    elif height:
        words.append(f"level {height}")
    if ground:
        words += [
            f"{'on' if look_of(piece) in UNDERFOOT else 'in'} {_named(piece)}"
            for piece in pieces_at(table.ground, place.point)
        ]
    return words


def _thing_name(table: Table, name: str, say: Say) -> str:
    """What a thing is called; of what is none, the word."""
    thing = table.things.get(name)
    return thing.label or name if thing is not None else say(name)


def _holder_name(table: Table, holder: str) -> str:
    if holder in table.things:
        return table.things[holder].label or holder
    return next((piece.label or piece.kind for piece in table.ground.pieces if piece.id == holder), holder)


def model_words(table: Table, thing: Thing, *, brief: bool = False, facings: bool = True, say: Say = str) -> str:
    """One thing in a sentence: call sign, side, type, square, level, ground, facing, harm, states.

    A brief sentence leaves out the call sign, side and ground, for where they are seen already. `say` reads out what
    states are called and what they are about.

    >>> from sandtable.engine.shapes import At
    >>> table = Table(Ground(48000, 48000), ("red",))
    >>> model_words(table, Thing("m", side="red", label="R1", glyph="walker", place=At(Point(100, 100)), track=10))
    'R1, red, walker, A1, facing east, harm 0 of 10'
    """
    words = [] if brief else [word for word in (thing.label or thing.id, thing.side, thing.glyph) if word]
    words += _where(table, thing, ground=not brief)
    if thing.on_table and facings:
        words.append(f"facing {compass(thing.facing)}")
    if thing.track:
        words.append(f"harm {thing.harm} of {thing.track}")
    for state, mark in thing.states.items():
        if isinstance(mark.value, int):
            words.append(say(state) if mark.value == 1 else f"{say(state)} {mark.value}")
            continue
        about = (mark.value,) if isinstance(mark.value, str) else mark.value
        named = " and ".join(_thing_name(table, one, say) for one in about if one)
        words.append(f"{say(state)}: {named}" if named else say(state))
    acting = table.acting[1:]
    if thing.id in acting or (thing.unit and thing.unit in acting):
        words.append("acts now")
    return ", ".join(words)


def describe(
    table: Table, marks: Sequence[Verdict] = (), *, facings: bool = True, level: int = 1, say: Say = str
) -> str:
    """The whole table in words, a line a thing: the turn, the ground, the models of each side, who is lost.

    With `facings=False` nobody is said to face anywhere; `level` is how much of a height is told as one level, and
    `say` how a ruleset's id is read out.

    >>> print(describe(Table(Ground(48000, 36000), ("red", "blue"), turn=2)))
    Turn 2. The board is 48 by 36, squares A1 (north-west) to H8 (south-east).
    Red: no models on the table.
    Blue: no models on the table.
    """
    lines = [f"{heading(table, say)} {_board(table.ground)}"]
    if table.ground.pieces:
        pieces = (_piece_words(table.ground, piece, level) for piece in table.ground.pieces)
        lines.append(f"Ground: {'; '.join(pieces)}.")
    sides: list[Side] = [*table.sides]
    sides += [side for side in dict.fromkeys(t.side for t in table.models()) if side not in sides]
    for side in sides:
        lines += _side_lines(table, side, facings, say)
    markers = [t for t in table.things.values() if t.kind in ("marker", "holder") and t.on_table]
    lines += [f"{thing.kind.capitalize()}: {model_words(table, thing, facings=facings, say=say)}." for thing in markers]
    lines += [words for words in (_verdict_words(table, mark) for mark in marks) if words]
    return "\n".join(lines)


def heading(table: Table, say: Say = str) -> str:
    """The moment in a line: turn and phase, who acts (a unit without its models), the points, how it ended.

    >>> heading(Table(Ground(48000, 48000), ("red",), turn=4, phase="recovery", scores={"red": 7}))
    'Turn 4, recovery. Points: red 7.'
    """
    turn = f"Turn {table.turn}" if table.turn else "Set-up"
    words = [turn + (f", {say(table.phase)}." if table.phase else ".")]
    if table.acting and table.acting[0]:
        acting = [table.things[name] for name in table.acting[1:] if name in table.things]
        who = [one.label or one.id for one in acting if one.unit not in table.acting]
        words.append(f"{_name(table.acting[0])} acts" + (f": {', '.join(who)}." if who else "."))
    if table.scores:
        words.append("Points: " + ", ".join(f"{side} {points}" for side, points in table.scores.items()) + ".")
    if table.ending is not None:
        words.append(f"{_name(table.ending.winner) or 'Nobody'} has won: {table.ending.reason}.")
    return " ".join(words)


def _name(side: str) -> str:
    """A side's name at the start of a sentence."""
    return side[:1].upper() + side[1:]


def _board(ground: Ground) -> str:
    size = " by ".join(num(span) for span in (ground.width, ground.height))
    return f"The board is {size}, squares A1 (north-west) to H8 (south-east)."


def _piece_words(ground: Ground, piece: Piece, level: int) -> str:
    left, top, right, bottom = box_of(piece.outline)
    first, last = square_of(ground, Point(left, top)), square_of(ground, Point(right, bottom))
    height = max([piece.height, *(contour.level for contour in piece.contours)])
    where = first if first == last else f"{first} to {last}"
    return f"{_named(piece)}{f', ▲{num(height * 1000 // level)},' if height else ''} {where}"


def _side_lines(table: Table, side: Side, facings: bool, say: Say) -> list[str]:
    name = _name(side) or "Nobody's"
    mine = [thing for thing in table.things.values() if thing.kind == "model" and thing.side == side]
    standing = [thing for thing in mine if thing.on_table]
    count = f"{len(standing)} model{'s' if len(standing) != 1 else ''}"
    lines = [f"{name}: {count if standing else 'no models'} on the table" + ("." if not standing else ":")]
    lines += [f"  {model_words(table, thing, facings=facings, say=say)}." for thing in standing]
    lines += [f"  {model_words(table, thing, say=say)}." for thing in mine if not thing.gone and not thing.on_table]
    lines += [f"  {thing.label or thing.id} is lost: {say(thing.gone)}." for thing in mine if thing.gone]
    return lines


def _verdict_words(table: Table, mark: Verdict) -> str:
    """What a verdict drawn on the table says."""

    def at(point: Point) -> str:
        return square_of(table.ground, point)

    match mark:
        case SightLine():
            met = [f"{b.label or 'something'} at {at(b.at)} {_effect(b.counts, b.blocks)}" for b in mark.beads]
            return f"Sight from {at(mark.start)} to {at(mark.end)}: {'; '.join(met) or 'clear'}."
        case PathLine():
            notes = "".join(f", {note.label} at {at(note.at)}" for note in mark.marks if note.label)
            return f"Path from {at(mark.points[0])} to {at(mark.points[-1])}{notes}." if mark.points else ""
        case ArcFan():
            bands = ", ".join(band.label for band in mark.bands if band.label)
            return f"Arc from {at(mark.at)} facing {compass(mark.facing)}{': ' + bands if bands else ''}."
        case Template():
            names = [table.things[name].label or name for name in mark.caught if name in table.things]
            return f"Template{' ' + mark.label if mark.label else ''} catches {', '.join(names) or 'nobody'}."
        case DriftArrow():
            return f"Drift from {at(mark.aimed)} to {at(mark.landed)}{': ' + mark.label if mark.label else ''}."
        case Ruler():
            return f"Measured from {at(mark.start)} to {at(mark.end)}{': ' + mark.label if mark.label else ''}."
        case Pick():
            name = table.things[mark.thing].label or mark.thing if mark.thing in table.things else mark.thing
            return f"{name} {'may be chosen' if mark.how == 'may' else f'is {mark.how}'}."
        case Held():
            name = table.things[mark.thing].label or mark.thing if mark.thing in table.things else mark.thing
            return f"{name} would stand at {at(mark.at)}, facing {compass(mark.facing)}."
        case ReachArea() | Region():
            return f"Marked area: {mark.label}." if mark.label else ""


def _effect(counts: bool, blocks: bool) -> str:
    return "blocks" if blocks else "counts" if counts else "does not count"
