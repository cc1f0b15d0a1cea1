#!/usr/bin/env python3
"""Tests authentication by keys: NKeys in a server's configuration, with TLS, and credentials signed by an operator and its accounts. Users of different accounts do not see each other.

usage: farm_credentials.py CAMEO MODEL WORK_FOLDER
"""

import shutil
import subprocess
import sys

from farm_server import SKIPPED, Farm, PlainServer, make_certificate, tasks_of
from nats_keys import Key, credentials

NKEYS = """
jetstream {{ store_dir: "{store}" }}
tls {{ cert_file: "{work}/server.crt", key_file: "{work}/server.pem" }}
accounts {{
  ours {{ jetstream: enabled, users: [ {{ nkey: {ours} }} ] }}
  others {{ jetstream: enabled, users: [ {{ nkey: {others} }} ] }}
}}
"""
TOKENS = """
jetstream {{ store_dir: "{store}" }}
operator: "{operator}"
system_account: {system.name}
resolver: MEMORY
resolver_preload: {{ {accounts} }}
"""
UNLIMITED = {name: -1 for name in ("subs", "data", "payload", "imports", "exports", "conn", "leaf", "mem_storage", "disk_storage", "streams", "consumer")}


def nkey_server(farm):
    """Starts a server with two users, and makes the key of a third user that it does not have."""
    keys = {who: Key("user") for who in ("ours", "others", "stranger")}
    make_certificate(farm.work)
    access = {}
    for who, key in keys.items():
        (farm.work / f"{who}.nk").write_text(f"# A remark.\n{key.seed}\n")
        access[who] = ["--nkey", farm.work / f"{who}.nk", "--tls-ca", farm.work / "server.crt"]
    text = NKEYS.format(store=farm.work / "by-nkeys", work=farm.work, **{who: key.name for who, key in keys.items()})
    return text, access


def token_server(farm):
    """Starts a server with an operator and two accounts, and makes the credentials of a user of an account that the operator did not sign."""
    operator, stranger, accounts = Key("operator"), Key("operator"), {who: Key("account") for who in ("ours", "others", "stranger", "system")}
    signed, access = {}, {}
    for who, account in accounts.items():
        signed[who] = (stranger if who == "stranger" else operator).token(account, who, limits=UNLIMITED if who != "system" else {**UNLIMITED, "mem_storage": 0, "disk_storage": 0, "streams": 0, "consumer": 0})
        user = Key("user")
        (farm.work / f"{who}.creds").write_text(credentials(account.token(user, f"user of {who}", subs=-1, data=-1, payload=-1), user))
        access[who] = ["--credentials", farm.work / f"{who}.creds"]
    (farm.work / "operator.jwt").write_text(operator.token(operator, "operator"))
    preloaded = ", ".join(f"{accounts[who].name}: {signed[who]}" for who in ("ours", "others", "system"))
    return TOKENS.format(store=farm.work / "by-tokens", operator=farm.work / "operator.jwt", system=accounts["system"], accounts=preloaded), access


def check(farm, how, model, options, text, access):
    with PlainServer(farm, how, text):
        farm.agent(how, *access["ours"])
        farm.wait_for(how, f"device {how} of key test")
        records = farm.work / f"{how}.jsonl"

        def tune(who, expected):
            source = ["--measure", f"farm:{farm.url}", "--key", "test", "--signing-key", farm.key, *access[who]]
            return farm.tune(model, records, *options, "--trials", "4", expected=expected, source=list(map(str, source)), CAMEO_FARM=str(farm.hurried))

        def sync(who, path):
            words = [farm.cameo, "records", "sync", path, "--farm", farm.url, *access[who]]
            return subprocess.run(list(map(str, words)), check=True, capture_output=True, text=True).stdout

        tune("ours", 0)
        assert not sync("ours", records).startswith("0 records given"), "nothing was given"
        assert sync("others", farm.work / f"{how}-others.jsonl").startswith("0 records given, 0 schedules"), "records of another account"
        assert how in farm.run("status", "--server", farm.url, *access["ours"])
        assert how not in farm.run("status", "--server", farm.url, *access["others"])
        records.unlink()
        for who, expected in (("others", "no device of key 'test' appeared"), ("stranger", "Authentication Violation")):
            said = tune(who, 1)
            errors = [line for line in said.splitlines() if "error: " in line]
            assert len(errors) == 1 and expected in errors[0] and not records.exists(), said
        farm.kill(how)
    print(f"{how}: accounts see nothing of each other, strangers are not let in")


def check_mistakes(farm):
    def error(*words):
        said = farm.run("status", "--server", "nats://127.0.0.1:1", *words, expected=1)
        assert said.count("error: ") == 1, said
        return said

    seed = (farm.work / "ours.nk").read_text().split()[-1]
    (farm.work / "account.nk").write_text(Key("account").seed)
    (farm.work / "torn.nk").write_text(seed[:-3] + ("A" if seed[-3] != "A" else "B") + seed[-2:])
    for path, text in (("none.nk", "No such file"), ("account.nk", "expected the seed of a user's NKey"), ("torn.nk", "the checksum of the seed is wrong"), ("server.crt", "expected the seed of a user's NKey")):
        assert f"--nkey: {farm.work / path}: " in (said := error("--nkey", farm.work / path)) and text in said, said
    assert "unexpected with --credentials" in error("--nkey", farm.work / "ours.nk", "--credentials", farm.work / "ours.creds")
    assert "none.creds: No such file" in error("--credentials", farm.work / "none.creds")


def main():
    cameo, model, work = sys.argv[1:4]
    if not shutil.which("openssl"):
        print("no openssl (Debian: openssl), which makes keys")
        return SKIPPED
    farm = Farm(cameo, work)
    options = tasks_of(cameo, model)
    try:
        check(farm, "nkeys", model, options, *nkey_server(farm))
        check(farm, "tokens", model, options, *token_server(farm))
        check_mistakes(farm)
    finally:
        farm.__exit__()
    return 0


if __name__ == "__main__":
    sys.exit(main())
