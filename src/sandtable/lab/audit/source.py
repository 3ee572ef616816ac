"""What can be read off the source of a ruleset: which of its lines could make two battles of one journal differ.

It reads; it does not run anything. Where a line is right all the same, a comment says so, with a reason:
`# audit: a ratio for the eye, nothing is decided by it`.
"""

import ast
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from sandtable.lab.audit.finding import Finding
from sandtable.lab.audit.sets import set_order

#: Modules that no rule has any business with, by what they bring.
FORBIDDEN_MODULES = {
    **dict.fromkeys(("time", "datetime", "calendar", "zoneinfo", "sched"), "a clock"),
    **dict.fromkeys(("random", "secrets", "uuid"), "dice that are not the battle's"),
    **dict.fromkeys(("os", "sys", "platform", "locale", "getpass", "subprocess", "shutil", "tempfile"), "the machine"),
    **dict.fromkeys(("socket", "ssl", "http", "urllib", "asyncio", "select", "smtplib"), "a socket"),
    **dict.fromkeys(("io", "glob", "pickle", "shelve", "sqlite3", "csv", "mmap", "fileinput"), "files"),
    **dict.fromkeys(
        ("threading", "multiprocessing", "concurrent", "queue", "signal", "gc", "weakref"), "other threads"
    ),
    **dict.fromkeys(("cmath", "statistics", "decimal", "numpy", "shapely"), "arithmetic that is not exact"),
}
#: Calls that no rule has any business with.
FORBIDDEN_CALLS = {
    "open": "it opens a file",
    "input": "it asks whoever sits at the keyboard",
    "hash": "hashes differ from one process to the next",
    "id": "where something lies in memory differs from one process to the next",
    "eval": "nobody can read what it does",
    "exec": "nobody can read what it does",
    "__import__": "nobody can read what it brings",
    "float": "a float decides",
    "globals": "it reaches for what is global",
    "vars": "it reaches for what is global",
}
FORBIDDEN_METHODS = {
    **dict.fromkeys(("read_text", "read_bytes", "write_text", "write_bytes", "unlink", "iterdir"), "it touches a file"),
    **dict.fromkeys(("as_integer_ratio", "fromhex", "hypot", "sqrt"), "a float decides"),
    "__dict__": "it reaches behind what is written",
}
#: What of `math` is exact.
EXACT = ("isqrt", "gcd", "lcm", "comb", "perm", "factorial", "prod")
WRITES = (
    *("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse"),
    *("add", "discard", "update", "setdefault", "popitem", "difference_update", "intersection_update"),
    *("symmetric_difference_update", "appendleft", "extendleft", "popleft", "rotate", "subtract"),
)
MUTABLE_CALLS = ("list", "dict", "set", "defaultdict", "Counter", "deque", "OrderedDict", "bytearray")
ALLOWED = re.compile(r"#\s*audit:\s*\S+")


def audit_source(where: str | ModuleType | Path) -> list[Finding]:
    """Everything in a ruleset's modules that could make a battle differ from its journal.

    `where` is a module, a package (all its modules are read), the name of one, or a path.

    >>> audit_source("sandtable.engine.explain")
    []
    """
    found: list[Finding] = []
    for path in _files(where):
        text = path.read_text(encoding="utf-8")
        allowed = [n for n, line in enumerate(text.splitlines(), 1) if ALLOWED.search(line)]
        tree = ast.parse(text, str(path))
        every = [*_imports(tree), *_calls(tree), *_floats(tree), *_globals(tree), *set_order(tree)]
        found += [Finding(str(path), line, why) for line, why in sorted(dict.fromkeys(every)) if line not in allowed]
    return found


def _files(where: str | ModuleType | Path) -> list[Path]:
    if isinstance(where, Path):
        return sorted(where.rglob("*.py")) if where.is_dir() else [where]
    name = where if isinstance(where, str) else where.__name__
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"there is no module {name} to audit")
    if spec.submodule_search_locations:
        return sorted(path for place in spec.submodule_search_locations for path in Path(place).rglob("*.py"))
    return [Path(spec.origin)]


Places = Iterator[tuple[int, str]]


def _imports(tree: ast.Module) -> Places:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _imported(node.lineno, alias.name)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            if node.module == "math":
                for alias in node.names:
                    if alias.name not in EXACT:
                        yield node.lineno, f"math.{alias.name} works with floats"
            else:
                yield from _imported(node.lineno, node.module)


def _imported(line: int, module: str) -> Places:
    top = module.partition(".")[0]
    if top in FORBIDDEN_MODULES:
        yield line, f"it imports {module}: {FORBIDDEN_MODULES[top]}"


