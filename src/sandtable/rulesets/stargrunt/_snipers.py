"""Snipers: a shot that names its victim, fired out of hiding; shifting unseen, and going to ground again.

As long as nobody knows where a sniper is, nothing that would tell it is shown: not the Range Die, for it knows the
distance, and not the Armour Die, for it knows from where the victim is covered.
"""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Declared, Placed, StateChanged, StepBegan
from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.questions import AnyQuestion, ChooseOne, Option, Preview, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import Off, Point
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import rule
from sandtable.rulesets.stargrunt._chapter import Action, Activate, Outcome, on_foot
from sandtable.rulesets.stargrunt._counters import (
    DECOY_OF,
    DUMMY,
    IS,
    SNIPERS_HIDING,
    counter_of,
    in_its_place,
    is_sniper,
    place_figures,
    point_seen,
)
from sandtable.rulesets.stargrunt._fire_steps import note_fired_upon
from sandtable.rulesets.stargrunt._hiding import around, hiding_places, lay_low
from sandtable.rulesets.stargrunt._wounds import impact_roll, wound
from sandtable.rulesets.stargrunt.cover import armour_shift, cover_from, in_cover
from sandtable.rulesets.stargrunt.dice import MULTIPLE, Throw, exceed, multiple_opposed, told
from sandtable.rulesets.stargrunt.fire import (
    BANDS,
    EFFECT,
    FIRE_LIMIT,
    FIRED,
    RANGE_DIE,
    RANGE_LIMIT,
    WHO_IS_HIT,
    AfterFire,
    band,
    die_of,
    fired,
    range_steps,
    refused_target,
    support_refused,
)
from sandtable.rulesets.stargrunt.forces import kit
from sandtable.rulesets.stargrunt.turn import ACTIVATED, END_OF_TURN, IN_HIDING, MARKER, by_default
from sandtable.rulesets.stargrunt.units import (
    HIDDEN,
    QUALITY,
    enemies,
    fit,
    hidden,
    leadership_part,
    quality,
    quality_die,
    range_between,
    spot,
    standing,
    with_unit,
)
from sandtable.rulesets.stargrunt.units import (
    on_table as standing_units,
)
from sandtable.rulesets.stargrunt.weapons import SNIPER, SNIPER_RIFLES, named

SNIPERS = rule("stargrunt.fire.snipers")
MISS = rule("stargrunt.fire.sniper-miss-suppresses")
REVEALS = rule("stargrunt.observation.automatic-reveal")

#: How many range bands of his quality one of a sniper's is: "2 * quality_die".
_BANDS = int(SNIPERS.text_at("range_band").split(" ")[0])
#: What hiding needs above the LV: "leadership + 2".
_TO_HIDE = int(SNIPERS_HIDING.text_at("hide_exceed").split(" ")[-1])
_OUTCOMES = ("a miss that keeps their heads down", "somebody is hit", "the one he aims at is hit")


class InHiding(Step, frozen=True):
    """A sniper is activated under his counter."""

    unit: str
    actions: int
    begun: bool = False
    tried: tuple[str, ...] = ()


# The shot ----------------------------------------------------------------------------------------------------------


def rifleman(table: Table, unit: Thing) -> Thing | None:
    """The OK figure of a unit with a sniper rifle."""
    return next((one for one in fit(table, unit.id) if kit(one).support_weapon in SNIPER), None)


def sniper_range(table: Table, unit: Thing, target: Thing) -> Explanation:
    """Where the Range Die of a sniper's shot stands: his range bands are twice as wide (stargrunt.fire.snipers)."""
    number = band(range_between(table, unit.id, target.id), _BANDS * BANDS.number(quality(unit)))
    first = ExplainedPart(f"range band {number}", number, SNIPERS.id)
    return explain("range die", first, *range_steps(table, unit, target).parts[1:])


def from_where(table: Table, unit: Thing) -> Table:
    """The table a sniper's shot is worked out on: with him where he lies hidden, which his owner knows."""
    counter = counter_of(table, unit.id) if hidden(unit) else None
    return table if counter is None else in_its_place(table, unit, spot(counter))


