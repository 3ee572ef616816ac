"""Transcript 5: squads held back come in, a squad drops from orbit, an ambusher brings its field work with it.

A cut of strikeops: the Draw Deck with skips and an assigned card, delayed squads, the landing with its drift, ambush
placement. Nobody walks here; a model that is on the table may fire one weapon an activation.
"""

from typing import Any

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    BattleEnded,
    Declared,
    Harm,
    HarmApplied,
    ModelLost,
    PhaseBegan,
    Placed,
    Scored,
    StateChanged,
    StepBegan,
)
from sandtable.engine.ids import NO_SIDE, RuleId, Side, ThingId
from sandtable.engine.questions import (
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    Option,
    PlaceThings,
    Plan,
    PlanPart,
    Refusal,
)
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.shapes import UNIT, At, Off, Point
from sandtable.engine.state import Due, Settle, Step
from sandtable.engine.table import Table, Thing
from tests.miniatures import draw_deck as deck
from tests.miniatures.drop_ambush import act
from tests.miniatures.drop_ground import (
    ACTIVATION,
    AT_END,
    DECLARE,
    END,
    FOOT,
    FORCES,
    HEIGHT,
    HELD_BACK,
    LANDING,
    NO_MEASURING,
    ODST_CARD,
    ONE_ACTIVATION,
    PHASES,
    TRACK,
    WIDTH,
    WINNER,
    WITH_ASSETS,
    WORKS,
    Act,
    Activate,
    Announce,
    Card,
    Close,
    Drop,
    EndPhase,
    Flip,
    Scenario,
    Shuffle,
    Squad,
    Start,
    may_act,
    recon,
    refused_ambush,
    to_drop,
)
from tests.miniatures.drop_landing import drop, land
from tests.miniatures.standing import board, outside, taken


