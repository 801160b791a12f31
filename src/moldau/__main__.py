"""`python -m moldau` is the `moldau` command."""

import sys

from moldau.tools.main import main

if __name__ == "__main__":
    sys.exit(main())
