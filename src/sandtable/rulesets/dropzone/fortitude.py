"""Fortitude: squads that are beaten in a Garrison, and squads that want to leave one against the odds."""

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Harm, HarmApplied, Placed
from sandtable.engine.explain import ExplainedPart, explain
from sandtable.engine.questions import ChooseOne, Confirm, Option, Preview, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import In
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import rule
from sandtable.rulesets.dropzone.basics import DIE, NATURALS, ORDER, in_order
from sandtable.rulesets.dropzone.damage import CLOSE, HURT, Dealt, Destroyed, lose
from sandtable.rulesets.dropzone.garrisons import LEAVING, go_over, in_a_garrison, linked, no_room, unoffered
from sandtable.rulesets.dropzone.moments import MUST_TEST
from sandtable.rulesets.dropzone.movement.placing import ask_places
from sandtable.rulesets.dropzone.objectives import drop_all
from sandtable.rulesets.dropzone.rounds import ACTIVATION_ENDS
from sandtable.rulesets.dropzone.transports import transports_for
from sandtable.rulesets.dropzone.units import END_OF_ROUND, card, inside, is_kind, squads
from sandtable.tabletop.book import book_of
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Check, Reading, throw
from sandtable.tabletop.choosing import choose_thing, unless_alone
from sandtable.tabletop.states import give, take

WHEN = rule("dropzone.fortitude.when-to-test")
TEST = rule("dropzone.fortitude.test")
RUNNING = rule("dropzone.fortitude.running-away")
VOLUNTARY = rule("dropzone.fortitude.voluntary-failure")
OUTNUMBERED = rule("dropzone.garrisons.leaving-when-outnumbered")

#: A state of a squad: Close Quarters weapons have hurt it in this activation; and what it began with.
SHAKEN, STRENGTH = "shaken", "strength"
RUN, FAIL, NEXT_TEST = "run", "fail", "next-test"


class FortitudeTest(Step, frozen=True):
    """A squad takes its test at the end of an activation."""

    squad: str


class TestsDue(Step, frozen=True):
    """Squads that have to test at the same time."""

    squads: tuple[str, ...]


class RunAway(Step, frozen=True):
    """A squad abandons its Garrison."""

    squad: str
    because: int = 0


def fortitude(squad: Thing, table: Table) -> Check:
    """The Fortitude Test of a squad."""
    number = card(table.members(squad.id)[0]).fortitude or 0
    return Check(
        what="fortitude",
        by=squad.id,
        dice=DIE,
        rule=TEST,
        needs=explain("to stand", ExplainedPart("Fortitude", number, TEST.id)),
        reading=Reading(always_fails=(NATURALS.number("fortitude", "auto_fail"),), succeeded="stands", failed="runs"),
    )


def shaken(battle: Battle, thing: Thing, dealt: Dealt) -> Sequence[Step]:
    """Note that Close Quarters weapons have hurt an Infantry squad."""
    if thing.kind == "unit" and CLOSE in dealt.hits.manner and dealt.points and not thing.has(SHAKEN):
        if any(is_kind(one, "infantry") for one in battle.table.members(thing.id)):
            give(battle, thing.id, SHAKEN, WHEN, until=END_OF_ROUND, because=dealt.because)
    return ()


def tests(battle: Battle, group: str) -> Sequence[Step]:
    """The tests that are due at the end of an activation."""
    found: list[str] = []
    for squad in [one for one in squads(battle.table) if one.has(SHAKEN)]:
        take(battle, squad.id, SHAKEN, WHEN)
        if below_half(battle.table, squad):
            found.append(squad.id)
    return (TestsDue(tuple(found)),) if found else ()


def below_half(table: Table, squad: Thing) -> bool:
    """Whether a squad has less than half of the Damage Points it began with."""
    left = sum(one.track - one.harm for one in table.members(squad.id))
    return 2 * left < squad.count(STRENGTH)


def tests_due(battle: Battle, step: TestsDue) -> Procedure[None]:
    """The squads of the side that has the initiative test first, in the order it chooses, then those of the next."""
    table = battle.table
    side = next(side for side in in_order(table) if any(table[one].side == side for one in step.squads))
    own = [table[one] for one in step.squads if table[one].side == side]
    prompt = "Several squads must take a Fortitude Test. Which is the next?"
    first = yield from choose_thing(side, prompt, own, ORDER, WHEN, topic=NEXT_TEST, default=True)
    rest = tuple(one for one in step.squads if one != first)
    battle.push(FortitudeTest(first), *([TestsDue(rest)] if rest else []))


