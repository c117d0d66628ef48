# SPDX-License-Identifier: Apache-2.0
"""Operators whose host code is C++: what a library declares is registered, and its functions are called at their stages."""
