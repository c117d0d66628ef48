# SPDX-License-Identifier: Apache-2.0
"""The one place that holds the versions; the build reads them from here."""

__version__ = "0.2.0"
CANN = "9.0.0"  # whose interfaces aclimb follows
