"""Passwords as the card holds them: never as they were typed."""

import base64
import hashlib
import os
import re

from .answers import HASHED
from .problem import run

# As the console's own code writes them (Sources/ConsoleAccess/PasswordHash.swift): 16 MiB, as a Zero 2 W has 512.
SCRYPT_LOG_N, SCRYPT_R, SCRYPT_P = 14, 8, 5


def login_hash(password):
    """As crypt(5) has it, for cloud-init's `passwd`. One that is hashed already stays as it is."""
    if HASHED.fullmatch(password):
        return password
    return run(["openssl", "passwd", "-6", "-stdin"], input=password.encode() + b"\n").stdout.decode().strip()


def wifi_key(name, password):
    """The 64 hexadecimal digits that WPA2 makes of name and password (IEEE 802.11, PBKDF2). WPA3 alone can't be had with it."""
    if re.fullmatch(r"[0-9a-fA-F]{64}", password):
        return password.lower()
    return hashlib.pbkdf2_hmac("sha1", password.encode(), name.encode(), 4096, 32).hex()


def console_hash(password):
    """One line for /var/lib/scanstation-console/password: $scrypt$ln=…,r=…,p=…$salt$hash, the last two in Base64 without its =.

    The console's own code is what reads it: this function and its test are the one place to change with it.
    """
    salt = os.urandom(16)
    derived = hashlib.scrypt(password.encode(), salt=salt, n=1 << SCRYPT_LOG_N, r=SCRYPT_R, p=SCRYPT_P, maxmem=64 << 20, dklen=32)
    return "$".join(["", "scrypt", f"ln={SCRYPT_LOG_N},r={SCRYPT_R},p={SCRYPT_P}", *(base64.b64encode(part).decode().rstrip("=") for part in (salt, derived))])
