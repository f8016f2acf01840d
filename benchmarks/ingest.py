"""`make bench-ingest`: how fast dumps are read, every figure a ratio measured in this one run.

The baselines are what people run today: the loop of text stream, json.loads and `if subreddit in wanted`, and
the same loop with a Parquet writer. Each figure is the best of three, taken in turns so that a slow minute of
the machine hits both sides.
"""

import io
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard
from dump import WANTED, write_dump

from heed import IngestOptions, Workspace, ingest

CACHE = Path(__file__).parent.parent / ".cache"
SIZE_BYTES = 3_150_000_000
SHORT_BYTES = 1_050_000_000
ROUNDS = 3
FIELDS = ("id", "subreddit", "author", "body", "link_id", "parent_id", "score", "created_utc", "retrieved_on")


def decompress(path: Path) -> int:
    piece = memoryview(bytearray(1 << 20))
    total = 0
    with (
        path.open("rb") as file,
        zstandard.ZstdDecompressor(max_window_size=1 << 31).stream_reader(file) as stream,
    ):
        while count := stream.readinto(piece):
            total += count
    return total


def _text_lines(path: Path) -> io.TextIOWrapper:
    stream = zstandard.ZstdDecompressor(max_window_size=1 << 31).stream_reader(path.open("rb"))
    return io.TextIOWrapper(stream, encoding="utf-8")


def usual_loop(path: Path) -> int:
    wanted = {name.lower() for name in WANTED}
    rows = []
    for line in _text_lines(path):
        row = json.loads(line)
        if row["subreddit"].lower() in wanted:
            rows.append(row)
    return len(rows)


def usual_loop_to_parquet(path: Path) -> int:
    rows: list[dict[str, Any]] = []
    count, writer = 0, None
    with tempfile.TemporaryDirectory() as folder:
        for line in _text_lines(path):
            row = json.loads(line)
            rows.append({field: row[field] for field in FIELDS})
            if len(rows) == 100_000:
                writer = _write(rows, writer, folder)
                count, rows = count + len(rows), []
        writer = _write(rows, writer, folder)
        writer.close()
    return count + len(rows)


def _write(rows: list[dict[str, Any]], writer: Any, folder: str) -> Any:
    table = pa.Table.from_pylist(rows)
    writer = writer or pq.ParquetWriter(f"{folder}/rows.parquet", table.schema, compression="zstd")
    writer.write_table(table)
    return writer


def heed_ingest(*paths: Path, **options: Any) -> int:
    with tempfile.TemporaryDirectory() as folder:
        result = ingest(paths, IngestOptions(**options), Workspace(folder))
    return int(result["comments"])


def best(*jobs: Callable[[], int]) -> list[tuple[float, int]]:
    """The shortest time of each job and what it returned, the jobs in turns."""
    times: list[list[float]] = [[] for _ in jobs]
    results = [0] * len(jobs)
    for _ in range(ROUNDS):
        for index, job in enumerate(jobs):
            started = time.perf_counter()
            results[index] = job()
            times[index].append(time.perf_counter() - started)
    return [(min(each), result) for each, result in zip(times, results, strict=True)]


def peak_memory_bytes(path: Path) -> int:
    """The most that an ingest and its unpacker hold at once, beyond the window."""
    here = str(Path(__file__).parent)
    code = f"import sys; sys.path.insert(0, {here!r}); import ingest, pathlib; "
    code += f"ingest.heed_ingest(pathlib.Path({str(path)!r}), all=True)"
    process = subprocess.Popen([sys.executable, "-c", code])
    peak = 0
    while process.poll() is None:
        peak = max(peak, _resident_bytes(process.pid))
        time.sleep(0.02)
    return peak


def _resident_bytes(pid: int) -> int:
    """Of a process and its children, from /proc; pages that both share count once for each."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0
    return pages * 4096 + sum(_resident_bytes(int(child)) for child in children)


def dump(name: str, size_bytes: int, seed: int) -> tuple[Path, int]:
    """A dump in the cache, and its number of wanted lines."""
    CACHE.mkdir(exist_ok=True)
    path, note = CACHE / f"RC_{name}.zst", CACHE / f"RC_{name}.wanted"
    if not note.exists():
        print(f"writing {path.name} …", flush=True)
        note.write_text(str(write_dump(path, size_bytes, seed)))
    return path, int(note.read_text())


def say(what: str, ratio: float, target: float, detail: str) -> None:
    print(f"{what:<44} {ratio:6.2f} x   (target {target:.2f})   {detail}", flush=True)


def main() -> None:
    path, wanted_lines = dump("long", SIZE_BYTES, seed=1)
    shorts = [dump(f"short{seed}", SHORT_BYTES, seed)[0] for seed in (2, 3)]
    size = decompress(path)
    (plain, _), (loop, found), (fast, kept) = best(
        lambda: decompress(path), lambda: usual_loop(path), lambda: heed_ingest(path, subreddits=WANTED)
    )
    if not found == kept == wanted_lines:
        raise SystemExit(f"row counts differ: {found}, {kept}, {wanted_lines}")
    rates = f"{size / fast / 1e6:,.0f} MB/s"
    say("four subreddits against the usual loop", loop / fast, 6, f"{rates} against {size / loop / 1e6:,.0f}")
    say(
        "four subreddits against decompression alone",
        plain / fast,
        0.85,
        f"{rates} against {size / plain / 1e6:,.0f}",
    )
    (loop, rows), (fast, kept) = best(
        lambda: usual_loop_to_parquet(path), lambda: heed_ingest(path, all=True)
    )
    if rows != kept:
        raise SystemExit(f"row counts differ: {rows}, {kept}")
    say("everything against json.loads to Parquet", loop / fast, 2.5, f"{size / fast / 1e6:,.0f} MB/s")
    for what, options in (("everything", {"all": True}), ("four subreddits", {"subreddits": WANTED})):
        (one, _), (two, _) = best(
            lambda o=options: heed_ingest(*shorts, jobs=1, **o),
            lambda o=options: heed_ingest(*shorts, jobs=2, **o),
        )
        say(
            f"two files at once, {what}",
            one / two,
            1.3,
            f"{one:.2f} s one after the other, {two:.2f} s at once",
        )
    peak = peak_memory_bytes(path)
    print(f"{'peak memory, everything, one file':<44} {peak / 2**30:6.2f} GiB (limit 2 GiB window + 1 GiB)")


if __name__ == "__main__":
    main()
