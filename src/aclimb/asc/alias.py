# SPDX-License-Identifier: Apache-2.0
"""`import aclimb.asc.alias` makes `import asc` mean this package, in this process, where pyasc itself is not installed."""

from aclimb.asc_import import install

install()
