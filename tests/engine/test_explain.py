"""Explanations: their parts are their total, and one part that is secret hides the whole."""

from hypothesis import given
from hypothesis import strategies as st

from sandtable.engine.explain import ExplainedPart, Explanation, explain, inches, signed
from sandtable.engine.ids import NO_SIDE, RuleId, Side

parts = st.lists(
    st.builds(
        ExplainedPart,
        st.text(max_size=10),
        st.integers(-20, 20),
        st.just("r.a"),
        st.sampled_from([(), ("red",), ("red", "blue")]),
    ),
    max_size=6,
).map(tuple)


@given(parts)
def test_the_parts_add_up_to_the_total(found: tuple[ExplainedPart, ...]) -> None:
    explanation = explain("to hit", *found)
    assert explanation.total == sum(part.value for part in found)
    assert explanation.parts == found


@given(parts, st.sampled_from(["red", "blue", ""]))
def test_a_side_sees_all_of_it_or_nothing(found: tuple[ExplainedPart, ...], side: Side) -> None:
    explanation = explain("to hit", *found)
    secret = any(part.known_to and (not side or side not in part.known_to) for part in found)
    assert explanation.seen_by(side) == (None if secret else explanation)


def test_nobody_is_not_a_spectator() -> None:
    hidden = Explanation("luck", 1, (ExplainedPart("fate", 1, RuleId("r.fate"), known_to=(NO_SIDE,)),))
    assert hidden.seen_by(NO_SIDE) is None


def test_words_are_what_players_say() -> None:
    found = explain(
        "to hit", ExplainedPart("short range", 6, RuleId("r.a")), ExplainedPart("stationary", -1, RuleId("r.b"))
    )
    assert found.words() == "short range +6 · stationary −1"


@given(st.integers(-(10**6), 10**6))
def test_signs_and_lengths_lose_nothing(value: int) -> None:
    assert int(signed(value).replace("−", "-")) == value
    whole, _, rest = inches(value, "").lstrip("-").partition(".")
    assert int(whole) * 1000 + int(rest.ljust(3, "0") or 0) == abs(value)
