"""Makes keys and tokens of NATS with openssl, as its tools nk and nsc do."""

import base64
import binascii
import json
import os
import subprocess
import tempfile

PREFIXES = {"operator": 14 << 3, "account": 0, "user": 20 << 3}
SEED = 18 << 3
# DER header before the 32 bytes of a key.
PRIVATE = bytes.fromhex("302e020100300506032b657004220420")


def encoded(data):
    """Returns `raw` with its checksum, in base 32."""
    return base64.b32encode(data + binascii.crc_hqx(data, 0).to_bytes(2, "little")).decode().rstrip("=")


class Key:
    def __init__(self, kind):
        self.kind, secret, prefix = kind, os.urandom(32), PREFIXES[kind]
        self.private = PRIVATE + secret
        public = subprocess.run(["openssl", "pkey", "-inform", "DER", "-pubout", "-outform", "DER"], input=self.private, check=True, capture_output=True).stdout[-32:]
        self.name = encoded(bytes([prefix]) + public)
        self.seed = encoded(bytes([SEED | prefix >> 5, (prefix & 31) << 3]) + secret)

    def sign(self, data):
        with tempfile.NamedTemporaryFile() as key, tempfile.NamedTemporaryFile() as message:
            key.write(self.private)
            message.write(data)
            key.flush()
            message.flush()
            return subprocess.run(["openssl", "pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", key.name, "-in", message.name], check=True, capture_output=True).stdout

    def token(self, subject, name, **claims):
        """Returns a JWT that this key signs, with claims about the key `subject`."""
        def part(data):
            return base64.urlsafe_b64encode(data).rstrip(b"=")

        header = {"typ": "JWT", "alg": "ed25519-nkey"}
        body = {"jti": name.upper(), "iat": 1, "iss": self.name, "name": name, "sub": subject.name, "nats": {**claims, "type": subject.kind, "version": 2}}
        said = part(json.dumps(header).encode()) + b"." + part(json.dumps(body).encode())
        return (said + b"." + part(self.sign(said))).decode()


def credentials(token, key):
    """Returns the text of a .creds file."""
    return (f"-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n"
            f"-----BEGIN USER NKEY SEED-----\n{key.seed}\n------END USER NKEY SEED------\n")
