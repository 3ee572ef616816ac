"""The words that rules can say, read off their source: names of checks, outcomes, labels of parts, windows, moments.

A case that expects something *not* to happen holds whatever it says if its words are misspelt, so the words must be
known. They stand all over a ruleset, as texts that end up in a field of an event (`Rolled.what`) or of a part of a
number (`ExplainedPart.label`). This follows them from there back to where they are written: through names, parameters
(to every call), fields (to every place that makes such an object), tables, choices and text with holes in it.

What cannot be followed is a hole, written `…`: the name of a weapon, a number. A word fits where it can be read so.
"""

import ast
import importlib.util
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import NamedTuple

from sandtable.forces.ledger import Ledger, Rule

#: Stands for what the source does not tell: a number, the name of a model.
HOLE = "…"

#: How far a text is followed, and how many texts may stand in one place.
FAR = 14
MANY = 400

#: Which step leads from a value to a part of it: a number, one of these, or a dot with the name of a field.
EACH, KEY, VALUE = "each", "key", "value"
#: And what a function gives when it is called.
CALLED = "called"
Way = tuple[int | str, ...]

#: Fields that name single things, models and weapons mostly: what stands there is for files to say.
_NAMES = ("id", "name", "kind", "label", "title", "card", "unit", "side", "call_signs")

#: Layers that know no rules: what their objects hold is for others to say, but for what explains a number.
_HOUSE = ("sandtable.engine", "sandtable.field", "sandtable.forces", "sandtable.telling")
_EXPLAINS = ("Explanation", "ExplainedPart", "Modifier")

#: What looks at one text and gives another.
_CHANGES: dict[str, Callable[..., str]] = {
    "lower": str.lower,
    "casefold": str.casefold,
    "upper": str.upper,
    "title": str.title,
    "capitalize": str.capitalize,
    "strip": str.strip,
    "replace": str.replace,
    "removesuffix": str.removesuffix,
    "removeprefix": str.removeprefix,
}
#: Calls that give the parts of their first argument again.
_THE_SAME = ("sorted", "list", "tuple", "reversed", "set", "frozenset", "iter", "dict", "MappingProxyType")
_ONE_OF = ("next", "min", "max")

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Scope(NamedTuple):
    """Where an expression stands: its module, and the functions around it, the innermost last."""

    module: str
    functions: tuple[Function, ...] = ()


class _Class(NamedTuple):
    scope: Scope
    node: ast.ClassDef


