"""Two to four sides at one table, and everything of the engine that a duel does not use.

A hidden deck says who acts; the side that acts chooses what it does, twice. Each thing it can do is one thing that the
engine promises: wait (nothing stops undo), measure, roll, reveal, vote (all at once, sealed), window (blind), topple (a
cascade of what is due), share, pick and place (kinds of question).
"""

from typing import Any

from sandtable.engine.answers.windows import reaction_window
from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    NOBODY,
    BattleEnded,
    Counted,
    DeckChanged,
    Declared,
    Harm,
    HarmApplied,
    HarmNoted,
    Placed,
    Revealed,
    Rolled,
    Scored,
    StateChanged,
    StepBegan,
)
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import BLUE, RED, RuleId, Side, ThingId
from sandtable.engine.questions import (
    UNTIL_ALL_ANSWER,
    UNTIL_REVEALED,
    Allocate,
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    Option,
    PlaceThings,
    ReactOption,
    Refusal,
)
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.shapes import At, Base, In, Off, Point, Region, Spot, rectangle
from sandtable.engine.state import Due, Settle, Step
from sandtable.engine.table import Thing

ACTIONS = ("wait", "measure", "roll", "reveal", "vote", "window", "topple", "share", "pick", "place", "end")
TOWERS = (ThingId("t1"), ThingId("t2"), ThingId("t3"))


class Secrets(Step, frozen=True):
    """One side chooses its lucky number, which nobody else learns before it is revealed."""

    side: Side


class Draw(Step, frozen=True):
    """The top card says who acts."""


class Act(Step, frozen=True):
    side: Side
    left: int


