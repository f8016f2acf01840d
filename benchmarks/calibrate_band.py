"""Calibrate the question band of an encoder on released question pairs, and print its table for bands.toml.

python benchmarks/calibrate_band.py ASQ.json [ENCODER_FOLDER]
"""

import json
import sys
from pathlib import Path

from heed.datasets.band import calibrate
from heed.datasets.vectors import load_vectors
from heed.manifest import hash_file


def main(file: Path, encoder: str) -> None:
    items = json.loads(file.read_text(encoding="utf-8"))
    first, second = [item["qn1"] for item in items], [item["qn2"] for item in items]
    found = calibrate(first, second, encoder, load_vectors())
    print(f'["{Path(encoder).name}"]')
    for name, value in found.items():
        print(f"{name} = {value}")
    print(f'pairs = {len(items)}\nsource = "{file.name}"\nsource_sha256 = "{hash_file(file)}"')


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "glove")
