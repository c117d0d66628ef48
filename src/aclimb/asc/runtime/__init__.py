# SPDX-License-Identifier: Apache-2.0
"""@asc.jit: arguments, specialisations, launches."""
