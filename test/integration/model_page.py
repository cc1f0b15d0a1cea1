#!/usr/bin/env python3
"""Looks at the page of 'cameo report MODEL.onnx' in a browser: its scripts run without an error and draw what 'cameo tasks' and 'cameo size' say.

usage: model_page.py CAMEO ZOO WORK_FOLDER

Exits 77 (skipped) without Chromium or the onnx module.
"""

import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys

try:
    import onnx
    from onnx import TensorProto, helper
except ImportError:
    print("skipped: needs the onnx module")
    sys.exit(77)

CAMEO, ZOO, WORK = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

# A name with everything that could end something: an attribute, an element, a script, a comment, a line of JavaScript, a text in JSON.
HOSTILE = "</script><script>document.title='owned'</script><!--<img src=x onerror=\"document.title='owned'\">'\"\\u2028${1}&lt;"


class Elements(html.parser.HTMLParser):
    """Collects all elements of a page: name, attributes, and their own text."""

    def __init__(self, text):
        super().__init__()
        self.all, self.open = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.all.append((tag, dict(attributes), []))
        self.open.append(self.all[-1])

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if self.open:
            self.open[-1][2].append(data)

    def find(self, tag, *classes):
        return [each for each in self.all if each[0] == tag and set(classes) <= set((each[1].get("class") or "").split())]

    def text_of(self, identity):
        return next("".join(text) for _, attributes, text in self.all if attributes.get("id") == identity)


def look_at(page, fragment=""):
    """Returns the page after its scripts have run, and their console output."""
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--enable-logging=stderr", f"--user-data-dir={WORK / 'profile'}",
               "--virtual-time-budget=20000", "--dump-dom", f"file://{page.resolve()}{fragment}"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert result.returncode == 0, result.stderr
    return Elements(result.stdout), [line for line in result.stderr.splitlines() if ":CONSOLE" in line]


def make(model, *options):
    page = WORK / f"{pathlib.Path(model).stem}.html"
    subprocess.run([CAMEO, "report", str(model), "-o", str(page), *options], check=True)
    return page


def ask(command, model):
    return json.loads(subprocess.run([CAMEO, command, str(model), "--json"], check=True, capture_output=True, text=True).stdout)


def expect(what, got, expected):
    assert got == expected, f"{what}: got {got!r}, expected {expected!r}"


def check_page(model, word):
    tasks, arena = ask("tasks", model)["tasks"], ask("size", model)["arena"]
    texts = {task["name"]: task["name"] for task in tasks}
    for step in arena["steps"]:
        if step["task"] in texts:
            texts[step["task"]] += " " + step["nodes"]
    page = make(model)
    elements, console = look_at(page)
    expect("messages", console, [])
    expect("boxes of tasks", len([box for box in elements.find("g", "box") if "plain" not in box[1]["class"]]), sum(task["weight"] for task in tasks))
    expect("rows", len([row for row in elements.find("tr")]), 1 + len(tasks) + 1 + alive_at_peak(arena))
    expect("buffers", len(elements.find("rect", "buffer")), len(arena["buffers"]))
    assert len(elements.find("path", "edge")) >= len(tasks) - 1, "no edges"
    expect("dots", len(elements.find("circle", "task")), sum(task["flops"] > 0 for task in tasks))
    expect("dim without a search", elements.find("g", "dim"), [])

    found, console = look_at(page, f"#search={word}")
    expect("messages of a search", console, [])
    named = [task for task in tasks if word in texts[task["name"]].lower()]
    assert 0 < len(named) < len(tasks)
    expect("text of the search", found.text_of("found"), f"{len(named)} of {len(tasks)} tasks")
    bright = [box for box in found.find("g", "box") if "dim" not in box[1]["class"]]
    expect("boxes found", len(bright), sum(task["weight"] for task in named))
    expect("rows left out", len([row for row in found.find("tr") if "hidden" in row[1]]), len(tasks) - len(named))


def alive_at_peak(arena):
    return sum(buffer["first"] <= arena["peak"] <= buffer["last"] for buffer in arena["buffers"])


def check_measured():
    elements, console = look_at(make(ZOO / "mlp_tiny.onnx", "--measure", "--runs", "2"))
    expect("messages", console, [])
    assert any(re.fullmatch("[0-9.e-]+ [nµm]s", "".join(text)) for tag, _, text in elements.all if tag == "td"), "no measured time"
    assert re.search("[nµm]s \\(measured\\)", elements.text_of("summary")), elements.text_of("summary")


def check_sorting():
    """Checks that a click on a column sorts by it, and a second click reverses the order."""
    page = make(ZOO / "resnet18.onnx")
    names = sorted(task["name"] for task in ask("tasks", ZOO / "resnet18.onnx")["tasks"])
    for clicks, expected in ((1, names), (2, names[::-1])):
        clicked = WORK / "clicked.html"
        click = f"<script>for (let i = 0; i < {clicks}; ++i) document.querySelector('#tasks th').click();</script></body>"
        clicked.write_text(page.read_text().replace("</body>", click))
        elements, console = look_at(clicked)
        expect("messages", console, [])
        cells = [attributes["title"].split("\n")[0] for tag, attributes, _ in elements.all if tag == "td" and "title" in attributes]
        expect(f"names after {clicks} clicks", cells, expected)


def check_hostile():
    node = helper.make_node("Relu", [HOSTILE], ["y"], name=HOSTILE)
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [4])
    model = helper.make_model(helper.make_graph([node], "g", [value(HOSTILE)], [value("y")]), opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, WORK / "hostile.onnx")
    page = make(WORK / "hostile.onnx")
    elements, console = look_at(page)
    expect("messages", console, [])
    expect("title", "".join(elements.find("title")[0][2]), "hostile.onnx")
    expect("images", elements.find("img"), [])
    assert any(HOSTILE in "".join(text) for tag, _, text in elements.all if tag == "title"), "the name is not shown as it is"


def check_large():
    """Checks that a graph of thousands of tasks, wide and deep, is drawn."""
    count, width, nodes = 3000, 4, []
    last = ["x"] * width
    # Two operators that are not fused with each other, in parallel chains with occasional connections.
    for number in range(count):
        lane, other = number % width, last[(number * 7 + 1) % width]
        name = f"v{number}"
        nodes.append(helper.make_node("MatMul", [last[lane], other if number % 9 == 0 else last[lane]], [name], name=f"node{number}"))
        last[lane] = name
    nodes.append(helper.make_node("Sum", last, ["y"]))
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [8, 8])
    onnx.save(helper.make_model(helper.make_graph(nodes, "g", [value("x")], [value("y")]), opset_imports=[helper.make_opsetid("", 17)], ir_version=8), WORK / "large.onnx")
    elements, console = look_at(make(WORK / "large.onnx"))
    expect("messages", console, [])
    calls = sum(task["weight"] for task in ask("tasks", WORK / "large.onnx")["tasks"])
    assert calls > 0.9 * count, calls
    expect("boxes of tasks", len(elements.find("g", "box")) - len(elements.find("g", "plain")), calls)


def check_console():
    """Checks that errors of scripts would be noticed."""
    broken = WORK / "broken.html"
    broken.write_text("<script>nothing.there();</script>")
    assert look_at(broken)[1], "Chromium does not say which scripts fail"


def main():
    if not CHROMIUM:
        print("skipped: without Chromium nobody runs the page's scripts")
        sys.exit(77)
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    check_console()
    check_page(ZOO / "resnet18.onnx", "conv")
    check_page(ZOO / "bert_base.onnx", "softmax")
    check_measured()
    check_sorting()
    check_hostile()
    check_large()


main()
