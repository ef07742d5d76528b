"""Runs the peer alone in a process of its own: its HiGHS and ours must not meet.

`python -m benchmarks.peer_process modular|optimal FOLDER MINUTES` solves what `peers.py` wrote into the
folder, and prints the seconds of the solving alone, its processor time, and the peer's own code.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from pytauargus._tauargus import HiTaSCtrl


def main(kind: str, folder: str, minutes: str) -> None:
    """Solves, and prints one line."""
    here = Path(folder)
    os.chdir(here)
    solver = HiTaSCtrl()
    begun, worked = time.perf_counter(), time.process_time()
    if kind == "modular":
        code = solver.a_hitas(
            pars_file=str(here / "parameters.txt"),
            files_file=str(here / "files.txt"),
            max_time=int(minutes),
            tau_out_dir=f"{here}/",
            single_with_single=False,
            single_with_more=False,
            do_count_bounds=False,
        )
    else:
        code = solver.full_jj(
            in_file_jj=str(here / "table.jj"),
            out_file=str(here / "secondary.txt"),
            max_time=int(minutes),
            out_dir=f"{here}/",
        )
    seconds, cpu = time.perf_counter() - begun, time.process_time() - worked
    print(json.dumps({"seconds": seconds, "cpu": cpu, "code": code}))


if __name__ == "__main__":
    main(*sys.argv[1:])
