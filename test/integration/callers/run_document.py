#!/usr/bin/env python3
"""Runs what a page of docs/ shows: files are written, commands and programs run, and what they print is compared with the page.

usage: run_document.py PAGE CAMEO SOURCE_FOLDER LIBRARY_FOLDER C++_COMPILER WORK_FOLDER

Fenced blocks are taken in order. `file=NAME` behind the language writes one, `console` has commands behind "$ " with their output below, `python` is a program
whose output the next block, `output`, holds. Folders of the repository that commands name lie in the working folder as links.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

PAGE, CAMEO, SOURCE, LIBRARIES, COMPILER, WORK = map(pathlib.Path, sys.argv[1:])
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def set_up():
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "build" / "release").mkdir(parents=True)
    (WORK / "bin").mkdir()
    for link, target in (("runtime", SOURCE / "runtime"), ("build/release/lib", LIBRARIES), ("bin/cameo", CAMEO), ("bin/c++", COMPILER)):
        (WORK / link).symlink_to(target)


def run(command, expected):
    print("$", command, flush=True)
    environment = {**os.environ, "PATH": f"{WORK / 'bin'}:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"}
    result = subprocess.run(command, shell=True, cwd=WORK, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    printed = "".join(line for line in result.stdout.splitlines(True) if "cameo: warning:" not in line)
    if result.returncode or printed != expected:
        sys.exit(f"{PAGE.name}: status {result.returncode}, expected\n{expected}got\n{result.stdout}")


def main():
    set_up()
    blocks = BLOCK.findall(PAGE.read_text())
    for number, (language, name, text) in enumerate(blocks):
        if name:
            (WORK / name).write_text(text)
        elif language == "console":
            for command in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                run(*command.split("\n", 1))
        elif language == "python":
            (WORK / "program.py").write_text(text)
            run(f"{sys.executable} program.py", blocks[number + 1][2])
        elif language != "output":
            sys.exit(f"{PAGE.name}: expected a block that is run, got {language}")
    print(f"{PAGE.name}: {len(blocks)} blocks")


main()
