"""`python -m app` is `foretype`; so is the command, which begins here too.

Nothing is imported before Ctrl+C is minded: loading the commands takes a moment.
"""

import sys


def main() -> int:
    """Run the command and return its exit status."""
    try:
        from app.frozen import AS_PYTHON, is_frozen, run_module

        if is_frozen() and sys.argv[1:3] == AS_PYTHON:
            return run_module(sys.argv[1:])
        from app.cli import main as run

        return run()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
