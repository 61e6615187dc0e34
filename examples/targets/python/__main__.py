"""Starts the server in its virtual environment: `python3 examples/targets/python`."""

import os
import sys

from prepare import HERE, prepared

python = str(prepared())
os.execv(python, [python, str(HERE / "serve.py"), *sys.argv[1:]])
