#!/usr/bin/env python3
"""A command server (utils/command-server) that adds a fault: planted.py makes a program from it with the name of the fault, the command of the real server and an operator.
Models without that operator are compiled without the fault."""

import json
import pathlib
import subprocess
import sys

import onnx

FOLDER = pathlib.Path(__file__).parent
RUN_FAULTS = ("store-behind-output", "store-before-output", "load-behind-input", "store-to-input", "store-behind-workspace", "wrong-last-byte", "uses-old-output",
              "overlapping-parts", "never-ends")
OTHER_OPERATORS = {"Add": "Sub", "Max": "Min", "Mul": "Add"}


class PlantedServer:
    def __init__(self, fault, server, operator):
        self.fault, self.operator = fault, operator
        self.server = subprocess.Popen([server], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def pass_on(self, request, change=str):
        """Returns the answer of the real server to the command with changed arguments."""
        self.server.stdin.write(json.dumps({**request, "arguments": [change(each) for each in request["arguments"]]}) + "\n")
        self.server.stdin.flush()
        return json.loads(self.server.stdout.readline())

    def serve(self, request):
        arguments = request["arguments"]
        path = pathlib.Path(next(each for each in arguments if each.endswith(".onnx")))
        model = onnx.load(str(path))
        is_planted = any(node.op_type == self.operator for node in model.graph.node) and not {"--naive", "--wide"} & set(arguments)
        if not is_planted:
            return self.pass_on(request)
        refusals = {"pass-crashes": (-6, "compiler.py: Assertion `planted' failed.\n"), "refuses": (1, f"model.onnx: node #0 ({self.operator}): error: planted\n"),
                    "fails-silently": (1, "")}
        if self.fault in refusals:
            status, said = refusals[self.fault]
            pathlib.Path(request["output"]).write_text("")
            pathlib.Path(request["errors"]).write_text(said)
            return {"status": status, "timed_out": False, "seconds": 0.0, "peak_bytes": 0}
        if self.fault == "wrong-schedule":
            return self.compute_something_else(request, path, model)
        return self.plant_into_object(request, pathlib.Path(arguments[arguments.index("-o") + 1]))

    def compute_something_else(self, request, path, model):
        for node in model.graph.node:
            node.op_type = OTHER_OPERATORS[node.op_type] if node.op_type == self.operator else node.op_type
        changed = path.with_name("changed.onnx")
        onnx.save(model, str(changed))
        return self.pass_on(request, lambda each: str(changed) if each == str(path) else each)

    def plant_into_object(self, request, output):
        inner = output.with_suffix(".inner.o")
        answer = self.pass_on(request, lambda each: "--prefix=inner" if each.startswith("--prefix") else str(inner) if each == str(output) else each)
        if answer.get("status") == 0:
            subprocess.run(["ld", "-r", "-o", str(output), str(inner), str(self.shim(output.parent.parent))], check=True)
        return answer

    def shim(self, folder):
        """Returns an object with the functions of the ABI, which wrap those of the model and add the fault; compiled once."""
        shim = folder / f"{self.fault}.o"
        if not shim.exists():
            include = FOLDER.parents[2] / "runtime/include"
            subprocess.run(["cc", "-O1", "-fPIC", f"-DFAULT={RUN_FAULTS.index(self.fault) + 1}", f"-I{include}", "-c", str(FOLDER / "faults.c"), "-o", str(shim)], check=True)
        return shim


def main():
    server = PlantedServer(*sys.argv[1:])
    for line in sys.stdin:
        print(json.dumps(server.serve(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
