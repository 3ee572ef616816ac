"""Where the order of a set could decide something: it differs from one process to the next.

What is a set is told by how it is made (`{...}`, `set()`, unions and differences, views of keys combined) and by what
names are annotated as. Asking a set what it holds, how large it is, or sorting it without a key is fine.
"""

import ast
from collections.abc import Iterator

MAKERS = ("set", "frozenset")
COMBINING = ("union", "intersection", "difference", "symmetric_difference", "copy")
#: Calls that come to the same whatever the order, as long as they have no key.
ORDERLESS = ("any", "all", "sum", "len", "set", "frozenset", "sorted", "min", "max", "Counter")
#: Calls that keep the order of what they are given.
ORDERED = ("list", "tuple", "iter", "enumerate", "zip", "map", "filter", "reversed", "dict", "next", "str", "repr")


def set_order(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Lines at which the order of a set comes into play."""
    outer = _Names(tree.body, {})
    yield from outer.found(tree.body)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names = dict(outer.sets)
            every = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            names.update((argument.arg, _is_set_annotation(argument.annotation)) for argument in every)
            inner = _Names(node.body, names)
            yield from inner.found(node.body)


class _Names:
    """Which names of a function, or of a module outside its functions, hold sets."""

    def __init__(self, body: list[ast.stmt], known: dict[str, bool]) -> None:
        self.sets = dict(known)
        for node in _own_nodes(body):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        self.sets[target.id] = self.is_set(node.value) or self.sets.get(target.id, False)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                value = node.value is not None and self.is_set(node.value)
                self.sets[node.target.id] = _is_set_annotation(node.annotation) or value
            elif isinstance(node, ast.NamedExpr):
                self.sets[node.target.id] = self.is_set(node.value)

    def is_set(self, node: ast.expr) -> bool:
        """Whether an expression gives a set, as far as can be read off it."""
        match node:
            case ast.Set() | ast.SetComp():
                return True
            case ast.Name(id=name):
                return self.sets.get(name, False)
            case ast.Call(func=ast.Name(id=name)):
                return name in MAKERS
            case ast.Call(func=ast.Attribute(value=value, attr=attr)):
                return attr in COMBINING and self.is_set(value)
            case ast.BinOp(left=left, op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor(), right=right):
                return any(self.is_set(side) or _is_keys(side) for side in (left, right))
            case ast.IfExp(body=body, orelse=orelse):
                return self.is_set(body) or self.is_set(orelse)
            case _:
                return False

    def found(self, body: list[ast.stmt]) -> Iterator[tuple[int, str]]:
        """Lines of a body at which the order of a set decides."""
        nodes = list(_own_nodes(body))
        orderless = {id(argument): None for node in nodes for argument in _orderless(node)}
        for node in nodes:
            for expression, how in _ordered_uses(node):
                if id(node) not in orderless and self.is_set(expression):
                    yield expression.lineno, f"{how} the order of a set, which differs from one process to the next"


def _ordered_uses(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Expressions whose order a piece of code depends on."""
    match node:
        case ast.For(iter=source):
            yield source, "it goes through"
        case ast.ListComp(generators=generators) | ast.DictComp(generators=generators):
            yield from ((generator.iter, "it goes through") for generator in generators)
        case ast.GeneratorExp(generators=generators):
            yield from ((generator.iter, "it goes through") for generator in generators)
        case ast.Starred(value=source):
            yield source, "it spreads out"
        case ast.YieldFrom(value=source):
            yield source, "it gives out"
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in ORDERED:
            yield from ((argument, f"{name}() keeps") for argument in arguments)
        case ast.Call(func=ast.Name(id="sorted" | "min" | "max" as name), args=arguments, keywords=keywords):
            if any(keyword.arg == "key" for keyword in keywords):
                yield from ((argument, f"where two are alike, {name}() keeps") for argument in arguments)
        case ast.Call(func=ast.Attribute(value=value, attr="pop"), args=[]):
            yield value, "pop() takes by"
        case ast.Call(func=ast.Attribute(attr="join" | "extend" | "fromkeys" as name), args=arguments):
            yield from ((argument, f"{name}() keeps") for argument in arguments)
        case ast.Assign(targets=[ast.Tuple() | ast.List()], value=source):
            yield source, "it unpacks"
        case ast.FormattedValue(value=source):
            yield source, "it writes"
        case _:
            pass


def _orderless(node: ast.AST) -> list[ast.expr]:
    """Arguments of a call, or entries of a set, to which their order makes no difference."""
    if isinstance(node, ast.Set):
        return node.elts
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
        return []
    keyed = any(keyword.arg == "key" for keyword in node.keywords)
    return [] if node.func.id not in ORDERLESS or keyed else node.args


def _own_nodes(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The nodes of a body, without those of functions inside it."""
    waiting: list[ast.AST] = list(reversed(body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        yield node
        waiting.extend(reversed(list(ast.iter_child_nodes(node))))


def _is_keys(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("keys", "items")


def _is_set_annotation(annotation: ast.expr | None) -> bool:
    if annotation is None:
        return False
    words = ast.unparse(annotation)
    return words.strip("'\"").startswith(("set", "frozenset", "Set[", "AbstractSet", "MutableSet"))
