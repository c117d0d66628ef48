# SPDX-License-Identifier: Apache-2.0
"""The host's side: streams and devices (runtime), tilings (host)."""
