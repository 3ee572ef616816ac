"""No word of a case can be misspelt unnoticed, and `--words` lists every word there is."""

from pathlib import Path

import pytest

from sandtable.engine.events import AnyEvent
from sandtable.engine.ids import BLUE, RED, ThingId
from sandtable.engine.table import Ground, Table, Thing
from sandtable.forces.data import Data
from sandtable.forces.files import CaseError, FileError, read_text
from sandtable.lab.cases.form import catalogues_for, find_cases
from sandtable.lab.cases.known_words import SECTION_OF, KnownWords
from sandtable.lab.cases.listing import every_word
from sandtable.lab.cases.matching import EVENTS
from sandtable.lab.cases.source_words import HOLE, source_of
from sandtable.lab.cases.spelling import _NAMES, _VALUES, Speller, said
from sandtable.lab.cases.steps import Playing
from sandtable.lab.rulebooks import rulebook
from sandtable.tabletop.case_words import CaseWords
from tests.lab.skirmish import skirmish
from tests.lab.writing import played, told

SHOT = "  - do: {A: shoot, target: B}\n    dice: [4]\n"


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        pytest.param("    expect_not: [{check: shoot}]\n", "`shoot` is no check; did you mean `shot`?", id="check"),
        pytest.param(
            "    expect_not: [{check: shot, outcome: mis}]\n",
            "`mis` is no outcome of a check; did you mean `miss`?",
            id="outcome",
        ),
        pytest.param(
            "    expect: [{check: shot, parts: {Doge: none}}]\n",
            "`Doge` is no part of a number; did you mean `Dodge`?",
            id="part that is not there",
        ),
        pytest.param("    expect_not: [{passed: blue, window: dogde}]\n", "did you mean `dodge`?", id="window"),
        pytest.param("    expect_not: [{declared: A, action: shooot}]\n", "did you mean `shoot`?", id="declared"),
        pytest.param("    expect_not: [{harm-applied: B, harm: wund}]\n", "did you mean `wound`?", id="harm"),
        pytest.param("    expect_not: [{harm-noted: B, moment: nwo}]\n", "did you mean `now`?", id="moment"),
        pytest.param("    expect_not: [{model-lost: B, how: destoyed}]\n", "did you mean `destroyed`?", id="how lost"),
        pytest.param("    expect_not: [{model-lost: BB}]\n", "there is no `BB`; did you mean `B`?", id="thing"),
        pytest.param("    expect_not: [{passed: bule}]\n", "there is no `bule`; did you mean `blue`?", id="side"),
        pytest.param("    expect_not: [{step-began: activat}]\n", "did you mean `activate`?", id="step"),
        pytest.param(
            "    expect_not: [{battle-ended: none, reason: last one standng}]\n",
            "did you mean `last one standing`?",
            id="reason",
        ),
        pytest.param("    asked: {topic: brce}\n", "`brce` is no topic of a question; did you mean", id="topic"),
        pytest.param("    asked: {topic: plan, side: bleu}\n", "`bleu` is no side", id="side of a question"),
        pytest.param(
            "    asked: {topic: plan, kind: plam}\n", "is no kind of question; did you mean `plan`", id="kind"
        ),
        pytest.param("    not_asked: doge\n", "`doge` is no side and no topic of a question", id="not asked"),
        pytest.param("    then: {B: {gone: destoyed}}\n", "did you mean `destroyed`?", id="gone"),
        pytest.param("    then: {battle: {winner: rde}}\n", "`rde` is no side; did you mean `red`?", id="winner"),
        pytest.param("    then: {B: {counts: {amo: none}}}\n", "`amo` is nothing that is counted", id="count"),
        pytest.param("    then: {B: 1}\n", "`B` has 1 alone; say what of it", id="a thing alone"),
        pytest.param("    expect_not: [{model-lost: Q}]\n", "there is no `Q`", id="thing of one letter"),
        pytest.param("    expect_not: [{check: shot, margin: bgi}]\n", "a number would do", id="word for a number"),
        pytest.param("    expect_not: [{moved: A, to: tehre}]\n", "[x, y], off or {in: holder}", id="word for a place"),
    ],
)
def test_a_wrong_word_after_a_step_is_told(tmp_path: Path, steps: str, says: str) -> None:
    outcome = played(tmp_path, SHOT + steps)
    assert says in outcome.wrong, outcome
    assert "case.yaml:11:" in outcome.wrong


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        pytest.param(
            "  - refuse: {A: shoot, target: BB}\n    rule: skirmish.turn.actions\n",
            "`BB` is nothing that `target` can be; did you mean `B`?",
            id="option of a plan",
        ),
        pytest.param(
            "  - do: {A: shoot, target: B}\n  - do: {dodge: jmp}\n    dice: [1]\n",
            "`jmp` is nothing that `dodge` can be; did you mean `jump`?",
            id="reaction",
        ),
        pytest.param(
            "  - do: {A: shoot, target: B}\n    dice: [{shoot: 4}]\n",
            "`shoot` is no check; did you mean `shot`?",
            id="die",
        ),
        pytest.param(
            "  - ask: {band: {from: A, to: B, form: A}}\n    is: short\n",
            "`band` does not look at `form`; did you mean `from`?",
            id="key of a value",
        ),
        pytest.param(
            "  - ask: {band: {from: A, to: BB}}\n    is: short\n", "`band` knows no `BB`; did you mean `B`?", id="value"
        ),
        pytest.param(
            "  - ask: {band: {form: A, to: B}}\n    is: short\n",
            "`band` does not look at `form`; did you mean `from`?",
            id="only key of a value",
        ),
        pytest.param("  - ask: {band: {to: B}}\n    is: short\n", "say `from` too", id="key that is missing"),
        pytest.param("  - ask: {bnd: {to: B}}\n    is: short\n", "did you mean `band`?", id="name of a value"),
        pytest.param(
            "  - preview: {A: shoot, target: B}\n    shows: {explanations: [{parts: {shrt range: none}}]}\n",
            "`shrt range` is no part of a number",
            id="part of a preview",
        ),
        pytest.param(
            "  - preview: {A: shoot, target: B}\n    shows: {odds: {hitt: none}}\n",
            "`hitt` is nothing that has odds",
            id="odds",
        ),
    ],
)
def test_a_wrong_word_in_a_step_is_told(tmp_path: Path, steps: str, says: str) -> None:
    assert says in played(tmp_path, steps).wrong


