"""What a person is asked about the card: the questions, their defaults, what a good answer is; from the terminal or from a file.

A file has one answer a line, `key: value` or `key=value`; `#` begins a remark; lists are written `[serial, keyboard]` or `serial, keyboard`.
"""

import getpass
import itertools
import os
import re
import secrets
import unicodedata
from dataclasses import dataclass, field

from .problem import BAD_ANSWER, NO_INPUT, Problem
from .ssh_keys import KEY_TYPES, is_whole

PROFILES = ("camera", "station", "handheld", "door", "inventory", "till")
OUTPUTS = ("serial", "keyboard")
BUZZERS = ("active", "passive")
# The package makes its two after cloud-init has made the user.
OUR_USERS = ("root", "scanstation", "scanstation-console")
# Those that a user gets into, as the vendor's own first one.
GROUPS = "users,adm,dialout,audio,netdev,video,plugdev,cdrom,games,input,gpio,spi,i2c,render,sudo"
# `KeyboardSettings.Layout` has the same; a test compares them.
LAYOUTS = ("us", "uk", "de", "fr")
LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "o", "å": "a", "ł": "l"})
# As crypt(5) writes them.
HASHED = re.compile(r"\$(y|6|5)\$[./A-Za-z0-9$=,]{20,}")


class Refused(Exception):
    """An answer that can't be used; the text says why and what could."""


def host_name(text):
    if text.lower() == "localhost":
        raise Refused("every machine calls itself \"localhost\", and the network would not find this one by it; \"scanstation\" would do")
    if re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", text, re.IGNORECASE) and not text.isdigit():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.strip().lower().translate(LETTERS))
    plain = re.sub(r"[^a-z0-9-]+", "-", plain.encode("ascii", "ignore").decode())[:63].strip("-")
    advice = f"; \"{plain}\" would do" if plain and not plain.isdigit() else ""
    raise Refused(f"\"{text}\" can't be a host name: those have letters a to z, digits and hyphens, at most 63, not digits alone{advice}")


def user_name(text):
    if text == "none":
        raise Refused("nobody is called none: leave it empty if nobody is to log in")
    if text and not re.fullmatch(r"[a-z_][a-z0-9_-]{0,30}", text):
        raise Refused(f"\"{text}\" can't be a user's name: small letters a to z first, then digits, _ and - too, at most 31")
    return text


def user_password(text):
    if "\0" in text or "\n" in text or len(text.encode()) > 128:
        raise Refused("the password is longer than 128 bytes, or has a line break in it")
    return text


def console_password(text):
    if text and len(text) < 8:
        raise Refused("the console's password is shorter than 8 characters")
    return user_password(text)


def ssh_key(text):
    """A public key, or the path of its file."""
    text = text.strip()
    if not text:
        return ""
    if text.startswith(("/", "~", "./")) or (text.endswith(".pub") and " " not in text):
        path = os.path.expanduser(text)
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read().strip()
        except (OSError, UnicodeDecodeError) as error:
            raise Refused(f"the ssh key can't be read from {path}: {getattr(error, 'strerror', None) or 'it is no text'}") from None
    if "PRIVATE KEY" in text:
        raise Refused("that is the private key, which must stay secret: give the public one, whose file ends in .pub")
    words = text.split(None, 2)
    if "\n" in text or len(words) < 2 or words[0] not in KEY_TYPES:
        raise Refused(f"that isn't a public ssh key: it is one line, {', '.join(KEY_TYPES[:3])} …, and what `cat ~/.ssh/id_ed25519.pub` shows")
    unseen = re.search("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]", text)
    if unseen:
        raise Refused(f"that ssh key has a character in it that can't be seen (U+{ord(unseen[0]):04X}): paste the line of the .pub file again, or leave out "
                      "what follows the key, which is a remark alone")
    if not is_whole(*words[:2]):
        raise Refused(f"that ssh key is damaged or cut off: what follows {words[0]} isn't a whole key of that kind. Paste the whole line of the .pub file")
    return text


