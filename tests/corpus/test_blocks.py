from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from heed.corpus import blocks
from heed.corpus.blocks import Block, Blocks, LongLine
from heed.corpus.frames import ends_whole

LONGEST = 3_000


def read(path: Path, longest: int = LONGEST) -> tuple[list[bytes | int], str]:
    """Every line, or its size where it was too long, and what was wrong with the file."""
    reader = Blocks(path, longest)
    lines: list[bytes | int] = []
    for block in reader:
        if isinstance(block, LongLine):
            lines.append(block.bytes)
        else:
            data = block.buffer[block.start : block.stop]
            lines += data.removesuffix(b"\n").split(b"\n")
    return lines, reader.damage


def test_lines_of_any_length_survive_the_edges_of_the_slots(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "SLOT_BYTES", 1_000)
    monkeypatch.setattr(blocks, "HEADROOM_BYTES", 200)
    monkeypatch.setattr(blocks, "_STRIDE", 1_200)
    path = tmp_path_factory.mktemp("dump") / "x.jsonl"

    @settings(max_examples=25, deadline=None)
    @given(st.lists(st.integers(0, 5_000), min_size=1, max_size=12), st.booleans())
    def check(lengths: list[int], newline_at_end: bool) -> None:
        lines = [bytes([97 + index % 26]) * length for index, length in enumerate(lengths)]
        lines[-1] = lines[-1] or b"z"  # a file cannot end in an empty line without a newline
        path.write_bytes(b"\n".join(lines) + (b"\n" if newline_at_end else b""))
        found, damage = read(path)
        # A long line that fits into slots is simply kept; one that had to be put aside is measured.
        expected = [
            line if isinstance(got, bytes) else len(line) + 1 for line, got in zip(lines, found, strict=True)
        ]
        if isinstance(found[-1], int) and not newline_at_end:
            expected[-1] = len(lines[-1])
        assert found == expected
        assert damage == ""
        assert all(
            isinstance(got, bytes) or len(line) + 1 > LONGEST for line, got in zip(lines, found, strict=True)
        )

    check()


def test_a_line_of_50_megabytes_is_measured_and_the_next_one_read(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"{}\n" + b"x" * 50_000_000 + b"\n" + b'{"id": 2}\n')
    lines, _ = read(path, 16 << 20)
    assert lines == [b"{}", 50_000_001, b'{"id": 2}']


def test_a_cut_zstandard_file_gives_its_whole_lines_and_says_so(tmp_path: Path) -> None:
    text = b"".join(b'{"id": "%d", "body": "%d"}\n' % (n, n * n) for n in range(200_000))
    packed = zstandard.ZstdCompressor().compress(text)
    path = tmp_path / "RC_cut.zst"
    path.write_bytes(packed[: len(packed) // 2])
    lines, damage = read(path)
    assert damage == "truncated"
    assert 0 < len(lines) < 200_000
    assert lines[:-1] == text.split(b"\n")[: len(lines) - 1]


def test_broken_bytes_in_the_middle_are_damage_not_a_crash(tmp_path: Path) -> None:
    packed = bytearray(zstandard.ZstdCompressor().compress(b'{"id": "a"}\n' * 100_000))
    packed[len(packed) // 2] ^= 0xFF
    path = tmp_path / "RC_broken.zst"
    path.write_bytes(packed)
    _, damage = read(path)
    assert damage


def test_only_the_whole_file_ends_whole(tmp_path: Path) -> None:
    packer = zstandard.ZstdCompressor(write_checksum=True)
    packed = packer.compress(b"first " * 50_000) + packer.compress(b"second")
    path = tmp_path / "x.zst"
    for length in range(1, len(packed) + 1):
        path.write_bytes(packed[:length])
        # A file that is cut between its two frames is whole as far as anyone can tell.
        between = length == len(packer.compress(b"first " * 50_000))
        assert ends_whole(path) == (length == len(packed) or between), length


def test_an_empty_file_has_no_blocks(tmp_path: Path) -> None:
    path = tmp_path / "RS_empty.zst"
    path.touch()
    assert read(path) == ([], "")


def test_the_unpacker_ends_when_its_reader_stops_early(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"{}\n" * 20_000_000)
    first = next(iter(Blocks(path, LONGEST)))
    assert isinstance(first, Block)
