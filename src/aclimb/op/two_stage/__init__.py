# SPDX-License-Identifier: Apache-2.0
"""The ways with functions of the user's that launch: prepare and launch, or the single stage."""
