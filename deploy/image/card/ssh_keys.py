"""Whether a public ssh key is whole: its fields, each with its length before it, must be those of its kind, and end where it ends.

sshd takes no key that was cut off while it was pasted, and says so in its log alone. RFC 4253 (RSA), 5656 (ECDSA), 8709 (Ed25519), and
OpenSSH's PROTOCOL.u2f (the sk- ones, which are in a token: an application's name comes last).
"""

import base64

KEY_TYPES = ("ssh-ed25519", "ssh-rsa", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521",
             "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com")
# Bytes of a point: a 4, and two coordinates.
POINTS = {b"nistp256": 65, b"nistp384": 97, b"nistp521": 133}
# OpenSSH takes no shorter one.
RSA_BITS = 1024


def is_whole(kind, text):
    """`kind` is one of KEY_TYPES, `text` the Base64 that follows it."""
    try:
        named, *fields = _fields(base64.b64decode(text, validate=True))
    except ValueError:
        return False
    if named != kind.encode():
        return False
    if kind.startswith("sk-"):
        if not fields or not fields.pop():
            return False
        kind = kind.removeprefix("sk-").removesuffix("@openssh.com")
    if kind == "ssh-ed25519":
        return [len(field) for field in fields] == [32]
    if len(fields) != 2:
        return False
    if kind == "ssh-rsa":
        exponent, modulus = (int.from_bytes(field, "big", signed=True) for field in fields)
        return exponent > 1 and modulus > 0 and modulus.bit_length() >= RSA_BITS
    curve, point = fields
    return kind.encode().endswith(b"-" + curve) and len(point) == POINTS.get(curve) and point[0] == 4


def _fields(data):
    """Raises ValueError where one goes on behind the end."""
    while data:
        end = 4 + int.from_bytes(data[:4], "big")
        if len(data) < max(end, 4):
            raise ValueError("cut off")
        yield data[4:end]
        data = data[end:]
