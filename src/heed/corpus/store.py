"""Opens a corpus and reads it bucket by bucket.

A corpus is a folder of numbered snapshots, each an artifact that never changes but for erasures; the last one
is the corpus. Writing snapshots is `snapshot`'s work.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from heed.corpus.schema import FOLDERS, SCHEMAS, bucket_name
from heed.errors import NotFoundError
from heed.manifest import MANIFEST_NAME
from heed.records import Kind
from heed.workspace import Artifact, Workspace, open_artifact

CORPORA = "corpora"


@dataclass(frozen=True)
class Corpus:
    """One snapshot. A post and its comments always lie in the same bucket."""

    name: str
    artifact: Artifact

    @property
    def bucket_count(self) -> int:
        return int(self.artifact.manifest.options["buckets"])

    def posts(self, bucket: int) -> pl.DataFrame:
        """The columns of records.Post."""
        return self.scan(bucket, "post").collect()

    def comments(self, bucket: int) -> pl.DataFrame:
        """The columns of records.Comment; the asker is known by pseudonym where old dumps do not say."""
        askers = self.scan(bucket, "post").select(
            pl.col("id").alias("post_id"), pl.col("author").alias("asker")
        )
        is_asker = (pl.col("role") == "user") & (pl.col("author") == pl.col("asker"))
        return (
            self.scan(bucket, "comment")
            .join(askers, on="post_id", how="left", maintain_order="left")
            .with_columns(role=pl.when(is_asker).then(pl.lit("asker")).otherwise(pl.col("role")))
            .drop("asker")
            .collect()
        )

    def scan(self, bucket: int, kind: Kind) -> pl.LazyFrame:
        """The rows of a bucket as they were written."""
        path = self.artifact.path / FOLDERS[kind] / bucket_name(bucket)
        return pl.scan_parquet(path) if path.exists() else pl.LazyFrame(schema=SCHEMAS[kind])

    def find(self, kind: Kind, record_id: str) -> pl.DataFrame:
        """The row with this id, or none."""
        buckets = range(self.bucket_count)
        scans = [self.scan(bucket, kind).filter(pl.col("id") == record_id) for bucket in buckets]
        return pl.concat(scans).collect()


def corpus_names(workspace: Workspace) -> list[str]:
    folders = (workspace.root / CORPORA).glob("*")
    return sorted(folder.name for folder in folders if snapshot_paths(folder))


def snapshot_paths(corpus_folder: Path) -> list[Path]:
    """The finished snapshots of a corpus, oldest first."""
    return sorted(path.parent for path in corpus_folder.glob(f"[0-9]*/{MANIFEST_NAME}"))


def open_corpus(workspace: Workspace, name: str) -> Corpus:
    """The newest snapshot of a corpus."""
    snapshots = snapshot_paths(workspace.root / CORPORA / name)
    if not snapshots:
        known = ", ".join(corpus_names(workspace)) or "none"
        raise NotFoundError(
            f"There is no corpus '{name}' in {workspace.root} (there: {known}): make one with heed ingest."
        )
    return Corpus(name, open_artifact(snapshots[-1]))


def open_corpora(workspace: Workspace) -> Iterator[Corpus]:
    for name in corpus_names(workspace):
        yield open_corpus(workspace, name)
