"""A request that cannot be served."""


class Unlawful(Exception):
    """A request that cannot be served: why, for a program, and one sentence."""

    def __init__(self, why: str, words: str, status: int = 400) -> None:
        self.why, self.words, self.status = why, words, status
        super().__init__(words)
