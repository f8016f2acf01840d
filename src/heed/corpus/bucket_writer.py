"""Writes rows into one Parquet file per bucket, a row group at a time, while the reader goes on.

Memory holds at most two batches: the one being filled and the one being written.
"""

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import polars as pl
import pyarrow.parquet as pq

from heed.corpus.schema import FOLDERS, THREAD_COLUMN, bucket_name, bucket_of
from heed.records import Kind

# One row group per bucket and batch: larger batches make better row groups and need more memory.
_BATCH_BYTES = 128 << 20
COMPRESSION: Literal["zstd"] = "zstd"
COMPRESSION_LEVEL = 1
# A dictionary pays for columns of few values; trying one for ids and texts doubles the time of writing.
_FEW_VALUES = ["subreddit", "role", "state", "file"]


class BucketWriter:
    """Use as a context; `add` takes rows in the order of the dump's lines."""

    def __init__(self, folder: Path, kind: Kind, bucket_count: int) -> None:
        self._folder = folder / FOLDERS[kind]
        self._kind: Kind = kind
        self._bucket_count = bucket_count
        self._frames: list[pl.DataFrame] = []
        self._bytes = 0
        self._files: dict[int, Any] = {}
        self._background = ThreadPoolExecutor(max_workers=1)
        self._writing: Future[None] | None = None

    def add(self, rows: pl.DataFrame) -> None:
        if rows.is_empty():
            return
        buckets = bucket_of(rows[THREAD_COLUMN[self._kind]], self._bucket_count)
        self._frames.append(rows.with_columns(bucket=buckets))
        self._bytes += int(rows.estimated_size())
        if self._bytes >= _BATCH_BYTES:
            self._start_writing()

    def _start_writing(self) -> None:
        self._wait()
        frames, self._frames, self._bytes = self._frames, [], 0
        self._writing = self._background.submit(self._write, frames)

    def _wait(self) -> None:
        if self._writing is not None:
            self._writing.result()
            self._writing = None

    def _write(self, frames: list[pl.DataFrame]) -> None:
        # In order, so that the rows of a bucket stay as the dump had them.
        by_bucket = pl.concat(frames).partition_by(
            "bucket", as_dict=True, include_key=False, maintain_order=True
        )
        for (bucket,), rows in by_bucket.items():
            table = rows.to_arrow(compat_level=pl.CompatLevel.oldest())
            self._file(int(bucket), table.schema).write_table(table)

    def _file(self, bucket: int, schema: Any) -> Any:
        if bucket not in self._files:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._files[bucket] = pq.ParquetWriter(
                self._folder / bucket_name(bucket),
                schema,
                compression=COMPRESSION,
                compression_level=COMPRESSION_LEVEL,
                use_dictionary=_FEW_VALUES,
            )
        return self._files[bucket]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None and self._frames:
                self._start_writing()
            self._wait()
        finally:
            self._background.shutdown()
            for file in self._files.values():
                file.close()
