/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl.h"

static void handler(void) { printf("handler %d\n", aclFinalize()); }

int main(int argc, char** argv) {
    uint32_t count = 0;
    atexit(handler);
    assert(argc == 2);
    aclInit(NULL);
    int code = aclrtGetDeviceCount(&count);
    printf("%d of %d: %d %u, NULL gives %d\n", 1, argc - 1, code, count, aclrtGetDeviceCount(NULL));
    return atoi(strtok(argv[1], ","));
}
