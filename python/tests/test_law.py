"""Laws by name: what is taken, what is refused and how."""

import pickle

import pytest

import bristle as br

LUGRE = {
    "bristle_stiffness": 1e4,
    "bristle_damping": 31.6,
    "stribeck_velocity": 1e-3,
    "kinetic_coefficient": 0.1,
    "static_coefficient": 0.15,
}


def test_units_and_symbols_give_the_same_law() -> None:
    law = br.law("lugre", **LUGRE)
    same = br.law(
        "lugre", sigma_0="10/mm", sigma_1="31.6 s/m", v_s="1 mm/s", mu_k=0.1, mu_s=0.15
    )
    assert law == same
    assert law.parameters["stribeck_velocity"] == 1e-3


def test_a_misspelt_parameter_is_refused_with_the_one_that_was_meant() -> None:
    with pytest.raises(br.ParameterError, match="kinetic_coefficient") as caught:
        br.law("lugre", **{**LUGRE, "kinetic_coeficient": 0.1})
    diagnostic = caught.value.diagnostics[0]
    assert diagnostic.line == 7 and diagnostic.severity == "error"
    assert diagnostic.text == "kinetic_coeficient = 0.1"


def test_a_misspelt_law_is_refused_with_the_one_that_was_meant() -> None:
    with pytest.raises(br.ParameterError, match="lugre"):
        br.law("lugri", **LUGRE)


@pytest.mark.parametrize("x", [float("nan"), float("inf"), -1.0, "1 kg", [1.0], None, object()])
def test_values_that_are_none_are_refused(x: object) -> None:
    with pytest.raises(br.ParameterError, match="stribeck_velocity"):
        br.law("lugre", **{**LUGRE, "stribeck_velocity": x})


def test_laws_change_pickle_and_compare() -> None:
    law = br.law("lugre", **LUGRE)
    other = law.with_(mu_s="0.2", bristle_damping=0)
    assert other != law
    assert other.parameters["static_coefficient"] == 0.2
    assert other.with_(static_coefficient=0.15, bristle_damping=31.6) == law
    copy = pickle.loads(pickle.dumps(other))
    assert copy == other and hash(copy) == hash(other) and repr(copy) == repr(other)
    assert eval(repr(law), {"bristle": br}) == law


def test_errors_pickle() -> None:
    with pytest.raises(br.ParameterError) as caught:
        br.law("lugre", mu_k=-1)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value) and copy.diagnostics == caught.value.diagnostics
