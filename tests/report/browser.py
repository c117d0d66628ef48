# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven over its debugging pipe: messages are JSON with a NUL behind each, so no package is needed."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio",
         "--no-first-run", "--disable-extensions", "--disable-sync", "--disable-background-networking",
         "--disable-component-update")  # fmt: skip

# Chromium reads its pipe from 3 and writes it to 4.
LAUNCHER = "import os, sys; [os.dup2(int(end), to) for end, to in zip(sys.argv[1:3], (3, 4))]; os.execv(sys.argv[3], sys.argv[3:])"


def find() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """One browser with one page at a time."""

    def __init__(self, profile_folder: Path) -> None:
        program = find()
        assert program is not None
        to_child, self._out = os.pipe()
        self._in, from_child = os.pipe()
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_child, from_child)]  # out of the way of 3 and 4
        command = [program, *FLAGS, f"--user-data-dir={profile_folder}", "--remote-debugging-pipe", "about:blank"]
        launcher = [sys.executable, "-c", LAUNCHER, *map(str, ends), *command]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(launcher, stdin=quiet, stdout=quiet, stderr=quiet, pass_fds=ends)
        for end in (to_child, from_child, *ends):
            os.close(end)
        self._buffer = b""
        self._last = 0
        self._session: str | None = None
        self.console: list[str] = []  # errors and warnings of the page

    def close(self) -> None:
        os.close(self._out)  # the browser ends with its pipe
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._in)

    def open(
        self, page: Path, width: int = 1280, height: int = 900, scheme: str = "light", ready: str = "(window.aclimb || {}).ready === true"
    ) -> None:
        """Loads a page and waits until it says that it is ready; one without a script is, as soon as it is loaded."""
        if self._session is None:
            targets = self._call("Target.getTargets", session=False)["targetInfos"]
            target = next(each["targetId"] for each in targets if each["type"] == "page")
            self._session = self._call("Target.attachToTarget", {"targetId": target, "flatten": True}, session=False)["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                self._call(f"{domain}.enable")
            offline = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
            self._call("Network.emulateNetworkConditions", offline)
        self.console.clear()
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self._call("Emulation.setDeviceMetricsOverride", size)
        self._call("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        self._call("Page.navigate", {"url": page.as_uri()})
        here = json.dumps(page.as_uri())
        self.wait(f"document.URL === {here} && document.readyState === 'complete' && ({ready})")

    def run(self, script: str) -> Any:
        """The value of an expression; promises are awaited. Raises what the page throws."""
        answer = self._call("Runtime.evaluate", {"expression": script, "returnByValue": True, "awaitPromise": True})
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"].get("exception", {}).get("description", answer["exceptionDetails"]["text"]))
        return answer["result"].get("value")

    def wait(self, condition: str, seconds: float = 600) -> None:
        end = time.monotonic() + seconds
        while not self.run(condition):
            assert time.monotonic() < end, f"{condition} is still false after {seconds:g} s; console: {self.console}"
            time.sleep(0.05)

    def send(self, method: str, **parameters: Any) -> None:
        """Input of a person: send("Input.dispatchKeyEvent", type="keyDown", key="w")."""
        self._call(method, parameters)

    def screenshot(self, path: Path, whole: bool = True) -> None:
        answer = self._call("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": whole})
        path.write_bytes(base64.b64decode(answer["data"]))

    def _call(self, method: str, parameters: dict[str, Any] | None = None, session: bool = True) -> dict[str, Any]:
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        number = self._last
        answer = self._until(lambda each: each.get("id") == number)
        assert "error" not in answer, f"{method}: {answer['error']}"
        return dict(answer["result"])

    def _until(self, is_wanted: Callable[[dict[str, Any]], bool], seconds: float = 600) -> dict[str, Any]:
        end = time.monotonic() + seconds
        while True:
            while b"\0" in self._buffer:
                line, _, self._buffer = self._buffer.partition(b"\0")
                message = json.loads(line)
                self._note(message)
                if is_wanted(message):
                    return dict(message)
            ready, _, _ = select.select([self._in], [], [], max(0.0, end - time.monotonic()))
            chunk = os.read(self._in, 1 << 20) if ready else b""
            assert chunk, "chromium does not answer" if not ready else "chromium has ended"
            self._buffer += chunk

    def _note(self, message: dict[str, Any]) -> None:
        parameters = message.get("params", {})
        if message.get("method") == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.console.append(details.get("exception", {}).get("description", details["text"]))
        elif message.get("method") == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.console.append(" ".join(str(each.get("value", each.get("description"))) for each in parameters["args"]))
        elif message.get("method") == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.console.append(parameters["entry"]["text"])
