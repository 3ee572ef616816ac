"""What a Command Card would bring: what it says, and the exact odds of the dice that it changes."""

from collections.abc import Callable
from fractions import Fraction

from sandtable.engine.explain import explain
from sandtable.engine.questions import Chance, Preview, React, Reaction
from sandtable.engine.ruleset import View
from sandtable.engine.table import Thing
from sandtable.rulesets.dropzone.basics import FACES
from sandtable.rulesets.dropzone.command.cards import DECK, HANDS, designs
from sandtable.rulesets.dropzone.command.effects import AIMS, FAILED, scanned, under
from sandtable.rulesets.dropzone.command.playing import CARD_TOPIC, Play, read_option
from sandtable.rulesets.dropzone.fortitude import fortitude
from sandtable.rulesets.dropzone.objectives import search_check
from sandtable.rulesets.dropzone.previews.shots import preview_fire
from sandtable.rulesets.dropzone.rounds import INITIATIVE, initiative
from sandtable.rulesets.dropzone.shooting.aiming import Shot
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Fall
from sandtable.tabletop.hands import PLAYED_ON
from sandtable.tabletop.pools import Pool
from sandtable.tabletop.previews import together


def again(count: int, faces: int, label: str) -> Chance:
    """The chance that one of some dice that are rolled again shows one of so many faces."""
    classes = tuple(int(face > len(FACES) - faces) for face in FACES)
    pool = Pool(what="again", by="", count=count, rule=DECK, needs=explain("again"), classes=classes)
    chance = sum((one for counts, one in pool.chances().items() if counts[1]), Fraction(0))
    return Chance(label, chance.numerator, chance.denominator)


def words_of(thing: Thing, state: str) -> tuple[str, ...]:
    """The words that a state of a thing holds."""
    value = thing.value(state)
    return value if isinstance(value, tuple) else ()


def shots_of(squad: Thing) -> list[Shot]:
    """The shots that a squad has declared."""
    found = []
    for words in words_of(squad, AIMS):
        unit, weapon, target, *combined = words.split(" ")
        found.append(Shot(unit, weapon, target, bool(combined)))
    return found


def of_shots(view: View, question: React, play: Play) -> Preview:
    """What the declared shots would need and do under this card, and under those that lie open already."""
    table = view.table
    plays = [Play(one.side, designs()[one.card], str(one.value(PLAYED_ON))) for one in HANDS.lying(table)]
    shots = shots_of(table[question.about[0]])
    for one in (*[one for one in plays if one.design.moment == question.moment], play):
        shots = [under(table, shot, one) for shot in shots]
    return preview_fire(view, shots)


def of_hits(view: View, question: React, play: Play) -> Preview:
    """How likely it is that the Aircraft is hit all the same."""
    return Preview(odds=(again(question.facts["hits"], question.facts["faces"], "hit all the same"),))


def of_damage(view: View, question: React, play: Play) -> Preview:
    """How likely it is that one of the dice does damage now, target by target."""
    rows = [words.split(" ") for words in words_of(view.table[question.about[0]], FAILED)]
    return Preview(
        odds=tuple(
            again(int(failed), int(faces), f"{view.table[target].label}: more damage") for target, failed, faces in rows
        )
    )


def of_search(view: View, question: React, play: Play) -> Preview:
    """The search with the card."""
    squad, objective = (view.table[name] for name in question.about)
    return search_check(view.table, squad, objective, question.facts["tokens"], (scanned(play.design),)).preview()


def of_test(view: View, question: React, play: Play) -> Preview:
    """The test that need not be taken."""
    return fortitude(view.table[question.about[0]], view.table).preview()


def of_initiative(view: View, question: React, play: Play) -> Preview:
    """How likely the side wins with another roll, as the dice of the others lie."""
    check = initiative(view.table, view.side)
    others = [side for side in view.table.sides if side != view.side]
    best = max(question.facts[side] for side in others)
    alone = sum(question.facts[f"{side} die"] == check.sides for side in others)

    def result(fall: Fall) -> str:
        six = fall.natural == check.sides
        if INITIATIVE.flag("lone_natural_six_wins") and six + alone == 1:
            return WON if six else LOST
        return WON if fall.score > best else TIE if fall.score == best else LOST

    found = check.chances(result)
    shown = [(word, found.get(word, Fraction(0))) for word in (WON, TIE)]
    return Preview(odds=tuple(Chance(word, one.numerator, one.denominator) for word, one in shown))


WON, TIE, LOST = "won", "tied", "lost"

OF_MOMENT: dict[str, Callable[[View, React, Play], Preview]] = {
    "shooting_declared": of_shots,
    "hits_rolled": of_hits,
    "damage_rolled": of_damage,
    "search": of_search,
    "fortitude_test": of_test,
    "initiative_rolled": of_initiative,
}


def preview_card(view: View, question: React, answer: Reaction | None) -> Preview:
    """What a card says, and what it changes."""
    if answer is None:
        return Preview()
    design, target = read_option(answer.option)
    said = Preview(notes=(HANDS.texts[design.id].text,))
    shown = OF_MOMENT.get(question.moment) if design.moment == question.moment else None
    return said if shown is None else together(said, shown(view, question, Play(view.side, design, target)))


CHAPTER = Chapter(previews={CARD_TOPIC: preview_card})
