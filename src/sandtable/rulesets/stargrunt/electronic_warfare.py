"""Electronic warfare: a system goes active, and its markers jam messages, spoof sensors and find what is hidden.

Both sides may enter a window: whoever has declared last may be countered by the other, until one passes. All is
declared before any die is rolled; then every attempt has to exceed what it is against, and the last unbeaten roll
decides.
"""

from collections.abc import Sequence

from sandtable.engine.answers.windows import Reacted, reaction_window
from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Forfeited, Spent
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import Side
from sandtable.engine.questions import Confirm, ReactOption
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule, citing, rule
from sandtable.rulesets.stargrunt.chapter import Activate
from sandtable.rulesets.stargrunt.cover.protection import OPEN
from sandtable.rulesets.stargrunt.dice.rolls import CLOSED, shifted_die, table_roll, trial
from sandtable.rulesets.stargrunt.forces.cards import kit, squad
from sandtable.rulesets.stargrunt.moments import ACTIVATION_BEGINS
from sandtable.rulesets.stargrunt.observation.counters import covered, enemy_counters, point_seen, reveal
from sandtable.rulesets.stargrunt.units.record import FACE_UP, fit, spot, units, waiting
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Thrown, throw

SYSTEM = rule("stargrunt.electronic-warfare.system-die")
MARKERS = rule("stargrunt.electronic-warfare.markers")
TIMING = rule("stargrunt.electronic-warfare.timing")
JAM = rule("stargrunt.electronic-warfare.jam-communications")
SPOT = rule("stargrunt.electronic-warfare.spot")
SPOOF = rule("stargrunt.electronic-warfare.spoof")
JAM_EW = rule("stargrunt.electronic-warfare.jam-ew")

#: What a system's markers are counted as, on the unit that works it.
LEFT = "EW markers"
#: What was declared in a window, in order.
Attempts = Sequence[Reacted]
_WORDS = {"jam": JAM, "spoof": SPOOF, "counter": JAM_EW}


class GoActive(Step, frozen=True):
    """A unit with an EW operator is activated: is its system set active?"""

    unit: str


class AnyTime(Step, frozen=True):
    """Somebody is activated: do the sides spend EW markers to find what is hidden?"""

    unit: str


# What a side can do ------------------------------------------------------------------------------------------------


def has_system(table: Table, unit: Thing) -> bool:
    """Whether a unit has an EW system and somebody fit to work it."""
    return bool(squad(unit).ew) and any(kit(one).role == "ew_operator" for one in fit(table, unit.id))


def systems(table: Table, side: Side) -> list[Thing]:
    """The units of a side whose EW systems have markers left."""
    return [u for u in units(table, side) if u.count(LEFT) and not waiting(u) and has_system(table, u)]


def ew_die(unit: Thing, markers: int) -> tuple[int, tuple[ExplainedPart, ...]]:
    """The die of an EW task with so many markers spent on it, and why it is that die."""
    extra = (markers - SYSTEM.number("markers_per_task")) * SYSTEM.number("shift_per_extra_marker")
    markers_part = ExplainedPart("extra markers", extra, SYSTEM.id)
    return shifted_die(f"{squad(unit).ew} system", SYSTEM.number(squad(unit).ew), SYSTEM, markers_part)


def _ways(table: Table, side: Side, word: str, label: str, why: Rule, so_far: Attempts) -> list[ReactOption]:
    """The systems of a side that can still attempt something."""
    found = []
    least = SYSTEM.number("markers_per_task")
    for unit in systems(table, side):
        spent = sum(one.reaction.amount for one in so_far if actor(one) == unit.id)
        left = unit.count(LEFT) - spent
        if left >= least:
            name = f"{word} {unit.id}"
            cost = {LEFT: least}
            found.append(
                ReactOption(name, f"{label} with {unit.label}", unit.id, cost, (why.id, TIMING.id), least, left)
            )
    return found


def actor(attempt: Reacted) -> str:
    """The unit that attempts something: what is chosen is called `jam UNIT`."""
    return attempt.reaction.option.split(" ")[-1]


