# SPDX-License-Identifier: Apache-2.0
"""Passes over the tree that have to do with order: insert.py puts flags in, verify.py looks at queues."""
