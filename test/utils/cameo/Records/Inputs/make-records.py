"""Makes records of the schedules that `cameo tasks --schedule --json` prints, as if they had been measured: make-records.py TRIPLE < tasks.json"""

import json
import sys

for task in json.load(sys.stdin)["tasks"]:
    steps = ", ".join("#schedule." + step for step in task["schedule"]["steps"])
    record = {"format": 1, "task": task["key"], "name": task["name"], "flops": 1, "triple": sys.argv[1], "cpu": "some", "extensions": [], "threads": 1,
              "schedule": f"#schedule.steps<{steps}>", "level": "release", "costs": [1e-3], "round": 0, "seed": 0, "time": "2026-01-01T00:00:00Z",
              "proof": {"reference": "naive", "seed": 1, "max_abs": 0, "max_ulp": 0, "bound": 1}}
    print(json.dumps(record))
