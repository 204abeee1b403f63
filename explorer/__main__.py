"""``python -m explorer``: the command line."""

import sys

from explorer.cli.main import main

sys.exit(main())
