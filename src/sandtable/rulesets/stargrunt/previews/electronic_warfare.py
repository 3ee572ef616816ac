"""What EW markers would do before they are spent: the die they make, and where both dice are known the chance."""

from fractions import Fraction

from sandtable.engine.questions import AnyQuestion, Preview, Reaction
from sandtable.engine.ruleset import View
from sandtable.rulesets.stargrunt.dice.foretold import between, contest_chances, die_words, outcomes
from sandtable.rulesets.stargrunt.dice.rolls import LADDER, one_die
from sandtable.rulesets.stargrunt.electronic_warfare import ew_die, hiding_die
from sandtable.tabletop.chapters import Chapter

#: What an attempt has to exceed: it has not been rolled yet, and the question does not say with which die it will be.
AGAINST = {
    "jam": "the roll of the message",
    "spoof": "the lower of the dice it is against",
    "counter": "the roll of the attempt before it",
}


def attempt_preview(view: View, question: AnyQuestion, answer: Reaction | None) -> Preview:
    """The die of an attempt to jam, spoof or counter, and what it has to exceed."""
    if answer is None:
        return Preview()
    word, _, name = answer.option.partition(" ")
    die, parts = ew_die(view.table[name], answer.amount)
    mine = one_die({"jam": "jamming", "spoof": "spoofing", "counter": "jamming EW"}[word], name, die, parts)
    # Which die it is against is not said, so the chance lies between those against the best and the worst of dice.
    falls = [contest_chances(mine, one_die("roll", "", other), _exceeds) for other in LADDER]
    shares = [fall.get("it exceeds it", Fraction(0)) for fall in falls]
    told = between(f"it exceeds {AGAINST[word]}", min(shares), max(shares))
    return Preview(notes=(f"{die_words(mine)} has to exceed {AGAINST[word]}",), odds=(told,))


def _exceeds(mine: int, theirs: int) -> str:
    return "it exceeds it" if mine > theirs else "it does not"


def spot_preview(view: View, question: AnyQuestion, answer: Reaction | None) -> Preview:
    """How likely a system is to find a counter, which rolls by where it lies, whatever it is."""
    if answer is None:
        return Preview()
    _, name, by = answer.option.split(" ")
    unit, counter = view.table[by], view.table[name]
    mine = one_die("spotting", by, *ew_die(unit, answer.amount))
    theirs = one_die("hiding", name, *hiding_die(view.table, unit, counter))
    shares = contest_chances(mine, theirs, lambda ours, other: "it is found" if ours > other else "it is not found")
    note = f"{die_words(mine)} against {die_words(theirs)}"
    return Preview(notes=(note,), odds=outcomes(shares), odds_note="if nobody jams it")


CHAPTER = Chapter(
    previews={
        **dict.fromkeys(("communication", "sensors", "spotting"), attempt_preview),
        "electronic warfare": spot_preview,
    },
)
