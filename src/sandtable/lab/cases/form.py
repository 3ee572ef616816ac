"""A case as its file writes it, and how files of cases are found."""

import re
from pathlib import Path

import msgspec

from sandtable.forces.data import Data
from sandtable.forces.files import CaseError, FileError, Node, described, nearest, read_file
from sandtable.forces.ledger import Ledger
from sandtable.forces.reading import convert

#: The file of made-up models that may stand beside cases.
CATALOGUE = "catalogue.yaml"

#: The keys of a step that do something; a step has at most one of them.
VERBS = ("do", "refuse", "preview", "ask", "undo", "concede", "draw")

#: Which keys go with which verbs only.
_BELONGS = {
    "rule": ("refuse",),
    "says": ("refuse", "undo"),
    "shows": ("preview",),
    "is": ("ask",),
    "dice": ("do",),
    "cards": ("do",),
}
_BY = ("do", "refuse", "preview")


class StepForm(msgspec.Struct, frozen=True, kw_only=True, rename={"is_": "is"}):
    """One step of a case."""

    do: Data | None = None
    refuse: Data | None = None
    preview: Data | None = None
    ask: Data | None = None
    undo: str = ""
    concede: str = ""
    draw: str = ""
    by: str = ""
    dice: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    expect: tuple[Data, ...] = ()
    expect_not: tuple[Data, ...] = ()
    then: Data | None = None
    seen_by: str = ""
    asked: Data | None = None
    rule: str = ""
    says: str = ""
    shows: Data | None = None
    is_: Data | None = None


class _Head(msgspec.Struct, frozen=True, kw_only=True):
    ruleset: str
    title: str
    proves: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    notes: str = ""
    play: list[Data]


#: The keys of a case that the runner keeps; the ruleset gets all others.
_OWN = tuple(_Head.__struct_fields__)


class Step(msgspec.Struct, frozen=True):
    """A step, and what stands where in the file."""

    form: StepForm
    data: Data

    @property
    def line(self) -> int:
        """The line of what the step does."""
        return self.data.node.line_of(self.verb) if self.verb else self.data.line

    @property
    def verb(self) -> str:
        """What the step does; empty where it only looks."""
        return next((verb for verb in VERBS if getattr(self.form, verb)), "")


class Case(msgspec.Struct, frozen=True):
    """A case: what it proves, the table it starts from (`start`, for the ruleset to read) and its steps."""

    path: Path
    line: int
    ruleset: str
    title: str
    proves: tuple[str, ...]
    dice: tuple[int, ...]
    cards: tuple[str, ...]
    start: Data
    head: Data
    play: tuple[Step, ...]
    alone: bool = True  # whether it is the only one of its file

    @property
    def name(self) -> str:
        """How the command calls it: its file, with the line where the file holds several."""
        return str(self.path) if self.alone else f"{self.path}:{self.line}"

    def fits(self, words: str) -> bool:
        """Whether every word stands in its title, its path or what it proves."""
        text = f"{self.title} {self.path} {' '.join(self.proves)}".lower()
        return all(word in text for word in words.lower().split())


def read_cases(path: Path) -> list[Case]:
    """The cases of a file: one, or a list of them."""
    node = read_file(path, CaseError)
    if isinstance(node.value, list):
        if not node.value:
            raise CaseError(str(path), node.line, "the list holds no case", "write one, or remove the file")
        return [_case(path, one, False) for one in node.value]
    return [_case(path, node, True)]


def _case(path: Path, node: Node, alone: bool) -> Case:
    if not isinstance(node.value, dict):
        remedy = "a case is a mapping with `ruleset`, `title`, `proves` and `play`"
        raise CaseError(str(path), node.line, f"{described(node)} stands here", remedy)
    own = Node({key: one for key, one in node.value.items() if key in _OWN}, node.line)
    rest = Node({key: one for key, one in node.value.items() if key not in _OWN}, node.line)
    head = convert(own, _Head, str(path), CaseError)
    if not head.play:
        raise CaseError(str(path), node.line_of("play"), "nothing is played", "give at least one step")
    return Case(
        path=path,
        line=node.line,
        ruleset=head.ruleset,
        title=head.title,
        proves=head.proves,
        dice=head.dice,
        cards=head.cards,
        start=Data(rest, str(path), CaseError),
        head=Data(own, str(path), CaseError),
        play=tuple(_step(one) for one in head.play),
        alone=alone,
    )


