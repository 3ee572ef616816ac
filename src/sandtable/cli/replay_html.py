"""`sandtable replay --html`: a battle as one file that any browser shows, with nothing fetched."""

import os
from pathlib import Path

from sandtable.cli.problems import UsageError
from sandtable.engine.records.journal import Journal
from sandtable.engine.records.whole_files import is_regular, write_whole
from sandtable.forces.ledger import ledger, systems
from sandtable.lab.replay_page import replay_page
from sandtable.lab.rulebooks import rulebook
from sandtable.lab.vocabularies import vocabulary_of

_BEGINS = b"<!doctype html>"


def write_page(file: str, out: str, *, everything: bool = False) -> int:
    """Write the page of a journal; the words of its rules come with it where its ruleset is there."""
    target = page_target(out)
    journal = Journal.load(Path(file))
    name = journal.header.ruleset
    rules = ledger(name).rules if name in systems() else {}
    game = rulebook(name).ruleset().title if name in systems() else name
    page = replay_page(
        journal,
        title=f"{game}: {' against '.join(journal.header.setup.sides)}",
        vocabulary=vocabulary_of(name),
        rules=rules,
        states=shape_words(name),
        everything=everything,
    ).encode()
    write_whole(target, page)
    print(f"{out}: {len(page) // 1024 + 1} kB; open it in a browser, ? shows its keys")
    return 0


def shape_words(ruleset: str) -> dict[str, str]:
    """The shape words a ruleset has for its states; none where it has none, or is not there any more.

    >>> shape_words("nonesuch")
    {}
    """
    if ruleset not in systems():
        return {}
    looks = rulebook(ruleset).ruleset().looks
    return {state: look.shape.value for state, look in looks.items() if look.shape}


def page_target(name: str) -> Path:
    """The path a page may be written to: a new file in a folder that is there, or a page's.

    >>> page_target("/nowhere/battle.html")
    Traceback (most recent call last):
    ...
    sandtable.cli.problems.UsageError: /nowhere/battle.html: there is no folder /nowhere; make it, or name another file
    """
    path = Path(name)
    if path.is_dir():
        raise UsageError(f"{name}: that is a folder; name a file in it, such as {path / 'battle.html'}")
    if not path.parent.is_dir():
        raise UsageError(f"{name}: there is no folder {path.parent}; make it, or name another file")
    if not os.access(path.parent, os.W_OK):
        raise UsageError(f"{name}: nothing can be written to {path.parent}; name another file")
    if path.exists() and not is_regular(path):
        raise UsageError(f"{name}: that is no regular file and is not written to; name another one")
    if path.exists() and path.stat().st_size:
        with path.open("rb") as there:
            begins = there.read(len(_BEGINS))
        if begins.lower() != _BEGINS:
            raise UsageError(f"{name}: that file is no page and is not overwritten; name another one")
    return path
