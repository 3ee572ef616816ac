"""Files written whole or not at all, and files that are read: nothing but regular ones.

What is written goes into a file beside, onto the disk, and only then takes the name: whatever stops the machine leaves
the old file or the new one. Devices, pipes and sockets are neither replaced nor read from: they are no files.
"""

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path


class NotWritten(Exception):
    """A file was not written, and what was there before is there still: which, why, and what to do."""


def is_regular(path: Path) -> bool:
    """Whether a path is a regular file, or leads to one by links.

    >>> is_regular(Path(os.devnull)), is_regular(Path(__file__))
    (False, True)
    """
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole, or not at all; when this returns it is on the disk. A link is followed, not replaced."""
    target = Path(os.path.realpath(path))
    if target.exists() and not is_regular(target):
        raise NotWritten(f"{path}: that is no regular file and is not written to; name another one")
    beside = ""
    try:
        # Created with the rights of a new file, or those of the one that is replaced.
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_mask()
        number, beside = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".part", dir=target.parent)
        with open(number, "wb") as file:
            os.chmod(beside, mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
        _sync_folder(target.parent)
    except OSError as problem:
        if beside:
            with suppress(OSError):
                os.unlink(beside)
        why = problem.strerror or type(problem).__name__
        raise NotWritten(f"{path}: it could not be written ({why}); make room or name another file") from None


def _mask() -> int:
    """The rights that new files of this process do not have."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _sync_folder(folder: Path) -> None:
    """See that a new name in a folder is on the disk too, where a folder can be opened."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
