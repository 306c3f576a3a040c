"""`python -m app` is `foretype`; so is the command, which begins here too.

Nothing is imported before Ctrl+C is minded: loading the commands takes a moment.
"""

import sys


def main() -> int:
    """Run the command and return its exit status."""
    try:
        from app.cli import main as run

        return run()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
