"""How files of cases are read and found, and what is said of those that are wrong."""

from pathlib import Path

import pytest

from sandtable.forces.files import CaseError
from sandtable.lab.cases.form import catalogues_for, check_rules, find_cases, read_cases
from tests.lab.skirmish import HERE, skirmish
from tests.lab.writing import HEAD

CASE = HEAD + "play: [{do: {A: aim}}]\n"


def written(path: Path, text: str, name: str = "case.yaml") -> Path:
    file = path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("- 1", ":1: the number 1 stands here; a case is a mapping with"),
        ("[]", ":1: the list holds no case"),
        ("", ":1: nothing stands here"),
        ("{ruleset: skirmish, play: []}", ":1: the key `title` is missing"),
        (HEAD + "play: []", ":8: nothing is played"),
        (HEAD + "play:\n- {}", ":9: the step does nothing"),
        (HEAD + "play:\n- {dice: [1]}", ":9: the step does nothing"),
        (HEAD + "play:\n- {doo: {A: aim}}", ":9: unknown key `doo`; did you mean `do`?"),
        (HEAD + "play:\n- {do: {A: aim}, undo: red}", ":9: one step has both `do` and `undo`; make two steps of it"),
        (HEAD + "play:\n- do: {A: aim}\n  rule: x", ":10: `rule` without `refuse`"),
        (HEAD + "play:\n- refuse: {A: aim}", ":9: `refuse` without `rule`"),
        (HEAD + "play:\n- preview: {A: aim}", ":9: `preview` without `shows`"),
        (HEAD + "play:\n- ask: {band: 1}", ":9: `ask` without `is`"),
        (HEAD + "play:\n- refuse: {A: aim}\n  rule: x\n  dice: [1]", ":11: `dice` without `do`"),
        (HEAD + "play:\n- undo: red\n  by: red", ":10: `by` says whose question is answered"),
        (
            HEAD + "play:\n- do: {A: aim}\n  dice: [a]",
            ":10: the text `a` stands among the dice; a face is a whole number",
        ),
        (HEAD + "play: {do: {A: aim}}", ":8: `play` is a mapping with the key `do`; a list would do"),
        ("a: &x 1\nb: *x", ":1: the anchor `&x`"),
        ("a: [", "this is not YAML"),
    ],
)
def test_a_wrong_file_is_told_with_its_line_and_what_to_do(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(CaseError) as caught:
        read_cases(written(tmp_path, text))
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (CASE.replace("[skirmish.shooting.to-hit]", "[]"), ":4: `proves` names no rule"),
        (CASE.replace("to-hit]", "to-hot]"), ":4: there is no rule `skirmish.shooting.to-hot`; did you mean"),
        (HEAD + "play:\n- {refuse: {A: aim}, rule: nope}", ":9: there is no rule `nope`"),
        (HEAD + "play:\n- do: {A: aim}\n  expect:\n  - {check: shot, rule: nope}", ":11: there is no rule `nope`"),
    ],
)
def test_unknown_rules_are_told(tmp_path: Path, text: str, says: str) -> None:
    (case,) = read_cases(written(tmp_path, text))
    with pytest.raises(CaseError) as caught:
        check_rules(case, skirmish().ledger())
    assert says in str(caught.value)


def test_one_wrong_file_does_not_hide_the_others(tmp_path: Path) -> None:
    written(tmp_path, CASE, "a.yaml")
    written(tmp_path, "play", "b.yaml")
    written(tmp_path, CASE, "deep/c.yaml")
    found = find_cases([str(tmp_path), str(tmp_path / "none")])
    assert [case.path.name for case in found.cases] == ["a.yaml", "c.yaml"]
    assert [Path(problem.file).name for problem in found.wrong] == ["b.yaml", "none"]


def test_a_title_may_be_a_number(tmp_path: Path) -> None:
    case = CASE.replace("title:", "title: 12 #", 1) + "variants: [{title: 9.999, play: []}, {title: seven}]\n"
    (one, other) = find_cases([str(written(tmp_path, case))]).cases
    assert [one.title, other.title] == ["12: 9.999", "12: seven"]


def test_a_line_chooses_the_case_it_stands_in() -> None:
    file = HERE / "cases" / "skirmish" / "turn.yaml"
    every = find_cases([str(file)]).cases
    for line in range(1, len(file.read_text(encoding="utf-8").splitlines()) + 1):
        (case,) = find_cases([f"{file}:{line}"]).cases
        assert case.line == max(one.line for one in every if one.line <= line)
        assert case.name == f"{file}:{case.line}"


def test_words_choose_cases_by_title_path_and_rule() -> None:
    def titles(words: str) -> list[str]:
        return [case.title for case in find_cases([str(HERE / "cases")], words).cases]

    assert titles("TWELVE four") == ["A hits B at twelve inches with a four, and misses with a three"]
    assert titles("skirmish.turn.walk") == ["A walks five inches and not a thousandth more"]
    assert len(titles("turn.yaml")) == 3
    assert titles("nonesuch") == []


def test_a_folder_without_cases_is_told(tmp_path: Path) -> None:
    written(tmp_path, "[]", "catalogue.yaml")
    (problem,) = find_cases([str(tmp_path)]).wrong
    assert "this folder holds no cases" in str(problem)


def test_catalogues_reach_down_from_the_folder_of_the_ruleset(tmp_path: Path) -> None:
    (case,) = read_cases(written(tmp_path, CASE, "skirmish/shooting/case.yaml"))
    above, top, near = (
        written(tmp_path, "[]", f"{at}catalogue.yaml") for at in ("", "skirmish/", "skirmish/shooting/")
    )
    assert catalogues_for(case) == (top.resolve(), near.resolve())
    (elsewhere,) = read_cases(written(tmp_path, CASE, "case.yaml"))
    assert catalogues_for(elsewhere) == (above.resolve(),)
