"""What these rules tell an opponent. It stands on the chapters."""

from sandtable.rulesets.quickstart.tactics.opponent import tactics as tactics
