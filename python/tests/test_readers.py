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


@pytest.mark.parametrize("evenly", [True, False], ids=["even", "uneven"])
def test_uff_58_with_units(tmp_path: Path, evenly: bool) -> None:
    pyuff = pytest.importorskip("pyuff")
    path = tmp_path / "run.uff"
    file = pyuff.UFF(str(path))
    nothing = {
        f"{axis}_{what}": 0
        for axis in ("orddenom", "z_axis")
        for what in ("spec_data_type", "len_unit_exp", "force_unit_exp", "temp_unit_exp")
    }
    t = T if evenly else T + 1e-4 * np.sin(T)
    for name, values, unit, kind in (("v", V * 1e3, "mm/s", 11), ("F", F, "N", 13)):
        own = pyuff.prepare_58(
            id1="rig", id4=name, func_type=1, data=values, x=t, num_pts=len(t),
            ord_data_type=4, abscissa_spacing=int(evenly), abscissa_min=0.0, abscissa_inc=1e-3,
            abscissa_spec_data_type=17, abscissa_axis_units_lab="s",
            ordinate_spec_data_type=kind, ordinate_axis_units_lab=unit,
            rsp_node=1, rsp_dir=1, ref_node=0, ref_dir=0, rsp_ent_name="NONE", ref_ent_name="NONE",
            ver_num=0, load_case_id=0, z_axis_value=0.0, **nothing,
        )  # fmt: skip
        file.write_sets(own, "add")
    channels = readers.open(path)
    assert {name: channel.unit for name, channel in channels.items()} == {"v": "mm/s", "F": "N"}
    record = channels.record(velocity="v", force="F", load=10.0, lowpass="off")
    # the file has seven digits or more of every number
    assert np.allclose(record.columns["time"], t, atol=1e-6)
    assert np.allclose(record.columns["velocity"], V, rtol=1e-6, atol=1e-9)
    assert np.allclose(record.columns["force"], F, rtol=1e-6, atol=1e-9)


def test_mat_of_version_7_3(tmp_path: Path) -> None:
    """HDF5 behind the head that MATLAB writes; a column there is a row here."""
    h5py = pytest.importorskip("h5py")
    pytest.importorskip("mat73")
    path = tmp_path / "run.mat"
    with h5py.File(path, "w", userblock_size=512) as file:
        rig = file.create_group("rig")
        rig.attrs["MATLAB_class"] = np.bytes_("struct")
        for place, name, values in ((rig, "v", V * 1e3), (rig, "F", F), (file, "t", T)):
            column = place.create_dataset(name, data=values.reshape(1, -1))
            column.attrs["MATLAB_class"] = np.bytes_("double")
        text = np.frombuffer("mm/s".encode("utf-16-le"), np.uint16).reshape(-1, 1)
        file.create_dataset("note", data=text).attrs["MATLAB_class"] = np.bytes_("char")
    with path.open("r+b") as raw:
        raw.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64, HDF5 schema 1.00 .".ljust(124))
        raw.write(b"\x00\x02IM")
    channels = readers.open(path)
    assert set(channels) == {"rig.v", "rig.F", "t"}
    # a MAT file has no units: they are said
    units = {"velocity": "mm/s"}
    record = channels.record(
        t="t", velocity="rig.v", force="rig.F", load=10.0, units=units, lowpass="off"
    )
    assert np.array_equal(record.columns["time"], T)
    assert np.allclose(record.columns["velocity"], V, atol=1e-15)
    assert np.array_equal(record.columns["force"], F)
    with pytest.raises(br.IdentifyError, match="furlong"):
        len(channels.record(t="t", velocity="rig.v", force="rig.F", units={"velocity": "furlong"}))


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
