"""boxlid mqtt-accounts: accounts, rules and certificates for a broker: a box speaks only for itself."""

import argparse
import ipaddress
import os
import secrets
import subprocess
from collections.abc import Sequence
from pathlib import Path

from companion.mqtt.accounts import SALT_BYTES, Account, Role, acl, password_line, settings_text
from companion.mqtt.settings import PLAIN_PORT, TLS_PORT
from companion.mqtt.topics import DISCOVERY_PREFIX, PREFIX, is_name, is_prefix
from companion.process.command_error import CallFault, CommandError

ENDING = ".password"
PASSWORD_BYTES = 24
DAYS = "3650"
ETC = "/etc/mosquitto/boxlid"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("boxes", nargs="*", metavar="BOX", help="names of tables, as in their settings")
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="where the files go")
    parser.add_argument("--club", metavar="NAME", help="an account for a club's server")
    parser.add_argument("--home", metavar="NAME", help="an account for Home Assistant and the like")
    parser.add_argument(
        "--tls", metavar="HOST", help="make a certificate for the broker of that name or address"
    )
    parser.add_argument("--prefix", default=PREFIX, help=f"all topics begin so ({PREFIX})")
    parser.add_argument(
        "--discovery-prefix", default=DISCOVERY_PREFIX, help=f"Home Assistant's ({DISCOVERY_PREFIX})"
    )
    parser.add_argument("--etc", metavar="DIR", default=ETC, help=f"where mosquitto will find them ({ETC})")


def run(options: argparse.Namespace) -> int:
    wanted = _wanted(options)
    try:
        options.out.mkdir(parents=True, exist_ok=True)
        accounts = _accounts(options.out, wanted)
        lines = [_line(options.out, account) for account in accounts]
        _write(options.out / "passwords", "".join(f"{line}\n" for line in lines))
        _write(options.out / "acl", acl(accounts, options.prefix, options.discovery_prefix))
        if options.tls:
            _certificates(options.out, options.tls)
        tls = (options.out / "server.crt").exists()
        text = settings_text(options.etc, TLS_PORT if tls else PLAIN_PORT, tls=tls)
        _write(options.out / "boxlid.conf", text)
    except OSError as error:
        path, why = error.filename or options.out, str(error.strerror)
        raise CommandError(CallFault.FILE, path=path, why=why) from None
    print(f"{len(accounts)} accounts in {options.out}:")
    for account in accounts:
        print(f"  {account.role:5} {account.name:20} its password: {_password_file(options.out, account)}")
    print(f"docs/mqtt.md says what goes where; the broker looks for its files in {options.etc}")
    return 0


def _wanted(options: argparse.Namespace) -> list[Account]:
    for prefix in (options.prefix, options.discovery_prefix):
        if prefix and not is_prefix(prefix):
            raise CommandError(CallFault.PLAIN_PREFIX, 2, got=repr(prefix))
    for name in options.boxes:
        if not is_name(name):
            raise CommandError(CallFault.TABLE_NAME, 2, got=repr(name))
    found = [Account(Role.BOX, name) for name in options.boxes]
    others = [(Role.CLUB, options.club), (Role.HOME, options.home)]
    for role, name in [(role, name) for role, name in others if name is not None]:
        if not is_name(name) and name != role:
            raise CommandError(CallFault.ACCOUNT_NAME, 2, got=repr(name))
        found.append(Account(role, name))
    return found


def _accounts(folder: Path, wanted: Sequence[Account]) -> list[Account]:
    """Those that were made before, and the new ones; each name once."""
    known = [_named(path) for path in sorted(folder.glob(f"*{ENDING}"))]
    found = list(dict.fromkeys([*(account for account in known if account), *wanted]))
    names = [account.name for account in found]
    for name in names:
        if names.count(name) > 1:
            raise CommandError(CallFault.TWO_ACCOUNTS, 2, name=name)
    if not found:
        raise CommandError(CallFault.NAME_TABLES, 2)
    return found


def _named(path: Path) -> Account | None:
    role, _, name = path.name.removesuffix(ENDING).partition("-")
    return Account(Role(role), name) if role in tuple(Role) and name else None


def _password_file(folder: Path, account: Account) -> Path:
    return folder / f"{account.role}-{account.name}{ENDING}"


def _line(folder: Path, account: Account) -> str:
    """Of the password file; a new account gets a password of its own, which nobody has to type."""
    path = _password_file(folder, account)
    if not path.exists():
        _write(path, f"{secrets.token_urlsafe(PASSWORD_BYTES)}\n")
    password = path.read_text(encoding="utf-8").partition("\n")[0]
    return password_line(account.name, password, secrets.token_bytes(SALT_BYTES))


def _write(path: Path, text: str) -> None:
    """Readable by its owner alone, from its first byte on."""
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)


# --- certificates ------------------------------------------------------------------------------------------


def _certificates(folder: Path, host: str) -> None:
    """An authority of one's own, made once, and the broker's certificate by it."""
    if not (folder / "ca.crt").exists():
        name = ["-subj", "/CN=Boxlid broker authority", "-days", DAYS]
        _openssl(folder, "req", "-x509", *_NEW_KEY, *name, "-keyout", "ca.key", "-out", "ca.crt")
    _openssl(folder, "req", *_NEW_KEY, "-subj", f"/CN={host}", "-keyout", "server.key", "-out", "server.csr")
    _write(folder / "server.ext", f"subjectAltName={_kind(host)}:{host}\n")
    signs = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", DAYS, "-extfile", "server.ext"]
    _openssl(folder, "x509", "-req", "-in", "server.csr", *signs, "-out", "server.crt")
    for left in ("server.csr", "server.ext"):
        (folder / left).unlink()


_NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


def _kind(host: str) -> str:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return "DNS"
    return "IP"


def _openssl(folder: Path, *arguments: str) -> None:
    try:
        done = subprocess.run(
            ["openssl", *arguments], cwd=folder, capture_output=True, text=True, check=False, umask=0o077
        )
    except FileNotFoundError:
        raise CommandError(CallFault.NO_OPENSSL) from None
    if done.returncode:
        why = " ".join(done.stderr.split())[-200:]
        raise CommandError(CallFault.OPENSSL, command=arguments[0], why=why)