def victims(table: Table, unit: Thing) -> list[Option]:
    """The enemy units, and why a sniper may not fire at each."""
    shown, found = from_where(table, unit), []
    for foe in enemies(table, unit.side):
        refusal = refused_target(shown, unit, foe)
        if refusal is None or refusal.rule == RANGE_LIMIT.id:
            steps = sniper_range(shown, unit, foe)
            sentence = f"{foe.label} is out of range: {steps.words()}."
            refusal = Refusal(RANGE_LIMIT.id, sentence) if die_of(steps.total) is None else None
        forbids = (refusal.rule,) if refusal else (SNIPERS.id,)
        found.append(Option(foe.id, foe.label, (foe.id,), forbids, refusal.sentence if refusal else ""))
    return found


def no_shot(table: Table, unit: Thing) -> Refusal | None:
    """Why a sniper may not fire now."""
    figure = rifleman(table, unit)
    if figure is None:
        return Refusal(SNIPERS.id, "Nobody is fit to fire the rifle.")
    refusal = support_refused(unit, figure)
    if refusal is not None:
        return refusal
    seen = victims(table, unit)
    if not seen:
        return Refusal(SNIPERS.id, "No enemy is on the table.")
    return Refusal(seen[0].rules[0], seen[0].refused) if all(one.refused for one in seen) else None


def snipe(battle: Battle, unit: Thing) -> Procedure[tuple[Step, ...]]:
    """A sniper fires: even a miss suppresses, a minor success hits anybody, a major one whom he names.

    stargrunt.fire.snipers                  a 1 on the Quality die gives him away
    stargrunt.fire.sniper-miss-suppresses   the marker comes whatever the dice show
    """
    chosen = yield ChooseOne(
        unit.side,
        f"{unit.label} fires at whom?",
        topic="sniper-target",
        about=(unit.id,),
        options=tuple(victims(battle.table, unit)),
        rules=(SNIPERS.id,),
        shows=("distance", "odds"),
    )
    figure, target = rifleman(battle.table, unit), battle.table[chosen]
    assert figure is not None, "nobody fires"
    rifle = SNIPER[kit(figure).support_weapon]
    secret = (unit.side,) if hidden(unit) else ()
    by = unit.side if secret else unit.id
    n = battle.happens(Declared(by, "sniper fire", (target.id,), rule=SNIPERS.id))
    before, after = unit.value(FIRED), (*fired(unit), figure.id)
    battle.happens(
        StateChanged(*(unit.id, FIRED, before, after, END_OF_TURN), rule=FIRE_LIMIT.id, because=n, known_to=secret)
    )
    if not secret:
        note_fired_upon(battle, unit, target, n)
    shown = from_where(battle.table, battle.table[unit.id])
    steps = sniper_range(shown, unit, target)
    die = die_of(steps.total)
    assert die is not None, "an impossible shot was declared"
    quality_part = ExplainedPart(f"Quality D{quality_die(unit)}", quality_die(unit), QUALITY.id)
    weapon = ExplainedPart(named(rifle.id), rifle.firepower, SNIPER_RIFLES.id)
    dice = (quality_die(unit), rifle.firepower)
    ours = Throw("sniper fire", by, dice, (quality_part, weapon), SNIPERS, (BANDS,))
    veiled = tuple(ExplainedPart(one.label, one.value, one.rule, secret) for one in steps.parts)
    theirs = Throw("range", target.id, (die,), veiled, EFFECT, (RANGE_DIE, MULTIPLE, MISS))
    roll = multiple_opposed(battle, ours, theirs, lambda higher: _OUTCOMES[higher], n)
    hurt: tuple[str, ...] = ()
    if roll.higher:
        victim, n = yield from _victim(battle, unit, target, roll.higher > 1, roll.n)
        shifts = armour_shift(cover_from(shown, target.id, unit.id))
        veils = tuple(ExplainedPart(one.label, one.value, one.rule, secret) for one in shifts)
        times = rifle.multiplier
        result, n = impact_roll(battle, by, victim, rifle.impact, veils, n, multiplier=times, known_to=secret)
        if result != "no effect" and wound(battle, victim.id, result == "killed", again=False, because=n):
            hurt = (victim.id,)
    given_away = roll.scores[0] == SNIPERS.number("revealed_on_quality_roll") and bool(secret)
    return (AfterFire(unit.id, target.id, True, hurt), *((GivenAway(unit.id),) if given_away else ()))


class GivenAway(Step, frozen=True):
    """A sniper's shot has shown where he is."""

    unit: str


def given_away(battle: Battle, step: GivenAway) -> Procedure[None]:
    """A sniper is revealed where he lies."""
    counter = counter_of(battle.table, step.unit)
    if counter is not None:
        yield from place_figures(battle, counter, SNIPERS)


