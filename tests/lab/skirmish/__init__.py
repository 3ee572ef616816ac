"""A small ruleset with a ledger, to try cases and their reports on: walk, aim, shoot, dodge, brace."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import msgspec

from sandtable.engine.answers.windows import reaction_window
from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    BattleEnded,
    DeckChanged,
    Declared,
    Harm,
    HarmApplied,
    HarmNoted,
    ModelLost,
    Moved,
    Placed,
    Rolled,
    Sealed,
    StateChanged,
    StepBegan,
)
from sandtable.engine.explain import ExplainedPart, explain
from sandtable.engine.ids import RuleId, Side, ThingId
from sandtable.engine.questions import (
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MoveModels,
    Option,
    Plan,
    PlanPart,
    Preview,
    ReactOption,
    Refusal,
)
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.shapes import At, Base, Leg, Point, Walk
from sandtable.engine.state import Due, Settle, Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.data import Data
from sandtable.forces.files import CaseError, nearest
from sandtable.forces.ledger import Changes, Ledger
from sandtable.forces.reading import Where, load
from sandtable.lab.rulebooks import Rulebook
from sandtable.tabletop.book import Book
from sandtable.tabletop.case_words import AnswerReader, CaseWords, Meant, ValueReader

HERE = Path(__file__).parent
ACTIONS = {
    "walk": "walk up to five inches",
    "aim": "add to the next shot",
    "shoot": "shoot at a target",
    "hide": "do something in secret",
    "deal": "shuffle three cards",
}


class Choose(Step, frozen=True):
    """A side chooses which of its models acts."""

    side: Side


class Activate(Step, frozen=True):
    model: ThingId


class Act(Step, frozen=True):
    model: ThingId
    action: str
    target: str = ""


class ModelForm(msgspec.Struct, frozen=True):
    model: str
    at: Where
    name: str = msgspec.field(name="as")
    harm: int = 0
    states: tuple[str, ...] = ()


class Skirmish(Book):
    name = "skirmish"
    version = "1"
    size_counts = "models a side"
    concession_rule = RuleId("skirmish.end.concede")

    def __init__(self, book: Ledger, models: Sequence[str] = ("soldier",)) -> None:
        self.book = book
        self.models = models
        self.steps = (Choose, Activate, Act)
        self.most_actions = self.rule("turn.actions").number("actions")
        self.inches = self.rule("turn.walk").inches("inches")
        self.track = self.rule("shooting.wounds").number("track")
        for slug in ("turn.no-repeats", "turn.who-acts", "end.last-standing", "end.concede"):
            self.rule(slug)

    def fresh(self) -> Self:
        return type(self)(self.book, self.models)

    def with_cards(self, catalogues: Sequence[Path]) -> Self:
        made_up = [card for path in catalogues for card in load(path, list[str], CaseError).value]
        return type(self)(self.book, ("soldier", *made_up))

    @property
    def ledger(self) -> Ledger:
        return self.book

    def digests(self) -> dict[str, str]:
        return {}

    def setup(self, scenario: str = "", size: int = 0, forces: str = "") -> Setup:
        models = [
            {"name": f"{side}-{n}", "side": side, "card": "soldier", "at": [x, n * 4000], "harm": 0, "states": []}
            for side, x in (("red", 5000), ("blue", 16000))
            for n in range(size or 2)
        ]
        return Setup(scenario={"models": models, "turn": ""})

    def case_words(self) -> CaseWords:
        return Words(self, list(self.models))

    def rule(self, slug: str) -> Any:
        return self.book.rule(f"skirmish.{slug}", "tests.lab.skirmish")

    def id(self, slug: str) -> RuleId:
        return RuleId(f"skirmish.{slug}")

    def open(self, battle: Battle, setup: Setup) -> None:
        for one in setup.scenario["models"]:
            made = Thing(
                one["name"],
                side=one["side"],
                card=one["card"],
                base=Base("circle", 1000),
                harm=one["harm"],
                track=self.track,
            )
            where = At(Point(*one["at"]))
            battle.happens(Placed(made.id, where, made=made, rule=self.id("shooting.wounds")))
            for state in one["states"]:
                battle.happens(StateChanged(made.id, state, after=1, rule=self.id("shooting.aim")))
        if setup.options.get("fanfare"):
            notes = battle.dice.total("2d6")
            battle.happens(Rolled("fanfare", dice="2d6", faces=notes.faces, natural=notes.natural))
        first = setup.scenario["turn"]
        battle.push(Activate(first) if first else Choose(setup.sides[0]))

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        match step:
            case Choose(side):
                return self.choose(battle, side)
            case Activate(model):
                return self.activate(battle, model)
            case Act(model, action, target):
                acts = {"walk": self.walk, "aim": self.aim, "shoot": self.shoot, "hide": self.hide, "deal": self.deal}
                return acts[action](battle, model, target)
        raise AssertionError(step)

    def choose(self, battle: Battle, side: Side) -> Procedure[None]:
        able = [model.id for model in battle.table.models(side)]
        chosen = able[0]
        if len(able) > 1:
            options = tuple(Option(model) for model in able)
            rules = (self.id("turn.who-acts"),)
            chosen = yield ChooseOne(side, "Who acts?", topic="activate", options=options, rules=rules)
        battle.push(Activate(chosen))

    def activate(self, battle: Battle, model: ThingId) -> Procedure[None]:
        side = battle.table[model].side
        other = next(one for one in battle.table.sides if one != side)
        battle.happens(StepBegan("activate", side, (model,), rule=self.id("turn.who-acts")))
        plan = yield Plan(
            side,
            f"{model}: what?",
            topic="plan",
            actors=(model,),
            budget={"actions": self.most_actions},
            rules=(self.id("turn.actions"),),
            default={"actions": ()},
            shows=("distance",),
        )
        acts = [Act(model, action, plan.get("shot-at", "")) for action in plan["actions"]]
        battle.push(*acts, Choose(other))

    def parts(self, view: View, plan: Plan, draft: dict[str, Any]) -> list[PlanPart]:
        options = tuple(Option(action) for action in ACTIONS)
        rules = (self.id("turn.no-repeats"),)
        actions = ChooseSeveral(plan.side, "Which actions?", options=options, rules=rules)
        found = [PlanPart("actions", actions)]
        if "shoot" in draft.get("actions", ()):
            enemies = tuple(Option(enemy.id) for enemy in view.enemies())
            found.append(PlanPart("shot-at", ChooseOne(plan.side, "At whom?", topic="target", options=enemies)))
        return found

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        if question.topic == "plan" and len(answer["actions"]) > self.most_actions:
            return Refusal(self.id("turn.actions"), f"A model has {self.most_actions} actions.")
        if question.topic == "walk" and answer:
            length = sum(abs(leg.go) for walk in answer.values() for leg in walk.legs if isinstance(leg, Leg))
            if length > self.inches:
                return Refusal(self.id("turn.walk"), f"That is {length / 1000:g} inches.")
        return None

    def preview(self, view: View, question: AnyQuestion, answer: Any) -> Preview:
        if question.topic != "plan" or "shot-at" not in answer:
            return Preview()
        model, target = question.about[0] if question.about else view.own()[0].id, answer["shot-at"]
        band = self.band(view.table, model, target)
        part = ExplainedPart(
            f"{band} range", self.rule("shooting.to-hit").number("needs", band), self.id("shooting.to-hit")
        )
        return Preview((explain("to hit", part),), ("one die",), {target: self.distance(view.table, model, target)})

    def distance(self, table: Table, model: str, target: str) -> int:
        one, other = table[model].place, table[target].place
        assert isinstance(one, At)
        assert isinstance(other, At)
        return abs(one.point.x - other.point.x)

    def band(self, table: Table, model: str, target: str) -> str:
        beyond = self.rule("shooting.to-hit").inches("long_beyond_in")
        return "long" if self.distance(table, model, target) > beyond else "short"

    def walk(self, battle: Battle, model: ThingId, target: str) -> Procedure[None]:
        walks: dict[str, Walk] = yield MoveModels(
            battle.table[model].side, "Where to?", topic="walk", models=(model,), rules=(self.id("turn.walk"),)
        )
        walk = walks[model]
        start = battle.table[model].place
        assert isinstance(start, At)
        gone = sum(leg.go for leg in walk.legs if isinstance(leg, Leg))
        to = At(Point(start.point.x + gone, start.point.y))
        battle.happens(Moved(model, start, to, walk=walk, rule=self.id("turn.walk")))

    def aim(self, battle: Battle, model: str, target: str) -> Procedure[None]:
        yield from ()
        battle.happens(StateChanged(model, "aiming", after=1, rule=self.id("shooting.aim")))

    def hide(self, battle: Battle, model: str, target: str) -> Procedure[None]:
        yield from ()
        side = battle.table[model].side
        battle.happens(Sealed(side, "hiding", 3, veils={"value": (side,)}, rule=self.id("turn.actions")))

    def deal(self, battle: Battle, model: str, target: str) -> Procedure[None]:
        yield from ()
        cards = battle.dice.shuffled(("red", "blue", "green"))
        battle.happens(DeckChanged("deck", "shuffled", cards, rule=self.id("turn.actions")))

    def shoot(self, battle: Battle, model: str, target: str) -> Procedure[None]:
        if battle.table[target].gone:
            return
        cause = battle.happens(Declared(model, "shoot", (target,), rule=self.id("shooting.to-hit")))
        reacted = yield from reaction_window(
            battle,
            moment="dodge",
            prompt="Dodge?",
            rules=(self.id("shooting.dodge"),),
            sides=(battle.table[target].side,),
            options=lambda side, declared: [] if declared else [ReactOption("jump", actor=target)],
        )
        to_hit, aim, dodge = (self.rule(f"shooting.{slug}") for slug in ("to-hit", "aim", "dodge"))
        parts = []
        if battle.table[model].has("aiming"):
            parts.append(ExplainedPart("aim", aim.number("bonus"), aim.id))
            battle.happens(StateChanged(model, "aiming", before=1, rule=aim.id))
        if reacted:
            parts.append(ExplainedPart("Dodge", -dodge.number("penalty"), dodge.id))
        needs = to_hit.number("needs", self.band(battle.table, model, target))
        roll = battle.dice.total(to_hit.text_at("dice"))
        total = roll.natural + sum(part.value for part in parts)
        hit = total >= needs
        n = battle.happens(
            Rolled(
                "shot",
                model,
                roll.dice,
                roll.faces,
                roll.natural,
                tuple(parts),
                total=total,
                needs=needs,
                margin=total - needs,
                outcome="hit" if hit else "miss",
                rule=to_hit.id,
                because=cause,
            )
        )
        if hit:
            wounds = self.id("shooting.wounds")
            battle.note(HarmNoted(target, Harm("wound", 1), "now", rule=wounds, because=n))
            battle.push(Settle("now"))

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        thing, brace = battle.table[due.target], self.rule("shooting.brace")
        braced = yield Confirm(thing.side, "Brace?", topic="brace", rules=(brace.id,))
        if braced:
            roll = battle.dice.total("1d6")
            battle.happens(
                Rolled("brace", thing.id, "1d6", roll.faces, roll.natural, total=roll.natural, rule=brace.id)
            )
            if roll.natural in brace.numbers("saves_on"):
                return
        n = battle.happens(
            HarmApplied(thing.id, due.harm, thing.harm, thing.harm + 1, rule=due.rule, because=due.because)
        )
        if thing.harm + 1 >= thing.track:
            battle.happens(ModelLost(thing.id, "destroyed", rule=due.rule, because=n))
        if not battle.table.models(thing.side):
            winner = next(side for side in battle.table.sides if side != thing.side)
            battle.happens(BattleEnded(winner, reason="last one standing", rule=self.id("end.last-standing")))


class Words:
    """The words of its cases."""

    answers: Mapping[str, AnswerReader] = {}
    facings: Sequence[str] = ()

    def __init__(self, rules: Skirmish, cards: Sequence[str]) -> None:
        self.rules = rules
        self.cards = cards

    @property
    def ruleset(self) -> Ruleset:
        return self.rules

    def as_told(self, table: Table, thing: Thing) -> Thing:
        return thing

    def called(self, table: Table, thing: Thing) -> Sequence[str]:
        return ()

    def start(self, case: Data) -> Setup:
        models = []
        for side in ("red", "blue"):
            for n, form in enumerate(case.read(list[ModelForm], side)):
                if form.model not in self.cards:
                    raise case.fail(
                        f"there is no model `{form.model}`", nearest(form.model, self.cards), side, n, "model"
                    )
                models.append(
                    {
                        "name": form.name,
                        "side": side,
                        "card": form.model,
                        "at": list(form.at),
                        "harm": form.harm,
                        "states": list(form.states),
                    }
                )
        options: dict[str, int | str] = {"fanfare": 1} if case.has("fanfare") else {}
        turn = case.text_at("turn") if case.has("turn") else ""
        return Setup(scenario={"models": models, "turn": turn}, options=options)

    def actions(self, table: Table, actor: str, value: Data) -> Mapping[str, Any]:
        words = value.items() if isinstance(value.node.value, list) else (value,)
        for word in words:
            if word.text_at() not in ACTIONS:
                raise word.fail(f"`{word.text_at()}` is no action", nearest(word.text_at(), ACTIONS))
        return {"actions": [word.text_at() for word in words]}

    def meant(self, table: Table, plan: Plan, keys: Mapping[str, Data]) -> Meant | None:
        return None

    def groups(self, table: Table, unit: Thing) -> Sequence[str]:
        return ()

    dice_names: Mapping[str, Sequence[str]] = {}
    implied: Mapping[str, tuple[str, Any]] = {}

    @cached_property
    def values(self) -> Mapping[str, ValueReader]:
        return {"band": lambda table, value: self.rules.band(table, value.text_at("from"), value.text_at("to"))}

    def vocabulary(self) -> Mapping[str, Mapping[str, str]]:
        answers = {
            "target": "who is shot at",
            "walk": "the path",
            "dodge": "`jump`, or pass",
            "brace": "true or false",
            "activate": "who acts",
        }
        return {"answers": answers, "actions": ACTIONS, "states": {"aiming": "has aimed"}}


def skirmish(folder: Path = HERE) -> Rulebook:
    """The ruleset as the reports take it. Its ledger is opened once; changes must come before that."""
    opened: list[Ledger] = []
    changes: dict[Any, Any] = {}

    def ledger() -> Ledger:
        if not opened:
            opened.append(Ledger("skirmish", folder / "rules", changes))
        return opened[0]

    def change(more: Changes) -> None:
        assert not opened, "the ledger is open already"
        changes.update(more)

    return Rulebook("skirmish", folder, lambda: Skirmish(ledger()), ledger, change)
