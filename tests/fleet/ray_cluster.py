# SPDX-License-Identifier: Apache-2.0
"""A Ray cluster of two nodes on this machine, bound to 127.0.0.1. Each node has a cache of its own; the second one has no compiler
where a test asks for that."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from aclimb.fleet.trees import end_with_parent, tree

HERE = Path(__file__).parent
# Nobody outside can reach it: with this address, and no other, Ray's servers listen to this machine alone. But Ray takes it for a mistake
# and puts the machine's own in its place: a driver not where clusters are off, as on a Mac; a node not where we say what its address is.
ADDRESS = "127.0.0.1"
ALONE = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
os.environ[ALONE] = "0"
_START = f"""
from ray._private import services
services.get_node_ip_address = lambda address=None: {ADDRESS!r}
from ray.scripts.scripts import main
main()
"""
_STORE = 80 << 20  # bytes, the least that Ray takes


def free_port() -> int:
    with socket.socket() as found:
        found.bind((ADDRESS, 0))
        return int(found.getsockname()[1])


class Node:
    """`ray start --block`, and all that it starts."""

    def __init__(self, words: list[str], folder: Path, **variables: str) -> None:
        self.cache = folder / "cache"
        common = [f"--node-ip-address={ADDRESS}", "--num-cpus=1", f"--object-store-memory={_STORE}", "--disable-usage-stats", "--block"]
        modules = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))
        environment = {**os.environ, "ACLIMB_CACHE_DIR": str(self.cache), "PYTHONPATH": modules, ALONE: "1",
                       "RAY_health_check_period_ms": "500", "RAY_health_check_failure_threshold": "4",
                       "RAY_health_check_initial_delay_ms": "500", **variables}  # fmt: skip
        command = [sys.executable, "-c", _START, "start", *common, *words]
        folder.mkdir(exist_ok=True, parents=True)
        self._said = (folder / "said").open("wb")
        self._process = subprocess.Popen(command, env=environment, stdout=self._said, stderr=self._said, start_new_session=True,
                                         preexec_fn=end_with_parent)  # fmt: skip
        self.folder = folder

    def kill(self) -> None:
        """As if the plug was pulled: every process of the node at once."""
        for pid in tree(self._process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()
        self._said.close()


class Cluster:
    def __init__(self, folder: Path, **second: str) -> None:
        self.port, self.client_port = free_port(), free_port()
        self._temporary = tempfile.mkdtemp(prefix="r", dir="/tmp")  # names of sockets have to be short
        self._folder = folder
        words = ["--head", f"--port={self.port}", f"--ray-client-server-port={self.client_port}", "--include-dashboard=false",
                 f"--temp-dir={self._temporary}"]  # fmt: skip
        self.head = Node(words, folder / "head", **{ALONE: "0"})  # its server of clients starts drivers
        self._wait_for(1)
        self.second = self.add("second", **second)
        self._wait_for(2)

    @property
    def address(self) -> str:
        return f"{ADDRESS}:{self.port}"

    @property
    def client(self) -> str:
        return f"ray://{ADDRESS}:{self.client_port}"

    def add(self, name: str, **variables: str) -> Node:
        return Node([f"--address={self.address}"], self._folder / name, **variables)

    def _wait_for(self, nodes: int) -> None:
        """Asked by a process of its own: this one may not have been connected yet when it kills a node."""
        text = (f"import ray; ray.init(address={self.address!r}, logging_level='ERROR', log_to_driver=False); "
                "print(sum(each['Alive'] for each in ray.nodes()))")  # fmt: skip
        until, said = time.monotonic() + 600, ""
        while time.monotonic() < until:
            found = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
            said = found.stdout + found.stderr
            if found.stdout.strip() == str(nodes):
                return
            time.sleep(0.5)
        raise RuntimeError(f"the cluster has no {nodes} nodes: {said}")

    def close(self) -> None:
        for node in (self.second, self.head):
            node.kill()
        shutil.rmtree(self._temporary, ignore_errors=True)