def _victim(battle: Battle, unit: Thing, target: Thing, named_: bool, because: int) -> Procedure[tuple[Thing, int]]:
    """Who is hit: whom the sniper names, or any figure."""
    exposed = with_unit(battle.table, target.id)
    if len(exposed) == 1:
        return exposed[0], because
    if not named_:
        who = battle.dice.total(f"d{len(exposed)}")
        victim = exposed[who.natural - 1]
        return victim, told(battle, "who is hit", target.id, who.dice, who.faces, WHO_IS_HIT, victim.id, because)
    chosen = yield ChooseOne(
        unit.side,
        "Whom does the sniper hit?",
        topic="victim",
        about=(target.id,),
        options=tuple(Option(one.id, f"{one.label}, {kit(one).role}", (one.id,)) for one in exposed),
        rules=(SNIPERS.id,),
        default=exposed[0].id,
    )
    return battle.table[chosen], because


# Under the counter -------------------------------------------------------------------------------------------------


def instead(table: Table, step: Activate) -> Step | None:
    """A hidden sniper acts under his counter."""
    unit = table[step.unit]
    return InHiding(unit.id, step.actions) if hidden(unit) and is_sniper(unit) else None


def decoys(table: Table, unit: Thing) -> list[Thing]:
    """The dummies that a sniper may change places with."""
    return [one for one in table.of_kind("marker") if one.on_table and one.value(DECOY_OF) == unit.id]


def in_hiding(battle: Battle, step: InHiding) -> Procedure[None]:
    """One action of a hidden sniper; the opponent learns that one is about, not which counter it is.

    stargrunt.observation.snipers-in-hiding    fire, change places with a dummy, or show himself and act as others do
    stargrunt.observation.automatic-reveal     activation reveals every unit but a sniper
    """
    table, unit = battle.table, battle.table[step.unit]
    side = unit.side
    if not hidden(unit):
        battle.push(Activate(unit.id, step.actions, tried=step.tried, ready=True))
        return
    if not step.begun:
        veil: dict[str, tuple[str, ...]] = {"units": (side,)}
        battle.happens(StepBegan("activation", side, (unit.id,), rule=SNIPERS_HIDING.id, veils=veil))
        known = (side,)
        battle.happens(StateChanged(unit.id, ACTIVATED, None, 1, END_OF_TURN, rule=MARKER.id, known_to=known))
        before = table[side].count(IN_HIDING) if side in table.things else 0
        battle.happens(Counted(side, IN_HIDING, before, before + 1, rule=MARKER.id))
    shoot = no_shot(table, unit) or Refusal(SNIPERS.id, "")
    shift = "" if decoys(table, unit) else "He has no dummy left."
    chosen = yield ChooseOne(
        side,
        f"{unit.label}, hidden: which action? {step.actions} left",
        topic="sniper-action",
        about=(unit.id,),
        options=(
            Option("snipe", "Fire", rules=(shoot.rule,), refused=shoot.sentence),
            Option("shift", "Change places with a dummy", rules=(SNIPERS_HIDING.id,), refused=shift),
            Option("show", "Show himself and act as others do", rules=(REVEALS.id,)),
            Option("done", "Nothing more", rules=(SNIPERS_HIDING.id,)),
        ),
        rules=(SNIPERS_HIDING.id, SNIPERS.id),
        default=by_default(table, "done"),
    )
    rest = (InHiding(unit.id, step.actions - 1, begun=True, tried=step.tried),) if step.actions > 1 else ()
    if chosen == "snipe":
        follow = yield from snipe(battle, unit)
        battle.push(*follow, *rest)
    elif chosen == "shift":
        yield from shift_unseen(battle, unit)
        battle.push(*rest)
    elif chosen == "show":
        counter = counter_of(table, unit.id)
        assert counter is not None, "a hidden sniper lies under a counter"
        yield from place_figures(battle, counter, REVEALS)
        battle.push(Activate(unit.id, step.actions, tried=step.tried, ready=True))