class Source:
    """The source of some modules, ready to be asked which texts may stand where."""

    def __init__(self, package: str, modules: Iterable[str], book: Ledger | None = None) -> None:
        self.package = package
        self.book = book
        self.imports: dict[tuple[str, str], tuple[str, str]] = {}
        self.globals: dict[tuple[str, str], list[tuple[ast.expr, Way]]] = {}
        self.functions: dict[str, list[tuple[Scope, Function]]] = {}
        self.classes: dict[str, list[_Class]] = {}
        self.calls: dict[str, list[tuple[Scope, ast.Call]]] = {}
        self.fields: dict[str, list[str]] = {}  # the name of a field → the classes that have it
        self.literals: set[str] = set()
        self._bound: dict[Function, dict[str, list[tuple[ast.expr, Way]]]] = {}
        self._known: dict[tuple[int, Way], frozenset[str]] = {}
        self._under_way: set[tuple[int, Way]] = set()
        self._cuts = 0
        house = package.partition(".")[0]
        waiting, read = list(modules), set[str]()
        while waiting:
            name = waiting.pop()
            if name not in read:
                read.add(name)
                waiting += [module for module in self._read(name) if module.partition(".")[0] in (house, "sandtable")]

    # Reading ---------------------------------------------------------------------------------------------------------

    def _read(self, module: str) -> list[str]:
        """Read a module; gives those it imports."""
        spec = importlib.util.find_spec(module)
        if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
            return []
        tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                named: dict[str, list[tuple[ast.expr, Way]]] = {}
                for target in node.targets if isinstance(node, ast.Assign) else (node.target,):
                    _bind(named, target, node.value, ())
                for name, values in named.items():
                    self.globals.setdefault((module, name), []).extend(values)
        self._walk(tree, Scope(module))
        return [source for (where, _), (source, _) in self.imports.items() if where == module]

    def _walk(self, node: ast.AST, scope: Scope) -> None:
        for child in ast.iter_child_nodes(node):
            inner = scope
            if isinstance(child, ast.ImportFrom):
                for alias in child.names:
                    self.imports[scope.module, alias.asname or alias.name] = (child.module or "", alias.name)
            elif isinstance(child, ast.ClassDef):
                self.classes.setdefault(child.name, []).append(_Class(scope, child))
                for field in _fields_in(child):
                    self.fields.setdefault(field, []).append(child.name)
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                self.functions.setdefault(child.name, []).append((scope, child))
                inner = Scope(scope.module, (*scope.functions, child))
            elif isinstance(child, ast.Call):
                self._note_call(child, scope)
            elif isinstance(child, ast.Constant) and isinstance(child.value, str):
                self.literals.add(child.value)
            elif isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                continue  # a docstring says nothing that a rule says
            self._walk(child, inner)

    def _note_call(self, call: ast.Call, scope: Scope) -> None:
        name = _called(call.func)
        if name == "partial" and call.args:  # a call with some of its arguments
            name = _called(call.args[0])
            call = ast.Call(call.args[0], call.args[1:], call.keywords)
        if name:
            self.calls.setdefault(name, []).append((scope, call))

    # Asking ----------------------------------------------------------------------------------------------------------

    def field(self, kind: str, name: str) -> frozenset[str]:
        """The texts that may stand in a field of the objects of a class, wherever one is made."""
        return frozenset(self._of_field(kind, name, (), 0) - {""})

    def argument(self, function: str, name: str) -> frozenset[str]:
        """The texts that a function may be given as an argument, wherever it is called."""
        return frozenset(text for found in self.functions.get(function, ()) for text in self._given(found[1], name))

    def _given(self, function: Function, name: str) -> Iterator[str]:
        yield from self._of_parameter(function, name, (), 0) or ()

    def _of_field(self, kind: str, name: str, way: Way, far: int) -> set[str]:
        found: set[str] = set()
        if _is_number(self._annotation(kind, name)):
            return {HOLE}
        order = self._field_names(kind)
        for scope, call in self.calls.get(kind, ()):
            value = _argument(call, name, order)
            if value is not None:
                found |= self._texts(value[0], scope, (*value[1], *way), far + 1)
        # What no call gives comes from a file, or is what it is by default.
        return (found or {HOLE}) | self._default(kind, name, way, far)

    def _default(self, kind: str, name: str, way: Way, far: int) -> set[str]:
        found: set[str] = set()
        for one in self.classes.get(kind, ()):
            for part in one.node.body:
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and part.target.id == name:
                    if part.value is not None:
                        found |= self._texts(part.value, one.scope, way, far + 1)
        return found

    def _annotation(self, kind: str, name: str) -> ast.expr | None:
        """What the field of a class is said to be."""
        for one in self.classes.get(kind, ()):
            for part in one.node.body:
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and part.target.id == name:
                    return part.annotation
                if isinstance(part, ast.FunctionDef) and part.name == name:
                    return part.returns
        return None

    def _field_names(self, kind: str) -> list[str]:
        """The fields of a class in the order of its arguments; what must be named comes after what need not."""
        names: list[str] = []
        for one in self.classes.get(kind, ()):
            bases = [base for base in map(_called, one.node.bases) if base not in ("", kind)]
            above = [name for base in bases for name in self._field_names(base)]
            by_name = any(self._by_name_only(_called(base)) for base in one.node.bases)
            own = [
                part.target.id
                for part in one.node.body
                if isinstance(part, ast.AnnAssign)
                and isinstance(part.target, ast.Name)
                and "ClassVar" not in ast.dump(part.annotation)
            ]
            names += [*own, *above] if by_name else [*above, *own]
        return names

    def _by_name_only(self, kind: str) -> bool:
        return any(word.arg == "kw_only" for one in self.classes.get(kind, ()) for word in one.node.keywords)

    def _texts(self, node: ast.expr, scope: Scope, way: Way = (), far: int = 0) -> frozenset[str]:
        """The texts that an expression, or the part of it that a way leads to, may be."""
        key = (id(node), way)
        if key in self._known:
            return self._known[key]
        if key in self._under_way or far > FAR:
            self._cuts += 1
            return frozenset()
        self._under_way.add(key)
        cuts = self._cuts
        found = frozenset(self._follow(node, scope, way, far))
        self._under_way.discard(key)
        if len(found) > MANY:
            found = frozenset({HOLE})
        if self._cuts == cuts or not far:  # what was cut short on the way here may be longer from elsewhere
            self._known[key] = found
        return found

    def _follow(self, node: ast.expr, scope: Scope, way: Way, far: int) -> Iterable[str]:
        match node:
            case ast.Constant(value=value):
                return {value} if isinstance(value, str) and not way else {HOLE} if isinstance(value, int) else ()
            case ast.JoinedStr() if not way:
                return self._joined([self._piece(part, scope, far) for part in node.values])
            case ast.BinOp(left=left, op=ast.Add(), right=right) if not way:
                return self._joined([self._texts(left, scope, (), far + 1), self._texts(right, scope, (), far + 1)])
            case ast.BinOp(left=left, op=ast.Add() | ast.BitOr(), right=right):
                return self._texts(left, scope, way, far + 1) | self._texts(right, scope, way, far + 1)
            case ast.IfExp(body=body, orelse=other):
                return self._texts(body, scope, way, far + 1) | self._texts(other, scope, way, far + 1)
            case ast.BoolOp(values=values):
                return {text for one in values for text in self._texts(one, scope, way, far + 1)}
            case ast.NamedExpr(value=value) | ast.Starred(value=value) | ast.Await(value=value):
                return self._texts(value, scope, way, far + 1)
            case ast.Tuple() | ast.List() | ast.Set() if way and not _is_field(way):
                return self._listed(node.elts, scope, way, far)
            case ast.Dict() if way and not _is_field(way):
                return self._tabled(node, scope, way, far)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() if way and not _is_field(way):
                return self._texts(node.elt, scope, way[1:], far + 1)
            case ast.DictComp() if way:
                return self._texts(node.value if way[0] == VALUE else node.key, scope, way[1:], far + 1)
            case ast.Subscript(value=value, slice=at):
                step = at.value if isinstance(at, ast.Constant) and isinstance(at.value, int | str) else VALUE
                return self._texts(value, scope, (step, *way), far + 1)
            case ast.Name(id=name):
                return self._named(name, scope, way, far)
            case ast.Attribute(value=value, attr=attr):
                return self._attribute(value, attr, scope, way, far)
            case ast.Call():
                return self._call(node, scope, way, far)
            case ast.Lambda(body=body) if way and way[0] == CALLED:
                return self._texts(body, scope, way[1:], far + 1)
        return {HOLE}

    def _piece(self, part: ast.expr, scope: Scope, far: int) -> frozenset[str]:
        if isinstance(part, ast.FormattedValue):
            return self._texts(part.value, scope, (), far + 1) - {""} or frozenset({HOLE})
        return self._texts(part, scope, (), far + 1)

    def _joined(self, pieces: Sequence[frozenset[str]]) -> set[str]:
        texts = {""}
        for piece in pieces:
            texts = {text + more for text in texts for more in (piece if len(piece) * len(texts) < MANY else {HOLE})}
        return {re.sub(f"{HOLE}+", HOLE, text) for text in texts}

    def _listed(self, parts: Sequence[ast.expr], scope: Scope, way: Way, far: int) -> Iterator[str]:
        step, rest = way[0], way[1:]
        at_all = [part for part in parts if isinstance(part, ast.Starred)]
        for n, part in enumerate(parts):
            if isinstance(part, ast.Starred):
                yield from self._texts(part.value, scope, (EACH, *rest), far + 1)
            elif not isinstance(step, int) or at_all or step in (n, n - len(parts)):
                yield from self._texts(part, scope, rest, far + 1)

    def _tabled(self, node: ast.Dict, scope: Scope, way: Way, far: int) -> Iterator[str]:
        step, rest = way[0], way[1:]
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                yield from self._texts(value, scope, way, far + 1)
            elif step in (EACH, KEY):
                yield from self._texts(key, scope, rest, far + 1)
            elif step == VALUE or not isinstance(key, ast.Constant) or key.value == step:
                yield from self._texts(value, scope, rest, far + 1)

    def _named(self, name: str, scope: Scope, way: Way, far: int) -> Iterable[str]:
        for depth in range(len(scope.functions), 0, -1):
            function = scope.functions[depth - 1]
            around = Scope(scope.module, scope.functions[:depth])
            found: set[str] = set()
            bound = self._bindings(function).get(name, [])
            for value, first in bound:
                found |= self._texts(value, around, (*first, *way), far + 1)
            given = self._of_parameter(function, name, way, far)
            if given is not None:
                found |= given
            if bound or given is not None:
                return found
        if way and way[0] == CALLED:
            functions = self._meant(ast.Name(name), scope.module)
            return {text for where, one in functions for text in self._returned(where, one, way[1:], far)} or {HOLE}
        return self._global(scope.module, name, way, far)

    def _global(self, module: str, name: str, way: Way, far: int) -> Iterable[str]:
        for _ in range(5):
            if (module, name) in self.globals:
                values = self.globals[module, name]
                return {text for one, to in values for text in self._texts(one, Scope(module), (*to, *way), far + 1)}
            if (module, name) not in self.imports:
                break
            module, name = self.imports[module, name]
        return {HOLE}

    def _of_parameter(self, function: Function, name: str, way: Way, far: int) -> set[str] | None:
        """What a function is given as a parameter, at every call; none where it has no such parameter."""
        arguments = function.args
        order = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
        if name not in order and name not in [one.arg for one in arguments.kwonlyargs]:
            return None
        said = {one.arg: one.annotation for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
        if _is_number(said[name]):
            return {HOLE}
        bare = [one for one in order if one not in ("self", "cls")]
        found: set[str] = set()
        for scope, call in self.calls.get(function.name, ()):
            if function not in [one for _, one in self._meant(call.func, scope.module)]:
                continue
            value = _argument(call, name, bare)
            if value is not None:
                found |= self._texts(value[0], scope, (*value[1], *way), far + 1)
        positional = dict(zip(reversed(order), reversed(arguments.defaults), strict=False))
        by_name = zip([one.arg for one in arguments.kwonlyargs], arguments.kw_defaults, strict=True)
        default = positional.get(name) or dict(by_name).get(name)
        if default is not None:
            scope = next((scope for scope, one in self.functions[function.name] if one is function), Scope(""))
            found |= self._texts(default, scope, way, far + 1)
        return found

    def _attribute(self, value: ast.expr, attr: str, scope: Scope, way: Way, far: int) -> Iterable[str]:
        if isinstance(value, ast.Name):
            module = ".".join(self.imports.get((scope.module, value.id), ("", "")))
            if (module, attr) in self.globals:
                return self._global(module, attr, way, far)
            for one in self.classes.get(value.id, ()):  # a choice of an enum
                for part in one.node.body:
                    if isinstance(part, ast.Assign) and any(_called(target) == attr for target in part.targets):
                        return self._texts(part.value, one.scope, way, far + 1)
        if attr == "value" and isinstance(value, ast.Attribute):
            return self._texts(value, scope, way, far + 1)
        found: set[str] = set()
        kind = self._kind_of(value, scope)
        if attr in _NAMES and not self._of_rules(kind):
            return {HOLE}
        if _is_number(self._annotation(kind, attr)) or (kind in _EXPLAINS and attr == "what"):
            return {HOLE}  # what is explained is said by too many for it to tell anything
        made = self._texts(value, scope, (f".{attr}", *way), far + 1)
        if made and HOLE not in made:
            return made
        if kind and attr in self._field_names(kind):
            return self._of_field(kind, attr, way, far) or {HOLE}
        for one_kind in dict.fromkeys(self.fields.get(attr, ())):
            if self._of_rules(one_kind, attr) or (one_kind in _EXPLAINS and attr != "what"):
                found |= self._of_field(one_kind, attr, way, far)
        own = [part for one in self.classes.get(kind, ()) for part in one.node.body]
        known = self.functions.get(attr, [])
        for where, function in [one for one in known if one[1] in own] or known:
            is_property = any(_called(one) in ("property", "cached_property") for one in function.decorator_list)
            if is_property and self._is_of_rules(where.module):
                found |= self._returned(where, function, way, far)
        return found or {HOLE}

    def _kind_of(self, node: ast.expr, scope: Scope) -> str:
        """The class of an object, where it is said: by the annotation of a parameter, or by the call that makes it."""
        if isinstance(node, ast.Call):
            if _called(node.func) in self.classes:
                return _called(node.func)
            kinds = {
                _class_of(one.returns) for _, one in self._meant(node.func, scope.module) if one.returns is not None
            }
            return kinds.pop() if len(kinds) == 1 else ""
        if isinstance(node, ast.Attribute):
            of = self._kind_of(node.value, scope)
            kinds = {
                _class_of(found)
                for one in ([of] if of else self.fields.get(node.attr, ()))
                if (found := self._annotation(one, node.attr)) is not None
            }
            return kinds.pop() if len(kinds) == 1 else ""
        if not isinstance(node, ast.Name):
            return ""
        for function in reversed(scope.functions):
            for one in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
                if one.arg == node.id and one.annotation is not None:
                    return _class_of(one.annotation)
            for value, way in self._bindings(function).get(node.id, ()):
                if not way and isinstance(value, ast.Call | ast.Attribute):
                    return self._kind_of(value, scope)
        return ""

    def _of_rules(self, kind: str, field: str = "") -> bool:
        """Whether a class is the ruleset's own; of several that are called alike, the one with a field."""
        return any(
            self._is_of_rules(one.scope.module)
            for one in self.classes.get(kind, ())
            if not field or field in _fields_in(one.node)
        )

    def _is_of_rules(self, module: str) -> bool:
        return module.startswith(self.package) or not module.startswith(_HOUSE)

    def _call(self, node: ast.Call, scope: Scope, way: Way, far: int) -> Iterable[str]:
        name = _called(node.func)
        first = node.args[0] if node.args else None
        if isinstance(node.func, ast.Attribute):
            of = node.func.value
            if name in ("text_at", "texts", "names", "counted") and (rule := self._rule(of, scope)) is not None:
                return self._of_ledger(rule, node, way)
            if name in _CHANGES and not way:
                return self._changed(name, self._texts(of, scope, (), far + 1), node.args)
            if name == "partition" and way == (0,):
                mark = first.value if isinstance(first, ast.Constant) else " "
                return {text.partition(str(mark))[0] for text in self._texts(of, scope, (), far + 1)}
            if name == "items" and len(way) > 1:
                return self._texts(of, scope, (KEY if way[1] == 0 else VALUE, *way[2:]), far + 1)
            if name in ("values", "keys") and way:
                return self._texts(of, scope, (VALUE if name == "values" else KEY, *way[1:]), far + 1)
            if name in ("get", "pop", "setdefault") and first is not None:
                step = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else VALUE
                found = set(self._texts(of, scope, (step, *way), far + 1))
                return found.union(*(self._texts(one, scope, way, far + 1) for one in node.args[1:]))
        if name == "str" and first is not None:
            return self._texts(first, scope, way, far + 1)
        if name in _THE_SAME and first is not None:
            return self._texts(first, scope, way, far + 1)
        if name == "fromkeys" and first is not None and way:
            return self._texts(first if way[0] != VALUE else node.args[-1], scope, (EACH, *way[1:]), far + 1)
        if name == "enumerate" and first is not None and len(way) > 1:
            return self._texts(first, scope, (EACH, *way[2:]), far + 1) if way[1] == 1 else {HOLE}
        if name == "zip" and len(way) > 1 and isinstance(way[1], int) and way[1] < len(node.args):
            return self._texts(node.args[way[1]], scope, (EACH, *way[2:]), far + 1)
        if name in _ONE_OF and first is not None:
            found = set(self._texts(first, scope, (EACH, *way), far + 1))
            return found.union(*(self._texts(one, scope, way, far + 1) for one in node.args[1:]))
        found = set()
        if isinstance(node.func, ast.Name) and self._is_local(name, scope):
            return self._named(name, scope, (CALLED, *way), far)
        for where, function in self._meant(node.func, scope.module):
            if isinstance(node.func, ast.Name) or self._is_of_rules(where.module):
                found |= self._returned(where, function, way, far)
        for kind in self.classes.get(name, ()) if way else ():
            found |= self._of_object(node, kind.node.name, scope, way, far)
        if name == "replace" and first is not None and _is_field(way):
            given = [word.value for word in node.keywords if f".{word.arg}" == way[0]]
            found |= (
                self._texts(given[0], scope, way[1:], far + 1) if given else self._texts(first, scope, way, far + 1)
            )
        return found or {HOLE}

    def _rule(self, node: ast.expr, scope: Scope) -> Rule | None:
        """The rule of the ledger that a name stands for."""
        if self.book is None or not isinstance(node, ast.Name):
            return None
        module, name = scope.module, node.id
        for _ in range(5):
            for value, way in self.globals.get((module, name), ()):
                if not way and isinstance(value, ast.Call) and _called(value.func) == "rule" and value.args:
                    said = value.args[0]
                    return self.book.rules.get(str(said.value)) if isinstance(said, ast.Constant) else None
            module, name = self.imports.get((module, name), (module, name))
        return None

    def _of_ledger(self, rule: Rule, node: ast.Call, way: Way) -> set[str]:
        """What the ledger says where a rule's text is read; where the path is not told, all that may be meant."""
        found = rule.node
        for step in node.args:
            below = found.child(str(step.value)) if isinstance(step, ast.Constant) else None
            if below is None:
                break
            found = below
        if _called(node.func) in ("names", "counted"):
            return set(found.value) if isinstance(found.value, dict) and way in ((EACH,), (KEY,)) else {HOLE}
        return {str(leaf.value) for _, leaf in found.leaves() if isinstance(leaf.value, str)} or {HOLE}

    def _is_local(self, name: str, scope: Scope) -> bool:
        """Whether a name is a parameter or a variable of the functions around."""
        return any(
            name in [one.arg for one in (*function.args.args, *function.args.kwonlyargs)]
            or name in self._bindings(function)
            for function in scope.functions
        )

    def _of_object(self, node: ast.Call, kind: str, scope: Scope, way: Way, far: int) -> AbstractSet[str]:
        """The texts of a field of an object that is made right here, by its name or its number."""
        order, step = self._field_names(kind), way[0]
        name = (
            str(step).removeprefix(".")
            if _is_field(way)
            else order[step]
            if isinstance(step, int) and step < len(order)
            else ""
        )
        if name not in order or _is_number(self._annotation(kind, name)):
            return {HOLE}
        value = _argument(node, name, order)
        if value is not None:
            return self._texts(value[0], scope, (*value[1], *way[1:]), far + 1)
        return self._default(kind, name, way[1:], far)

    def _meant(self, called: ast.expr, module: str) -> list[tuple[Scope, Function]]:
        """The functions that a call may mean: of those with the name the one that is imported or stands beside it."""
        name = _called(called)
        known = self.functions.get(name, [])
        if isinstance(called, ast.Name):
            source = module
            for _ in range(5):
                source, name = self.imports.get((source, name), (source, name))
            known = self.functions.get(name, [])
            return [one for one in known if one[0].module == source] or known
        if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
            source = ".".join(self.imports.get((module, called.value.id), ("", "")))
            beside = [one for one in known if one[0].module == source]
            if beside:
                return beside
        return [one for one in known if _is_method(one[1])] if isinstance(called, ast.Attribute) else known

    def _changed(self, name: str, texts: Iterable[str], arguments: Sequence[ast.expr]) -> set[str]:
        words = [one.value for one in arguments if isinstance(one, ast.Constant)]
        if len(words) != len(arguments):
            return {HOLE}
        return {text if text == HOLE else _CHANGES[name](text, *words) for text in texts}

    def _returned(self, scope: Scope, function: Function, way: Way, far: int) -> set[str]:
        if _is_number(function.returns):
            return {HOLE}
        found: set[str] = set()
        inside = Scope(scope.module, (*scope.functions, function))
        for node in _own_nodes(function):
            if isinstance(node, ast.Return) and node.value is not None:
                found |= self._texts(node.value, inside, way, far + 1)
            elif isinstance(node, ast.Yield) and node.value is not None and way and way[0] == EACH:
                found |= self._texts(node.value, inside, way[1:], far + 1)
            elif isinstance(node, ast.YieldFrom) and way and way[0] == EACH:
                found |= self._texts(node.value, inside, way, far + 1)
        return found

    def _bindings(self, function: Function) -> dict[str, list[tuple[ast.expr, Way]]]:
        """What the names of a function stand for: the expressions they are given, and the way to the part."""
        if function not in self._bound:
            found: dict[str, list[tuple[ast.expr, Way]]] = {}
            for node in _own_nodes(function):
                match node:
                    case ast.Assign(targets=targets, value=value):
                        for target in targets:
                            _bind(found, target, value, ())
                    case ast.AnnAssign(target=target, value=ast.expr() as value):
                        _bind(found, target, value, ())
                    case ast.AugAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
                        _bind(found, target, value, ())
                    case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                        _bind(found, target, value, (EACH,))
                    case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append" | "add"), args=[value]):
                        found.setdefault(name, []).append((ast.List([value]), ()))
                    case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="extend" | "update"), args=[value]):
                        found.setdefault(name, []).append((value, ()))
            self._bound[function] = found
        return self._bound[function]


