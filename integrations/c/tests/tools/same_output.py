"""Compares what two programs print: same_output.py COMMAND COMMAND. Numbers must be equal to the last bit, however they are written."""

import re
import subprocess
import sys


def printed(command):
    text = subprocess.run([command], check=True, capture_output=True, text=True).stdout
    number = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
    return number.sub("#", text), [float(found) for found in number.findall(text)]


one, other = map(printed, sys.argv[1:])
if one != other or not one[1]:
    sys.exit(f"{sys.argv[1]} and {sys.argv[2]} print different things: {one} and {other}")
