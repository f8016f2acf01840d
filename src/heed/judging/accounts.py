"""Who may come in: invites, passwords, sign-in. Sessions and forms are the site's business."""

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from itsdangerous import BadSignature, URLSafeSerializer

from heed.errors import NotFoundError, UserError
from heed.records import JudgeKind
from heed.store.accounts import (
    Account,
    Invite,
    add_invite,
    find_account,
    find_invite,
    site_secret,
    use_invite,
    use_invite_again,
)
from heed.store.database import Database
from heed.store.studies import Study

ROLES = ("admin", "researcher", "labeler", "submitter")
SHORTEST_PASSWORD = 10
LONGEST = 200
_DAY = 86_400
_hasher = PasswordHasher()
_NOBODY = _hasher.hash("nobody")


def invite(
    database: Database,
    role: str,
    study: Study | None,
    *,
    kind: JudgeKind = "human",
    uses: int = 1,
    days: float = 7,
) -> str:
    """The path of a link that lets `uses` people make an account of this role."""
    if role not in ROLES:
        raise UserError(f"There is no role '{role}': known are {', '.join(ROLES)}.")
    id = add_invite(database, role, study.id if study else None, kind, uses, int(days * _DAY))
    return f"/invite/{_signer(database).dumps(id)}"


def open_invite(database: Database, token: str) -> Invite:
    """The invite behind a link; one that was changed, has expired or is used up is refused."""
    try:
        id = int(_signer(database).loads(token))
    except (BadSignature, TypeError, ValueError):
        raise NotFoundError("This invite link is not complete: copy the whole address.") from None
    with database.read() as connection:
        found = find_invite(connection, id)
    if not found.is_open:
        raise UserError("This invite has expired or was used up: ask for a new one.")
    return found


def accept_invite(database: Database, token: str, name: str, password: str) -> int:
    """Make the account; its id."""
    found, name = open_invite(database, token), " ".join(name.split())
    if not 1 <= len(name) <= LONGEST:
        raise UserError("Choose a name to sign in with.")
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST:
        raise UserError(f"A password has {SHORTEST_PASSWORD} to {LONGEST} characters.")
    return use_invite(database, found.id, name, _hasher.hash(password))


def can_join(found: Invite, account: Account | None) -> bool:
    """Whether somebody who is signed in needs no second account. With one, they would be two people to us."""
    if account is None or found.study is None:
        return False
    return (account.role, account.kind) == (found.role, found.kind)


def join_by_invite(database: Database, token: str, account: Account) -> None:
    """Take the account that is there into the invite's study."""
    found = open_invite(database, token)
    if not can_join(found, account):
        raise UserError("This invite is not for an account like yours: sign out to make another.")
    use_invite_again(database, found.id, account.id)


def sign_in(database: Database, name: str, password: str) -> Account:
    """The account, or one sentence for a wrong name and a wrong password alike, after the same time."""
    account = find_account(database, name=" ".join(name.split()))
    try:
        _hasher.verify(account.password if account else _NOBODY, password[:LONGEST])
    except (VerifyMismatchError, InvalidHashError):
        account = None
    if account is None:
        raise UserError("The name or the password is wrong.")
    return account


def _signer(database: Database) -> URLSafeSerializer:
    return URLSafeSerializer(site_secret(database), salt="invite")
