# SPDX-License-Identifier: Apache-2.0
"""What a person reads: source lines, faults, reports."""
