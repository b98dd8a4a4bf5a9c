"""Writes the programs of a chapter to files: programs_of.py CHAPTER FOLDER."""

import re
import sys
from pathlib import Path

chapter, folder = map(Path, sys.argv[1:])
programs = re.findall(r"^```(c|cpp)\n(.*?)^```$", chapter.read_text(), re.S | re.M)
for number, (language, text) in enumerate(programs):
    (folder / f"chapter-{number}.{language}").write_text(text)
if len(programs) < 5:
    sys.exit(f"{chapter} has {len(programs)} programs, must have at least 5")
