"""Keeps the model libraries from calling out and from talking over the command's own output."""

import os

from heed.errors import UserError


def offline() -> None:
    """Before the first import of a model library: no hub, no telemetry, no progress bars.

    Threads that wait give their core away: where something else runs beside the model, those that spin took
    twice the time for the same words, and alone they gain nothing.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("TQDM_DISABLE", "1")
    try:
        from transformers.utils import logging
    except ImportError:
        raise UserError("This needs the extra lm, which is not installed: run make setup-lm.") from None

    logging.set_verbosity_error()
    logging.disable_progress_bar()
