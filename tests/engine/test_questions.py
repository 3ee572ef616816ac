"""Questions: they survive a wire, their fingerprints are stable, and previews keep the table's policy."""

import os
import subprocess
import sys
from typing import Any

import msgspec
import pytest
from msgspec.structs import fields, replace

from sandtable.engine.explain import explain
from sandtable.engine.ids import RED, RuleId
from sandtable.engine.questions import (
    AnyQuestion,
    Chance,
    ChooseOne,
    MoveModels,
    Option,
    PathNote,
    Preview,
    SightNote,
    fingerprint,
)
from sandtable.engine.shapes import Disc, Point
from tests.engine.test_checking import EVERY_KIND

#: The design's list: each kind and its own fields.
LISTED: dict[str, str] = {
    "choose one": "options",
    "choose several": "options at_least at_most not_together",
    "allocate": "items bins allowed bin_least bin_most all_items",
    "place": "things where together",
    "move": "models allowance manner marks together ends bound_to",
    "confirm": "yes no",
    "react": "moment stretch options blind",
    "plan": "actors budget",
}
ALL_HAVE = "side prompt about rules sealed shows default"

#: Golden: with other fingerprints every journal there is would diverge, so they need a new format of the journal.
GOLDEN = [
    "d0ba09e624832f39",
    "2bd336df4c4b0d31",
    "5b08e3122648434f",
    "fe1e9e311623efe1",
    "b2c81a34599ba948",
    "c1647bfa739d39cc",
    "f4806f5648d0acd5",
    "f163e8b72f335dcc",
]


def test_every_kind_of_the_list_is_there_with_its_fields() -> None:
    kinds: dict[str, type[Any]] = {kind.__struct_config__.tag: kind for kind in AnyQuestion.__args__}
    assert kinds.keys() == LISTED.keys()
    for name, kind in kinds.items():
        assert {*LISTED[name].split(), *ALL_HAVE.split()} <= {field.name for field in fields(kind)}


@pytest.mark.parametrize("question", EVERY_KIND)
def test_a_question_survives_a_wire_and_keeps_its_fingerprint(question: AnyQuestion) -> None:
    again = msgspec.json.decode(msgspec.json.encode(question), type=AnyQuestion)
    assert again == question
    assert fingerprint(again) == fingerprint(question)


WORDS = ("prompt", "deed", "yes", "no", "shows", "outlines", "names")


def other(value: Any) -> Any:
    """Another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return value + "x"
        case None:
            return None
        case tuple() if value and isinstance(value[0], msgspec.Struct):
            return value[1:]
        case tuple():
            return (*value, *(value[:1] or ("x",)))
        case dict() if value:
            return dict(list(value.items())[1:])
        case dict():
            return {"x": 1}
    return None


@pytest.mark.parametrize("question", EVERY_KIND)
def test_fingerprints_tell_questions_apart_by_all_but_their_words(question: AnyQuestion) -> None:
    for field in fields(question):
        value = getattr(question, field.name)
        if field.name == "decline" and value:
            value, question = "", replace(question, decline="")
        if other(value) == value or (field.name == "where" and not value):
            continue
        changed = fingerprint(replace(question, **{field.name: other(value)}))
        shown_only = field.name in WORDS or (field.name == "faces" and isinstance(question, MoveModels))
        assert (changed == fingerprint(question)) == shown_only, field.name


def test_a_fingerprint_holds_every_option_on_offer_and_nothing_that_is_worked_out_later() -> None:
    shut = (Option("a"), Option("b", rules=(RuleId("r.b"),), refused="Not now."))
    question = ChooseOne(RED, "Which?", options=(Option("a"), Option("b")))
    assert fingerprint(replace(question, options=shut)) == fingerprint(question)
    assert fingerprint(replace(question, options=(Option("a", "Alpha"), Option("b")))) == fingerprint(question)
    assert fingerprint(replace(question, options=(Option("a"),))) != fingerprint(question)
    assert fingerprint(replace(question, options=(Option("b"), Option("a")))) != fingerprint(question)


def test_kinds_sides_and_golden_prints() -> None:
    prints = [fingerprint(question) for question in EVERY_KIND]
    assert len(dict.fromkeys(prints)) == len(EVERY_KIND)
    assert prints == GOLDEN


def test_fingerprints_are_the_same_in_a_fresh_process_with_other_hashes() -> None:
    code = (
        "from tests.engine.test_checking import EVERY_KIND\n"
        "from sandtable.engine.questions import fingerprint\n"
        "print(*map(fingerprint, EVERY_KIND))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "99", "PYTHONPATH": os.getcwd()},
    )
    assert done.stdout.split() == [fingerprint(question) for question in EVERY_KIND]


WHOLE = Preview(
    (explain("to hit"),),
    ("note",),
    {"B": 12000},
    (Disc(Point(0, 0), 5),),
    (SightNote(Point(0, 0), Point(1, 1)),),
    (PathNote("A"),),
    (Chance("hit", 1, 2),),
    "exact",
)


@pytest.mark.parametrize(
    ("shows", "hidden"),
    [
        ((), {"distances", "reach", "sight", "odds", "odds_note"}),
        (("distance",), {"reach", "sight", "odds", "odds_note"}),
        (("reach", "sight"), {"distances", "odds", "odds_note"}),
        (("distance", "reach", "sight", "odds"), set()),
    ],
)
def test_a_preview_shows_what_the_policy_allows_and_no_more(shows: tuple[str, ...], hidden: set[str]) -> None:
    seen = WHOLE.allowed(shows)
    for field in fields(Preview):
        whole = getattr(WHOLE, field.name)
        assert getattr(seen, field.name) == (type(whole)() if field.name in hidden else whole), field.name
