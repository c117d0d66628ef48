// SPDX-License-Identifier: Apache-2.0
// Tiling-data classes beside the plain structs of a kernel, template keys, and the numbers of ge.
#include "checks.h"
#include "register/op_def_registry.h"
#include "tiling/template_argument.h"

#include <cstring>

namespace optiling {
BEGIN_TILING_DATA_DEF(Plain)
TILING_DATA_FIELD_DEF(uint8_t, byte);
TILING_DATA_FIELD_DEF(uint32_t, word);
TILING_DATA_FIELD_DEF_ARR(uint16_t, 3, three);
TILING_DATA_FIELD_DEF(uint64_t, wide);
TILING_DATA_FIELD_DEF(float, number);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(LayoutOp, Plain)

BEGIN_TILING_DATA_DEF(Part)
TILING_DATA_FIELD_DEF(uint32_t, count);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(PartOp, Part)

BEGIN_TILING_DATA_DEF(Whole)
TILING_DATA_FIELD_DEF(uint8_t, flag);
TILING_DATA_FIELD_DEF_STRUCT(Part, part);
TILING_DATA_FIELD_DEF(uint16_t, last);
TILING_DATA_FIELD_DEF_STRUCT(Plain, plain);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(LayoutOp_7, Whole)
} // namespace optiling

// As a kernel has them.
struct PlainStruct {
    uint8_t byte;
    uint32_t word;
    uint16_t three[3];
    uint64_t wide;
    float number;
};
struct alignas(8) PartStruct {
    uint32_t count;
};
struct alignas(8) WholeStruct {
    uint8_t flag;
    PartStruct part;
    uint16_t last;
    PlainStruct plain;
};

template <typename Struct> static Struct saved(const optiling::TilingDef& from) {
    Struct made;
    std::memset(&made, 0xff, sizeof made);
    from.SaveToBuffer(&made, sizeof made);
    return made;
}

TEST(tiling_class_is_the_plain_struct) {
    optiling::Plain data;
    EQUAL(data.GetDataSize(), sizeof(PlainStruct));
    EQUAL(data.get_wide(), 0u);
    uint16_t three[] = {1, 2, 3};
    data.set_byte(200);
    data.set_word(70000);
    data.set_three(three);
    data.set_wide(uint64_t{1} << 40);
    data.set_number(0.5f);
    const PlainStruct got = saved<PlainStruct>(data);
    EQUAL(static_cast<int>(got.byte), 200);
    EQUAL(got.word, 70000u);
    EQUAL(got.three[0] + got.three[1] * 10 + got.three[2] * 100, 321);
    EQUAL(got.wide, uint64_t{1} << 40);
    EQUAL(got.number, 0.5f);
    EQUAL(data.get_three()[2], 3);
    data.get_three()[2] = 4;
    EQUAL(saved<PlainStruct>(data).three[2], 4);
    EQUAL(std::string(data.GetTilingClassName()), "Plain");
}
TEST(tiling_class_with_structs_in_it) {
    optiling::Whole data;
    EQUAL(data.GetDataSize(), sizeof(WholeStruct));
    data.set_flag(1);
    data.part.set_count(77);
    data.set_last(9);
    data.plain.set_number(2.5f);
    const WholeStruct got = saved<WholeStruct>(data);
    EQUAL(static_cast<int>(got.flag), 1);
    EQUAL(got.part.count, 77u);
    EQUAL(got.last, 9);
    EQUAL(got.plain.number, 2.5f);
    EQUAL(data.part.get_count(), 77u);
}
TEST(tiling_class_over_foreign_memory) {
    PlainStruct memory = {};
    optiling::Plain data(&memory);
    data.set_word(5);
    EQUAL(memory.word, 5u);
    PlainStruct other = {};
    data.SaveToBuffer(&other, sizeof other); // it is in its place already
    EQUAL(other.word, 0u);
    data.SetDataPtr(&other);
    data.set_word(6);
    EQUAL(other.word * 10 + memory.word, 65u);
    optiling::Whole nowhere(nullptr);
    EQUAL(nowhere.GetDataSize(), sizeof(WholeStruct));
    WholeStruct whole = {};
    nowhere.SetDataPtr(&whole);
    nowhere.part.set_count(3);
    EQUAL(whole.part.count, 3u);
}
TEST(tiling_class_does_not_write_too_much) {
    optiling::Plain data;
    data.set_byte(1);
    uint8_t small[8] = {};
    data.SaveToBuffer(small, sizeof small);
    EQUAL(static_cast<int>(small[0]), 0);
}
TEST(tiling_class_fields) {
    std::string fields;
    size_t bytes = 0;
    for (const auto& each : optiling::Whole().GetFieldInfo()) {
        fields += std::string(each.dtype_) + " " + each.name_ + " " + std::to_string(each.arrSize_) + " " + each.structType_ + ";";
        bytes += each.structSize_;
    }
    EQUAL(fields, "uint8_t flag 0 ;uint8_t padding 7 ;struct part 0 Part;uint16_t last 0 ;uint8_t padding 6 ;struct plain 0 Plain;");
    EQUAL(bytes, sizeof(PartStruct) + sizeof(PlainStruct));
}

