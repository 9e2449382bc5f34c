"""The program ``saydo``, as ``python -m saydo`` and as the command in the wheel."""

from __future__ import annotations

import signal
import sys


def main() -> int:
    """Runs the program with this process's arguments; gives its exit code."""
    from . import _saydo

    # The program listens for Ctrl-C itself, and a closed pipe is its own affair too.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _saydo.main(["saydo", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
