from pathlib import Path
from typing import Any


def write_csv(profile: dict[str, Any], folder: Path) -> None: ...