ASCENDC_TPL_ARGS_DECL(LayoutOp, ASCENDC_TPL_DATATYPE_DECL(D_T, ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_BF16),
                      ASCENDC_TPL_FORMAT_DECL(FORMAT, ge::FORMAT_ND, ge::FORMAT_FRACTAL_NZ),
                      ASCENDC_TPL_UINT_DECL(TILE, ASCENDC_TPL_8_BW, ASCENDC_TPL_UI_LIST, 2, 8, 4),
                      ASCENDC_TPL_UINT_DECL(SIDE, ASCENDC_TPL_4_BW, ASCENDC_TPL_UI_RANGE, 2, 1, 3, 10, 11),
                      ASCENDC_TPL_UINT_DECL(MIXED, ASCENDC_TPL_4_BW, ASCENDC_TPL_UI_MIX, 1, 5, 7, 9, 40),
                      ASCENDC_TPL_BOOL_DECL(SPLIT, 0, 1));
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DATATYPE_SEL(D_T, ge::DT_FLOAT), ASCENDC_TPL_FORMAT_SEL(FORMAT, ge::FORMAT_ND),
                                     ASCENDC_TPL_UINT_SEL(TILE, ASCENDC_TPL_UI_LIST, 2), ASCENDC_TPL_BOOL_SEL(SPLIT, 0)), );

TEST(template_key) {
    const uint64_t types[] = {ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_BF16}, formats[] = {ge::FORMAT_ND, ge::FORMAT_FRACTAL_NZ};
    const uint64_t tiles[] = {2, 8, 4}, sides[] = {1, 2, 3, 10, 11}, mixed[] = {5, 6, 7, 9, 40};
    int seen = 0;
    for (uint64_t d : types)
        for (uint64_t f : formats)
            for (uint64_t t = 0; t < 3; ++t)
                for (uint64_t s = 0; s < 5; ++s)
                    for (uint64_t m = 0; m < 5; ++m)
                        for (uint64_t b = 0; b < 2; ++b, ++seen) {
                            const uint64_t key = GET_TPL_TILING_KEY(d, f, tiles[t], sides[s], mixed[m], b);
                            EQUAL(key, d | f << 8 | t << 16 | s << 24 | m << 28 | b << 32);
                        }
    EQUAL(seen, 900);
    const int tile = 8; // a signed value that is no constant
    EQUAL(GET_TPL_TILING_KEY(ge::DT_BF16, ge::FORMAT_ND, tile, 1, 5, true), 27u | 2u << 8 | 1u << 16 | uint64_t{1} << 32);
}
TEST(template_key_undeclared) {
    EQUAL(GET_TPL_TILING_KEY(0, 2, 5, 1, 5, 0), UINT64_MAX);
    EQUAL(GET_TPL_TILING_KEY(0, 2), UINT64_MAX);
    ASCENDC_TPL_ARGS_DECL(Wide, ASCENDC_TPL_UINT_DECL(A, 48, ASCENDC_TPL_UI_LIST, 1), ASCENDC_TPL_UINT_DECL(B, 48, ASCENDC_TPL_UI_LIST, 1));
    EQUAL(GET_TPL_TILING_KEY(1, 1), UINT64_MAX);
}
TEST(template_constants) {
    EQUAL(ASCENDC_TPL_1_BW + 10 * ASCENDC_TPL_2_BW + 100 * ASCENDC_TPL_4_BW + 1000 * ASCENDC_TPL_8_BW, 8421);
    EQUAL(ASCENDC_TPL_AIV_ONLY, 0);
    EQUAL(ASCENDC_TPL_AIC_ONLY, 1);
    EQUAL(ASCENDC_TPL_MIX_AIV_1_0, 4);
    EQUAL(ASCENDC_TPL_MIX_AIC_1_0, 5);
    EQUAL(ASCENDC_TPL_MIX_AIC_1_1, 6);
    EQUAL(ASCENDC_TPL_MIX_AIC_1_2, 7);
    EQUAL(ASCENDC_TPL_AICORE + ASCENDC_TPL_VECTORCORE * 100 + ASCENDC_TPL_MIX_AICORE * 10000 + ASCENDC_TPL_MIX_VECTOR_CORE * 1000000,
          11100908);
    EQUAL(ASCENDC_TPL_INPUT(3), 100000003);
    EQUAL(ASCENDC_TPL_OUTPUT(2), 900000002);
}