def _calls(tree: ast.Module) -> Places:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            if node.attr in FORBIDDEN_METHODS:
                yield node.lineno, f"{node.attr}: {FORBIDDEN_METHODS[node.attr]}"
            elif isinstance(node.value, ast.Name) and node.value.id == "math" and node.attr not in EXACT:
                yield node.lineno, f"math.{node.attr} works with floats"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS:
            yield node.lineno, f"{node.func.id}(): {FORBIDDEN_CALLS[node.func.id]}"
        elif isinstance(node, ast.keyword) and isinstance(node.value, ast.Name) and node.arg == "key":
            if node.value.id in FORBIDDEN_CALLS:
                yield node.value.lineno, f"{node.value.id}: {FORBIDDEN_CALLS[node.value.id]}"


# Floats -------------------------------------------------------------------------------------------------------------


def _floats(tree: ast.Module) -> Places:
    shown = [part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)]
    only_shown = {id(part): None for part in shown}  # what stands in a text decides nothing
    for node in ast.walk(tree):
        if id(node) in only_shown:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            yield node.lineno, f"{node.value!r} is a float"
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div) and not _is_path(node):
            yield node.lineno, "/ gives a float; use // or sandtable.field.directions.rounded"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "round":
            yield node.lineno, "round() is for floats; use sandtable.field.directions.rounded"
        elif isinstance(node, ast.Name) and node.id == "float":
            yield node.lineno, "float: a float decides"


def _is_path(node: ast.BinOp | ast.AugAssign) -> bool:
    """Whether a division is none: a place in a folder."""
    parts = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.value,)
    return any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in parts)


# Globals ------------------------------------------------------------------------------------------------------------


def _globals(tree: ast.Module) -> Places:
    shared = _shared_names(tree)
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        local = _local_names(function)
        for default in (*function.args.defaults, *function.args.kw_defaults):
            if default is not None and _is_mutable(default):
                yield default.lineno, "a default that is shared between calls"
        body = function.body if isinstance(function.body, list) else [function.body]
        for node in (inner for statement in body for inner in ast.walk(statement)):
            if isinstance(node, ast.Global):
                yield node.lineno, f"it writes what is global: {', '.join(node.names)}"
            for target in _written(node):
                name = _root(target)
                if name is not None and name not in local and name in shared:
                    yield target.lineno, f"it changes {name}, which outlives the battle"
    yield from _kept_by_rulesets(tree)


def _shared_names(tree: ast.Module) -> dict[str, None]:
    """Names of the module itself: what it assigns, its classes, its functions, its imports."""
    names: dict[str, None] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            names.update(
                (name.id, None) for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)
            )
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names[node.target.id] = None
        elif isinstance(node, ast.ClassDef | ast.FunctionDef):
            names[node.name] = None
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names.update(((alias.asname or alias.name).partition(".")[0], None) for alias in node.names)
    return names


def _local_names(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> dict[str, None]:
    """Names that a function gives a meaning of its own."""
    arguments = function.args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
    names = {argument.arg: None for argument in every if argument is not None}
    declared = [name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names]
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id not in declared:
            names[node.id] = None
        elif isinstance(node, ast.arg):
            names[node.arg] = None
    return names


def _written(node: ast.AST) -> Iterator[ast.expr]:
    """What a statement changes in place: an attribute, an entry, or a collection by one of its methods."""
    if isinstance(node, ast.Assign):
        yield from (target for target in node.targets if isinstance(target, ast.Attribute | ast.Subscript))
    elif isinstance(node, ast.AugAssign | ast.AnnAssign) and isinstance(node.target, ast.Attribute | ast.Subscript):
        yield node.target
    elif isinstance(node, ast.Delete):
        yield from (target for target in node.targets if isinstance(target, ast.Attribute | ast.Subscript))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITES:
        yield node.func.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("setattr", "delattr"):
        yield from node.args[:1]


def _root(target: ast.expr) -> str | None:
    """The name that something written to begins with."""
    while isinstance(target, ast.Attribute | ast.Subscript):
        target = target.value
    if isinstance(target, ast.Call) and isinstance(target.func, ast.Name) and target.func.id == "type":
        return None
    return target.id if isinstance(target, ast.Name) else None


def _is_mutable(value: ast.expr) -> bool:
    if isinstance(value, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp):
        return True
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in MUTABLE_CALLS


def _kept_by_rulesets(tree: ast.Module) -> Places:
    """A ruleset plays many battles: what it keeps in itself or its class outlives each of them."""
    for kind in ast.walk(tree):
        if not (isinstance(kind, ast.ClassDef) and _is_ruleset(kind)):
            continue
        for method in kind.body:
            if not isinstance(method, ast.FunctionDef) or method.name == "__init__":
                continue
            for node in ast.walk(method):
                for target in _written(node):
                    if _root(target) in ("self", "cls"):
                        yield target.lineno, f"{kind.name} keeps something of its own, which outlives the battle"
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "object.__setattr__":
                    yield node.lineno, f"{kind.name} keeps something of its own, which outlives the battle"


def _is_ruleset(kind: ast.ClassDef) -> bool:
    methods = [method.name for method in kind.body if isinstance(method, ast.FunctionDef)]
    return (
        "procedure" in methods or "carry_out" in methods or any("Ruleset" in ast.unparse(base) for base in kind.bases)
    )
