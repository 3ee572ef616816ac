"""Who is asked what it does next and is not named any more does nothing more, where what a step says comes then."""

from sandtable.engine.battle import Battle
from sandtable.engine.dice import OutOfFaces
from sandtable.engine.questions import AnyQuestion, ChooseOne, Plan
from sandtable.lab.cases.drafts import Drafter, Keys, may_decline
from sandtable.lab.cases.known_words import KnownWords
from sandtable.tabletop.case_words import CaseWords

#: The choice with which who may still act does nothing more.
NO_MORE = "done"
#: What comes only after more questions than this have been passed is not what a step means.
MOST_PASSED = 20


def may_end(question: AnyQuestion) -> bool:
    """Whether who is asked may do nothing more."""
    options = question.options if isinstance(question, ChooseOne) else ()
    return any(option.id == NO_MORE and not option.refused for option in options)


def leads_on(
    battle: Battle, words: CaseWords, known: KnownWords, keys: Keys, question: AnyQuestion, *, dice_left: bool
) -> bool:
    """Whether what a step has left comes once nobody does any more: a question that a key names, or its dice."""
    if not may_end(question):
        return False
    trial = battle.clone()
    drafter = Drafter(words, trial, known)
    try:
        for _ in range(MOST_PASSED):
            if trial.answer(NO_MORE if may_end(question) else None, question.side) is not None:
                return False
            asked = [one for side in trial.table.sides if (one := trial.question_for(side)) is not None]
            if not asked or any(keys.left and drafter.names(keys.now, one) for one in asked):
                return bool(asked)
            question = asked[0]
            if isinstance(question, Plan) or not (may_end(question) or may_decline(question)):
                return False
    except OutOfFaces:
        return dice_left
    finally:
        trial.close()
    return False
