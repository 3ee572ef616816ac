"""Whether a ruleset plays by the rules of the house: no clock, no global, no set's order, no float, no file, no socket.

`audit_source` reads the modules of a ruleset; `audit_play` plays it in this process and in a fresh one, whose hashes
and clock differ, and looks for what is not the same. What one cannot see the other may: CI asks both of every ruleset.
"""

from sandtable.lab.audit.finding import Finding
from sandtable.lab.audit.play import Player, audit_play
from sandtable.lab.audit.source import audit_source

__all__ = ["Finding", "Player", "audit_play", "audit_source"]
