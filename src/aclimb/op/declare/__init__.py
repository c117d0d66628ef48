# SPDX-License-Identifier: Apache-2.0
"""What an operator declares and registers, and where that is found."""
