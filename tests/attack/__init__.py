"""An attack on everything that takes input, on this machine's loopback only: bounded, resumable, counted.

`make attack` calls `python -m tests.attack`. Each part does so many things and keeps its totals in a file; what is done
there is not done again. It stops at the first thing that is answered late, with a traceback, or untruly, and prints the
command that does it again.
"""