class AmbushAndDrop(Ruleset):
    """Cards decide whose squad acts; some squads are not on the table yet."""

    name = "ambush-and-drop"
    title = "Ambush and a drop from orbit"
    steps = (Start, Announce, Shuffle, Flip, Card, Drop, Activate, Act, Close, EndPhase)
    concession_rule = WINNER
    draw_rule = WINNER

    def open(self, battle: Battle, setup: Setup) -> None:
        """Lay out everything; forces are open, so what is held back is on the table too, off it."""
        scenario = msgspec.convert(setup.scenario, Scenario)
        battle.happens(board(WIDTH, HEIGHT, RuleId("strikeops.setup.board-size")))
        for squad in scenario.squads:
            self.field(battle, squad)
        for side in setup.sides:
            ready = [squad for squad in scenario.squads if squad.side == side and any(squad.models.values())]
            deck.add_cards(battle, (side,) * (1 + 2 * len(ready)), deck.COMPOSITION)
        for squad in scenario.squads:
            if squad.drops:
                deck.add_cards(battle, (f"drop: {squad.id}",), ODST_CARD)
        battle.push(Start(scenario.turns))

    def field(self, battle: Battle, squad: Squad) -> None:
        unit = Thing(ThingId(squad.id), "unit", squad.side, squad.id, card="recon" if squad.recon else "")
        battle.happens(Placed(unit.id, Off("a squad"), made=unit, rule=FORCES))
        for model, at in squad.models.items():
            made = Thing(ThingId(model), side=squad.side, unit=ThingId(squad.id), base=FOOT, track=2)
            why = "in orbit" if squad.drops else "held back"
            where = Off(why) if at is None else At(Point(at[0] * UNIT, at[1] * UNIT))
            battle.happens(Placed(model, where, 90 if squad.side == "red" else 270, made=made, rule=FORCES))
        for model, works in squad.works.items():
            made = Thing(ThingId(works), "marker", squad.side, f"the field work of {model}", base=WORKS)
            battle.happens(Placed(works, Off("held back"), made=made, rule=WITH_ASSETS))
            battle.happens(StateChanged(model, "brings", None, works, rule=WITH_ASSETS))
        if squad.drops:
            battle.happens(StateChanged(squad.id, "in orbit", None, 1, rule=ODST_CARD))
        elif not any(squad.models.values()):
            battle.happens(StateChanged(squad.id, "held back", None, 1, rule=HELD_BACK))

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        match step:
            case Start(turns):
                return self.start(battle, turns)
            case Announce(side):
                return self.announce(battle, side)
            case Shuffle():
                return self.shuffle(battle)
            case Flip(turns):
                return self.flip(battle, turns)
            case Card(card):
                return self.play_card(battle, card)
            case Drop():
                return drop(battle, step)
            case Activate(squad):
                return self.activate(battle, squad)
            case Act(model, target):
                return act(battle, model, target)
            case Close(squad):
                return self.close(battle, squad)
            case EndPhase(turns):
                return self.end_phase(battle, turns)
        raise AssertionError(step)

    def asking_order(self, battle: Battle, opened_by: Side = NO_SIDE) -> tuple[Side, ...]:
        """The side whose card it is comes first."""
        return super().asking_order(battle)

    # The turn ---------------------------------------------------------------------------------------------------

    def start(self, battle: Battle, turns: int) -> Procedure[None]:
        table = battle.table
        battle.happens(PhaseBegan(table.turn + 1, "start", rule=PHASES))
        for unit in list(table.of_kind("unit")):
            for state in ("activated", "skipped", "put off"):
                if unit.has(state):
                    battle.happens(StateChanged(unit.id, state, 1, None, rule=ONE_ACTIVATION))
        battle.push(*(Announce(side) for side in table.sides), Shuffle(), Flip(turns))
        yield from ()

    def announce(self, battle: Battle, side: Side) -> Procedure[None]:
        """Held-back squads that come in bring their two cards, before the shuffle."""
        back = [unit for unit in battle.table.of_kind("unit") if unit.side == side and unit.has("held back")]
        if not back:
            return
        squads = yield ChooseSeveral(
            side,
            "Which held-back squads come in this turn?",
            topic="come in",
            rules=(deck.DELAYED,),
            options=tuple(Option(unit.id, unit.label, (unit.id,)) for unit in back),
            default=(),
        )
        for squad in squads:
            battle.happens(StateChanged(squad, "held back", 1, None, rule=HELD_BACK))
            deck.add_cards(battle, (side, side), deck.DELAYED)

    def shuffle(self, battle: Battle) -> Procedure[None]:
        deck.shuffle(battle)
        battle.happens(PhaseBegan(battle.table.turn, "activation", rule=PHASES))
        yield from ()

    def flip(self, battle: Battle, turns: int) -> Procedure[None]:
        """Flip the next card while anybody can act, and ask those with a recon squad whether it is skipped."""
        table = battle.table
        squads = [unit for unit in table.of_kind("unit") if may_act(table, unit.id)]
        if self.decided(table) or not (squads or to_drop(table)):
            battle.push(EndPhase(turns))
            return
        if not deck.cards_left(table):
            deck.shuffle(battle)
        card = deck.draw(battle)
        side = table[card.removeprefix("drop: ")].side if card not in table.sides else card
        battle.happens(StepBegan("card", Side(side), rule=ACTIVATION))
        battle.push(Flip(turns))
        for asked in self.asking_order(battle):
            scouts = recon(table, asked)
            if scouts is None:
                continue
            skips = yield Confirm(
                asked,
                "Skip this card?",
                topic="skip",
                about=(scouts.id,),
                rules=(deck.SKIP,),
                yes=f"{card} goes under the deck",
                no=f"{card} is played",
            )
            if skips:
                battle.happens(StateChanged(scouts.id, "skipped", None, 1, "end of turn", rule=deck.SKIP))
                deck.skip(battle, card)
                return
        deck.discard(battle, card)
        battle.push(Card(card))

    def play_card(self, battle: Battle, card: str) -> Procedure[None]:
        """What a card that nobody skipped brings: one squad of its side, or the squad it is assigned to."""
        table = battle.table
        if card not in table.sides and table[card.removeprefix("drop: ")].has("in orbit"):
            yield from land(battle, card.removeprefix("drop: "))
            return
        side = card if card in table.sides else table[card.removeprefix("drop: ")].side
        squads = [unit for unit in table.of_kind("unit") if unit.side == side and may_act(table, unit.id)]
        if not squads:
            return
        squad = squads[0].id
        if len(squads) > 1:
            options = tuple(Option(unit.id, unit.label, (unit.id,)) for unit in squads)
            squad = yield ChooseOne(Side(side), "Which squad?", topic="squad", options=options, rules=(ACTIVATION,))
        battle.push(Activate(squad))

    def end_phase(self, battle: Battle, turns: int) -> Procedure[None]:
        """Who is beaten or out of time is counted out; a lost squad takes one card with it."""
        table = battle.table
        battle.happens(PhaseBegan(table.turn, "end", rule=PHASES))
        if self.decided(table) or table.turn >= turns:
            for side in table.sides:
                battle.happens(Scored(side, len(table.models(side)), "models on the board", rule=WINNER))
            scores = dict(table.scores)
            best = [side for side in scores if scores[side] == max(scores.values())]
            battle.happens(BattleEnded(best[0] if len(best) == 1 else NO_SIDE, scores, "models left", rule=WINNER))
            return
        for unit in list(table.of_kind("unit")):
            if not table.members(unit.id) and not unit.has("lost"):
                battle.happens(StateChanged(unit.id, "lost", None, 1, rule=deck.REMOVING))
                deck.remove_card(battle, unit.side)
        battle.push(Start(turns))
        yield from ()

    def decided(self, table: Table) -> bool:
        """Whether a side has nobody left anywhere."""
        return any(not any(m.side == side and not m.gone for m in table.of_kind("model")) for side in table.sides)

    # Activations ------------------------------------------------------------------------------------------------

    def activate(self, battle: Battle, squad: str) -> Procedure[None]:
        """Declare for every model at whom it fires; one that is held back may come in to do so."""
        table = battle.table
        side = table[squad].side
        members = [model.id for model in table.members(squad)]
        battle.happens(StepBegan("activate", side, (squad,), rule=ACTIVATION))
        plan = yield Plan(
            side,
            f"Declare {squad}",
            topic="declare",
            about=(squad,),
            rules=(DECLARE, NO_MEASURING),
            actors=tuple(members),
        )
        for model in members:
            action = "hold" if plan[model] == "hold" else "fire"
            targets = () if action == "hold" else (plan[model],)
            battle.happens(Declared(model, action, targets, rule=DECLARE))
        battle.open_measuring()
        shots = [Act(model, plan[model]) for model in members if plan[model] != "hold"]
        battle.push(*shots, Settle(END), Close(squad))

    def parts(self, view: View, plan: Plan, draft: dict[str, Any]) -> list[PlanPart]:
        enemies = tuple(Option(enemy.id, f"fire at {enemy.id}", (enemy.id,)) for enemy in view.enemies())
        found = []
        for model in plan.actors:
            away = not view.table[model].on_table
            stay = Option("hold", "stay off the board" if away else "hold fire")
            prompt = f"{model} comes in and fires at?" if away else f"{model} fires at?"
            question = ChooseOne(plan.side, prompt, about=(model,), options=(*enemies, stay), rules=(DECLARE,))
            found.append(PlanPart(model, question))
        return found

    def close(self, battle: Battle, squad: str) -> Procedure[None]:
        battle.happens(StateChanged(squad, "activated", None, 1, "end of turn", rule=ONE_ACTIVATION))
        yield from ()

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        model = battle.table[due.target]
        entries = [due, *battle.taken_with(due)]
        after = min(model.harm + sum(entry.harm.amount for entry in entries), model.track)
        harm = Harm("damage", after - model.harm)
        n = battle.happens(HarmApplied(model.id, harm, model.harm, after, rule=AT_END, because=due.because))
        if after >= model.track:
            battle.happens(ModelLost(model.id, "out of action", rule=TRACK, because=n))
        yield from ()

    # Drafts -----------------------------------------------------------------------------------------------------

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        if not isinstance(question, PlaceThings) or answer is None:
            return None
        if not all(isinstance(spot.where, At) and spot.where.level == 0 for spot in answer.values()):
            return Refusal(question.rules[0], "It comes down on the ground.")
        if question.topic == "zone":
            return outside(question.where[""], FOOT, answer["landing zone"])
        if question.topic == "beside":
            (spot,) = answer.values()
            return outside(question.where[""], FOOT, spot) or taken(view.table, FOOT, spot, LANDING)
        return refused_ambush(view, question, answer)