def test_all_wrong_words_are_told_at_once_even_after_a_step_that_differs(tmp_path: Path) -> None:
    steps = (
        SHOT
        + "    expect: [{check: shot, total: 5}]\n  - do: {B: aim}\n    expect_not: [{chek: shot}, {check: shoot}]\n"
    )
    wrong = played(tmp_path, steps).wrong.splitlines()
    assert ["it is not said which event" in wrong[0], "`shoot` is no check" in wrong[1]] == [True, True]


def test_right_words_that_do_not_come_up_are_right(tmp_path: Path) -> None:
    more = """
    expect: [{check: shot, parts: {aim: none, dodge: none}}]
    expect_not: [{check: brace}, {model-lost: B, how: destroyed}, {declared: B, action: shoot}]
    not_asked: activate
    then: {B: {lacks: [aiming]}}
"""
    assert played(tmp_path, SHOT + more.lstrip("\n")).passed


def test_a_hole_is_filled_with_names_and_numbers_only() -> None:
    book = rulebook("quickstart")
    known = KnownWords(book.ruleset().case_words(), book.ledger())
    assert f"{HOLE} range" in known.said("parts")
    assert known.has("parts", "short range")
    assert not known.has("parts", "shrt range")


def test_a_word_that_stands_in_the_rules_is_not_right_everywhere() -> None:
    """Each of these is spelt as the rules spell it somewhere, and is yet no label, outcome, state or count."""
    book = rulebook("quickstart")
    known = KnownWords(book.ruleset().case_words(), book.ledger())
    wrong = {"parts": "blaster", "outcomes": "destroyed", "states": "prone", "counts": "damage", "harm": "stunned"}
    assert [section for section, word in wrong.items() if known.has(section, word)] == []


def test_every_event_field_that_holds_words_has_a_section() -> None:
    """Whoever adds an event says which words its fields hold, or that they name something."""
    free = {"n", "step", "rule", "dice", "what", "piece", "part", "name"}
    for kind in AnyEvent.__args__:
        for field in kind.__struct_fields__:
            texts = kind.__annotations__.get(field) in (str, "str", tuple[str, ...])
            if texts and (kind.__name__, field) not in SECTION_OF:
                assert field in (*_NAMES, *_VALUES, *free, "to", "turn"), (kind.__name__, field)


@pytest.mark.parametrize("name", ["quickstart", "stargrunt"])
def test_whatever_the_cases_of_a_ruleset_meet_stands_in_its_words(name: str) -> None:
    """What events say must be listed, or no case could say that it does not happen. Every third case is played."""
    book = rulebook(name)
    opened: dict[tuple[Path, ...], tuple[CaseWords, KnownWords]] = {}
    unknown: dict[tuple[str, str], str] = {}
    for case in find_cases([str(Path(__file__).parents[2] / "cases" / name)]).cases[::3]:
        catalogues = catalogues_for(case)
        if catalogues not in opened:
            words = book.ruleset().with_cards(catalogues).case_words()
            opened[catalogues] = words, KnownWords(words, book.ledger())
        words, known = opened[catalogues]
        playing = Playing(case, words, known)
        assert playing.all_steps() == []
        assert playing.battle is not None
        for section, text in {pair for event in playing.battle.journal.events() for pair in said(event)}:
            if section and not known.has(section, text, playing.battle.table):
                unknown[section, text] = case.name
    assert unknown == {}


