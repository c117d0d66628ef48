/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of data types and formats, for C. */
#ifndef ACLIMB_GRAPH_C_TYPES_H
#define ACLIMB_GRAPH_C_TYPES_H

/* A row is a name and its number: in C C_DT_FLOAT, in C++ ge::DT_FLOAT. */
#define ACLIMB_DATA_TYPES(ROW)                                                                                                             \
    ROW(FLOAT, 0)                                                                                                                          \
    ROW(FLOAT16, 1)                                                                                                                        \
    ROW(INT8, 2)                                                                                                                           \
    ROW(INT32, 3)                                                                                                                          \
    ROW(UINT8, 4)                                                                                                                          \
    ROW(INT16, 6)                                                                                                                          \
    ROW(UINT16, 7)                                                                                                                         \
    ROW(UINT32, 8)                                                                                                                         \
    ROW(INT64, 9)                                                                                                                          \
    ROW(UINT64, 10)                                                                                                                        \
    ROW(DOUBLE, 11)                                                                                                                        \
    ROW(BOOL, 12)                                                                                                                          \
    ROW(STRING, 13)                                                                                                                        \
    ROW(DUAL_SUB_INT8, 14)                                                                                                                 \
    ROW(DUAL_SUB_UINT8, 15)                                                                                                                \
    ROW(COMPLEX64, 16)                                                                                                                     \
    ROW(COMPLEX128, 17)                                                                                                                    \
    ROW(QINT8, 18)                                                                                                                         \
    ROW(QINT16, 19)                                                                                                                        \
    ROW(QINT32, 20)                                                                                                                        \
    ROW(QUINT8, 21)                                                                                                                        \
    ROW(QUINT16, 22)                                                                                                                       \
    ROW(RESOURCE, 23)                                                                                                                      \
    ROW(STRING_REF, 24)                                                                                                                    \
    ROW(DUAL, 25)                                                                                                                          \
    ROW(VARIANT, 26)                                                                                                                       \
    ROW(BF16, 27)                                                                                                                          \
    ROW(UNDEFINED, 28)                                                                                                                     \
    ROW(INT4, 29)                                                                                                                          \
    ROW(UINT1, 30)                                                                                                                         \
    ROW(INT2, 31)                                                                                                                          \
    ROW(UINT2, 32)                                                                                                                         \
    ROW(COMPLEX32, 33)                                                                                                                     \
    ROW(HIFLOAT8, 34)                                                                                                                      \
    ROW(FLOAT8_E5M2, 35)                                                                                                                   \
    ROW(FLOAT8_E4M3FN, 36)                                                                                                                 \
    ROW(FLOAT8_E8M0, 37)                                                                                                                   \
    ROW(FLOAT6_E3M2, 38)                                                                                                                   \
    ROW(FLOAT6_E2M3, 39)                                                                                                                   \
    ROW(FLOAT4_E2M1, 40)                                                                                                                   \
    ROW(FLOAT4_E1M2, 41)                                                                                                                   \
    ROW(HIFLOAT4, 42)

#define ACLIMB_FORMATS(ROW)                                                                                                                \
    ROW(NCHW, 0)                                                                                                                           \
    ROW(NHWC, 1)                                                                                                                           \
    ROW(ND, 2)                                                                                                                             \
    ROW(NC1HWC0, 3)                                                                                                                        \
    ROW(FRACTAL_Z, 4)                                                                                                                      \
    ROW(NC1C0HWPAD, 5)                                                                                                                     \
    ROW(NHWC1C0, 6)                                                                                                                        \
    ROW(FSR_NCHW, 7)                                                                                                                       \
    ROW(FRACTAL_DECONV, 8)                                                                                                                 \
    ROW(C1HWNC0, 9)                                                                                                                        \
    ROW(FRACTAL_DECONV_TRANSPOSE, 10)                                                                                                      \
    ROW(FRACTAL_DECONV_SP_STRIDE_TRANS, 11)                                                                                                \
    ROW(NC1HWC0_C04, 12)                                                                                                                   \
    ROW(FRACTAL_Z_C04, 13)                                                                                                                 \
    ROW(CHWN, 14)                                                                                                                          \
    ROW(FRACTAL_DECONV_SP_STRIDE8_TRANS, 15)                                                                                               \
    ROW(HWCN, 16)                                                                                                                          \
    ROW(NC1KHKWHWC0, 17)                                                                                                                   \
    ROW(BN_WEIGHT, 18)                                                                                                                     \
    ROW(FILTER_HWCK, 19)                                                                                                                   \
    ROW(HASHTABLE_LOOKUP_LOOKUPS, 20)                                                                                                      \
    ROW(HASHTABLE_LOOKUP_KEYS, 21)                                                                                                         \
    ROW(HASHTABLE_LOOKUP_VALUE, 22)                                                                                                        \
    ROW(HASHTABLE_LOOKUP_OUTPUT, 23)                                                                                                       \
    ROW(HASHTABLE_LOOKUP_HITS, 24)                                                                                                         \
    ROW(C1HWNCoC0, 25)                                                                                                                     \
    ROW(MD, 26)                                                                                                                            \
    ROW(NDHWC, 27)                                                                                                                         \
    ROW(FRACTAL_ZZ, 28)                                                                                                                    \
    ROW(FRACTAL_NZ, 29)                                                                                                                    \
    ROW(NCDHW, 30)                                                                                                                         \
    ROW(DHWCN, 31)                                                                                                                         \
    ROW(NDC1HWC0, 32)                                                                                                                      \
    ROW(FRACTAL_Z_3D, 33)                                                                                                                  \
    ROW(CN, 34)                                                                                                                            \
    ROW(NC, 35)                                                                                                                            \
    ROW(DHWNC, 36)                                                                                                                         \
    ROW(FRACTAL_Z_3D_TRANSPOSE, 37)                                                                                                        \
    ROW(FRACTAL_ZN_LSTM, 38)                                                                                                               \
    ROW(FRACTAL_Z_G, 39)                                                                                                                   \
    ROW(RESERVED, 40)                                                                                                                      \
    ROW(ALL, 41)                                                                                                                           \
    ROW(NULL, 42)                                                                                                                          \
    ROW(ND_RNN_BIAS, 43)                                                                                                                   \
    ROW(FRACTAL_ZN_RNN, 44)                                                                                                                \
    ROW(NYUV, 45)                                                                                                                          \
    ROW(NYUV_A, 46)                                                                                                                        \
    ROW(NCL, 47)                                                                                                                           \
    ROW(FRACTAL_Z_WINO, 48)                                                                                                                \
    ROW(C1HWC0, 49)                                                                                                                        \
    ROW(FRACTAL_NZ_C0_16, 50)                                                                                                              \
    ROW(FRACTAL_NZ_C0_32, 51)                                                                                                              \
    ROW(FRACTAL_NZ_C0_2, 52)                                                                                                               \
    ROW(FRACTAL_NZ_C0_4, 53)                                                                                                               \
    ROW(FRACTAL_NZ_C0_8, 54)

typedef enum {
#define ACLIMB_ROW(name, number) C_DT_##name = number,
    ACLIMB_DATA_TYPES(ACLIMB_ROW)
#undef ACLIMB_ROW
        C_DT_MAX = 43
} C_DataType;

typedef enum {
#define ACLIMB_ROW(name, number) C_FORMAT_##name = number,
    ACLIMB_FORMATS(ACLIMB_ROW)
#undef ACLIMB_ROW
        C_FORMAT_END = 55,
    C_FORMAT_MAX = 0xff
} C_Format;

#endif
