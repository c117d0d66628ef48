# SPDX-License-Identifier: Apache-2.0
"""Types and shapes of outputs."""