def wifi_name(text):
    if len(text.encode()) > 32 or "\0" in text or "\n" in text:
        raise Refused(f"a Wi-Fi network's name has at most 32 bytes; this one has {len(text.encode())}")
    return text


def wifi_password(text):
    if text and not re.fullmatch(r"[0-9a-fA-F]{64}", text) and not re.fullmatch(r"[ -~]{8,63}", text):
        raise Refused("a Wi-Fi password has 8 to 63 characters without accents, or is a key of 64 hexadecimal digits; an open network has none")
    return text


def wifi_country(text):
    if text and not re.fullmatch(r"[A-Za-z]{2}", text):
        raise Refused(f"\"{text}\" isn't a country: give its two letters, such as GB, DE, US")
    known = countries()
    if text and known and text.upper() not in known:
        advice = "; did you mean GB?" if text.upper() == "UK" else ""
        raise Refused(f"there is no country \"{text}\" in ISO 3166{advice}: give its two letters, such as GB, DE, US")
    return text.upper()


def countries():
    """The codes that this machine's time zones know; empty if it has none."""
    try:
        with open("/usr/share/zoneinfo/iso3166.tab", encoding="utf-8") as file:
            return {line[:2] for line in file if not line.startswith("#")}
    except OSError:
        return set()


def time_zone(text):
    """Whether there is such a zone is known to the image (`check_against`)."""
    if not re.fullmatch(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*", text):
        raise Refused(f"\"{text}\" isn't a time zone: give one such as Europe/Berlin; `timedatectl list-timezones` lists them")
    return text


def one_of(what, choices):
    def check(text):
        if text.lower() not in choices:
            raise Refused(f"there is no {what} \"{text}\": {', '.join(choices)}")
        return text.lower()
    return check


def outputs(text):
    names = [name.strip().strip("'\"") for name in text.strip().strip("[]").split(",") if name.strip()]
    unknown = [name for name in names if name not in OUTPUTS]
    if names in (["none"], ["both"]):
        return () if names == ["none"] else OUTPUTS[::-1]
    if unknown:
        raise Refused(f"there is no output \"{unknown[0]}\" here: {', '.join(OUTPUTS)}; the others need more than a card (docs/outputs)")
    return tuple(sorted(set(names)))


def switch(text):
    if text.lower() not in ("yes", "no", "y", "n", "true", "false", "on", "off"):
        raise Refused(f"\"{text}\" is neither yes nor no")
    return text.lower() in ("yes", "y", "true", "on")


def own_time_zone():
    link = os.path.realpath("/etc/localtime")
    return link.split("/zoneinfo/", 1)[1] if "/zoneinfo/" in link else "Etc/UTC"


def made_up_password():
    """Easy to type on a phone: no letters that look like others. Some 59 bits."""
    return "-".join("".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(4)) for _ in range(3))


@dataclass(frozen=True)
class Question:
    key: str
    text: str
    default: object  # as it would be typed, or what gives it
    check: object
    secret: bool = False
    only_with: str = ""  # asked when this key has an answer
    only_if: object = None  # asked when this says so of the answers until then
    empty: str = ""  # what Enter means where the default is empty
    makes: object = None  # a person who is asked and presses Enter gets what this makes

    def is_asked(self, values):
        return (not self.only_with or values[self.only_with]) and (not self.only_if or self.only_if(values))

    def default_text(self, system=None):
        # cloud-init would give another name to a station that has one already.
        if self.key == "hostName" and system and system.host_name:
            return system.host_name
        return self.default() if callable(self.default) else self.default


def has_keyboard(values):
    return "keyboard" in values["outputs"] or not values["outputs"] and values["profile"] == "till"


