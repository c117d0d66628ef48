/* SPDX-License-Identifier: Apache-2.0 */
/* The version whose interfaces aclimb follows. Only the major number is known to be asked; the others follow its form. */
#pragma once

#define ASC_DEVKIT_MAJOR 9
#define ASC_DEVKIT_MINOR 0
#define ASC_DEVKIT_PATCH 0
#define ASC_DEVKIT_VERSION_STR "9.0.0"
#define ASC_DEVKIT_VERSION_NUM 90000000
#define ASC_DEVKIT_TIMESTAMP 0
#define ASC_DEVKIT_PRERELEASE ""
