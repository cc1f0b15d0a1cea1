#!/usr/bin/env python3
"""Tests a server with TLS, accounts and permissions as docs/farm.md describes them: what each user may do, and the errors for the rest; and a server whose store is full.

usage: farm_access.py CAMEO MODEL WORK_FOLDER
"""

import json
import pathlib
import shutil
import sys

from farm_server import PYTHON, SKIPPED, Farm, PlainServer, make_certificate, tasks_of

WORKER = pathlib.Path(__file__).resolve().with_name("simulated_worker.py")
CONFIGURATION = """
jetstream {{ store_dir: "{work}/store", max_file_store: 1MB }}
tls {{ cert_file: "{work}/server.crt", key_file: "{work}/server.pem" }}
accounts {{
  ours {{
    jetstream {{ max_file: 60KB }}
    users: [
      {{ user: agent, password: a, permissions: {{ publish: {{ deny: "cameo.jobs.>" }} }} }}
      {{ user: tuner, password: t, permissions: {{ publish: {{ deny: "cameo.results.>" }} }} }}
    ]
  }}
  others {{ jetstream {{ max_file: 60KB }}, users: [ {{ user: other, password: o }} ] }}
}}
"""


def main():
    cameo, model, work = sys.argv[1:4]
    if not shutil.which("openssl"):
        print("no openssl (Debian: openssl), which makes the certificate")
        return SKIPPED
    farm = Farm(cameo, work)
    make_certificate(farm.work)
    server = PlainServer(farm, "conf", CONFIGURATION.format(work=farm.work))
    authority = ["--tls-ca", str(farm.work / "server.crt")]
    try:
        address = server.address.removeprefix("tls://")
        for who, password in (("agent", "a"), ("tuner", "t"), ("other", "o")):
            (farm.work / who).write_text(f"tls://{who}:{password}@{address}\n")
        farm.url = farm.work / "agent"
        farm.agent("one", *authority)
        farm.wait_for("one", "device one of key test")
        options, records = tasks_of(cameo, model), farm.work / "records.jsonl"

        def tune(who, expected, *more, key="test"):
            source = ["--measure", f"farm:{farm.work / who}", "--key", key, "--signing-key", str(farm.key)]
            return farm.tune(model, records, *options, "--trials", "4", *more, expected=expected, source=source, CAMEO_FARM=str(farm.hurried))

        tune("tuner", 0, *authority)
        assert records.exists()
        # More packages than fit into the store: the rest waits until there is room, and nothing is lost.
        records.unlink()
        farm.agent("slow", *authority, "--worker", f"{PYTHON} {WORKER} 200", key="slow")
        farm.wait_for("slow", "device slow of key slow")
        said = tune("tuner", 0, *authority, "--trials", "60", "--trials-per-round", "64", "--parallel", "64", key="slow")
        assert "a package waits: tls://127.0.0.1" in said and "maximum bytes exceeded" in said, said
        found = [json.loads(line) for line in records.read_text().splitlines()]
        assert len(found) >= 60 and all("error" not in record for record in found), "a candidate was lost"
        # A user that may only answer cannot send packages; other accounts see nothing; an untrusted certificate is rejected.
        for who, more, text in (("agent", authority, "this user has no right to publish to cameo.jobs.test."), ("other", authority, "no device of key 'test' appeared"), ("tuner", [], "SSL Error")):
            records.unlink(missing_ok=True)
            said = tune(who, 1, *more)
            assert "error: --measure=farm: " in said and text in said and not records.exists(), said
        assert "one" in farm.run("status", "--server", farm.work / "tuner", *authority)
        assert "one" not in farm.run("status", "--server", farm.work / "other", *authority)
        print("TLS, rights and accounts are kept")
    finally:
        farm.__exit__()
        server.__exit__()
    return 0


if __name__ == "__main__":
    sys.exit(main())