TEST(ge_data_types) {
    EQUAL(ge::DT_FLOAT + 0, 0);
    EQUAL(ge::DT_DUAL_SUB_INT8 * 100 + ge::DT_DUAL_SUB_UINT8, 1415);
    EQUAL(ge::DT_QINT8 * 10000 + ge::DT_QUINT16 * 100 + ge::DT_RESOURCE, 182223);
    EQUAL(ge::DT_STRING_REF * 10000 + ge::DT_DUAL * 100 + ge::DT_VARIANT, 242526);
    EQUAL(ge::DT_BF16 * 10000 + ge::DT_UNDEFINED * 100 + ge::DT_INT4, 272829);
    EQUAL(ge::DT_INT2 * 10000 + ge::DT_UINT2 * 100 + ge::DT_COMPLEX32, 313233);
    EQUAL(ge::DT_FLOAT4_E1M2 * 10000 + ge::DT_HIFLOAT4 * 100 + ge::DT_MAX, 414243);
    EQUAL(ge::GetSizeByDataType(ge::DT_FLOAT), 4);
    EQUAL(ge::GetSizeByDataType(ge::DT_COMPLEX128), 16);
    EQUAL(ge::GetSizeByDataType(ge::DT_STRING), -1);
    EQUAL(ge::GetSizeByDataType(ge::DT_STRING_REF), -1);
    EQUAL(ge::GetSizeByDataType(ge::DT_UNDEFINED), -1);
    EQUAL(ge::GetSizeByDataType(static_cast<ge::DataType>(5)), -1);
    EQUAL(ge::GetSizeByDataType(ge::DT_INT4), 1004);
    EQUAL(ge::GetSizeByDataType(ge::DT_UINT1), 1001);
    EQUAL(ge::GetSizeByDataType(ge::DT_UINT2), 1002);
    EQUAL(ge::GetSizeByDataType(ge::DT_FLOAT6_E2M3), 1006);
    EQUAL(ge::GetSizeByDataType(ge::DT_HIFLOAT4), 1004);
    EQUAL(ge::GetSizeByDataType(ge::DT_RESOURCE) * 100 + ge::GetSizeByDataType(ge::DT_DUAL) * 10 + ge::GetSizeByDataType(ge::DT_VARIANT),
          858);
    EQUAL(ge::GetSizeInBytes(3, ge::DT_INT4), 2);
    EQUAL(ge::GetSizeInBytes(3, ge::DT_INT64), 24);
    EQUAL(ge::GetSizeInBytes(-1, ge::DT_INT64), -1);
    EQUAL(ge::GetSizeInBytes(INT64_MAX, ge::DT_INT64), -1);
}
TEST(ge_formats) {
    EQUAL(ge::FORMAT_FRACTAL_NZ + 0, 29);
    EQUAL(ge::FORMAT_C1HWNCoC0 * 100 + ge::FORMAT_MD, 2526);
    EQUAL(ge::FORMAT_RESERVED * 10000 + ge::FORMAT_ALL * 100 + ge::FORMAT_NULL, 404142);
    EQUAL(ge::FORMAT_NCL * 10000 + ge::FORMAT_FRACTAL_NZ_C0_8 * 100 + ge::FORMAT_END, 475455);
    EQUAL(ge::FORMAT_MAX + 0, 255);
    const int32_t packed = ge::GetFormatFromSubAndC0(ge::FORMAT_FRACTAL_Z, 32, 5);
    EQUAL(packed, 4 | 32 << 8 | 5 << 24);
    EQUAL(ge::GetPrimaryFormat(packed), 4);
    EQUAL(ge::GetSubFormat(packed), 32);
    EQUAL(ge::GetC0Format(packed), 5);
    EQUAL(ge::GetC0Value(packed), 16);
    EQUAL(ge::GetC0Value(ge::FORMAT_ND), -1);
    EQUAL(ge::GetFormatFromSub(ge::FORMAT_ND, 3), 2 | 3 << 8);
    EQUAL(ge::GetFormatFromC0(ge::FORMAT_ND, 3), 2 | 3 << 24);
    CHECK(ge::HasSubFormat(packed) && ge::HasC0Format(packed) && !ge::HasSubFormat(2) && !ge::HasC0Format(2));
    EQUAL(std::string(ge::GetFormatName(ge::FORMAT_NC1HWC0)), "NC1HWC0");
    EQUAL(ge::UNKNOWN_DIM * 10 + ge::UNKNOWN_DIM_NUM, -12);
}
TEST(ge_statuses) {
    EQUAL(ge::GRAPH_FAILED, 0xFFFFFFFFu);
    EQUAL(ge::GRAPH_NOT_CHANGED, 1343242304u);
    EQUAL(ge::GRAPH_PARAM_INVALID, 50331649u);
    EQUAL(ge::GRAPH_NODE_WITHOUT_CONST_INPUT, 50331648u);
    EQUAL(ge::GRAPH_NODE_NEED_REPASS, 50331647u);
    EQUAL(ge::GRAPH_INVALID_IR_DEF, 50331646u);
    EQUAL(ge::OP_WITHOUT_IR_DATATYPE_INFER_RULE, 50331645u);
    EQUAL(ge::GRAPH_PARAM_OUT_OF_RANGE, 50331644u);
    EQUAL(ge::GRAPH_MEM_OPERATE_FAILED, 50331539u);
    EQUAL(ge::GRAPH_NULL_PTR, 50331538u);
    EQUAL(ge::GRAPH_MEMCPY_FAILED, 50331537u);
    EQUAL(ge::GRAPH_MEMSET_FAILED, 50331536u);
    EQUAL(ge::GRAPH_MATH_CAL_FAILED, 50331429u);
    EQUAL(ge::GRAPH_ADD_OVERFLOW, 50331428u);
    EQUAL(ge::GRAPH_MUL_OVERFLOW, 50331427u);
    EQUAL(ge::GRAPH_RoundUp_Overflow, 50331426u);
}
TEST(ge_texts) {
    using T = ge::TypeUtils;
    EQUAL(T::DataTypeToSerialString(ge::DT_FLOAT), "DT_FLOAT");
    EQUAL(T::FormatToSerialString(ge::FORMAT_ND), "ND");
    CHECK(T::DataTypeToAscendString(ge::DT_BF16) == "DT_BF16" && T::FormatToAscendString(ge::FORMAT_FRACTAL_NZ) == "FRACTAL_NZ");
    EQUAL(T::SerialStringToDataType("DT_INT8"), ge::DT_INT8);
    EQUAL(T::SerialStringToDataType("INT8"), ge::DT_UNDEFINED);
    EQUAL(T::AscendStringToDataType("DT_BOOL"), ge::DT_BOOL);
    EQUAL(T::SerialStringToFormat("NHWC"), ge::FORMAT_NHWC);
    EQUAL(T::AscendStringToFormat("nothing"), ge::FORMAT_RESERVED);
    uint32_t length = 0;
    CHECK(T::GetDataTypeLength(ge::DT_INT16, length) && length == 2 && !T::GetDataTypeLength(ge::DT_INT4, length));
}
TEST(opdef_enumerations) {
    EQUAL(ops::IGNORE * 10000 + ops::OPTIONAL * 1000 + ops::REQUIRED * 100 + ops::DYNAMIC * 10 + ops::VIRTUAL, 1234);
    EQUAL(static_cast<int>(ops::FollowType::SHAPE), 3);
    EQUAL(static_cast<int>(ops::HcclServerType::CCU), 2);
    EQUAL(static_cast<int>(ops::ScalarType::INT8) * 10 + static_cast<int>(ops::ScalarType::FLOAT16), 79);
    EQUAL(static_cast<int>(ops::DependScope::TILING), 1);
    EQUAL(static_cast<int>(ops::FormatCheckOption::STRICT), 1);
}
