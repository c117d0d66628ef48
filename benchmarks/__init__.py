# SPDX-License-Identifier: Apache-2.0
"""Speed, as ratios against a peer measured in the same run. `make bench` runs all, `python -m benchmarks add` some."""
