"""As if another schedule had taken half of the time of that for all sizes where seq is at most 10: a record of it, and that for all sizes, of records that a search has written.

usage: make-range-record.py RECORDS.jsonl > MADE.jsonl
"""

import json
import pathlib
import sys

records = [json.loads(line) for line in pathlib.Path(sys.argv[1]).read_text().splitlines()]
whole = next(record for record in records if record["level"] == "release" and "dims" not in record)
other = next(record["schedule"] for record in records if "error" not in record and record["schedule"] != whole["schedule"])
print(json.dumps({**whole, "format": 4, "dims": {"seq": [0, 10]}, "schedule": other, "costs": [1e-3] * 8, "default_costs": [2e-3] * 8}, separators=(",", ":")))
print(json.dumps(whole, separators=(",", ":")))
