"""Files of test benches: what they hold comes back with its units."""

from __future__ import annotations

from pathlib import Path

import bristle as br
import numpy as np
import pytest
from bristle import readers

T = np.arange(500) * 1e-3
V = 0.1 * np.sin(6.0 * T)
F = 3.0 * np.tanh(V / 1e-3)


@pytest.mark.filterwarnings("ignore")
def test_mdf_with_channels_of_two_rates(tmp_path: Path) -> None:
    asammdf = pytest.importorskip("asammdf")
    with asammdf.MDF() as file:
        file.append([asammdf.Signal(V * 1e3, T, unit="mm/s", name="v")])
        file.append([asammdf.Signal(F[::2], T[::2], unit="N", name="F")])
        path = Path(file.save(tmp_path / "run.mf4"))
    channels = readers.open(path)
    assert channels["v"].unit == "mm/s"
    record = channels.record(velocity="v", force="F", load=10.0)
    # the times of the slower channel
    assert len(record) == 250
    assert np.allclose(record.columns["velocity"], V[::2], atol=1e-12)
    with pytest.raises(KeyError, match="no channel 'w'"):
        channels.record(velocity="w", force="F")


@pytest.mark.filterwarnings("ignore")
def test_tdms(tmp_path: Path) -> None:
    nptdms = pytest.importorskip("nptdms")
    path = tmp_path / "run.tdms"
    step = {"wf_increment": 1e-3, "wf_start_offset": 0.0}
    with nptdms.TdmsWriter(path) as file:
        v = nptdms.ChannelObject("rig", "v", V, properties={**step, "unit_string": "m/s"})
        f = nptdms.ChannelObject("rig", "F", F, properties={**step, "unit_string": "N"})
        file.write_segment([v, f])
    record = readers.open(path).record(velocity="v", force="F", load=10.0)
    assert np.allclose(record.columns["time"], T, atol=1e-12)
    assert np.array_equal(record.columns["velocity"], V)


def test_parquet_and_npz_and_the_command_line(tmp_path: Path) -> None:
    np.savez(tmp_path / "run.npz", **{"t [s]": T, "v [mm/s]": V * 1e3, "F [N]": F})
    channels = readers.open(tmp_path / "run.npz")
    assert len(channels) == 3
    parquet = pytest.importorskip("pyarrow.parquet")
    from bristle import _frames

    columns = {"v": _frames.Column(V, "m/s"), "F": _frames.Column(F, "N")}
    parquet.write_table(_frames.to_arrow(columns), tmp_path / "run.parquet")
    channels = readers.open(tmp_path / "run.parquet")
    assert channels["v"].unit == "m/s"
    assert readers.main([str(tmp_path / "run.parquet"), str(tmp_path / "out.npz")]) == 0
    assert set(np.load(tmp_path / "out.npz")) == {"v [m/s]", "F [N]"}


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(br.IdentifyError, match="no reader"):
        readers.open(tmp_path / "run.xyz")
    with pytest.raises(br.IdentifyError, match="cannot read|No such file"):
        readers.open(tmp_path / "run.csv")
