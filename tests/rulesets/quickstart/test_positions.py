"""Positions in which one thing is clearly right, each beside one in which it is not; and the bot says why."""

from typing import Any

import pytest

from sandtable.bots import make_bot, reason_of
from sandtable.engine.ids import BLUE, RED, PieceId, Side, ThingId
from sandtable.engine.questions import PlaceThings, React, Reaction, ReactOption
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import UNIT, At, Base, Disc, Off, Point, Region, rectangle
from sandtable.engine.table import Ground, Mark, Piece, Table, Thing
from sandtable.field.edges import Edge
from sandtable.rulesets.quickstart import RULESET
from sandtable.rulesets.quickstart.setup.board import zone
from sandtable.rulesets.quickstart.turn.declaration import plan_question

#: All straight-firing weapons out of ammunition, and all weapons.
NO_GUNS = ("medium-mac", "medium-mac-2")
NO_WEAPONS = (*NO_GUNS, "light-gm", "light-r10")


def model(name: ThingId, side: Side, x: float, y: float, facing: int, harm: int = 0, **states: Any) -> Thing:
    """A Dictator-B at a place, with some states."""
    return Thing(
        name,
        side=side,
        label=name,
        card="dictator-b",
        base=Base("hexagon", 1500),
        place=At(Point(round(x * UNIT), round(y * UNIT))),
        facing=facing,
        harm=harm,
        track=10,
        states={state.replace("__", "-").replace("_", " "): Mark(value) for state, value in states.items()},
        counts={"AP": 2, "torso twist": 1},
    )


def wall(x: int, y: int, wide: int, deep: int, height: int = 5) -> Piece:
    """A tall building."""
    return Piece(PieceId(f"wall-{x}-{y}"), "structure", rectangle(x * UNIT, y * UNIT, wide * UNIT, deep * UNIT), height)


def declares(*models: Thing, terrain: tuple[Piece, ...] = ()) -> tuple[dict[str, Any], str]:
    """What the first model declares, and why."""
    ground = Ground(48 * UNIT, 48 * UNIT, terrain)
    table = Table(ground, (RED, BLUE), {one.id: one for one in models}, turn=3)
    rules = RULESET
    bot = make_bot("tactical", rules, 1, RED)
    question = plan_question(models[0])
    draft: dict[str, Any] = bot.answer(View(RED, table), question)
    return draft, reason_of(bot)


def actions(draft: dict[str, Any]) -> tuple[str, ...]:
    """The actions of a declaration."""
    return tuple(draft[part] for part in ("1", "2") if part in draft)


def test_it_locks_on_where_the_missile_reaches_and_not_where_it_must_first_stand_up() -> None:
    far = model(ThingId("B"), BLUE, 24, 40, 270)
    draft, reason = declares(model(ThingId("A"), RED, 24, 10, 90), far)
    assert actions(draft) == ("target-lock", "shoot")
    assert draft["lock"] == "B"
    assert "light-gm" in draft["weapons"]
    assert reason.startswith("lock on and fire")
    draft, _ = declares(model(ThingId("A"), RED, 24, 10, 90, knockdown=1), far)
    assert draft["1"] == "stand-up"


def test_a_salvo_is_fired_at_what_can_hardly_be_hit_and_each_gun_by_itself_at_what_can() -> None:
    wood = Piece(PieceId("wood"), "heavy-woods", Disc(Point(24 * UNIT, 46 * UNIT), 3 * UNIT))
    hard = model(ThingId("A"), RED, 24, 1.5, 90, out_of_ammo=("light-gm", "light-r10"), suppressed=2)
    draft, reason = declares(hard, model(ThingId("B"), BLUE, 24, 46, 270, harm=9), terrain=(wood,))
    assert draft.get("salvo") is True, reason
    assert "fire a salvo at B" in reason
    easy = model(ThingId("A"), RED, 24, 20, 90, out_of_ammo=("light-gm", "light-r10"))
    draft, reason = declares(easy, model(ThingId("B"), BLUE, 24, 30, 270))
    assert "salvo" not in draft
    assert draft["weapons"] == ("medium-mac", "medium-mac-2")
    assert "fire both medium MACs at B" in reason, "weapons are named in reasons, not told by their ids"


def test_it_steps_out_fires_and_steps_back_where_many_wait_and_stays_out_where_one_does() -> None:
    house = wall(14, 20, 10, 3)
    shy = model(ThingId("A"), RED, 22.5, 18, 90, out_of_ammo=("light-gm", "light-r10"))
    crowd = [model(ThingId(f"B{n}"), BLUE, 20 + 1.8 * n, 33, 270, harm=4) for n in range(6)]
    draft, reason = declares(shy, *crowd, terrain=(house,))
    assert actions(draft) == ("run-n-gun",), reason
    assert "fire on the run +" in reason
    assert "step back" in reason
    draft, reason = declares(shy, crowd[0], terrain=(house,))
    assert actions(draft) != ("run-n-gun",), reason


def test_rockets_fly_over_what_is_in_the_way_and_guns_are_fired_at_what_is_seen() -> None:
    house = wall(4, 26, 40, 4)
    draft, reason = declares(
        model(ThingId("A"), RED, 24, 8, 90), model(ThingId("B"), BLUE, 24, 34, 270, harm=6), terrain=(house,)
    )
    assert actions(draft) == ("target-lock", "shoot"), reason
    assert draft["assault"] == "indirect-fire"
    assert set(draft["weapons"]) == {"light-r10", "light-gm"}
    assert "indirect fire +" in reason
    assert "missile +" in reason
    draft, reason = declares(model(ThingId("A"), RED, 24, 8, 90), model(ThingId("B"), BLUE, 24, 34, 270, harm=6))
    assert draft.get("assault", "direct-fire") == "direct-fire", reason