QUESTIONS = (
    Question("hostName", "Host name, by which the network knows it", "scanstation", host_name),
    Question("user", "User who may log in", "", user_name, empty="nobody"),
    Question("userPassword", "The user's password", "", user_password, secret=True, only_with="user", empty="by ssh key only"),
    Question("sshKey", "The user's public ssh key, or its file; with one, ssh takes no password", "", ssh_key, only_with="user", empty="no key"),
    Question("wifiName", "Wi-Fi network", "", wifi_name, empty="by cable, or no network"),
    Question("wifiPassword", "The Wi-Fi's password", "", wifi_password, secret=True, only_with="wifiName", empty="an open network"),
    Question("wifiCountry", "Country whose rules the Wi-Fi keeps to, two letters", "", wifi_country, only_with="wifiName", empty="it must be given"),
    Question("wifiHidden", "Does the Wi-Fi network hide its name", "no", switch, only_with="wifiName"),
    Question("timeZone", "Time zone", own_time_zone, time_zone),
    Question("profile", f"Configuration to begin with, camera if nothing is wired: {', '.join(PROFILES)}", "camera", one_of("profile", PROFILES)),
    Question("outputs", "Outputs on the Pi itself: serial, keyboard, both, or none", "none", outputs),
    Question("keyboardLayout", f"Keyboard layout of the computer that it types into: {', '.join(LAYOUTS)}", "us", one_of("layout", LAYOUTS), only_if=has_keyboard),
    Question("buzzer", "Buzzer, if one is wired: active, or passive (which needs a PWM)", "active", one_of("buzzer", BUZZERS)),
    Question("consolePassword", "Password of the station's page, on which a phone sees what is read", "", console_password, secret=True,
             empty="one is made up and shown", makes=made_up_password),
)


@dataclass
class Answers:
    """By key; `given` are those that somebody gave, and not the default."""

    values: dict
    given: set = field(default_factory=set)
    # The console's password, if nobody typed it: to be shown.
    made_up: str = ""

    def __getitem__(self, key):
        return self.values[key]


def read_file(path):
    """The texts of an answers file by key."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            # splitlines() would end one at the C1 characters, too, which a Wi-Fi's name may have.
            lines = file.read().split("\n")
    except OSError as error:
        raise Problem(NO_INPUT, f"the answers can't be read from {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Problem(BAD_ANSWER, f"{path} isn't UTF-8 text: save it as UTF-8") from None
    texts = {}
    known = {question.key for question in QUESTIONS}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = re.fullmatch(r"([A-Za-z]+)\s*[:=](?:\s+|(?<==)|$)(.*)", line)
        if not match:
            raise Problem(BAD_ANSWER, f"{path}, line {number}: not \"key: value\": {line.strip()[:60]}")
        key, value = match.groups()
        if key not in known:
            near = next((name for name in known if name.lower() == key.lower()), None)
            raise Problem(BAD_ANSWER, f"{path}, line {number}: there is no \"{key}\"" + (f"; did you mean \"{near}\"?" if near else
                                      f"; the keys are {', '.join(question.key for question in QUESTIONS)}"))
        if key in texts:
            raise Problem(BAD_ANSWER, f"{path}, line {number}: \"{key}\" is there twice")
        try:
            texts[key] = unquote(value)
        except Refused as error:
            raise Problem(BAD_ANSWER, f"{path}, line {number}: {key}: {error}") from None
    return texts


def unquote(value):
    """A value as YAML would take it: plain up to a remark, in single quotes ('' is one), or in double quotes with backslashes."""
    value = value.strip()
    if value[:1] == "'":
        match = re.fullmatch(r"'((?:[^']|'')*)'(\s+#.*)?", value)
        if match:
            return match.group(1).replace("''", "'")
    elif value[:1] == '"':
        match = re.fullmatch(r'"((?:[^"\\]|\\["\\])*)"(\s+#.*)?', value)
        if match:
            return re.sub(r'\\(["\\])', r"\1", match.group(1))
    else:
        return re.sub(r"(^|\s+)#.*$", "", value).strip()
    raise Refused("the quotes don't end, or something follows them; in \"…\", write \\\" for \" and \\\\ for \\; in '…', write '' for '")


def from_texts(texts, origin, system=None):
    """Checks them all, and takes the defaults for the rest."""
    values, given = {}, set()
    for question in QUESTIONS:
        text = texts.get(question.key)
        if text is None or (text == "" and question.key != "outputs"):
            text = question.default_text(system)
        else:
            given.add(question.key)
        try:
            values[question.key] = question.check(text) if text != "" else ""
        except Refused as error:
            raise Problem(BAD_ANSWER, f"{origin}: {question.key}: {error}") from None
    answers = Answers(values, given)
    check_together(answers)
    return answers


def ask(system=None, terminal=input, secret=getpass.getpass, say=print):
    """Asks until each answer is a good one, by what the image knows as well. Enter takes the default."""
    say("Enter takes what is in brackets. Passwords aren't shown while they are typed.")
    values, given, made_up, place = {}, set(), "", 0
    while place < len(QUESTIONS):
        question = QUESTIONS[place]
        default = question.default_text(system)
        if not question.is_asked(values):
            values[question.key] = question.check(default) if default != "" else ""
            place += 1
            continue
        prompt = f"{question.text} [{default or question.empty}]: "
        text = secret(prompt) if question.secret else terminal(prompt)
        # As many a prompt has it; a network of that name is given by file.
        if not question.secret and question.empty and text.strip().lower() == "none":
            text = ""
        if question.secret and text and secret("The same once more: ") != text:
            say("  they differ; again")
            continue
        try:
            values[question.key] = answer(question, text or default)
            if system:
                check_one(question.key, values[question.key], system)
        except Refused as error:
            say(f"  {error}")
            continue
        if text != "":
            given.add(question.key)
        elif question.makes:
            values[question.key] = made_up = question.makes()
        if question.key == "wifiCountry" and not values[question.key]:
            say("  without its country, a Pi keeps its Wi-Fi switched off: give its two letters, such as GB, DE, US")
            continue
        if question.key == "sshKey" and not values["sshKey"] and not values["userPassword"]:
            say(f"  {values['user']} has no password either, and could never log in: give one of them")
            place -= 1
            continue
        place += 1
    answers = Answers(values, given, made_up)
    check_together(answers)
    return answers


def answer(question, text):
    """What was typed, checked."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Refused("that isn't UTF-8 text: set the terminal to UTF-8, or give it by a file (--answers)") from None
    return question.check(text) if text != "" else ""


