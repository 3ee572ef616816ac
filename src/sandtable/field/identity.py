"""A key made of immutable values that are told apart by identity: for keeping what is computed from them.

Things and grounds never change; a changed one is another object. So what follows from some of them may be kept under
the objects themselves, without comparing what they hold. The key holds them, so none of their ids is used again.
"""


class Same:
    """Some objects, equal to another key exactly if they are the very same ones in the same order.

    >>> a, b = [1], [1]
    >>> Same(a, b) == Same(a, b), Same(a, b) == Same(b, a), a == b
    (True, False, True)
    """

    __slots__ = ("_hash", "objects")

    def __init__(self, *objects: object) -> None:
        self.objects = objects
        self._hash = hash(tuple(map(id, objects)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Same)
            and len(self.objects) == len(other.objects)
            and all(mine is theirs for mine, theirs in zip(self.objects, other.objects, strict=True))
        )
