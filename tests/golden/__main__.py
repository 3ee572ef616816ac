"""`python -m tests.golden`: make every golden battle anew. The ruleset's version goes up, and the commit says why."""

from tests.golden import GOLDENS, file_of, made, shows

for golden in GOLDENS:
    journal = made(golden)
    file = file_of(golden)
    file.parent.mkdir(exist_ok=True)
    journal.save(file)
    size = f"{len(journal.events())} events, {file.stat().st_size // 1024 + 1} kB"
    print(f"{golden.name}: seed {journal.header.seed}, {size}: {', '.join(shows(journal))}", flush=True)