def check_together(answers):
    if answers["wifiName"] and not answers["wifiCountry"]:
        raise Problem(BAD_ANSWER, "wifiCountry is missing: without its country, a Pi keeps its Wi-Fi switched off. Give its two letters, such as GB, DE, US")
    if answers["wifiPassword"] and not answers["wifiName"]:
        raise Problem(BAD_ANSWER, "wifiPassword is given, and wifiName isn't: which network is it?")
    if answers["user"] and not answers["userPassword"] and not answers["sshKey"]:
        raise Problem(BAD_ANSWER, f"the user {answers['user']} has neither userPassword nor sshKey, and could never log in: give one of them")
    if not answers["user"] and (answers["userPassword"] or answers["sshKey"]):
        raise Problem(BAD_ANSWER, "userPassword or sshKey is given, and user isn't: whose is it?")


def check_against(answers, system):
    """What only the image knows."""
    for key in ("timeZone", "user"):
        try:
            check_one(key, answers[key], system)
        except Refused as error:
            raise Problem(BAD_ANSWER, f"{key}: {error}") from None


def check_one(key, value, system):
    if key == "timeZone" and not system.time_zones(value):
        raise Refused(f"{system.name} knows no zone \"{value}\"; `timedatectl list-timezones` lists them")
    if key == "user":
        check_user(value, system)


def check_user(name, system):
    """One that the image has already is taken: cloud-init sets its password and key."""
    # By id, as Debian's policy has it (9.2.2).
    if name in OUR_USERS or not 1000 <= system.accounts.get(name, 1000) < 60000:
        raise Refused(f"\"{name}\" is a user of the system's own; take another name")
    # cloud-init makes those of the user's groups that are missing before it makes the user.
    groups = {*system.groups, *GROUPS.split(",")}
    if name in groups and name not in system.accounts:
        free = next(near for number in itertools.count(1) if (near := f"{name[:28]}{number}") not in groups and near not in system.accounts)
        raise Refused(f"\"{name}\" is a group of the system's own: useradd makes no user of that name, and nobody could log in; \"{free}\" would do")
