# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import browser
import pytest


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.Browser]:
    """One browser for all tests of a session; each opens its own page in it."""
    if browser.find() is None:
        pytest.skip("chromium is not installed: `apt-get install chromium`, or `make test` as root")
    made = browser.Browser(tmp_path_factory.mktemp("chromium"))
    yield made
    made.close()


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder for pages that several tests open."""
    return tmp_path_factory.mktemp("pages")
