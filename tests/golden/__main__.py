"""`python -m tests.golden [RULESET…]`: make golden battles anew; the version goes up, and the commit says why."""

import sys

from sandtable.engine.records.journal import Journal
from tests.golden import GOLDENS, file_of, made, shows
from tests.old_journals import keep

wanted = sys.argv[1:]
for golden in [one for one in GOLDENS if not wanted or one.ruleset in wanted]:
    journal = made(golden)
    file = file_of(golden)
    file.parent.mkdir(exist_ok=True)
    if file.exists() and Journal.load(file).header != journal.header:
        keep(file)
    journal.save(file)
    size = f"{len(journal.events())} events, {file.stat().st_size // 1024 + 1} kB"
    print(f"{golden.name}: seed {journal.header.seed}, {size}: {', '.join(shows(journal))}", flush=True)