@pytest.mark.parametrize(
    ("name", "section", "some"),
    [
        ("quickstart", "checks", ["combat", "ammo check", "close combat", "drift"]),
        ("quickstart", "parts", ["wizzo", "… range", "knockdown"]),
        ("quickstart", "windows", ["defensive fire", "over-watch"]),
        ("quickstart", "phases", ["activation", "end", "start"]),
        ("quickstart", "ask", ["band", "aim"]),
        ("strikeops", "parts", ["wizzo", "targeting computer", "stationary"]),
        ("stargrunt", "checks", ["fire", "armour", "impact", "confidence"]),
        ("stargrunt", "outcomes", ["suppressed, and hit", "a minor hit", "it slips through"]),
        ("stargrunt", "parts", ["Quality D…", "soft cover", "LV of …"]),
        ("stargrunt", "windows", ["reaction-fire", "final-fire"]),
        ("stargrunt", "keys of a case", ["board", "turn", "turn_number", "next", "baselines", "variants"]),
        ("quickstart", "keys of a case", ["board", "turn", "turn_number", "next", "baselines", "same_for"]),
    ],
)
def test_the_list_of_words_names_them(name: str, section: str, some: list[str]) -> None:
    book = rulebook(name)
    listed = every_word(book.ruleset().case_words(), book.ledger())
    words = next(entries for title, entries in listed.items() if title.startswith(section))
    assert set(some) <= set(words)


def test_the_names_of_checks_are_those_of_dice_alone() -> None:
    """What is explained or counted in armies is called `what` too, and is no check."""
    book = rulebook("quickstart")
    listed = every_word(book.ruleset().case_words(), book.ledger())
    checks = next(entries for title, entries in listed.items() if title.startswith("checks"))
    assert not {word for word in checks if word.startswith("added to") or word in ("excess", "inch", "target point")}


def test_the_list_of_words_names_every_event_and_step_key() -> None:
    book = skirmish()
    listed = every_word(book.ruleset().case_words(), book.ledger())
    assert set(EVENTS) == set(listed["events: expect and expect_not"])
    assert {"do", "not_asked", "dice"} <= set(listed["keys of a step"])


def test_words_are_followed_to_where_they_are_written() -> None:
    source = source_of("tests.lab.skirmish")
    assert source.field("Rolled", "what") == {"fanfare", "shot", "brace"}
    assert source.field("Rolled", "outcome") == {"hit", "miss"}
    assert {"aim", "Dodge"} <= source.field("ExplainedPart", "label")
    assert "dodge" in source.field("Passed", "window")


def test_what_differs_is_still_told_where_all_words_are_right(tmp_path: Path) -> None:
    assert "event 1 of `expect`" in told(played(tmp_path, SHOT + "    expect: [{check: brace}]\n"))


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("quickstart", "twist", "{of, at}: By how many degrees"),
        ("quickstart", "cost", "WORD: How many action points an action costs."),
        ("quickstart", "card", "mv, armor, ccv"),
        ("stargrunt", "shifted", "{die, by}: A die type shifted up or down"),
        ("stargrunt", "squad", "quality, quality-die, leadership"),
        ("stargrunt", "sees", "[WORD, …]"),
    ],
)
def test_the_list_says_what_a_value_takes_and_is(name: str, value: str, says: str) -> None:
    book = rulebook(name)
    assert says in every_word(book.ruleset().case_words(), book.ledger())["ask: values"][value]


@pytest.mark.parametrize("name", ["quickstart", "stargrunt"])
def test_every_value_says_what_it_is(name: str) -> None:
    book = rulebook(name)
    values = every_word(book.ruleset().case_words(), book.ledger())["ask: values"]
    assert [value for value, told in values.items() if len(told.split()) < 3] == []


def test_what_could_come_may_be_said_not_to_come() -> None:
    """Pieces and markers are numbered as they come: a second one need not be there to be named."""
    book = rulebook("stargrunt")
    known = KnownWords(book.ruleset().case_words(), book.ledger())
    speller = Speller(known, Table(Ground(1, 1), (RED, BLUE), things={"A": Thing(ThingId("A"))}), [])

    def wrong(event: str) -> list[FileError]:
        item = Data(read_text(event, "it", CaseError), "it", CaseError)
        speller.wrong = []
        speller._try(speller._event, item)
        return speller.wrong

    for right in (
        "{placed: smoke-2}",
        "{placed: A-mine-1}",
        "{moved: A}",
        "{revealed: , value: dummy}",
        "{passed: blue}",
    ):
        assert wrong(right) == []
    for slip in (
        "{placed: smok-2}",
        "{placed: B-mine-1}",
        "{moved: AA}",
        "{revealed: , value: dumy}",
        "{passed: bleu}",
    ):
        assert len(wrong(slip)) == 1, slip
