"""What the field may call of the kernel, for the type checker: the source speaks Cython's dialect."""

from array import array
from collections.abc import Iterable, Sequence

class Core:
    def __init__(
        self,
        points: Sequence[tuple[int, int]],
        filled: bool,
        twice: int,
        convex: bool,
        center: tuple[int, int],
    ) -> None: ...
    @property
    def points(self) -> tuple[tuple[int, int], ...]: ...
    @property
    def center(self) -> tuple[int, int]: ...
    @property
    def is_filled(self) -> bool: ...
    @property
    def is_simple(self) -> bool: ...
    @property
    def twice_radius(self) -> int: ...
    @property
    def box(self) -> tuple[int, int, int, int]: ...

class Scene:
    def __init__(self, cores: list[Core], pieces: int, levels: array[int], relations: array[int]) -> None: ...

def compiled() -> bool: ...
def placed(template: Core, x: int, y: int) -> Core: ...
def is_convex(points: Iterable[tuple[int, int]]) -> bool: ...
def gap(a: Core, b: Core) -> int: ...
def gap_floor(a: Core, b: Core) -> int: ...
def overlap(a: Core, b: Core) -> bool: ...
def within(a: Core, b: Core, distance: int) -> bool: ...
def holds(core: Core, x: int, y: int) -> bool: ...
def touches(core: Core, x: int, y: int) -> bool: ...
def crosses(core: Core, px: int, py: int, qx: int, qy: int) -> bool: ...
def covers(a: Core, b: Core) -> bool: ...
def join(a: Core, b: Core) -> tuple[int, int, int, int, int]: ...
def in_arc(dx: int, dy: int, facing: int, start: int, end: int, vectors: array[int]) -> bool: ...
def footing(
    scene: Scene,
    core: Core,
    x: int,
    y: int,
    near: int,
    inside: bytearray,
    close: bytearray,
    at: int,
) -> int: ...
def look(
    scene: Scene,
    mine: list[Core],
    facings: array[int],
    others: list[Core],
    other_facings: array[int],
    targets: int,
    arcs: array[int],
    arc_count: int,
    vectors: array[int],
    stride: int,
    gaps: array[int],
    squares: array[int],
    lines: array[int],
    in_mine: array[int],
    in_theirs: array[int],
    crossed: bytearray,
    heights: array[int],
) -> None: ...
def cross(
    scene: Scene,
    others: list[Core],
    px: int,
    py: int,
    qx: int,
    qy: int,
    crossed: bytearray,
    heights: array[int],
) -> None: ...
