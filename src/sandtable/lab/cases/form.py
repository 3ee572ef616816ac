"""A case as its file writes it, and how files of cases are found."""

import re
from decimal import Decimal
from pathlib import Path

import msgspec

from sandtable.engine.ids import NO_SIDE, Side
from sandtable.forces.data import Data
from sandtable.forces.files import CaseError, FileError, Node, described, nearest, read_file
from sandtable.forces.ledger import Ledger
from sandtable.forces.reading import convert
from sandtable.lab.cases.scripted import Die, read_dice

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
    undo: Side = NO_SIDE
    concede: Side = NO_SIDE
    draw: str = ""
    by: Side = NO_SIDE
    dice: Data | None = None
    cards: tuple[str, ...] = ()
    expect: tuple[Data, ...] = ()
    expect_not: tuple[Data, ...] = ()
    then: Data | None = None
    seen_by: Side = NO_SIDE
    asked: Data | None = None
    not_asked: Data | None = None
    rule: str | tuple[str, ...] = ""
    says: str = ""
    shows: Data | None = None
    is_: Data | None = None


class _Head(msgspec.Struct, frozen=True, kw_only=True):
    ruleset: str
    title: str
    proves: tuple[str, ...] = ()
    dice: Data | None = None
    cards: tuple[str, ...] = ()
    notes: str = ""
    play: list[Data] = []


#: The keys of a case that the runner keeps, with what they say; the ruleset gets all others.
HEAD: dict[str, str] = {
    "ruleset": "whose rules",
    "title": "a sentence a player would say; it names the models A and B",
    "proves": "the ids of the rules that would be played wrongly if the case failed",
    "dice": "faces of dice that fall while the battle is set up",
    "cards": "the order of cards that are shuffled while the battle is set up",
    "notes": "anything you like",
    "play": "the steps",
    "variants": "other ways to go on from the same table, each a mapping with a title, changes and steps of its own",
    "same_for": "the side (or sides) for which all variants must look the same",
}

#: The keys of a step, with what they say.
STEP: dict[str, str] = {
    "do": "answers questions",
    "refuse": "drafts an answer that must be refused; `rule` says by which rule",
    "preview": "drafts an answer and looks at its preview; `shows` says what it shows",
    "ask": "works out a value of the rules; `is` says which",
    "undo": "the side that takes its last answer back",
    "concede": "the side that gives up",
    "draw": "the side that offers a draw",
    "by": "whose question it is, where two sides are asked at once",
    "dice": "the faces, in the order they fall: numbers, or {check: face}",
    "cards": "how cards lie that are shuffled, the top one first",
    "expect": "events that must happen, in this order",
    "expect_not": "events that must not happen in this step",
    "then": "how things stand afterwards",
    "seen_by": "the side by whose view expect, expect_not and then are judged",
    "asked": "the question that is open afterwards; `nobody` where none is",
    "not_asked": "a side, a topic or {side, topic, kind} that must not be asked in this step, nor be open afterwards",
    "rule": "with refuse: the rule that refuses, or a list of rules of which any will do",
    "says": "with refuse and undo: words that stand in the refusal",
    "shows": "with preview: what it shows",
    "is": "with ask: the value",
}

_OWN = tuple(HEAD)


