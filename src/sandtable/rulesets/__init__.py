"""The rulesets: one package each, one module a chapter of its ledger.

A ruleset is a package here that has a ledger (`rules/*.yaml`) and says in its `__init__.py` what it is: `RULESET`, the
one object the engine plays with. Nothing is registered anywhere: a package that is there is found.
"""

from importlib import import_module
from pkgutil import iter_modules

from sandtable.engine.ruleset import Ruleset
from sandtable.forces.files import nearest
from sandtable.forces.ledger import systems


class UnknownRuleset(LookupError):
    """There is no ruleset of that name."""


def names() -> tuple[str, ...]:
    """The names of all rulesets, without importing any of them.

    >>> names() == tuple(sorted(names()))
    True
    """
    packages = {module.name for module in iter_modules(__path__) if module.ispkg}
    return tuple(name for name in systems() if name in packages)


def get(name: str) -> Ruleset:
    """The ruleset of that name; an unknown one fails with the nearest right word.

    >>> get("chess")
    Traceback (most recent call last):
    ...
    sandtable.rulesets.UnknownRuleset: there is no ruleset `chess`; ...
    """
    if name not in names():
        raise UnknownRuleset(f"there is no ruleset `{name}`; {nearest(name, names())}")
    module = import_module(f"{__name__}.{name}")
    ruleset = getattr(module, "RULESET", None)
    if not isinstance(ruleset, Ruleset):
        raise TypeError(f"{module.__name__} has no `RULESET`; define it in its __init__.py")
    return ruleset
