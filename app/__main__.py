"""`python -m app` is `foretype`."""

import sys

from app.cli import main

sys.exit(main())
