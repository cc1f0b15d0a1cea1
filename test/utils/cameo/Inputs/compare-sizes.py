"""usage: compare-sizes.py MODEL.json OBJECT.json SECTIONS HEADER: 'cameo size' of a model without weights and of its object, 'llvm-size -A', the C header."""

import json
import sys

model, compiled = (json.load(open(path)) for path in sys.argv[1:3])
sections = {words[0]: int(words[1]) for words in map(str.split, open(sys.argv[3])) if len(words) == 3 and words[1].isdigit()}
loaded = {name: size for name, size in sections.items() if name.startswith((".text", ".rodata", ".data"))}
assert model["text"] == compiled["text"] == sum(loaded.values()), (model["text"], compiled["text"], loaded)
assert compiled["code"] == loaded[".text"] and model["constants"] == compiled["constants"]
assert {task["name"]: task["code"] for task in model["tasks"]} == {task["name"]: task["code"] for task in compiled["tasks"]}

arena = model["arena"]
assert f"WORKSPACE_BYTES {arena['bytes']}\n" in open(sys.argv[4]).read()
for number, step in enumerate(arena["steps"]):
    alive = [each for each in arena["buffers"] if each["first"] <= number <= each["last"]]
    assert step["alive"] == sum((each["bytes"] + 63) // 64 * 64 for each in alive), step
    places = sorted((each["offset"], each["offset"] + each["bytes"]) for each in alive)
    assert all(a[1] <= b[0] for a, b in zip(places, places[1:])), places
assert arena["steps"][arena["peak"]]["alive"] == arena["alive"] <= arena["bytes"]
