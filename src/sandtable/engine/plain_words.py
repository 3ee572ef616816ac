"""Words that somebody else wrote: whether they are plain, and how they are printed where they are not.

A terminal takes some characters for orders (to move, to colour, to answer), and some turn the letters around them
about. Names are read without them; what is printed all the same shows them as escapes.
"""

import re

#: C0 and C1 controls, what turns the direction of writing, separators of lines, what joins nothing, lone surrogates.
_ODD = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
#: The same for a text of several lines, whose ends and tabs are meant.
_ODD_IN_TEXT = re.compile(_ODD.pattern.replace("\x00-\x1f", "\x00-\x08\x0b-\x1f"))


def is_plain(text: str) -> bool:
    """Whether a name holds nothing that is not seen as itself.

    >>> is_plain("Żółw 3"), is_plain("a\\x1b[2J"), is_plain("a\\u202eb"), is_plain("two\\nlines")
    (True, False, False, False)
    """
    return _ODD.search(text) is None


def printed(text: str) -> str:
    """A text as it may be shown in a terminal: whatever is not plain stands as an escape, ends of lines stay.

    >>> printed("A\\x1b[2J")
    'A\\\\x1b[2J'
    """
    return _ODD_IN_TEXT.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
