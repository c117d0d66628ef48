// SPDX-License-Identifier: Apache-2.0
// A declaration that host code and kernel share: every kind of template parameter.
#pragma once
#include "ascendc/host_api/tiling/template_argument.h"

ASCENDC_TPL_ARGS_DECL(Shared, ASCENDC_TPL_DATATYPE_DECL(T, C_DT_FLOAT, C_DT_BF16), ASCENDC_TPL_DTYPE_DECL(D, C_DT_INT32),
                      ASCENDC_TPL_FORMAT_DECL(F, C_FORMAT_ND, C_FORMAT_FRACTAL_NZ),
                      ASCENDC_TPL_UINT_DECL(L, ASCENDC_TPL_8_BW, ASCENDC_TPL_UI_LIST, 64, 8, 300),
                      ASCENDC_TPL_UINT_DECL(R, ASCENDC_TPL_4_BW, ASCENDC_TPL_UI_RANGE, 2, 1, 2, 10, 10),
                      ASCENDC_TPL_UINT_DECL(M, ASCENDC_TPL_4_BW, ASCENDC_TPL_UI_MIX, 1, 5, 6, 40), ASCENDC_TPL_BOOL_DECL(S, 0, 1));
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DATATYPE_SEL(T, C_DT_FLOAT, C_DT_BF16), ASCENDC_TPL_DTYPE_SEL(D, C_DT_INT32),
                                     ASCENDC_TPL_FORMAT_SEL(F, C_FORMAT_ND, C_FORMAT_FRACTAL_NZ),
                                     ASCENDC_TPL_UINT_SEL(L, ASCENDC_TPL_UI_LIST, 64, 8, 300),
                                     ASCENDC_TPL_UINT_SEL(R, ASCENDC_TPL_UI_RANGE, 2, 1, 2, 10, 10),
                                     ASCENDC_TPL_UINT_SEL(M, ASCENDC_TPL_UI_MIX, 1, 5, 6, 40), ASCENDC_TPL_BOOL_SEL(S, 0, 1)), );
