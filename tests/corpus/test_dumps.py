import bz2
import gzip
import lzma
from pathlib import Path

import pytest
import zstandard

from heed.corpus.blocks import Block, Blocks
from heed.corpus.dumps import find_dumps, named_kind, packing
from heed.errors import NotFoundError, UnreadableError

TEXT = b"".join(b'{"id": "%d"}\n' % number for number in range(5_000))


def two_frames(data: bytes) -> bytes:
    """As Pushshift packs: a long window, and one frame behind the other."""
    settings = zstandard.ZstdCompressionParameters.from_level(1, window_log=31, enable_ldm=True)
    packer = zstandard.ZstdCompressor(compression_params=settings)
    half = len(data) // 2
    return packer.compress(data[:half]) + packer.compress(data[half:])


PACKERS = {
    "zst": two_frames,
    "xz": lzma.compress,
    "bz2": bz2.compress,
    "gz": lambda data: gzip.compress(data[:100]) + gzip.compress(data[100:]),
    "plain": lambda data: data,
}


def unpacked(path: Path) -> bytes:
    found = [block for block in Blocks(path, 1 << 20) if isinstance(block, Block)]
    return b"".join(block.buffer[block.start : block.stop] for block in found)


@pytest.mark.parametrize("name", PACKERS)
def test_every_packing_is_known_by_its_bytes_and_read_whole(name: str, tmp_path: Path) -> None:
    path = tmp_path / "RC_without_an_ending"
    path.write_bytes(PACKERS[name](TEXT))
    assert packing(path) == name
    assert unpacked(path) == TEXT


def test_bytes_that_are_no_dump_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "RS_2020-01.zst"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    with pytest.raises(UnreadableError, match=r"RS_2020-01\.zst is not a dump"):
        packing(path)


def test_a_folder_is_searched_for_dumps(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    wanted = [tmp_path / "RS_2011-01", tmp_path / "deep" / "advice_comments.zst", tmp_path / "x.ndjson"]
    for path in [*wanted, tmp_path / "notes.txt"]:
        path.write_bytes(b"{}\n")
    assert find_dumps([tmp_path, wanted[0]]) == sorted(path.resolve() for path in wanted)


def test_a_folder_without_dumps_and_a_missing_path_are_said(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    with pytest.raises(NotFoundError, match=r"holds no dumps \(1 other files\)"):
        find_dumps([tmp_path])
    with pytest.raises(NotFoundError, match="no file or folder"):
        find_dumps([tmp_path / "absent.zst"])


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("RS_2019-10.zst", "post"),
        ("RC_2005-12.zst", "comment"),
        ("advice_submissions.zst", "post"),
        ("advice_comments.jsonl", "comment"),
        ("mystery.zst", None),
    ],
)
def test_the_name_promises_a_kind(name: str, kind: str | None) -> None:
    assert named_kind(Path(name)) == kind
