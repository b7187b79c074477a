"""Passwords as the card holds them: never as they were typed."""

import base64
import hashlib
import os
import re

from .answers import HASHED
from .problem import run

# As the console itself hashes (Sources/ConsoleAccess/PasswordHash.swift): OWASP's costs for little memory, 16 MiB.
SCRYPT_LN, SCRYPT_R, SCRYPT_P = 14, 8, 5


def login_hash(password):
    """As crypt(5) has it, for cloud-init's `hashed_passwd`. One that is hashed already stays as it is."""
    if HASHED.fullmatch(password):
        return password
    return run(["openssl", "passwd", "-6", "-stdin"], input=password.encode() + b"\n").stdout.decode().strip()


def wifi_key(name, password):
    """The 64 hexadecimal digits that WPA2 makes of name and password (IEEE 802.11, PBKDF2). WPA3 alone can't be had with it."""
    if re.fullmatch(r"[0-9a-fA-F]{64}", password):
        return password.lower()
    return hashlib.pbkdf2_hmac("sha1", password.encode(), name.encode(), 4096, 32).hex()


def console_hash(password):
    """One line for /var/lib/scanstation-console/password: $scrypt$ln=14,r=8,p=5$SALT$HASH, in Base64 without padding.

    Sources/ConsoleAccess/PasswordHash.swift reads it; its test has a line of this function's.
    """
    salt = os.urandom(16)
    derived = hashlib.scrypt(password.encode(), salt=salt, n=1 << SCRYPT_LN, r=SCRYPT_R, p=SCRYPT_P, maxmem=64 << 20, dklen=32)
    salt, derived = (base64.b64encode(part).decode().rstrip("=") for part in (salt, derived))
    return f"$scrypt$ln={SCRYPT_LN},r={SCRYPT_R},p={SCRYPT_P}${salt}${derived}"