def shift_unseen(battle: Battle, unit: Thing) -> Procedure[None]:
    """Change places with a dummy: Quality above LV, or whoever sees the new place sees him there."""
    here, side = counter_of(battle.table, unit.id), unit.side
    assert here is not None, "a hidden sniper lies under a counter"
    chosen = yield ChooseOne(
        side,
        "Change places with which dummy?",
        topic="swap",
        about=(here.id,),
        options=tuple(Option(one.id, one.label, (one.id,)) for one in decoys(battle.table, unit)),
        rules=(SNIPERS_HIDING.id,),
    )
    known = (side,)
    target = (leadership_part(unit),)
    roll = exceed(battle, "shifting", unit.id, quality_die(unit), target, SNIPERS_HIDING, known_to=known)
    for name, state, before, after in (
        (here.id, IS, unit.id, DUMMY),
        (here.id, DECOY_OF, None, unit.id),
        (chosen, IS, DUMMY, unit.id),
        (chosen, DECOY_OF, unit.id, None),
    ):
        change = StateChanged(name, state, before, after, rule=SNIPERS_HIDING.id, because=roll.n, known_to=known)
        battle.happens(change)
    seen = [u for u in standing_units(battle.table) if u.side != side]
    if not roll.passed and any(point_seen(battle.table, foe.id, spot(battle.table[chosen])) for foe in seen):
        yield from place_figures(battle, battle.table[chosen], SNIPERS_HIDING)


# In the open -------------------------------------------------------------------------------------------------------


def _snipes(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    follow = yield from snipe(battle, unit)
    return Outcome(then=follow)


def _hides(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """A revealed sniper goes to ground: Quality above LV + 2, then his counter and two dummies are laid."""
    part = ExplainedPart("to hide again", _TO_HIDE, SNIPERS_HIDING.id)
    target = (leadership_part(unit), part)
    roll = exceed(battle, "hiding", unit.id, quality_die(unit), target, SNIPERS_HIDING)
    if not roll.passed:
        return Outcome(failed=True)
    region, near = around(battle.table, unit), _near(battle.table, unit)
    yield from lay_low(battle, unit, near, region, roll.n)
    side = unit.side
    for one in [*battle.table.members(unit.id)]:
        battle.happens(Placed(one.id, Off(HIDDEN), rule=SNIPERS_HIDING.id, because=roll.n))
    battle.happens(Placed(unit.id, Off(HIDDEN), rule=SNIPERS_HIDING.id, because=roll.n))
    if battle.table[unit.id].has(ACTIVATED):
        before = battle.table[side].count(IN_HIDING) if side in battle.table.things else 0
        battle.happens(Counted(side, IN_HIDING, before, before + 1, rule=MARKER.id, because=roll.n))
    rest = (InHiding(unit.id, step.actions - 1, begun=True, tried=step.tried),) if step.actions > 1 else ()
    return Outcome(then=rest, spent=step.actions)


def _near(table: Table, unit: Thing) -> list[Point]:
    return hiding_places(table, spot(standing(table, unit.id)[0]), 0, unit.side, SNIPERS_HIDING.number("dummies") + 1)


def _cannot_hide(table: Table, unit: Thing) -> Refusal | None:
    if not in_cover(table, unit):
        return Refusal(SNIPERS_HIDING.id, f"{unit.label} is not in cover.")
    if len(_near(table, unit)) <= SNIPERS_HIDING.number("dummies"):
        return Refusal(SNIPERS_HIDING.id, "There is not cover enough within 6 inches.")
    return None


def sniper_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """The dice of a sniper's shot."""
    unit, target = view.table[question.about[0]], view.table[answer]
    figure = rifleman(view.table, unit)
    assert figure is not None, "nobody fires"
    steps = sniper_range(from_where(view.table, unit), unit, target)
    rifle = SNIPER[kit(figure).support_weapon]
    note = f"D{quality_die(unit)}, D{rifle.firepower} against D{die_of(steps.total)}, impact D{rifle.impact}"
    return Preview(explanations=(steps,), notes=(note,))


def _has_rifle(table: Table, unit: Thing) -> bool:
    return on_foot(table, unit) and rifleman(table, unit) is not None


ACTIONS = (
    Action(
        id="snipe",
        entry="fire_support_or_heavy_weapon",
        label="Fire as a sniper",
        rule=SNIPERS,
        carry_out=_snipes,
        shown=_has_rifle,
        refused=no_shot,
    ),
    Action(
        id="hide",
        entry="go_in_position",
        label="Go to ground",
        rule=SNIPERS_HIDING,
        carry_out=_hides,
        shown=lambda table, unit: on_foot(table, unit) and is_sniper(unit),
        refused=_cannot_hide,
    ),
)
