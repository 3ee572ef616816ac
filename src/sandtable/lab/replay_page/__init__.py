"""A battle as one HTML file: the table, a timeline to scrub, the log with every roll explained, the rules behind it.

Made of the journal's events alone, so that an old battle can be watched without old code; words of rules come from a
ledger where one is at hand. Nothing is fetched, and the same journal gives the same bytes.
"""

from sandtable.lab.replay_page.document import replay_page

__all__ = ["replay_page"]
