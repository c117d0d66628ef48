# SPDX-License-Identifier: Apache-2.0
"""`aclimb try`: every program and operator project of a folder, built and run in a scratch copy; a row for each."""
