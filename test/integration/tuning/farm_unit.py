#!/usr/bin/env python3
"""Checks the unit file with systemd: it is valid, its exposure level is low, cameo-farm accepts its command, also with the options of a machine's file, and the sandbox of candidates works without the permissions
that the unit drops.

usage: farm_unit.py CAMEO UNIT WORK_FOLDER
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from farm_server import PYTHON, Farm

WORKER = pathlib.Path(__file__).resolve().with_name("simulated_worker.py")
# Exposure level in tenths, at most 100: an unrestricted service has 96.
MOST_EXPOSED = 50
NOBODY = 65534


def check_by_systemd(farm, unit):
    if not shutil.which("systemd-analyze"):
        print("no systemd-analyze (Debian: systemd): only the unit's command is checked")
        return
    # The package with the program need not be installed.
    text = unit.read_text().replace("/usr/bin/cameo-farm", "/bin/true")
    installed = farm.work / unit.name.replace("@", "@key")
    installed.write_text(text)
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", installed], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr.strip(), done.stderr
    # systemd-analyze does report errors.
    installed.write_text(text.replace("Restart=always", "Restart=sometimes"))
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", installed], capture_output=True, text=True)
    assert "sometimes" in done.stderr, done
    installed.write_text(text)
    done = subprocess.run(["systemd-analyze", "security", "--offline=yes", f"--threshold={MOST_EXPOSED}", installed], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout.splitlines()[-1]
    print(done.stdout.strip().splitlines()[-1].lstrip("→ "))


class Service:
    """The command that systemd would run, with files of the test."""

    def __init__(self, farm, unit):
        self.farm, self.text = farm, unit.read_text()
        (self.command,) = re.findall(r"^ExecStart=(.*)$", self.text, re.MULTILINE)
        self.etc = farm.work / "etc"
        self.etc.mkdir(mode=0o755)
        for name, source in (("farm.url", farm.url), ("farm.trust", f"{farm.key}.pub")):
            shutil.copy(source, self.etc / name)
            (self.etc / name).chmod(0o644)
        (farm.work / "run").mkdir()
        (farm.work / "run").chmod(0o777)

    def words(self, options=""):
        places = {"%i": "test", "%d/url": str(self.etc / "farm.url"), "/etc/cameo": str(self.etc), "/run/cameo-farm": str(self.farm.work / "run"), "/usr/bin/": f"{pathlib.Path(self.farm.cameo).parent}/", "$OPTIONS": options}
        command = self.command
        for place, found in places.items():
            command = command.replace(place, found)
        return shlex.split(command)

    def refuse(self, options, expected):
        done = subprocess.run(self.words(options), capture_output=True, text=True, timeout=30)
        assert done.returncode == 1 and done.stderr.count("error: ") == 1 and expected in done.stderr, done

    def serve(self, name, prefix=()):
        options = f"--device {name} --worker '{PYTHON} {WORKER}'"
        with open(self.farm.log(name), "w") as log:
            self.farm.agents[name] = subprocess.Popen([*prefix, *self.words(options)], stdout=log, stderr=log)
        self.farm.wait_for(name, f"device {name} of key test")
        said = self.farm.log(name).read_text()
        assert "sandbox:" not in said, said
        self.farm.kill(name)


def main():
    cameo, unit, work = sys.argv[1:4]
    unit = pathlib.Path(unit)
    with Farm(cameo, work) as farm:
        check_by_systemd(farm, unit)
        service = Service(farm, unit)
        # The unit asserts that its required files exist.
        needed = set(re.findall(r"^AssertPathExists=(.*)$", service.text, re.MULTILINE))
        assert needed == {"/etc/cameo/farm.url", "/etc/cameo/farm.trust"}, needed
        assert "EnvironmentFile=-/etc/cameo/farm-%i.env" in service.text
        service.refuse("--mixt", "unknown option '--mixt'")
        service.refuse("--memory much", "--memory: expected a number")
        service.serve("one")
        if os.getuid() == 0:
            service.serve("two", ["setpriv", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"])
        for name, expected in (("farm.url", "--server: expected a URL"), ("farm.trust", "farm.trust: expected a key that is trusted")):
            (service.etc / name).write_text("")
            service.refuse("", expected)
    print("the unit's command is taken, and what it lacks is one line")
    return 0


if __name__ == "__main__":
    sys.exit(main())
