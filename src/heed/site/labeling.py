"""A labeler's pages: instructions, the item at its stage, drafts, handing back, correcting the last one.

Nothing here sends a policy, an example's id or an item's id: pages are made of `Task`, which holds none.
"""

from typing import Any

from fastapi import Response
from markdown_it import MarkdownIt
from markupsafe import Markup

from heed.errors import UserError
from heed.judging.handout import Task, answer_task, correct_task, next_task, open_lease, show_task
from heed.judging.instructions import instructions_of
from heed.judging.protocols.marks import MOST_MARKS, marks_to_form
from heed.judging.protocols.protocol import AnswerError
from heed.judging.protocols.table import protocol_of
from heed.site.visits import Visit
from heed.store.judgments import last_answer
from heed.store.leases import Lease, find_lease, give_back, keep_draft
from heed.store.studies import Study

_OUTCOMES = {
    "already": ("Already saved", "This item has your answer; the first one is kept.", 200),
    "late": (
        "The time for this item ran out",
        "Meanwhile others have finished it. Your answer is kept for the researchers, but does not count.",
        409,
    ),
    "gone": ("This item is no longer yours", "It was handed back. Nothing else was changed.", 409),
}
_LONGEST_NOTE = 2_000
_HOUR = 3_600.0
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


def show_instructions(visit: Visit) -> Response:
    study = visit.study
    instructions = instructions_of(study)
    text = Markup(_markdown.render(instructions.text))
    return visit.page("instructions.html", study=study.code, text=text, version=instructions.version)


def show_next(visit: Visit) -> Response:
    """The item this person is at, with what they typed so far; or the end."""
    study = visit.study
    if visit.person.consented is None:
        return visit.go("/consent")
    task = next_task(visit.database, study, visit.person.id)
    saved = "saved" in visit.request.query_params
    if task is None:
        return visit.page("done.html", **_progress(visit, study), saved=saved)
    return _task_page(visit, study, task, task.draft, saved=saved)


def submit(visit: Visit) -> Response:
    """Store one stage; a problem shows the page again with everything that was typed."""
    study = visit.study
    lease, form, seconds = _open(visit, study)
    try:
        outcome = answer_task(visit.database, study, lease, form, seconds)
    except AnswerError as error:
        keep_draft(visit.database, lease, form)
        task = show_task(study, lease)
        return _task_page(visit, study, task, form, status=400, problems=error.problems)
    if outcome is None:
        return visit.go(f"/work/{study.code}")
    if outcome == "saved":
        return visit.go(f"/work/{study.code}?saved")
    heading, words, status = _OUTCOMES[outcome]
    return visit.message(heading, words, status, f"/work/{study.code}")


def draft(visit: Visit) -> Response:
    lease, form, _ = _open(visit, visit.study)
    keep_draft(visit.database, lease, form)
    return Response(status_code=204)


def hand_back(visit: Visit) -> Response:
    """Skip or report: the item goes to somebody else and never comes back to this person."""
    study = visit.study
    lease = find_lease(visit.database, study, visit.form.get("task", ""), visit.person.id)
    state = "reported" if visit.form.get("how") == "report" else "skipped"
    if not give_back(visit.database, lease, state, visit.form.get("note", "")[:_LONGEST_NOTE]):
        raise UserError("This item was finished or handed back already.")
    return visit.go(f"/work/{study.code}")


def show_last(visit: Visit) -> Response:
    """The last answer, to be corrected; what was said before the post was shown stays."""
    study = visit.study
    found = last_answer(visit.database, study, visit.person.id)
    if found is None:
        raise UserError("You have no answer here yet that could be corrected.")
    lease = find_lease(visit.database, study, found[0], visit.person.id)
    last = len(protocol_of(study).stages) - 1
    values = {**found[1], **marks_to_form(found[1].get("tags", ()))}
    return _task_page(visit, study, show_task(study, lease, last), values, correcting=True)


def correct(visit: Visit) -> Response:
    study = visit.study
    lease, form, seconds = _open(visit, study)
    try:
        changed = correct_task(visit.database, study, lease, form, seconds)
    except AnswerError as error:
        task = show_task(study, lease, len(protocol_of(study).stages) - 1)
        return _task_page(visit, study, task, form, 400, problems=error.problems, correcting=True)
    if not changed:
        raise UserError("This item has no answer yet that could be corrected.")
    return visit.go(f"/work/{study.code}?saved")


def _open(visit: Visit, study: Study) -> tuple[Lease, dict[str, str], float | None]:
    """The lease, the answers and the active seconds of a form that belongs to this person and stage."""
    form = dict(visit.form)
    token, protocol, stage, seconds = (form.pop(n, "") for n in ("task", "protocol", "stage", "seconds"))
    lease = open_lease(visit.database, study, token, visit.person.id, protocol, stage)
    try:
        return lease, form, min(max(float(seconds), 0.0), _HOUR)
    except ValueError:
        return lease, form, None


def _progress(visit: Visit, study: Study) -> dict[str, Any]:
    counts = visit.site.progress(study)
    progress = {name: counts[name] for name in ("labels", "labels_wanted")}
    title = protocol_of(study).title
    return {"code": study.code, "done": visit.visitor.done, "progress": progress, "heading": title}


def _task_page(
    visit: Visit, study: Study, task: Task, values: dict[str, str], status: int = 200, **more: Any
) -> Response:
    shown = {"task": task, "texts": list(zip(task.protocol.text_names, task.texts, strict=False))}
    shown |= {"values": values, "most_marks": MOST_MARKS}
    return visit.page("task.html", status, **shown, **_progress(visit, study), **more)
