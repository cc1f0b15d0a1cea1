#!/usr/bin/env python3
"""Runs the commands of a document in their order, and looks for what it says that they print.

usage: run_document.py DOCUMENT PREFIX WORK_FOLDER

Commands are lines that begin with four blanks and '$ '; the lines of four blanks below one are in what it prints. A '!' in front of a command is the
shell's: it is to fail. The programs are those of PREFIX/bin.
"""

import os
import pathlib
import subprocess
import sys


def read_commands(document):
    """Pairs of a command and the lines shown below it."""
    commands = []
    for line in document.read_text().splitlines():
        if line.startswith("    $ "):
            commands.append((line[6:], []))
        elif line.startswith("    ") and commands:
            commands[-1][1].append(line.strip())
    return commands


def main():
    document, prefix, work = map(pathlib.Path, sys.argv[1:])
    environment = {**os.environ, "PATH": f"{prefix / 'bin'}:{os.environ['PATH']}", "Cameo_DIR": str(prefix / "lib/cmake/Cameo")}
    commands = read_commands(document)
    for command, shown in commands:
        result = subprocess.run(command, shell=True, cwd=work, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if result.returncode != 0:
            sys.exit(f"{command}: exit status {result.returncode}\n{result.stdout}")
        for line in shown:
            if line not in result.stdout:
                sys.exit(f"{command}: expected '{line}' in\n{result.stdout}")
    print(f"{len(commands)} commands of {document.name}")


if __name__ == "__main__":
    main()
