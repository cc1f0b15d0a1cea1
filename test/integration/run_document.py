#!/usr/bin/env python3
"""Runs what a page of the documentation shows: files are written, commands and programs run, and what they print is compared with the page.

Fenced blocks are taken in order. `file=NAME` behind the language writes one, `console` has commands behind "$ " with their output below, `python` is a program
whose output the next block, `output`, holds. In an output, "..." stands for any text. A command that begins with "! " is to fail.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def set_up(arguments):
    if not arguments.keep:
        shutil.rmtree(arguments.work, ignore_errors=True)
    for link in arguments.link:
        name, target = link.split("=", 1)
        path = arguments.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.symlink_to(target)


def run(command, expected, arguments):
    print("$", command, flush=True)
    environment = {**os.environ, "PATH": f"{arguments.work / 'bin'}:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"}
    environment.update(each.split("=", 1) for each in arguments.set)
    result = subprocess.run(command, shell=True, cwd=arguments.work, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    printed = "".join(line for line in result.stdout.splitlines(True) if "cameo: warning:" not in line)
    pattern = ".*".join(map(re.escape, expected.split("...")))
    if result.returncode or not re.fullmatch(pattern, printed, re.DOTALL):
        sys.exit(f"{arguments.page.name}: status {result.returncode}, expected\n{expected}got\n{result.stdout}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path, help="folder that commands run in; its folder bin is the first of PATH")
    parser.add_argument("--link", action="append", default=[], metavar="NAME=TARGET", help="a link in that folder, made before")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a variable of the environment")
    parser.add_argument("--keep", action="store_true", help="keep what is in the folder")
    arguments = parser.parse_args()
    set_up(arguments)
    blocks = BLOCK.findall(arguments.page.read_text())
    for number, (language, name, text) in enumerate(blocks):
        if name:
            (arguments.work / name).write_text(text)
        elif language == "console":
            for command in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                run(*command.split("\n", 1), arguments)
        elif language == "python":
            (arguments.work / "program.py").write_text(text)
            run(f"{sys.executable} program.py", blocks[number + 1][2], arguments)
        elif language != "output":
            sys.exit(f"{arguments.page.name}: expected a block that is run, got {language}")
    print(f"{arguments.page.name}: {len(blocks)} blocks")


if __name__ == "__main__":
    main()