def fortitude_test(battle: Battle, step: FortitudeTest) -> Procedure[None]:
    """Test, or fail by choice."""
    squad = battle.table[step.squad]
    if not battle.table.members(squad.id) or (yield from excused(battle, squad)):
        return
    fails = yield Confirm(
        squad.side,
        f"{squad.label} must take a Fortitude Test. Fail it without rolling?",
        topic=FAIL,
        about=(squad.id,),
        rules=(VOLUNTARY.id, TEST.id),
        shows=("odds",),
        yes="Run",
        no="Roll",
    )
    if not fails:
        thrown = throw(battle, fortitude(squad, battle.table))
        if thrown.succeeds:
            return
    battle.push(RunAway(squad.id))


def preview_test(view: View, question: Confirm, answer: bool) -> Preview:
    """How likely a squad is to stand, if it does not fail by choice."""
    return Preview() if answer else fortitude(view.table[question.about[0]], view.table).preview()


def excused(battle: Battle, squad: Thing) -> Procedure[bool]:
    """Whether something lets a squad pass its test without rolling."""
    for passes in book_of(battle).at(MUST_TEST):
        if (yield from passes(battle, squad)):
            return True
    return False


def run_away(battle: Battle, step: RunAway) -> Procedure[None]:
    """Abandon the Garrison: outside, into a linked one, or into a Transport; who cannot be placed is destroyed."""
    table = battle.table
    squad = table[step.squad]
    yield from drop_all(battle, squad, TEST)
    if not in_a_garrison(battle.table, squad):
        return
    unit = battle.table.members(squad.id)[0]
    assert isinstance(unit.place, In)
    piece = unit.place.holder
    table, outline = battle.table, battle.table.ground.piece(piece).outline
    ways = [one for one in linked(table, piece) if no_room(table, squad, one) is None]
    ways += [one.id for one in transports_for(table, squad, outline)]
    options = [Option("outside", "Outside", (piece,), (RUNNING.id,))]
    options += [Option(one, battle.table[one].label, (one,), (RUNNING.id,)) for one in ways]
    question = ChooseOne(
        squad.side,
        f"{squad.label} runs: where to?",
        topic=RUN,
        about=(squad.id,),
        options=tuple(options),
        rules=(RUNNING.id,),
    )
    chosen = yield from unless_alone(question)
    if chosen != "outside":
        yield from go_over(battle, squad, piece, chosen, RUNNING)
        return
    units = battle.table.members(squad.id)
    within = RUNNING.inches("distance_in")
    put = yield from ask_places(
        battle, units, outline, within, RUNNING.id, f"{squad.label} runs: where does it stand?", True
    )
    for one in units:
        if one.id in put:
            battle.happens(Placed(one.id, put[one.id].where, put[one.id].facing, rule=RUNNING.id))
        else:
            lose(battle, one, "could not be placed", RUNNING.id)


def not_to_run(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """The rule by which a squad may not run into a Garrison or a Transport."""
    found = unoffered(view, question, answer)
    return found and replace(found, also=(*found.also, RUNNING.id))


def tested_before_leaving(battle: Battle, squad: Thing, piece: str) -> Procedure[bool]:
    """An outnumbered squad must pass a test to leave as usual; gives whether it has run away instead."""
    table = battle.table
    there = dict.fromkeys((one.unit, one.side) for one in inside(table, piece))
    own = sum(side == squad.side for _, side in there)
    if len(there) - own <= own:
        return False
    if (yield from excused(battle, squad)):
        return False
    check = fortitude(squad, table)
    thrown = throw(battle, check)
    if thrown.succeeds:
        return False
    lost = check.target - thrown.natural
    enemy = next(side for _, side in there if side != squad.side)
    destroyed: list[Step] = []
    for _ in range(lost):
        standing = [one for one in battle.table.members(squad.id) if one.harm < one.track]
        if not standing:
            break
        prompt = f"{squad.label} breaks out: who loses a Damage Point?"
        hurt = yield from choose_thing(
            enemy, prompt, standing, OUTNUMBERED, topic="suffers", about=(squad.id,), default=True
        )
        unit = battle.table[hurt]
        n = battle.happens(
            HarmApplied(unit.id, Harm("damage", 1), unit.harm, unit.harm + 1, rule=OUTNUMBERED.id, because=thrown.n)
        )
        if unit.harm + 1 == unit.track:
            destroyed.append(Destroyed(unit.id, because=n))
    battle.push(*destroyed, RunAway(squad.id, thrown.n))
    return True


CHAPTER = Chapter(
    steps={TestsDue: tests_due, FortitudeTest: fortitude_test, RunAway: run_away},
    at=(HURT(shaken), ACTIVATION_ENDS(tests), LEAVING(tested_before_leaving)),
    previews={FAIL: preview_test},
    unoffered={RUN: not_to_run},
    states={SHAKEN: "Close Quarters weapons have hurt the squad in this activation"},
    counts={STRENGTH: "the Damage Points a squad began with"},
    answers={
        NEXT_TEST: "the squad that tests next, of several",
        RUN: "where a squad runs: outside, a linked Garrison or a Transport",
        FAIL: "whether a squad fails its test by choice",
    },
)
