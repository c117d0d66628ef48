# SPDX-License-Identifier: Apache-2.0
"""`python -m aclimb` is the `aclimb` command."""

from aclimb.cli import main

if __name__ == "__main__":
    main()