def contest(
    battle: Battle, opened_by: Side, moment: str, word: str, prompt: str, about: tuple[str, ...], because: int
) -> Procedure[Attempts]:
    """What both sides declare against something that a side has announced, and against each other; markers are spent.

    stargrunt.electronic-warfare.timing    after the announcement, before any die; lost whatever comes of it
    stargrunt.electronic-warfare.jam-ew    each may counter what the other declared last, until markers run out
    """

    def options(side: Side, so_far: Attempts) -> list[ReactOption]:
        if side == (so_far[-1].side if so_far else opened_by):
            return []
        if so_far or word == "counter":
            return _ways(battle.table, side, "counter", "Jam their EW", JAM_EW, so_far)
        return _ways(battle.table, side, word, "Jam it" if word == "jam" else "Spoof it", _WORDS[word], so_far)

    attempts = yield from reaction_window(
        battle,
        moment=moment,
        prompt=prompt,
        options=options,
        rules=(_WORDS[word].id, JAM_EW.id, TIMING.id),
        about=about,
        opened_by=opened_by,
        because=because,
        shows=("odds",),
    )
    for one in attempts:
        spend(battle, actor(one), one.reaction.amount, because)
    return attempts


def spend(battle: Battle, unit: str, amount: int, because: int) -> None:
    """Use up markers of a system."""
    left = battle.table[unit].count(LEFT) - amount
    battle.happens(Spent(unit, LEFT, amount, left, rule=TIMING.id, because=because))


def jamming(battle: Battle, sender: Thing, receiver: str, because: int) -> Procedure[Attempts]:
    """The enemy may jam a message, and be countered (stargrunt.electronic-warfare.jam-communications)."""
    prompt = f"{sender.label} calls {receiver}: spend EW markers?"
    return (yield from contest(battle, sender.side, "communication", "jam", prompt, (sender.id,), because))


def spoofing(battle: Battle, side: Side, prompt: str, about: tuple[str, ...], because: int) -> Procedure[Attempts]:
    """The enemy of a side may spoof its sensors, drone or missile (stargrunt.electronic-warfare.spoof)."""
    return (yield from contest(battle, side, "sensors", "spoof", prompt, about, because))


def prevail(battle: Battle, attempts: Attempts, scores: Sequence[int], because: int) -> bool:
    """Roll for everything that was declared against some dice that have fallen; whether what they tried fails.

    stargrunt.electronic-warfare.jam-communications    above the communication roll
    stargrunt.electronic-warfare.spoof                 above any one of the dice, which is the lowest
    stargrunt.electronic-warfare.jam-ew                above the roll of the one before
    """
    works: list[bool] = []
    against, n = min(scores), because
    for one in attempts:
        roll = _attempt(battle, one, against, n)
        works.append(roll.succeeds)
        against, n = roll.score, roll.n
    return stands(works)


def _attempt(battle: Battle, one: Reacted, against: int, because: int) -> Thrown:
    word, _, name = one.reaction.option.partition(" ")
    why = _WORDS[word]
    die, parts = ew_die(battle.table[name], one.reaction.amount)
    target = (ExplainedPart("the roll it is against", against, why.id),)
    what = {"jam": "jamming", "spoof": "spoofing", "counter": "jamming EW"}[word]
    return throw(battle, trial(what, name, die, target, why, parts, (SYSTEM, CLOSED)), because)


def stands(works: Sequence[bool]) -> bool:
    """Whether the first of a chain of attempts stands: it exceeded, and the next one, against it, does not stand.

    >>> stands([True]), stands([True, True]), stands([True, True, True]), stands([False, True])
    (True, False, True, False)
    """
    return bool(works) and works[0] and not stands(works[1:])


# Finding what is hidden --------------------------------------------------------------------------------------------


def hiding_die(table: Table, unit: Thing, counter: Thing) -> tuple[int, tuple[ExplainedPart, ...]]:
    """The die of a counter against an EW system, and why it is that die."""
    word, label = ("open", "in the open") if covered(table, counter) == OPEN else ("cover", "in cover")
    shift = 0 if point_seen(table, unit.id, spot(counter)) else SPOT.number("out_of_sight_shift")
    return shifted_die(label, SPOT.number(word), SPOT, ExplainedPart("out of sight", shift, SPOT.id))