def _own_nodes(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function without those of the functions in it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)


def _bind(found: dict[str, list[tuple[ast.expr, Way]]], target: ast.expr, value: ast.expr, way: Way) -> None:
    if isinstance(target, ast.Name):
        found.setdefault(target.id, []).append((value, way))
    elif isinstance(target, ast.Tuple | ast.List):
        for n, part in enumerate(target.elts):
            _bind(found, part, value, (*way, n))
    elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):  # table["word"] = …
        found.setdefault(target.value.id, []).append((ast.Dict([target.slice], [value]), way))


def _fields_in(node: ast.ClassDef) -> list[str]:
    """The fields that a class has beside those of the classes above it."""
    fields = [part.target for part in node.body if isinstance(part, ast.AnnAssign)]
    return [target.id for target in fields if isinstance(target, ast.Name)]


def _class_of(annotation: ast.expr) -> str:
    """The class that an annotation names; of `Check | None` it is `Check`."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return _class_of(ast.parse(annotation.value, mode="eval").body)
    if isinstance(annotation, ast.BinOp):
        return _class_of(annotation.left) or _class_of(annotation.right)
    return _called(annotation)


def _is_field(way: Way) -> bool:
    return bool(way) and str(way[0]).startswith(".")


def _is_method(function: Function) -> bool:
    """Whether a function is called on an object: `rule.inches(…)` is not the function `inches`."""
    arguments = (*function.args.posonlyargs, *function.args.args)
    return bool(arguments) and arguments[0].arg in ("self", "cls")


def _is_number(annotation: ast.expr | None) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id in ("int", "bool")


def _called(node: ast.AST) -> str:
    """The last word of a name: `rolls` of `dice.rolls`."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Subscript):
        return _called(node.value)
    return node.attr if isinstance(node, ast.Attribute) else ""


