# SPDX-License-Identifier: Apache-2.0
"""`op.check`: an operator over shapes and types, compared with NumPy."""