def test_it_closes_in_on_the_weak_when_it_cannot_fire_and_fires_when_it_can() -> None:
    weak = model(ThingId("B"), BLUE, 24, 14.5, 270, harm=7)
    draft, reason = declares(model(ThingId("A"), RED, 24, 10, 90, out_of_ammo=NO_WEAPONS), weak)
    assert actions(draft) == ("move", "close-combat"), reason
    assert draft["contact"] == ("B",)
    assert "close combat +" in reason
    assert "what it costs −" in reason
    draft, reason = declares(model(ThingId("A"), RED, 24, 10, 90), weak)
    assert "shoot" in actions(draft), reason
    strong = model(ThingId("B"), BLUE, 24, 14.5, 270)
    draft, reason = declares(model(ThingId("A"), RED, 24, 10, 90, harm=8, out_of_ammo=NO_WEAPONS), strong)
    assert "close-combat" not in actions(draft), reason


def test_it_mends_what_can_be_mended_where_nobody_can_be_harmed_and_fires_where_one_can_be_killed() -> None:
    house = wall(4, 26, 40, 4)
    hurt = model(ThingId("A"), RED, 24, 10, 90, harm=4, out_of_ammo=("light-gm", "light-r10"))
    draft, reason = declares(hurt, model(ThingId("B"), BLUE, 24, 40, 270), terrain=(house,))
    assert actions(draft)[0] == "repair", reason
    assert "repair +" in reason
    draft, reason = declares(hurt, model(ThingId("B"), BLUE, 24, 18, 270, harm=9))
    assert "repair" not in actions(draft)[:1] or "shoot" in actions(draft), reason


def test_it_watches_where_one_must_come_and_goes_nearer_where_nobody_has_come() -> None:
    corner = wall(18, 20, 12, 3)
    waiting = model(ThingId("A"), RED, 24, 17, 90, out_of_ammo=("light-gm", "light-r10"))
    draft, reason = declares(waiting, model(ThingId("B"), BLUE, 24, 27, 270), terrain=(corner,))
    assert actions(draft) == ("over-watch",), reason
    watched = model(ThingId("A"), RED, 24, 17, 90, out_of_ammo=("light-gm", "light-r10"), over__watch="held")
    again, why = declares(watched, model(ThingId("B"), BLUE, 24, 27, 270), terrain=(corner,))
    assert "over-watch +" in reason, reason
    assert "over-watch" not in actions(again), why


def test_a_mission_kill_leaves() -> None:
    draft, reason = declares(
        model(ThingId("A"), RED, 24, 3, 90, harm=9, retreating="north"), model(ThingId("B"), BLUE, 24, 40, 270)
    )
    assert actions(draft) == ("move", "move"), reason
    assert "leave the field" in reason
    draft, _ = declares(model(ThingId("A"), RED, 24, 3, 90, harm=9), model(ThingId("B"), BLUE, 24, 40, 270))
    assert actions(draft) != ("move", "move")


@pytest.mark.parametrize(("harm", "answer"), [(9, Reaction("A")), (0, None)])
def test_it_fires_back_when_it_will_not_live_to_fire_later(harm: int, answer: Reaction | None) -> None:
    me = model(ThingId("A"), RED, 24, 20, 90, harm=harm)
    table = Table(Ground(48 * UNIT, 48 * UNIT), (RED, BLUE), {"A": me, "B": model(ThingId("B"), BLUE, 24, 30, 270)})
    rules = RULESET
    bot = make_bot("tactical", rules, 1, RED)
    option = ReactOption("A", "A shoots back", "A")
    question = React(RED, "Defensive fire?", topic="defensive-fire", about=("A", "B"), options=(option,))
    assert bot.answer(View(RED, table), question) == answer
    assert "fire" in reason_of(bot)


@pytest.mark.parametrize(("foes", "words"), [(5, "under cover"), (1, "in line")])
def test_it_deploys_in_a_wood_against_many_and_in_line_against_one(foes: int, words: str) -> None:
    ground = Ground(
        48 * UNIT, 48 * UNIT, (Piece(PieceId("wood"), "heavy-woods", Disc(Point(18 * UNIT, 3 * UNIT), 3 * UNIT)),)
    )
    new = Thing(ThingId("A"), side=RED, label="A", card="dictator-b", base=Base("hexagon", 1500), place=Off(), track=10)
    enemies = [model(ThingId(f"B{n}"), BLUE, 12 + 4 * n, 45, 270) for n in range(foes)]
    sides = [
        Thing(side, "side", states={"edge": Mark(edge)})
        for side, edge in ((ThingId("red"), "north"), (ThingId("blue"), "south"))
    ]
    table = Table(ground, (RED, BLUE), {one.id: one for one in (new, *enemies, *sides)})
    bot = make_bot("tactical", RULESET, 1, RED)
    where = {"": Region((zone(ground, Edge.NORTH),))}
    draft = bot.answer(
        View(RED, table),
        PlaceThings(RED, "Place A", topic="deploy", about=("A",), things=("A",), where=where),
    )
    reason = reason_of(bot)
    assert reason.startswith(words), reason
    assert "enemy fire −" in reason
    assert (abs(draft["A"].where.point.x - 18 * UNIT) <= 3 * UNIT) == (foes > 1)
