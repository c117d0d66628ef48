# SPDX-License-Identifier: Apache-2.0
"""Operator projects: written, built and checked."""
