# SPDX-License-Identifier: Apache-2.0
"""The names of `asc`, in the four parts that pyasc has: core, basic, fwk, adv."""
