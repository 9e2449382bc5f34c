"""The program ``saydo``, as ``python -m saydo`` and as the command in the wheel."""

from __future__ import annotations

import signal
import sys


def main() -> int:
    """Runs the program with this process's arguments; gives its exit code."""
    from . import _saydo

    if sys.argv[1:2] == ["export"] and sys.argv[2:3] in (["lm-eval"], ["inspect"]):
        # Tasks of other harnesses are Python, so this package writes them.
        from .export import main as export

        return export(sys.argv[2:])
    # The program listens for Ctrl-C itself, and a closed pipe is its own affair too.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _saydo.main(["saydo", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
