"""A file from outside is read exactly, or refused at once with file, line and what would do."""

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.forces.files import (
    MAX_BYTES,
    MAX_DEPTH,
    CaseError,
    CatalogueError,
    FileError,
    LedgerError,
    Node,
    RosterError,
    ScenarioError,
    nearest,
    read_file,
    read_text,
    shown,
)


def refused(text: str | bytes) -> FileError:
    with pytest.raises(FileError) as caught:
        read_text(text, "it.yaml")
    return caught.value


def test_scalars_are_what_a_player_means() -> None:
    node = read_text(
        "[1, -2, 0.250, .5, NA, on, yes, 10+, 1d6, 1:30, 2020-01-01, 0x1F, 1e3, 'null', null, ~, true]", "it"
    )
    assert [child.value for _, child in node.children()] == [
        1, -2, Decimal("0.250"), Decimal("0.5"), "NA", "on", "yes", "10+", "1d6", "1:30", "2020-01-01", "0x1F", "1e3",
        "null", None, None, True,
    ]  # fmt: skip


def test_keys_are_text_and_a_number_and_its_text_are_one_key() -> None:
    assert list(dict(read_text("{1: a, 2.5: b, true: c, null: d, e: f}", "it").children())) == [
        "1", "2.5", "true", "null", "e"
    ]  # fmt: skip
    assert "the key `1` stands twice, first in line 1" in str(refused("1: a\n'1': b"))


def test_a_value_has_the_line_of_its_key() -> None:
    node = read_text("a:\n\n  - x\n  - b:\n      c\n", "it")
    assert (node.line_of("a"), node.line_of("a", 0), node.line_of("a", 1, "b"), node.line_of("a", 7)) == (1, 3, 4, 1)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\nb: *a", 2, "the alias `*a`"),
        ("a: 1\nb: &x 2", 2, "the anchor `&x`"),
        ("- !!python/object:os.system x", 1, "the tag"),
        ("a: !Custom {b: 1}", 1, "the tag `!Custom`"),
        ("a: 1\n\nb: [1, 2\nc: 3", 4, "this is not YAML"),
        ("a: 1\n\tb: 2", 2, "this is not YAML"),
        ("a: 1\n---\nb: 2", 2, "a second document"),
        ("? [1, 2]\n: 3", 1, "a list or mapping as a key"),
        ("a: 1\nb: \x00", 2, "a character that YAML does not allow"),
        (b"ok: 1\nbad: \xff\xfe", 2, "not UTF-8"),
        ("a: 1".encode("utf-16"), 1, "not UTF-8"),
        ("\ud800", 1, "not UTF-8"),
    ],
)
def test_what_is_refused_says_line_and_remedy(text: str | bytes, line: int, words: str) -> None:
    error = refused(text)
    assert (error.file, error.line) == ("it.yaml", line)
    assert words in error.found
    assert str(error) == f"it.yaml:{line}: {error.found}; {error.remedy}"
    assert "\n" not in str(error)


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[yaml.Event]:
    """What the parser has told so far."""
    told: list[yaml.Event] = []
    parse = yaml.parse

    def listening(*args: Any, **named: Any) -> Iterator[yaml.Event]:
        for event in parse(*args, **named):
            told.append(event)
            yield event

    monkeypatch.setattr(yaml, "parse", listening)
    return told


def test_a_million_aliases_are_refused_at_the_first(parsed: list[yaml.Event]) -> None:
    laughs = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{name}: &{name} [*{last}, *{last}, *{last}, *{last}, *{last}, *{last}, *{last}, *{last}, *{last}]\n"
        for last, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    many = "a: &a x\nb: [" + "*a, " * 400_000 + "*a]"
    for text in (laughs, many):
        parsed.clear()
        assert "anchor" in str(refused(text))
        assert len(parsed) <= 5


@pytest.mark.parametrize("text", ["[" * 100_000, "{a: " * 100_000, "- " * 100_000, "? " * 5_000])
def test_deep_nesting_is_refused_before_it_is_read(text: str, parsed: list[yaml.Event]) -> None:
    assert refused(text).line == 1
    assert len(parsed) <= 2 * MAX_DEPTH + 4


def test_depth_counts_levels() -> None:
    assert isinstance(read_text("[" * MAX_DEPTH + "]" * MAX_DEPTH, "it").value, list)
    assert f"more than {MAX_DEPTH} levels" in refused("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)).found


def test_too_many_bytes_or_values_are_refused() -> None:
    assert "bytes" in refused("x" * (MAX_BYTES + 1)).found
    assert "values" in refused("[" + "1," * 300_000 + "]").found


def test_a_long_run_of_digits_is_no_number() -> None:
    assert isinstance(read_text("9" * 6000, "it").value, str)


def test_empty_files_hold_nothing() -> None:
    for text in ("", "# only a remark\n", "---\n", b"\xef\xbb\xbf"):
        assert read_text(text, "it").value is None


def test_files_that_are_not_there_say_so(tmp_path: Path) -> None:
    for path, words in ((tmp_path / "no.yaml", "no such file"), (tmp_path, "this is a folder"), (Path("\0"), "file")):
        with pytest.raises(CaseError, match=words):
            read_file(path, CaseError)


def test_files_of_the_package_are_named_from_the_package_on() -> None:
    import sandtable

    assert shown(Path(sandtable.__file__).parent / "rulesets" / "x.yaml") == "rulesets/x.yaml"
    assert shown(Path("cases/a.yaml")) == "cases/a.yaml"


def test_every_kind_of_error_is_a_file_error() -> None:
    assert all(
        issubclass(kind, FileError) for kind in (CatalogueError, RosterError, ScenarioError, CaseError, LedgerError)
    )


def test_nearest_helps() -> None:
    assert nearest("ligt-woods", ["hill", "light-woods"]) == "did you mean `light-woods`?"
    assert nearest("q", ["a", "b", "c"]) == "it may be `a`, `b` or `c`"
    assert nearest("q", [str(n) for n in range(20)]).endswith("or one of 8 others")


pieces = st.sampled_from(
    [*"[]{},:-?&*!|>'\"%@`#\n \t", "a", "1", "- ", ": ", "a: ", "\n  ", "<<", "é", "\x85", "\u2028"]
)


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.lists(pieces, max_size=60).map("".join), st.binary(max_size=60), st.text(max_size=60)))
def test_whatever_is_read_gives_nodes_or_a_file_error(text: str | bytes) -> None:
    told = outcome(text)
    if isinstance(told, FileError):
        assert re.match(r"it\.yaml:[1-9]\d*: ", str(told))
    else:
        assert all(leaf.line >= 1 for _, leaf in told.leaves())


def outcome(text: str | bytes) -> Node | FileError:
    try:
        return read_text(text, "it.yaml")
    except FileError as error:
        return error