def _step(data: Data) -> Step:
    form = convert(data.node, StepForm, data.file, CaseError)
    step = Step(form, data)
    given = [key for key in data.names() if key in VERBS]
    if len(given) > 1:
        raise data.fail(f"one step has both `{given[0]}` and `{given[1]}`", "make two steps of it", given[1])
    if not given and form.asked is None and form.then is None:
        raise data.fail("the step does nothing", nearest("", (*VERBS, "asked", "then")))
    for key, verbs in _BELONGS.items():
        if data.has(key) and step.verb not in verbs:
            raise data.fail(f"`{key}` without `{verbs[0]}`", f"it goes with `{verbs[0]}`", key)
    if form.by and step.verb not in _BY:
        raise data.fail("`by` says whose question is answered", "it goes with `do`, `refuse` or `preview`", "by")
    for verb, needs in (("refuse", "rule"), ("preview", "shows"), ("ask", "is")):
        if step.verb == verb and needs not in data.names():
            raise data.fail(f"`{verb}` without `{needs}`", f"add `{needs}`, which says what must come of it", verb)
    return step


def check_rules(case: Case, book: Ledger) -> None:
    """Fail where a case names a rule that does not stand in the ledger."""
    if not case.proves:
        raise case.head.fail("`proves` names no rule", "name the rules that this case would catch if broken", "proves")
    for n, rule_id in enumerate(case.proves):
        if rule_id not in book.rules:
            raise case.head.fail(f"there is no rule `{rule_id}`", book.nearest(rule_id), "proves", n)
    for step in case.play:
        if step.form.rule and step.form.rule not in book.rules:
            raise step.data.fail(f"there is no rule `{step.form.rule}`", book.nearest(step.form.rule), "rule")
        for key in ("expect", "expect_not"):
            for item in getattr(step.form, key):
                wanted = item.node.child("rule")
                if wanted is not None and str(wanted.value) not in book.rules:
                    raise item.fail(f"there is no rule `{wanted.value}`", book.nearest(str(wanted.value)), "rule")


class Found(msgspec.Struct):
    """Cases that could be read, and what was wrong with the files that could not."""

    cases: list[Case]
    wrong: list[FileError]


def find_cases(paths: list[str], words: str = "") -> Found:
    """The cases of files (`FILE` or `FILE:LINE`) and folders, in the order of their names.

    What is wrong with one file does not keep the others from being read.
    """
    found = Found([], [])
    for name in paths:
        plain, line = _with_line(name)
        path = Path(plain)
        try:
            files = _files(path)
        except FileError as problem:
            found.wrong.append(problem)
            continue
        for file in files:
            try:
                cases = read_cases(file)
            except FileError as problem:
                found.wrong.append(problem)
                continue
            chosen = [case for case in cases if not line or case.line == _line_chosen(cases, line)]
            found.cases += [case for case in chosen if case.fits(words)]
    return found


def _with_line(name: str) -> tuple[str, int]:
    match = re.fullmatch(r"(.+\.ya?ml):([0-9]+)", name)
    return (match[1], int(match[2])) if match else (name, 0)


def _line_chosen(cases: list[Case], line: int) -> int:
    """The case a line stands in: the last one that begins at it or before."""
    return max((case.line for case in cases if case.line <= line), default=cases[0].line)


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        files = sorted(one for one in path.rglob("*.yaml") if one.name != CATALOGUE)
        if not files:
            raise CaseError(str(path), 0, "this folder holds no cases", "cases are files called *.yaml")
        return files
    if not path.exists():
        raise CaseError(str(path), 0, "no such file or folder", "give the path of a case or of a folder of cases")
    return [path]


def catalogues_for(case: Case) -> tuple[Path, ...]:
    """The files of made-up models a case may use: those of its folder and of the folders up to its ruleset's."""
    folders = [case.path.resolve().parent, *case.path.resolve().parent.parents]
    names = [folder.name for folder in folders]
    upto = names.index(case.ruleset) + 1 if case.ruleset in names else 1
    found = [folder / CATALOGUE for folder in folders[:upto] if (folder / CATALOGUE).is_file()]
    return tuple(reversed(found))
