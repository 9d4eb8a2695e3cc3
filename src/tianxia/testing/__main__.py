"""The process that `tianxia.testing.check_interpreted` starts."""

import sys

from tianxia.testing import main

main(sys.argv[1:])
