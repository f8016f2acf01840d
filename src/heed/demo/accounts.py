"""Accounts to look around with. Their passwords are drawn per workspace and kept in a file of its own.

Not for real work: the file lies in the workspace, and `heed demo` prints it.
"""

import json
import secrets
from collections.abc import Sequence
from pathlib import Path

from heed.errors import UserError
from heed.judging.accounts import accept_invite, invite, join_by_invite
from heed.store.accounts import count_accounts, find_account
from heed.store.database import Database
from heed.store.studies import Study
from heed.workspace import Workspace

ROLES = ("admin", "researcher", "labeler")


def claim_workspace(workspace: Workspace, database: Database) -> None:
    """Where people work already, nobody gets in by a password that a demo printed.

    The passwords are written before anything is made, so that an interrupted run can go on.
    """
    file = _file(workspace)
    if file.exists():
        return
    if count_accounts(database):
        raise UserError(
            f"The workspace {workspace.root} has accounts of its own: "
            "run the demo in another with --workspace."
        )
    rows = [{"role": r, "name": f"demo-{r}", "password": secrets.token_urlsafe(9)} for r in ROLES]
    workspace.folder("demo")
    file.touch(mode=0o600)
    file.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def make_accounts(workspace: Workspace, database: Database, studies: Sequence[Study]) -> list[dict[str, str]]:
    """One account per role, the labeler in every study to try; the same ones on every run."""
    wanted: list[dict[str, str]] = json.loads(_file(workspace).read_text(encoding="utf-8"))
    for account in wanted:
        if find_account(database, name=account["name"]) is None:
            _make(database, account, studies)
    return wanted


def _make(database: Database, account: dict[str, str], studies: Sequence[Study]) -> None:
    places: list[Study | None] = [*studies] if account["role"] == "labeler" else [None]
    first, *others = (invite(database, account["role"], place).removeprefix("/invite/") for place in places)
    accept_invite(database, first, account["name"], account["password"])
    made = find_account(database, name=account["name"])
    for token in others:
        if made is not None:
            join_by_invite(database, token, made)


def _file(workspace: Workspace) -> Path:
    return workspace.root / "demo" / "accounts.json"
