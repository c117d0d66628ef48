# SPDX-License-Identifier: Apache-2.0
"""A run from end to end: operators that are called, planned, or run by their type."""
