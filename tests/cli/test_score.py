"""The table of `heed score` in a terminal of 80 columns."""

import io

from rich.console import Console

from heed.cli.score import draw


def test_a_table_of_choices_fits_80_columns() -> None:
    metrics = {"accuracy": 0.8, "rouge1": 0.8, "rouge2": 0.8, "rougeL": 0.8, "words": 16.2, "copied": 0.06}
    metrics |= {"distinct2": 0.894, "logprob": -123.4, "failed": 0, "cut": 0}
    console = Console(file=io.StringIO(), width=80)
    for part in draw({"policies": {"similarity:all": metrics}, "responses": "cloze", "path": "scores"}):
        console.print(part)
    heading, row = console.file.getvalue().splitlines()[:2]  # type: ignore[attr-defined]
    assert " ".join(heading.split()) == "policy accuracy words copied distinct2 logprob failed cut"
    assert " ".join(row.split()) == "similarity:all 0.800 16 0.060 0.894 -123 0 0"