class Step(msgspec.Struct, frozen=True):
    """A step, and what stands where in the file."""

    form: StepForm
    data: Data
    dice: tuple[Die, ...] = ()

    @property
    def line(self) -> int:
        """The line of what the step does."""
        return self.data.node.line_of(self.verb) if self.verb else self.data.line

    @property
    def verb(self) -> str:
        """What the step does; empty where it only looks."""
        return next((verb for verb in VERBS if getattr(self.form, verb)), "")

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules of which any may refuse."""
        return (self.form.rule,) if isinstance(self.form.rule, str) else self.form.rule


class Case(msgspec.Struct, frozen=True):
    """A case: what it proves, the table it starts from (`start`, for the ruleset to read) and its steps."""

    path: Path
    line: int
    ruleset: str
    title: str
    proves: tuple[str, ...]
    dice: tuple[Die, ...]
    cards: tuple[str, ...]
    start: Data
    head: Data
    play: tuple[Step, ...]
    alone: bool = True  # whether it is the only one of its file
    same_for: tuple[Side, ...] = ()  # the sides for which it must look as `same_as` does
    same_as: "Case | None" = None

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
    node = _worded(read_file(path, CaseError))
    if isinstance(node.value, list):
        if not node.value:
            raise CaseError(str(path), node.line, "the list holds no case", "write one, or remove the file")
        return [case for one in node.value for case in _variants(path, one, False)]
    return _variants(path, node, True)


def _worded(node: Node) -> Node:
    """Cases and their variants with titles that are numbers as texts, `title: 12`."""
    if isinstance(node.value, list):
        return Node([_worded(one) for one in node.value], node.line)
    if not isinstance(node.value, dict):
        return node
    keys = {key: _worded(one) if key == "variants" else one for key, one in node.value.items()}
    title = keys.get("title")
    if title is not None and isinstance(title.value, int | Decimal) and not isinstance(title.value, bool):
        keys["title"] = Node(str(title.value), title.line)
    return Node(keys, node.line)


def _variants(path: Path, node: Node, alone: bool) -> list[Case]:
    """The cases that an entry stands for: itself, or one for each of its variants."""
    if not isinstance(node.value, dict) or not ("variants" in node.value or "same_for" in node.value):
        return [_case(path, node, alone)]
    whole = Data(node, str(path), CaseError)
    if not whole.has("variants"):
        raise whole.fail("`same_for` without `variants`", "it holds that variants look the same; add them", "same_for")
    if len(whole.items("variants")) < (2 if whole.has("same_for") else 1):
        raise whole.fail("`variants` holds too few", "add those that are to be compared, or one at least", "variants")
    cases = [_case(path, varied(whole, one), False) for one in whole.items("variants")]
    if not whole.has("same_for"):
        return cases
    same_for = whole.at("same_for")
    sides = same_for.texts() if isinstance(same_for.node.value, list) else (same_for.text_at(),)
    for case, one in zip(cases, whole.items("variants"), strict=True):
        if len(case.play) != len(cases[0].play):
            found = f"this variant has {len(case.play)} steps, the first has {len(cases[0].play)}"
            raise one.fail(found, "what is compared step by step for `same_for` needs as many")
    first = cases[0]
    return [first, *(msgspec.structs.replace(one, same_for=sides, same_as=first) for one in cases[1:])]


def varied(whole: Data, variant: Data) -> Node:
    """The case that a variant stands for: the common part with what the variant says instead, its steps after.

    It proves what the common part proves, and what it says itself.
    """
    assert isinstance(whole.node.value, dict)
    for key in variant.names():
        if key in ("ruleset", "variants", "same_for"):
            raise variant.fail(f"`{key}` in a variant", "it stands once, beside `variants`", key)
    keys = {key: one for key, one in whole.node.value.items() if key not in ("variants", "same_for")}
    for key, one in variant.node.value.items() if isinstance(variant.node.value, dict) else ():
        if key == "title":
            keys[key] = Node(f"{whole.text_at('title')}: {variant.text_at('title')}", one.line)
        elif key == "play":
            keys[key] = Node([*_entries(keys.get("play")), *_entries(one)], one.line)
        elif key == "proves":
            keys[key] = Node([*_rules(keys.get("proves")), *_rules(one)], one.line)
        elif key != "change":
            keys[key] = one
    if variant.has("change"):
        for name, change in variant.table("change").items():
            _change(keys, name, change, variant)
    return Node(keys, variant.line)


def _entries(node: Node | None) -> list[Node]:
    return node.value if node is not None and isinstance(node.value, list) else []


def _rules(node: Node | None) -> list[Node]:
    """The rules that are named: one, or a list."""
    return _entries(node) or ([node] if node is not None and isinstance(node.value, str) else [])


def _change(keys: dict[str, Node], name: str, change: Data, variant: Data) -> None:
    """Change the model of a name, on whichever side it stands: keys that are given replace its own, empty ones go."""
    names: list[str] = []
    for key, force in keys.items():
        models = _entries(force)
        for n, model in enumerate(models):
            called = model.child("as")
            if called is None or not isinstance(model.value, dict):
                continue
            names.append(str(called.value))
            if str(called.value) == name:
                changed = {**model.value, **{word: one.node for word, one in change.table().items()}}
                kept = {word: one for word, one in changed.items() if one.value is not None}
                keys[key] = Node([*models[:n], Node(kept, change.line), *models[n + 1 :]], force.line)
                return
    raise variant.fail(f"there is no model `{name}` to change", nearest(name, names), "change", name)


def _case(path: Path, node: Node, alone: bool) -> Case:
    if not isinstance(node.value, dict):
        remedy = "a case is a mapping with `ruleset`, `title`, `proves` and `play`"
        raise CaseError(str(path), node.line, f"{described(node)} stands here", remedy)
    own = _listed(Node({key: one for key, one in node.value.items() if key in _OWN}, node.line), "proves", "cards")
    rest = Node({key: one for key, one in node.value.items() if key not in _OWN}, node.line)
    head = convert(own, _Head, str(path), CaseError)
    if not head.play:
        raise CaseError(str(path), node.line_of("play"), "nothing is played", "give `play` at least one step")
    return Case(
        path=path,
        line=node.line,
        ruleset=head.ruleset,
        title=head.title,
        proves=head.proves,
        dice=read_dice(head.dice),
        cards=head.cards,
        start=Data(rest, str(path), CaseError),
        head=Data(own, str(path), CaseError),
        play=tuple(_step(one) for one in head.play),
        alone=alone,
    )


def _step(data: Data) -> Step:
    data = Data(_listed(data.node, "expect", "expect_not", "cards"), data.file, CaseError)
    form = convert(data.node, StepForm, data.file, CaseError)
    step = Step(form, data, read_dice(form.dice))
    given = [key for key in data.names() if key in VERBS]
    if len(given) > 1:
        raise data.fail(f"one step has both `{given[0]}` and `{given[1]}`", "make two steps of it", given[1])
    if not given and form.asked is None and form.then is None and form.not_asked is None:
        raise data.fail("the step does nothing", nearest("", (*VERBS, "asked", "not_asked", "then")))
    for key, verbs in _BELONGS.items():
        if data.has(key) and step.verb not in verbs:
            raise data.fail(f"`{key}` without `{verbs[0]}`", f"it goes with `{verbs[0]}`", key)
    if form.by and step.verb not in _BY:
        raise data.fail("`by` says whose question is answered", "it goes with `do`, `refuse` or `preview`", "by")
    for verb, needs in (("refuse", "rule"), ("preview", "shows"), ("ask", "is")):
        if step.verb == verb and needs not in data.names():
            raise data.fail(f"`{verb}` without `{needs}`", f"add `{needs}`, which says what must come of it", verb)
    return step


def _listed(node: Node, *keys: str) -> Node:
    """A mapping in which what stands alone under some keys is a list of one."""
    if not isinstance(node.value, dict):
        return node
    alone = {key: one for key in keys if (one := node.value.get(key)) is not None and not isinstance(one.value, list)}
    return Node({**node.value, **{key: Node([one], one.line) for key, one in alone.items()}}, node.line)


def check_rules(case: Case, book: Ledger) -> None:
    """Fail where a case names a rule that does not stand in the ledger."""
    if not case.proves:
        raise case.head.fail("`proves` names no rule", "name the rules that this case would catch if broken", "proves")
    for n, rule_id in enumerate(case.proves):
        if rule_id not in book.rules:
            raise case.head.fail(f"there is no rule `{rule_id}`", book.nearest(rule_id), "proves", n)
    for step in case.play:
        for rule_id in step.rules if step.form.rule else ():
            if rule_id not in book.rules:
                raise step.data.fail(f"there is no rule `{rule_id}`", book.nearest(rule_id), "rule")
        for key in ("expect", "expect_not"):
            for item in getattr(step.form, key):
                wanted = item.node.child("rule")
                for one in () if wanted is None else wanted.value if isinstance(wanted.value, list) else (wanted,):
                    if str(one.value) not in book.rules:
                        raise item.fail(f"there is no rule `{one.value}`", book.nearest(str(one.value)), "rule")


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
