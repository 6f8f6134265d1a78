"""Tests that need real data skip without it, and fail where it is required."""

import pytest
from realdata import data_dir


def test_no_variable_skips(monkeypatch):
    monkeypatch.delenv("DALIL_DATA", raising=False)
    monkeypatch.delenv("DALIL_REQUIRE", raising=False)
    with pytest.raises(pytest.skip.Exception, match="DALIL_DATA is not set"):
        data_dir()


def test_missing_folder_skips(monkeypatch, tmp_path):
    monkeypatch.setenv("DALIL_DATA", str(tmp_path))
    monkeypatch.delenv("DALIL_REQUIRE", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no folder baly2018"):
        data_dir("baly2018")


@pytest.mark.parametrize("kinds", ["data", "browser,data", "web, data ,browser"])
def test_required_data_fails(monkeypatch, tmp_path, kinds):
    monkeypatch.setenv("DALIL_DATA", str(tmp_path / "gone"))
    monkeypatch.setenv("DALIL_REQUIRE", kinds)
    with pytest.raises(pytest.fail.Exception, match="DALIL_REQUIRE"):
        data_dir()


def test_present_folder(monkeypatch, tmp_path):
    (tmp_path / "baly2018").mkdir()
    monkeypatch.setenv("DALIL_DATA", str(tmp_path))
    assert data_dir("baly2018") == tmp_path / "baly2018"
    assert data_dir() == tmp_path
