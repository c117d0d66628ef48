// SPDX-License-Identifier: Apache-2.0
// vsel  dst = a where the selection bit is 1, else b (or the scalar); bits unchanged.   Ascend C: Select
SELECT(vsel, half, float)
