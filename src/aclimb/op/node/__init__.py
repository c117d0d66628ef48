# SPDX-License-Identifier: Apache-2.0
"""What a callback is about: one node with its tensors, shapes and attributes, and the views of it that callbacks get."""
