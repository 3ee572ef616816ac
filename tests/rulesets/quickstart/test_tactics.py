"""The tactical bot: strong, the same for a seed, able to say why; its quick tables agree with the rules."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.bots import make_bot, reason_of
from sandtable.bots.tactical_bot import SKILL, TacticalBot
from sandtable.engine.battle import Battle
from sandtable.engine.ids import BLUE, RED, ThingId
from sandtable.engine.questions import AnyQuestion, Confirm, MoveModels, Plan, Refusal
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.shapes import At, Base, Leg, Point, Walk
from sandtable.engine.table import Ground, Table, Thing
from sandtable.lab.battles import play_battle
from sandtable.lab.matches import match
from sandtable.rulesets.quickstart import RULESET
from sandtable.rulesets.quickstart.damage import penetrates, ranged_index, ranged_row
from sandtable.rulesets.quickstart.datacard import weapons
from sandtable.rulesets.quickstart.shooting.direct_fire import Aim, Shot, aim
from sandtable.rulesets.quickstart.sight import line_of_sight, standing_in
from sandtable.rulesets.quickstart.tactics.choices import Intention
from sandtable.rulesets.quickstart.tactics.guns import gunner_of
from sandtable.rulesets.quickstart.tactics.memory import Memory
from sandtable.rulesets.quickstart.tactics.odds import KILL, NATURALS, POINT, WHOLE, Outcome, chance_of, value_of
from sandtable.rulesets.quickstart.tactics.opponent import QuickstartTactics
from sandtable.tabletop.book import Book
from sandtable.tabletop.opponent import Idea, Tactics, worth


def played(seed: int, size: int = 2, red: str = "tactical", blue: str = "charging") -> Battle:
    """A battle from set-up to its end."""
    rules = RULESET
    players = {RED: make_bot(red, rules, seed, RED), BLUE: make_bot(blue, rules, seed, BLUE)}
    return play_battle(rules, RULESET.setup("", size), players, seed=seed, digest_every=0)


def tables(count: int) -> Iterator[Table]:
    """Tables in the middle of battles."""
    for seed in range(count):
        found: list[Table] = []
        rules = RULESET
        players = {side: make_bot("tactical", rules, seed, side) for side in (RED, BLUE)}

        def watch(battle: Battle, found: list[Table] = found) -> None:
            if battle.table.turn >= 2 and not found:
                found.append(battle.table.copy())

        play_battle(rules, RULESET.setup("", 3), players, seed=seed, digest_every=0, watch=watch)
        yield from found


def test_the_same_seed_plays_the_same_battle() -> None:
    assert played(7).digest() == played(7).digest()


@pytest.mark.parametrize("other", ["random", "charging"])
def test_it_beats_whoever_does_not_think(other: str) -> None:
    score = match("quickstart", "tactical", other, size=2, battles=10, seed=100)
    assert score.score >= 0.8, score.words()


def test_without_tactics_it_gives_any_lawful_answer() -> None:
    view = View(RED, Table(Ground(0, 0), (RED, BLUE)))
    assert TacticalBot(Ruleset(), 1).answer(view, Confirm(RED, "Fire?")) in (True, False, None)
    assert Book().tactics() is None


def test_what_the_judge_refuses_is_never_answered() -> None:
    class Reckless(Tactics):
        """Teaches one answer that is against the rules, and values it above all."""

        def rate(self, view: View, question: AnyQuestion, skill: object, intention: object) -> list[Idea]:
            return [Idea("no such model", "cheat", (("", 10**6),)), Idea(True, "yes", (("", 1),))]

    view = View(RED, Table(Ground(0, 0), (RED, BLUE)))
    bot = TacticalBot(Ruleset(), 1)
    bot.tactics = Reckless()
    assert bot.answer(view, Confirm(RED, "Fire?")) is True
    assert bot.reason().startswith("yes")


def test_a_walk_meant_earlier_yields_to_the_way_a_mission_kill_must_take() -> None:
    model = Thing(ThingId("A"), side=RED, card="dictator-b", base=Base("hexagon", 1500), place=At(Point(9000, 9000)))
    view = View(RED, Table(Ground(48000, 48000), (RED, BLUE), {"A": model}))
    must, meant = {"A": Walk((Leg(0, 3000),))}, Walk((Leg(30, 5000),))
    facts = {"mv": 5, "spent": 0, "turns": 0, "contacts": 0}
    question = MoveModels(RED, "Leave", topic="walk", models=("A",), facts=facts, default=must)
    choices = QuickstartTactics().rate(view, question, SKILL, Intention("A", (meant,)))
    assert max(choices, key=worth).draft == must


def test_a_reason_names_what_was_weighed_in_words_and_numbers() -> None:
    rules = RULESET
    reasons: list[str] = []

    class Asked:
        def __init__(self) -> None:
            self.bot = make_bot("tactical", rules, 5, RED)

        def answer(self, view: View, question: AnyQuestion) -> Any:
            draft = self.bot.answer(view, question)
            if isinstance(question, Plan):
                reasons.append(reason_of(self.bot))
            return draft

    play_battle(rules, RULESET.setup("", 1), {RED: Asked(), BLUE: make_bot("charging", rules, 5, BLUE)}, seed=5)
    assert any("fire +" in reason and "enemy fire −" in reason and "Rather than" in reason for reason in reasons), (
        reasons
    )


def test_sightings_of_many_poses_agree_with_the_line_of_sight_of_each() -> None:
    random = Random(3)
    compared = covered = blocked = 0
    for table in tables(4):
        for model in table.models():
            foes = [other for other in table.models() if other.side != model.side]
            poses = [(Point(x, y), random.randrange(360)) for x, y in _around(model, random)]
            lookout = Memory().lookout(table, model, poses, foes)
            for pose, (at, facing) in enumerate(poses):
                there = replace(model, place=At(at), facing=facing)
                for n, foe in enumerate(foes):
                    seen, line = lookout.sighting(pose, n), line_of_sight(table, there, foe)
                    if seen.gap < 0:
                        continue  # one on top of the other, as no walk ends
                    assert seen.blocked == line.blocked
                    compared += 1
                    blocked += seen.blocked
                    if not line.blocked:
                        assert seen.their_cover == sum(part.value for part in line.cover)
                        assert seen.my_cover == sum(part.value for part in line_of_sight(table, foe, there).cover)
                        covered += seen.their_cover != 0
                    assert seen.they_stand_in == sum(part.value for part in standing_in(table, foe))
    assert compared > 200
    assert covered > 20
    assert blocked > 20


def _around(model: Thing, random: Random) -> Iterator[tuple[int, int]]:
    assert isinstance(model.place, At)
    for _ in range(6):
        x, y = model.place.point
        yield x + random.randrange(-6000, 6000), y + random.randrange(-6000, 6000)


def test_the_quick_tables_agree_with_the_functions_that_play() -> None:
    compared = 0
    for table in tables(3):
        for model in table.models():
            gunner = gunner_of(model)
            for foe in (other for other in table.models() if other.side != model.side):
                for name in gunner.straight:
                    aimed = aim(table, Shot(model.id, foe.id, (name,)))
                    if isinstance(aimed, Refusal):
                        continue
                    cover = sum(part.value for part in line_of_sight(table, model, foe).cover)
                    lock = model.value("target-lock") == foe.id
                    quick = gunner.roll(gunner_of(foe), name, aimed.distance, cover, "", 1, lock)
                    assert quick is not None
                    assert quick.points == _by_hand(model, name, foe, aimed)
                    compared += 1
    assert compared > 10


def _by_hand(model: Thing, name: str, foe: Thing, aimed: Aim) -> tuple[int, ...]:
    """The chance of each number of points, die by die."""
    changes = sum(part.value for part in aimed.modifiers)
    found: dict[int, int] = {}
    for one in range(1, 7):
        for two in range(1, 7):
            for three in range(1, 7):
                natural = one + two
                total = natural + changes + (three if natural >= aimed.critical_from and aimed.critical_die else 0)
                points = 0
                if natural > 2 and total >= aimed.needs.total:
                    excess = penetrates(total - aimed.needs.total, model, weapons(model)[name], foe)
                    points = ranged_row(ranged_index(excess, foe).total).damage if excess.total >= 0 else 0
                found[points] = found.get(points, 0) + 1
    return tuple(found.get(n, 0) for n in range(max(found) + 1))


def test_chances_and_values_are_those_of_the_dice() -> None:
    assert sum(NATURALS.values()) == 36
    assert chance_of(2) == 35  # a natural 2 never succeeds
    sure = Outcome((0, 0, WHOLE), 0)
    assert value_of((sure,), 5) == 2 * POINT
    assert value_of((sure, sure), 4) == 4 * POINT + KILL
    assert value_of((sure, sure), 3) == 3 * POINT + KILL  # points beyond the last are worth nothing
