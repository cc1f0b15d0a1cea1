"""Tables of measurements, on the screen and in files of utils/bench/results that say where, when and of which commit they are."""

import datetime
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = pathlib.Path(__file__).resolve().parent / "results"


def capture(*command):
    """Returns the status, output and errors of a command. If it cannot be started, the status is 127, as in a shell."""
    try:
        result = subprocess.run(list(map(str, command)), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        return 127, "", str(error)
    return result.returncode, result.stdout, result.stderr.strip()


class Table:
    """A table whose rows are printed in columns as they are added, and kept for the file."""

    def __init__(self, head, width):
        self.head, self.rows = head, []
        self.widths = [width] + [len(each) for each in head[1:]]
        self.show(head)

    def show(self, cells):
        first, *rest = [f"{cell:{'<' if i == 0 else '>'}{width}}" for i, (cell, width) in enumerate(zip(cells, self.widths))]
        print("  ".join([first, *rest]), flush=True)

    def add(self, cells):
        self.rows.append(cells)
        self.show(cells)

    def markdown(self):
        lines = ["| " + " | ".join(cells) + " |" for cells in [self.head, *self.rows]]
        return "\n".join([lines[0], "|---" + "|---:" * (len(self.head) - 1) + "|", *lines[1:]])


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith(("model name", "Model")):
            return line.partition(":")[2].strip()
    return platform.machine()


def commit():
    status, output, _ = capture("git", "-C", ROOT, "rev-parse", "--short=12", "HEAD")
    if status:
        return "unknown"
    return output.strip() + (" with local changes" if capture("git", "-C", ROOT, "status", "--porcelain", "-uno")[1] else "")


def repeatable_command():
    """Returns the arguments without paths of this machine."""
    kept, rest = [], list(sys.argv[1:])
    while rest:
        argument = rest.pop(0)
        if argument in ("--models", "--records", "--cameo", "--build"):
            rest.pop(0)
        elif not argument.startswith(("--models=", "--records=", "--cameo=", "--build=")):
            kept.append(argument)
    return " ".join(kept)


def save(table, stem, title, cameo, facts):
    """Writes results/DATE-COMMIT-STEM.md. `facts` are further lines beside those about machine and commit."""
    now = datetime.datetime.now(datetime.timezone.utc)
    revision = commit()
    version = capture(cameo, "--version")[1].strip()
    path = RESULTS / f"{now:%Y-%m-%d}-{revision.split()[0]}-{stem}.md"
    lines = [f"# {title}, {now:%Y-%m-%d}", "",
             f"- machine: {processor()}, {len(os.sched_getaffinity(0))} CPUs, {platform.system()} {platform.release()}",
             f"- commit: {revision}; {version}", *[f"- {fact}" for fact in facts],
             f"- made by: `utils/bench/{pathlib.Path(sys.argv[0]).name} {repeatable_command()}`",
             f"- load before: {os.getloadavg()[0]:.1f}", ""]
    RESULTS.mkdir(exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=RESULTS, delete=False) as aside:
        aside.write("\n".join(lines) + "\n" + table.markdown() + "\n")
    os.chmod(aside.name, 0o644)
    os.replace(aside.name, path)
    print(f"written to {path}")
