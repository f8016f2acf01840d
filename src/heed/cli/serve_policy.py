"""`heed serve-policy`: a policy as somebody's endpoint."""

from typing import Annotated

import typer

from heed.cli.shell import Settings


def serve_policy(
    settings: Settings,
    policy: Annotated[str, typer.Argument(metavar="P", help="template, lm:smollm2, best_of:4:lm:smollm2, …")],
    port: Annotated[int, typer.Option(help="Where it listens on this machine.")] = 8766,
    dataset: Annotated[
        str | None, typer.Option(metavar="NAME", help="The dataset that tfidf learns from.")
    ] = None,
    temperature: Annotated[float, typer.Option(help="0 takes the likeliest answer.")] = 0.0,
    top_p: Annotated[float, typer.Option(help="Nucleus sampling keeps this share of the probability.")] = 1.0,
    most_tokens: Annotated[int, typer.Option(metavar="N", help="The longest answer, in tokens.")] = 256,
    scorer: Annotated[str | None, typer.Option(metavar="S", help="What best_of chooses by.")] = None,
) -> None:
    """Serve a policy as an OpenAI-compatible endpoint and as /api/askbatch, until interrupted."""
    from heed.datasets.examples import open_dataset
    from heed.policies.policy import Decoding
    from heed.policies.serve import create_policy_app
    from heed.policies.table import Setting, open_policy
    from heed.site.serve import serve_app

    source = open_dataset(settings.workspace, dataset) if dataset else None
    decoding = Decoding(temperature, top_p, 1, most_tokens)
    opened = open_policy(policy, Setting(settings.workspace, source, decoding, scorer=scorer))
    settings.progress.print(f"{opened.name} answers at http://127.0.0.1:{port}/v1  (Ctrl-C ends it)")
    serve_app(create_policy_app(opened), port)
