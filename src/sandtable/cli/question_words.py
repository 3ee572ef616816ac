"""A question in plain lines: what may be answered, where things are, which shapes in coordinates, how it is typed.

Nothing here knows a ruleset: a question and the side's own table say it all.
"""

from sandtable.engine.explain import inches
from sandtable.engine.questions import (
    Allocate,
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MoveModels,
    Option,
    PlaceThings,
    Plan,
    React,
    ReactOption,
    Together,
)
from sandtable.engine.shapes import At, Band, Disc, In, Point, Polygon, Region, Shape
from sandtable.engine.table import Table, Thing
from sandtable.field.drawing import compass, square_of


def offer_lines(question: AnyQuestion, table: Table) -> list[str]:
    """The lines that show what may be answered, by what the side's table shows."""
    match question:
        case ChooseOne(options=options) | ChooseSeveral(options=options):
            return [_option(n, option) for n, option in enumerate(options, 1)] + _limits(question)
        case React(options=options):
            return [_reaction(n, option) for n, option in enumerate(options, 1)] + _stretch(question)
        case Confirm(yes=yes, no=no):
            return [f"  y. {yes}", f"  n. {no}"]
        case Allocate():
            return _allotting(question)
        case PlaceThings():
            return _placing(question, table)
        case MoveModels():
            return _moving(question, table)
        case Plan():
            return [f"  {amount} {what}" for what, amount in question.budget.items()]


def help_for(question: AnyQuestion) -> str:
    """How an answer to this question is typed."""
    match question:
        case ChooseOne():
            return "type a number"
        case ChooseSeveral(at_least=least):
            return f"type numbers with spaces between them{', in order' if least else ', or nothing for none'}"
        case Confirm():
            return "type y or n"
        case React(stretch=None, options=options):
            amount = " and how much" if any(option.amount_most for option in options) else ""
            return f"type a number{amount} to break in, or p to pass"
        case React():
            return "type a number and how far along the path, such as `1 2.5`, or p to pass"
        case Allocate():
            return "type pairs such as `1=2 2=1`, item and where it goes"
        case PlaceThings(things=things, faces=faces):
            form = "x y facing" if faces else "x y"
            one = f"type {form}, such as `24 3{' 90' if faces else ''}`"
            return one if len(things) == 1 else f"type `NAME: {form}; NAME: {form}`"
        case MoveModels(marks=marks, models=models):
            marked = f"; `@3` marks {marks[0].label or marks[0].id} 3 along" if marks else ""
            legs = "legs such as `right 30, 4, left 90, back 1` or `to 10 24`"
            named = f"{legs}{marked}; `stay` to stay"
            return f"type {named}" if len(models) == 1 else f"type `NAME: …; NAME: …` with {named}"
        case Plan():
            return "answer part by part; `back` takes the last part back"


def declining(question: AnyQuestion) -> str:
    """What `p` comes to; empty where nothing can be declined."""
    if question.decline:
        return question.decline
    if question.default is None:
        return ""
    if isinstance(question, Confirm):
        return question.yes if question.default else question.no
    if isinstance(question, ChooseOne):
        return next((o.label or o.id for o in question.options if o.id == question.default), str(question.default))
    if isinstance(question, ChooseSeveral):
        labels = [o.label or o.id for o in question.options if o.id in question.default]
        return ", ".join(labels) or "none"
    return "as proposed"


def name_of(table: Table, thing: str) -> str:
    """A thing as the table calls it."""
    return (table.things[thing].label or thing) if thing in table.things else thing


# Options ---------------------------------------------------------------------------------------------------------


def _option(n: int, option: Option) -> str:
    label = option.label or option.id
    return f"  {n}. {label}" if not option.refused else f"  not {label}: {option.refused}"


def _limits(question: ChooseOne | ChooseSeveral) -> list[str]:
    if isinstance(question, ChooseOne):
        return []
    labels = {option.id: option.label or option.id for option in question.options}
    apart = [f"  not together: {', '.join(labels.get(one, one) for one in group)}" for group in question.not_together]
    free = sum(not option.refused for option in question.options)
    most = free if question.at_most is None else min(free, question.at_most)
    if question.at_least == most:
        return [f"  choose {most}", *apart]
    return [f"  choose {question.at_least} to {most}", *apart]


def _reaction(n: int, option: ReactOption) -> str:
    if option.refused:
        return f"  not {option.label or option.id}: {option.refused}"
    costs = [f"{amount} {what}" for what, amount in option.cost.items() if amount]
    if option.amount_most:
        costs.append(f"put in {option.amount_least} to {option.amount_most}")
    return f"  {n}. {option.label or option.id}" + (f" ({', '.join(costs)})" if costs else "")


def _stretch(question: React) -> list[str]:
    if question.stretch is None or not question.options:
        return []
    start, end = question.stretch
    return [f"  from {inches(start, '')} to {inches(end, '')} along the path"]


def _allotting(question: Allocate) -> list[str]:
    """Items and bins by number, and what may go where."""
    numbers = {bin_.id: n for n, bin_ in enumerate(question.bins, 1)}
    lines = []
    for n, item in enumerate(question.items, 1):
        allowed = question.allowed.get(item.id)
        only = "" if allowed is None else f", to {' or '.join(str(numbers[one]) for one in allowed if one in numbers)}"
        lines.append(f"  item {n}. {item.label or item.id}{only}")
    for n, bin_ in enumerate(question.bins, 1):
        least, most = question.bin_least.get(bin_.id), question.bin_most.get(bin_.id)
        bounds = [f"at least {least}" if least else "", f"at most {most}" if most is not None else ""]
        said = ", ".join(bound for bound in bounds if bound)
        lines.append(f"  to {n}. {bin_.label or bin_.id}" + (f" ({said})" if said else ""))
    return lines if question.all_items else [*lines, "  some may be left out"]


