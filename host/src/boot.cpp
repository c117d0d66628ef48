// SPDX-License-Identifier: Apache-2.0
// Starts Python for a program that calls acl.
#include "table.h"

#include <stdio.h>
#include <stdlib.h>

extern "C" void aclimb_boot(void) {
    fprintf(stderr, "aclimb: this program was not started under Python\n");
    exit(127);
}
