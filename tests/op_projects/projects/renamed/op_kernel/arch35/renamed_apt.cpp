// SPDX-License-Identifier: Apache-2.0
// For another product: this one is not to be taken.
#error "arch35 is not Atlas A2 or A3"
