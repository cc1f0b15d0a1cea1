#!/usr/bin/env python3
"""Prints the innermost tiles of the first dimension of all that files of records hold, without those that are left out because they divide nothing."""

import json
import re
import sys

for path in sys.argv[1:]:
    found = set()
    for line in open(path):
        sizes = re.findall(r"tile<nest = 0, dim = 0, size = (\d+)>", json.loads(line)["schedule"])
        found.add(int(sizes[-1]) if sizes else 48)
    print(f"{path}:", *sorted(found))
