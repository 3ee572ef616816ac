"""How soon `sandtable --help` answers, beside an interpreter that does nothing, in the same run.

python benchmarks/command.py [--json]
"""

import json
import resource
import subprocess
import sys

RUNS = 7
#: The seconds promised for a help page.
PROMISED = 0.3
HELP = "import sandtable.cli; sandtable.cli.main(['--help'])"


def seconds(code: str) -> float:
    """The processor's time that a fresh interpreter takes for a line of code: the best of some runs."""
    return min(_once(code) for _ in range(RUNS))


def _once(code: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    bare, helped = seconds("pass"), seconds(HELP)
    if "--json" in sys.argv[1:]:
        print(json.dumps({"help": helped, "bare": bare, "ratio": round(helped / bare, 2)}))
        return
    kept = "kept" if helped < PROMISED else "NOT KEPT"
    print(f"sandtable --help: {helped:.3f} s of the processor; a bare interpreter {bare:.3f} s ({helped / bare:.1f}×)")
    print(f"promised: under {PROMISED} s: {kept}")


if __name__ == "__main__":
    main()
