# SPDX-License-Identifier: Apache-2.0
"""The dynamic-shape way: a tiling function decides, one kernel is launched."""