def _argument(call: ast.Call, name: str, order: Sequence[str]) -> tuple[ast.expr, Way] | None:
    """What a call gives for a name, by its word or its place; arguments that come as `*(…)` are counted in."""
    for word in call.keywords:
        if word.arg == name:
            return word.value, ()
    if name not in order:
        return None
    at = order.index(name)
    for given in call.args:
        if isinstance(given, ast.Starred):
            if isinstance(given.value, ast.Tuple):
                if at < len(given.value.elts):
                    return given.value.elts[at], ()
                at -= len(given.value.elts)
                continue
            return given.value, (at,)
        if at == 0:
            return given, ()
        at -= 1
    return None


# Which modules ----------------------------------------------------------------------------------------------------


_sources: dict[tuple[str, str], Source] = {}


def source_of(package: str, book: Ledger | None = None) -> Source:
    """The source of a ruleset's package, all of it, and of what it stands on, read once; `book` is its ledger."""
    key = (package, "" if book is None else book.system)
    if key not in _sources:
        spec = importlib.util.find_spec(package)
        assert spec is not None
        names: list[str] = []
        for folder in spec.submodule_search_locations or ():
            for path in sorted(Path(folder).rglob("*.py")):
                parts = path.relative_to(folder).with_suffix("").parts
                names.append(".".join((package, *(part for part in parts if part != "__init__"))))
        _sources[key] = Source(package, names or [package], book)
    return _sources[key]