# Places ----------------------------------------------------------------------------------------------------------


def _placing(question: PlaceThings, table: Table) -> list[str]:
    ground = table.ground
    lines = [f"  the board is {inches(ground.width, '')} by {inches(ground.height, '')}; 0 0 is its north-west corner"]
    for thing in question.things:
        region = question.where.get(thing, question.where.get(""))
        if region is not None:
            lines += [f"  {name_of(table, thing)}: {line}" for line in region_lines(region, table)]
        for shape in question.outlines.get(thing, ()):
            lines.append(f"  {name_of(table, thing)} is {shape_words(shape)}, around the point you give")
    if question.faces:
        lines.append("  facing 0 is east, 90 south, 180 west, 270 north")
    return lines + _together(question.together)


def region_lines(region: Region, table: Table) -> list[str]:
    """Where a thing may be put, in coordinates.

    >>> from sandtable.engine.shapes import rectangle
    >>> from sandtable.engine.table import Ground
    >>> table = Table(Ground(48000, 48000), ("red",))
    >>> region_lines(Region((rectangle(0, 42000, 48000, 6000),), label="your edge"), table)
    ['your edge: its whole base inside x 0 to 48, y 42 to 48']
    """
    lines = []
    lead = f"{region.label}: " if region.label else ""
    part = "its whole base inside" if region.whole else "its centre inside"
    if region.inside:
        lines.append(f"{lead}{part} {', or '.join(shape_words(shape) for shape in region.inside)}")
    elif lead and not region.slots:
        lines.append(region.label)
    if region.slots:
        slots = ", ".join(
            f"`in {name_of(table, one.holder)}{f' {one.slot}' if one.slot else ''}`" for one in region.slots
        )
        lines.append(f"{'' if region.inside else lead}type {slots}")
    lines += [f"outside {shape_words(shape)}" for shape in region.outside]
    if region.levels != (0,):
        lines.append(f"levels {', '.join(str(level) for level in region.levels)}: add `level N`")
    return lines


def shape_words(shape: Shape) -> str:
    """A shape in coordinates; what is no upright rectangle is told by its corners.

    >>> shape_words(Disc(Point(24000, 12500), 6000))
    'the circle of 6 around 24 12.5'
    """
    if isinstance(shape, Disc):
        return f"the circle of {inches(shape.radius, '')} around {_at(shape.center)}"
    if isinstance(shape, Band):
        return f"the strip {inches(shape.width, '')} wide along {', '.join(_at(point) for point in shape.points)}"
    xs, ys = [p.x for p in shape.points], [p.y for p in shape.points]
    box = [Point(x, y) for x in (min(xs), max(xs)) for y in (min(ys), max(ys))]
    if len(shape.points) == 4 and sorted(shape.points) == sorted(box):
        return f"x {inches(min(xs), '')} to {inches(max(xs), '')}, y {inches(min(ys), '')} to {inches(max(ys), '')}"
    return f"the corners {', '.join(_at(point) for point in _corners(shape))}"


def _corners(shape: Polygon) -> tuple[Point, ...]:
    """At most a dozen corners: more nobody listens to."""
    step = len(shape.points) // 12 + 1
    return shape.points[::step]


def _at(point: Point) -> str:
    return f"{inches(point.x, '')} {inches(point.y, '')}"


def _together(together: Together | None) -> list[str]:
    if together is None:
        return []
    if together.label:
        return [f"  {together.label}"]
    within = "" if together.within is None else f"each within {inches(together.within, '')} of another"
    return [f"  {'touching' if together.touching else within}"]


# Moves -----------------------------------------------------------------------------------------------------------


def _moving(question: MoveModels, table: Table) -> list[str]:
    lines = []
    for model in question.models:
        thing = table.things.get(model)
        may = f"; may spend {question.allowance[model]}" if model in question.allowance else ""
        where = standing_words(thing, table) if thing is not None else model
        lines.append(f"  {where}{may}")
        if model in question.bound_to:
            lines.append(f"  {name_of(table, model)} must go on the way it was going")
    if question.ends is not None:
        lines += [f"  it ends: {line}" for line in region_lines(question.ends, table)]
    for mark in question.marks:
        lines.append(f"  mark {mark.label or mark.id}" + (" (needed)" if mark.required else " (if you like)"))
    return lines + _together(question.together)


def standing_words(thing: Thing, table: Table) -> str:
    """Where a thing stands and faces, as one types it.

    >>> from sandtable.engine.table import Ground
    >>> table = Table(Ground(48000, 48000), ("red",))
    >>> standing_words(Thing("m", label="R1", place=At(Point(12500, 30000)), facing=270), table)
    'R1 stands at 12.5 30 (C6), facing 270 (north)'
    """
    name = thing.label or thing.id
    if isinstance(thing.place, At):
        level = f", level {thing.place.level}" if thing.place.level else ""
        square = square_of(table.ground, thing.place.point)
        faces = f"facing {thing.facing} ({compass(thing.facing)})"
        return f"{name} stands at {_at(thing.place.point)} ({square}){level}, {faces}"
    if isinstance(thing.place, In):
        return f"{name} is in {name_of(table, thing.place.holder)}" + (
            f", {thing.place.slot}" if thing.place.slot else ""
        )
    return f"{name} is off the table"
