"""What 'cameo size' says of a model for several processors agrees with what it says of the object, and weights are shared: compare-variants.py MODEL.json OBJECT.json."""

import json
import pathlib
import sys

model, of_object = (json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:])
for each in ("text", "code", "constants", "weights"):
    assert model[each] == of_object[each], (each, model[each], of_object[each])
for ours, theirs in zip(model["processors"], of_object["processors"], strict=True):
    assert (ours["cpu"], ours["code"]) == (theirs["cpu"], theirs["code"]), (ours["cpu"], theirs["cpu"])
    assert {task["name"]: task["code"] for task in ours["tasks"]} == {task["name"]: task["code"] for task in theirs["tasks"]}
each = [processor["weights"] for processor in model["processors"]]
assert max(each) <= model["weights"] < sum(each), (each, model["weights"])
assert sum(processor["code"] for processor in model["processors"]) < model["code"]