def _to_find(table: Table, side: Side) -> list[ReactOption]:
    """Every counter of the enemy that a system with markers may look for."""
    found = []
    least = SYSTEM.number("markers_per_task")
    for unit in systems(table, side):
        for one in enemy_counters(table, side):
            if not one.has(FACE_UP) or one.value(FACE_UP) == "unit":
                name, label = f"spot {one.id} {unit.id}", f"Spot {one.label} with {unit.label}"
                rules = (SPOT.id, TIMING.id)
                found.append(ReactOption(name, label, unit.id, {LEFT: least}, rules, least, unit.count(LEFT)))
    return found


def any_time(battle: Battle, step: AnyTime) -> Procedure[None]:
    """Whoever has markers may spend them on finding a counter, also when the enemy is activated.

    stargrunt.electronic-warfare.timing    at any time; we ask whenever a unit is activated, and until nobody wants to
    """
    table = battle.table
    while any(_to_find(table, side) for side in table.sides):
        found = yield from reaction_window(
            battle,
            moment="electronic warfare",
            prompt="Spend EW markers to find a counter?",
            options=lambda side, so_far: [] if so_far else _to_find(battle.table, side),
            rules=(SPOT.id, TIMING.id),
            about=(step.unit,),
            shows=("odds",),
        )
        if not found:
            return
        yield from _spot(battle, found[0])


def _spot(battle: Battle, task: Reacted) -> Procedure[None]:
    """Find a counter anywhere: the EW die has to exceed its owner's (stargrunt.electronic-warfare.spot)."""
    _, name, by = task.reaction.option.split(" ")
    unit, counter = battle.table[by], battle.table[name]
    spend(battle, by, task.reaction.amount, 0)
    prompt = f"{unit.label} looks for {counter.label}: jam its EW?"
    about = (unit.id, counter.id)
    attempts = yield from contest(battle, unit.side, "spotting", "counter", prompt, about, 0)
    base, why = hiding_die(battle.table, unit, counter)
    hides = table_roll(battle, "hide", counter.id, f"d{base}", SPOT, parts=why)
    die, parts = ew_die(unit, task.reaction.amount)
    target = (ExplainedPart("the die of the counter", hides.score, SPOT.id),)
    roll = throw(battle, trial("spotting", by, die, target, SPOT, parts, (SYSTEM, CLOSED)), hides.n)
    if prevail(battle, attempts, (roll.score,), roll.n):
        battle.happens(Forfeited(by, "spot", rule=JAM_EW.id, because=roll.n))
    elif roll.succeeds:
        yield from reveal(battle, counter, SPOT, roll.n)


# Going active ------------------------------------------------------------------------------------------------------


def go_active(battle: Battle, step: GoActive) -> Procedure[None]:
    """Set a system active or not; it has three markers or none until its next activation, whatever it had before."""
    unit = battle.table[step.unit]
    active = yield Confirm(
        unit.side,
        f"{unit.label}: set its EW system active?",
        topic="ew-active",
        about=(unit.id,),
        rules=(MARKERS.id,),
        yes="Active",
        no="Inactive",
        default=True,
    )
    before, after = unit.count(LEFT), MARKERS.number("markers") if active else 0
    if before != after:
        battle.happens(Counted(unit.id, LEFT, before, after, rule=MARKERS.id, detail=citing(SYSTEM)))


def begins(table: Table, step: Activate) -> list[Step]:
    """What comes before the first action of a unit: its system is set, and sides may look for counters."""
    unit = table[step.unit]
    found: list[Step] = []
    if has_system(table, unit) and not waiting(unit):
        found.append(GoActive(unit.id))
    if any(enemy_counters(table, side) for side in table.sides):
        found.append(AnyTime(unit.id))
    return found


CHAPTER = Chapter(
    steps={GoActive: go_active, AnyTime: any_time},
    counts={LEFT: "EW markers of its system"},
    answers={
        "ew-active": "whether the EW system of an activated unit is set active",
        "communication": "break in with EW markers, {option: jam P, amount: 2} or {option: counter A, amount: 1}",
        "sensors": "spoof, {option: spoof P, amount: 1}",
        "electronic warfare": "find a counter, {option: spot K P, amount: 1}",
        "spotting": "jam the EW of a system that looks for a counter, {option: counter P, amount: 1}",
    },
    values={"ew-die": lambda table, asked: ew_die(table[asked.text_at("of")], asked.number("markers"))[0]},
    at=(ACTIVATION_BEGINS(begins),),
)
