"""A ruleset that is no game: it asks every kind of question with every field, one after the other.

What was answered stands in the detail of a `Declared` event as JSON, so that whoever answered can be checked.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import BOARD, BattleEnded, Declared, Landed, PhaseBegan, Placed, Rolled, StateChanged
from sandtable.engine.explain import ExplainedPart, Explanation
from sandtable.engine.ids import BLUE, RED, PieceId, RuleId, ThingId
from sandtable.engine.questions import (
    Allocate,
    AnyQuestion,
    Bead,
    Chance,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MarkAsked,
    MoveModels,
    Option,
    PathNote,
    PlaceThings,
    Plan,
    PlanPart,
    Preview,
    React,
    ReactOption,
    Refusal,
    SightNote,
    Together,
)
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.shapes import At, Band, Base, Disc, In, Off, Point, Region, rectangle
from sandtable.engine.state import Step
from sandtable.engine.table import Contour, Part, Piece, Thing

SHOWS = ("distance", "reach", "sight", "odds")
TOPICS = ("one", "several", "allocate", "place", "move", "confirm", "react", "plan")


class Ask(Step, frozen=True):
    """Ask one kind of question."""

    topic: str


class Done(Step, frozen=True):
    """Everything has been asked."""


def _option(name: str, **more: Any) -> Option:
    return Option(name, name.capitalize(), rules=(RuleId(f"gallery.{name}"),), **more)


def question(topic: str) -> AnyQuestion:
    """The question of a topic, every field of its kind said.

    >>> [question(topic).prompt for topic in TOPICS][:2]
    ['Choose one of these.', 'Choose two or three.']
    """
    rules = (RuleId(f"gallery.{topic}"),)
    match topic:
        case "one":
            options = (
                _option("stand", about=("r1",)),
                _option("trap"),
                _option("fly", refused="Nobody here has wings."),
                _option("blue", about=("b1",)),
            )
            return ChooseOne(
                RED, "Choose one of these.", topic, ("r1",), rules, shows=SHOWS, facts={"chance": 40}, options=options
            )
        case "several":
            trees = tuple(_option(name) for name in ("ash", "birch", "cedar", "date"))
            return ChooseSeveral(
                RED,
                "Choose two or three.",
                topic,
                ("r1",),
                rules,
                shows=SHOWS,
                options=(*trees, _option("elm", refused="The elm is ill.")),
                at_least=2,
                at_most=3,
                not_together=(("ash", "birch"),),
            )
        case "allocate":
            return Allocate(
                RED,
                "Put every stone into a bowl.",
                topic,
                rules=rules,
                items=tuple(_option(name) for name in ("jade", "onyx", "opal")),
                bins=(_option("left"), _option("right", about=("b1",))),
                allowed={"jade": ("left",)},
                bin_least={"right": 1},
                bin_most={"left": 2},
            )
        case "place":
            west = Region(
                (rectangle(0, 0, 20000, 30000),), (Disc(Point(5000, 5000), 2000),), (0, 1), rule=RuleId("gallery.west")
            )
            hut = Region(
                (rectangle(20000, 0, 20000, 30000),), slots=(In("hut", "floor"),), label="in the east, or in the hut"
            )
            return PlaceThings(
                RED,
                "Place R2 and the crate.",
                topic,
                ("r2",),
                rules,
                shows=SHOWS,
                things=("r2", "crate"),
                where={"": west, "crate": hut},
                together=Together(40000, rule=RuleId("gallery.near"), label="Both stay within 40″ of each other."),
                outlines={"crate": (rectangle(-1000, -1000, 2000, 2000),)},
            )
        case "move":
            return MoveModels(
                RED,
                "Walk R1, and mark where it looks.",
                topic,
                ("r1",),
                rules,
                shows=SHOWS,
                decline="Stay",
                models=("r1", "r2"),
                allowance={"r1": 6000, "r2": 6000},
                manner="at a walk",
                marks=(MarkAsked("looks", "Looks here", required=True),),
                together=Together(60000, label="They stay in sight of each other."),
                ends=Region((rectangle(0, 0, 40000, 30000),), label="on the table"),
            )
        case "confirm":
            return Confirm(
                RED, "Light the lamp?", topic, ("r1",), rules, shows=SHOWS, yes="It burns", no="It stays dark"
            )
        case "react":
            ways = (
                ReactOption("shout", "R1 shouts", "r1", {"breath": 1}, rules, 1, 3),
                ReactOption("wave", "R1 waves", "r1", {}, rules),
            )
            return React(
                RED, "B1 walks by. Break in?", topic, ("b1", "r1"), rules, moment="on the way", stretch=(1000, 5000),
                options=ways, decline="Let it pass",
            )  # fmt: skip
        case "plan":
            return Plan(RED, "What does R1 plan?", topic, ("r1",), rules, actors=("r1",), budget={"AP": 2})
    raise KeyError(topic)


class Gallery(Ruleset):
    """Asks everything once."""

    name = "gallery"
    title = "The gallery"
    steps = (Ask, Done)
    concession_rule = RuleId("gallery.concede")
    draw_rule = RuleId("gallery.draw")

    def open(self, battle: Battle, setup: Setup) -> None:
        board = Piece(PieceId("board"), BOARD, rectangle(0, 0, 40000, 30000))
        battle.happens(Placed("board", Off(), piece=board))
        for piece in pieces():
            battle.happens(Placed(piece.id, Off(), piece=piece))
        battle.happens(
            Placed(
                "hut",
                At(Point(34000, 5000)),
                made=Thing(ThingId("hut"), "holder", label="Hut", base=Base("rectangle", 3000, 4000)),
            )
        )
        for side, name, x, y, facing in (
            (RED, ThingId("r1"), 8000, 24000, 270),
            (RED, ThingId("r2"), 0, 0, 0),
            (BLUE, ThingId("b1"), 20000, 4000, 90),
        ):
            where = At(Point(x, y)) if x else Off("in the box")
            made = Thing(
                name, side=side, label=name.upper(), glyph="walker", base=Base("hexagon", 1500), height=3, track=6
            )
            battle.happens(Placed(name, where, facing, made=made))
        battle.happens(StateChanged("b1", "dizzy", None, 1, "it sits down", rule=RuleId("gallery.dizzy")))
        battle.happens(PhaseBegan(1, "questions"))
        part = ExplainedPart("a fair wind", 1, RuleId("gallery.wind"))
        battle.happens(
            Rolled("weather", "r1", "2d6", (3, 6), 9, (part,), 10, 8, (), 2, "fair", rule=RuleId("gallery.weather"))
        )
        battle.happens(
            Landed("a stone", Point(20000, 15000), Point(21000, 16000), Disc(Point(21000, 16000), 1500), ("b1",))
        )
        battle.push(*(Ask(topic) for topic in TOPICS), Done())

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        return self.ask(battle, step.topic) if isinstance(step, Ask) else self.done(battle)

    def ask(self, battle: Battle, topic: str) -> Procedure[None]:
        """Ask, and tell what was answered."""
        answer = yield question(topic)
        told = msgspec.json.encode(answer).decode()
        battle.happens(Declared("r1", f"answers {topic}", detail={"answer": told}, rule=RuleId(f"gallery.{topic}")))
        if topic == "place":
            spot = answer["r2"]
            battle.happens(Placed("r2", spot.where, spot.facing))

    def done(self, battle: Battle) -> Procedure[None]:
        """Everybody has won."""
        battle.happens(BattleEnded(RED, {RED: 8, BLUE: 0}, "everything is answered", rule=RuleId("gallery.end")))
        yield from ()

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        if isinstance(question, ChooseOne) and answer == "trap":
            return Refusal(RuleId("gallery.trap"), "That is a trap. Anything else will do.")
        return None

    def preview(self, view: View, question: AnyQuestion, answer: Any) -> Preview:
        """Something in every field."""
        number = Explanation(
            "to hit",
            3,
            (ExplainedPart("near", 4, RuleId("gallery.near")), ExplainedPart("mist", -1, RuleId("gallery.mist"))),
        )
        inch = Explanation("inch", 1, (ExplainedPart("open", 1, RuleId("gallery.open")),))
        climb = Explanation(
            "inch",
            2,
            (ExplainedPart("open", 1, RuleId("gallery.open")), ExplainedPart("climbing", 1, RuleId("gallery.climb"))),
        )
        line = (Point(8000, 24000), Point(20000, 4000))
        bead = Bead(Point(12000, 17300), Point(14000, 14000), "mist", counts=True, rule=RuleId("gallery.mist"))
        return Preview(
            explanations=(number,),
            notes=("Nobody is hurt in the gallery.",),
            distances={"b1": 23324},
            reach=(Disc(Point(8000, 24000), 6000),),
            sight=(SightNote(*line, (bead,)),),
            paths=(PathNote("r1", line, (inch, climb), 3, 6),) if isinstance(question, MoveModels) else (),
            odds=(
                Chance("misses", 15, 36, one_of=True),
                Chance("hits", 15, 36, one_of=True),
                Chance("stuns", 6, 36, (100, 220), one_of=True),
            ),
            odds_note="One chance is a range.",
        )

    def parts(self, view: View, plan: Plan, draft: dict[str, Any]) -> Sequence[PlanPart]:
        """An action; what it needs; and something that may be left out."""
        found = [
            PlanPart("action", ChooseOne(RED, "First action?", "action", options=(_option("dig"), _option("sing"))))
        ]
        if draft.get("action") == "sing":
            songs = ChooseSeveral(
                RED, "Which songs?", "songs", options=(_option("march"), _option("ballad")), at_least=1
            )
            found.append(PlanPart("songs", songs))
        if "action" in draft:
            found.append(PlanPart("loud", Confirm(RED, "Loudly?", "loud"), optional=True))
        return found


def pieces() -> tuple[Piece, ...]:
    """One piece of every look."""
    hill = (Contour(1, Disc(Point(30000, 20000), 4000)), Contour(2, Disc(Point(30000, 20000), 2000), cliff=True))
    rooms = (
        Part("shed-a", rectangle(20000, 20000, 2000, 2000)),
        Part("shed-b", rectangle(22000, 20000, 2000, 2000), state="cracked"),
    )
    return (
        Piece(PieceId("hill"), "hill", hill[0].outline, contours=hill, label="Bald Head"),
        Piece(PieceId("road"), "road", Band((Point(0, 12000), Point(40000, 12000)), 2000)),
        Piece(PieceId("bridge"), "bridge", Band((Point(14000, 12000), Point(18000, 12000)), 2400)),
        Piece(PieceId("pond"), "water", Disc(Point(16000, 26000), 2500), traits={"depth": 1}, label="Pond"),
        Piece(PieceId("marsh"), "marsh", rectangle(2000, 15000, 4000, 4000)),
        Piece(PieceId("rough"), "rough", rectangle(2000, 2000, 4000, 4000)),
        Piece(PieceId("rubble"), "rubble", Disc(Point(26000, 8000), 1500)),
        Piece(PieceId("copse"), "light-woods", Disc(Point(12000, 6000), 2500), height=3),
        Piece(PieceId("wood"), "heavy-woods", Disc(Point(36000, 27000), 2500), height=3),
        Piece(PieceId("shed"), "structure", rectangle(20000, 20000, 4000, 2000), height=2, parts=rooms),
        Piece(PieceId("rocks"), "obstruction", rectangle(36000, 13500, 2000, 2000), height=1),
        Piece(PieceId("lawn"), "lawn", rectangle(7000, 15000, 3000, 2000)),
    )
