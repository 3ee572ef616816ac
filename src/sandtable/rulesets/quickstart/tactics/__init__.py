"""What these rules tell an opponent. It stands on the chapters."""

from sandtable.rulesets.quickstart.tactics.opponent import teacher as teacher
