# SPDX-License-Identifier: Apache-2.0
"""Python's ast -> typed tree -> Ascend C. Begin with unit.py; the tree is in tree.py, its text in emit.py."""