class Parley(Ruleset):
    """Ask, and it is asked."""

    name = "parley"
    version = "3"
    steps = (Secrets, Draw, Act)
    concession_rule = RuleId("parley.end.concede")
    draw_rule = RuleId("parley.end.draw")

    def open(self, battle: Battle, setup: Setup) -> None:
        for tower in TOWERS:
            made = Thing(tower, kind="marker", track=3, base=Base("circle", 1000))
            battle.happens(Placed(tower, At(Point(1000, 1000)), made=made, rule=RuleId("parley.open")))
        for side in setup.sides:
            battle.happens(Counted(side, "charges", 0, 1, rule=RuleId("parley.open"), known_to=(side,)))
        cards = tuple(side for side in setup.sides for _ in range(setup.size or 2))
        battle.happens(DeckChanged("deck", "added", cards, rule=RuleId("parley.deck")))
        shuffled = battle.dice.shuffled(cards)
        battle.happens(DeckChanged("deck", "shuffled", shuffled, veils={"cards": NOBODY}, rule=RuleId("parley.deck")))
        battle.push(*(Secrets(side) for side in setup.sides), Draw())

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        match step:
            case Secrets(side):
                return self.secret(battle, side)
            case Act(side, left):
                return self.act(battle, side, left)
            case _:
                return self.draw(battle)

    def secret(self, battle: Battle, side: Side) -> Procedure[None]:
        numbers = tuple(Option(str(n)) for n in (1, 2, 3))
        yield ChooseOne(
            side,
            "Your lucky number?",
            topic="lucky",
            options=numbers,
            sealed=UNTIL_REVEALED,
            rules=(RuleId("parley.lucky"),),
        )

    def draw(self, battle: Battle) -> Procedure[None]:
        order = battle.table.decks["deck"].order
        if not order:
            scores = dict(battle.table.scores)
            best = max(battle.table.sides, key=lambda side: scores.get(side, 0))
            battle.happens(BattleEnded(best, scores, "the deck is empty", rule=RuleId("parley.end")))
            return
        battle.happens(DeckChanged("deck", "drawn", order[:1], rule=RuleId("parley.deck")))
        battle.push(Act(Side(order[0]), 2), Draw())
        yield from ()

    def act(self, battle: Battle, side: Side, left: int) -> Procedure[None]:
        battle.happens(StepBegan("act", side, rule=RuleId("parley.act")))
        action = yield ChooseOne(
            side,
            "What do you do?",
            topic="act",
            options=tuple(Option(a) for a in ACTIONS),
            rules=(RuleId("parley.act"),),
        )
        battle.happens(Declared(side, action, rule=RuleId("parley.act")))
        if left > 1 and action != "end":
            battle.push(Act(side, left - 1))
        do = getattr(self, action, None)
        if do is not None:
            yield from do(battle, side)

    def wait(self, battle: Battle, side: Side) -> Procedure[None]:
        """Nothing that stops undo; a question of its own that standing orders may answer."""
        waits = battle.table.things[side].count("waits")
        battle.happens(Counted(side, "waits", waits, waits + 1, rule=RuleId("parley.wait")))
        sure = yield Confirm(
            side, "Sure?", topic="sure", rules=(RuleId("parley.sure"),), facts={"waits": waits}, default=False
        )
        if sure:
            battle.happens(Scored(side, 1, "patience", rule=RuleId("parley.sure")))

    def measure(self, battle: Battle, side: Side) -> Procedure[None]:
        battle.open_measuring()
        yield Confirm(side, "Seen enough?", rules=(RuleId("parley.measure"),))

    def roll(self, battle: Battle, side: Side) -> Procedure[None]:
        fallen = battle.dice.total("2d6")
        parts = (ExplainedPart("luck", 1, RuleId("parley.roll")), ExplainedPart("gloom", -2, RuleId("parley.roll")))
        total = fallen.natural - 1
        battle.happens(
            Rolled(
                "luck",
                side,
                fallen.dice,
                fallen.faces,
                fallen.natural,
                parts,
                total,
                7,
                (ExplainedPart("base", 7, RuleId("parley.roll")),),
                total - 7,
                "lucky" if total >= 7 else "unlucky",
                rule=RuleId("parley.roll"),
            )
        )
        yield Confirm(side, "Go on?", rules=(RuleId("parley.roll"),))

    def reveal(self, battle: Battle, side: Side) -> Procedure[None]:
        what = f"{side}: lucky"
        battle.happens(Revealed(what, value=battle.table.secrets[what], rule=RuleId("parley.lucky")))
        yield Confirm(side, "Happy?", rules=(RuleId("parley.lucky"),))

    def vote(self, battle: Battle, side: Side) -> Procedure[None]:
        """All sides choose at once; whoever has most votes scores."""
        names = tuple(Option(name) for name in battle.table.sides)
        questions: tuple[AnyQuestion, ...] = tuple(
            ChooseOne(
                voter, "For whom?", topic="vote", options=names, sealed=UNTIL_ALL_ANSWER, rules=(RuleId("parley.vote"),)
            )
            for voter in battle.table.sides
        )
        votes = yield questions
        best = max(battle.table.sides, key=votes.count)
        battle.happens(Scored(best, votes.count(best), "votes", rule=RuleId("parley.vote")))

    def window(self, battle: Battle, side: Side) -> Procedure[None]:
        """Who holds a charge may shout; everybody is asked, so that being asked tells nothing."""

        def options(asked: str, declared: Any) -> list[ReactOption]:
            charges = battle.table[asked].count("charges") - sum(r.side == asked for r in declared)
            return [ReactOption("shout", actor=asked, amount_most=charges)] if charges else []

        reacted = yield from reaction_window(
            battle,
            moment="shout",
            prompt="Shout?",
            options=options,
            rules=(RuleId("parley.shout"),),
            opened_by=side,
            blind=True,
        )
        for who, _ in reacted:
            left = battle.table[who].count("charges")
            battle.happens(Counted(who, "charges", left, left - 1, rule=RuleId("parley.shout"), known_to=(who,)))
            battle.happens(Scored(who, 1, "loud", rule=RuleId("parley.shout")))

    def topple(self, battle: Battle, side: Side) -> Procedure[None]:
        """The first tower falls at the end of the act; it takes the next one with it, and that one the first."""
        battle.note(HarmNoted("t1", Harm("fall", 1), "fall", rule=RuleId("parley.fall")), once=True)
        battle.note(HarmNoted("t1", Harm("dust", 0), "fall", rule=RuleId("parley.fall")))
        battle.push(Settle("fall"))
        yield from ()

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        tower = battle.table[due.target]
        if due.harm.what == "dust":
            dusty = tower.value("dusty")
            battle.happens(StateChanged(due.target, "dusty", dusty, 1, rule=due.rule, because=due.because))
            return
        if tower.harm == tower.track:
            return
        side = battle.table.acting_side
        yield Confirm(side, f"{due.target} falls. Cheer?", topic="cheer", rules=(RuleId("parley.cheer"),))
        n = battle.happens(
            HarmApplied(due.target, due.harm, tower.harm, tower.harm + 1, rule=due.rule, because=due.because)
        )
        after = TOWERS[(TOWERS.index(due.target) + 1) % len(TOWERS)]
        battle.note(HarmNoted(after, Harm("fall", 1), "fall", rule=RuleId("parley.fall"), because=n), once=True)

    def share(self, battle: Battle, side: Side) -> Procedure[None]:
        gifts = tuple(Option(gift) for gift in ("gold", "myrrh"))
        bins = tuple(Option(name) for name in battle.table.sides)
        shares = yield Allocate(
            side, "Who gets what?", items=gifts, bins=bins, bin_most={side: 1}, rules=(RuleId("parley.share"),)
        )
        for gift, to in shares.items():
            battle.happens(Scored(to, 1, gift, rule=RuleId("parley.share")))

    def pick(self, battle: Battle, side: Side) -> Procedure[None]:
        towers = tuple(Option(tower) for tower in TOWERS)
        picked = yield ChooseSeveral(side, "Paint which?", options=towers, at_most=2, rules=(RuleId("parley.pick"),))
        for tower in picked:
            before = battle.table[tower].value("colour")
            battle.happens(StateChanged(tower, "colour", before, side, rule=RuleId("parley.pick")))

    def place(self, battle: Battle, side: Side) -> Procedure[None]:
        flag = battle.new_id("flag")
        where = Region(inside=(rectangle(0, 0, 9000, 9000),), slots=(In("t2", "top"),))
        spots = yield PlaceThings(
            side, "Where does it fly?", topic="flag", things=(flag,), where={"": where}, rules=(RuleId("parley.flag"),)
        )
        spot: Spot = spots[flag]
        made = Thing(ThingId(flag), kind="marker", side=side)
        battle.happens(Placed(flag, spot.where, spot.facing, made, rule=RuleId("parley.flag")))

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        if question.topic == "flag":
            for spot in answer.values():
                if isinstance(spot.where, Off):
                    return Refusal(RuleId("parley.flag"), "A flag flies somewhere.")
                if isinstance(spot.where, At) and not (0 <= spot.where.point.x <= 9000):
                    return Refusal(RuleId("parley.flag"), "A flag stays on the table.")
        return None

    def chance(self, view: View, question: AnyQuestion) -> int | None:
        return 40 + 10 * view.table.things[question.side].count("waits") if question.topic == "sure" else None


THREE = Setup(sides=(RED, BLUE, Side("green")))


def opened(setup: Setup = THREE, seed: int = 0) -> Battle:
    """A parley whose lucky numbers are chosen: somebody is asked to act."""
    battle = Battle(Parley(), setup, seed=seed)
    for n, side in enumerate(setup.sides):
        assert battle.answer(str(n % 3 + 1), side) is None
    return battle


def actor(battle: Battle) -> Side:
    """The side whose act it is."""
    return battle.table.acting_side


def others(battle: Battle) -> list[Side]:
    """The sides whose act it is not, in the order of the table."""
    return [side for side in battle.table.sides if side != actor(battle)]


def say(battle: Battle, *answers: Any) -> None:
    """Give answers to the only question open, one after the other."""
    for answer in answers:
        refusal = battle.answer(answer)
        assert refusal is None, refusal
