// SPDX-License-Identifier: Apache-2.0
// fixpipe  results of L0C to global memory (row major or NZ) or to L1 (NZ), converted on the way.          Ascend C: Fixpipe
//
//   row major  dst[i * dst_nd_stride + row * dst_stride + column] = q(src[i * src_nd_stride * 256 + (column / 16) * src_stride * 16 + row *
//   16 + column % 16]) NZ         dst[(column / C0) * dst_stride * 32 bytes + row * C0 + column % C0], C0 = 16, 8 with channel split, and
//   32 for 8-bit results; of an odd number of 16 columns the last 16 then stay by themselves
//
// for i < nd_num. Checks and bounds are here; the conversion is in fixpipe.level.cpp. Unit flags order Mmad and Fixpipe on the
// hardware; the flags of the two pipes do that here, so the field is accepted and has no effect.
#include "isa/cube/fixpipe.h"

#include <vector>

#include "isa/cube.h"
#include "isa/move/atomic.h"
#include "isa/move/geometry.h"

namespace aclimb {
namespace {

constexpr uint64_t kMatrixBytes = 1024; // a 16 x 16 fractal of words: unit of src_nd_stride

FixpipeBody body_of(Datapath& core, const Fixpipe& fixpipe) {
    const auto& bodies = ACLIMB_PICK(fixpipe_bodies);
    const auto mode = static_cast<QuantMode>(fixpipe.quant_mode);
    const Dtype to = fixpipe.head.dtype, from = fixpipe.head.dtype2;
    if (mode == QuantMode::NoQuant && from == Dtype::f32 && to == Dtype::f32) return bodies.f32;
    if (mode == QuantMode::NoQuant && from == Dtype::i32 && to == Dtype::i32) return bodies.i32;
    if (mode == QuantMode::F322F16 && from == Dtype::f32 && to == Dtype::half) return bodies.f32_to_half;
    if (mode == QuantMode::F322BF16 && from == Dtype::f32 && to == Dtype::bf16) return bodies.f32_to_bf16;
    const bool dequantises = mode == QuantMode::DEQF16 || mode == QuantMode::VDEQF16;
    if (dequantises && from == Dtype::i32 && to == Dtype::half) return bodies.i32_to_half;
    const bool to_byte = to == Dtype::i8 || to == Dtype::u8;
    if ((mode == QuantMode::REQ8 || mode == QuantMode::VREQ8) && from == Dtype::i32 && to_byte) return bodies.i32_to_byte;
    if ((mode == QuantMode::QF322B8_PRE || mode == QuantMode::VQF322B8_PRE) && from == Dtype::f32 && to_byte) return bodies.f32_to_byte;
    core.fail_unsupported(
        "Fixpipe takes quantPre NoQuant (float or int32_t as it is), F322F16 (float to half), F322BF16 (float to bfloat16_t), "
        "DEQF16 and VDEQF16 (int32_t to half), REQ8 and VREQ8 (int32_t to int8_t or uint8_t), QF322B8_PRE and VQF322B8_PRE (float to "
        "int8_t or uint8_t), with the destination's type to match.");
}

void require_fields(Datapath& core, const Fixpipe& fixpipe, bool nz) {
    if (fixpipe.layout == static_cast<uint8_t>(FixpipeLayout::column_major))
        core.fail_unsupported("Fixpipe with CFG_COLUMN_MAJOR is not supported on A2 and A3; use CFG_ROW_MAJOR or CFG_NZ.");
    if (memory_of(fixpipe.dst) != Memory::GM && !(memory_of(fixpipe.dst) == Memory::L1 && nz))
        core.fail_unsupported("Fixpipe writes to global memory (CFG_ROW_MAJOR, CFG_NZ) or to L1 (CFG_NZ).");
    if (fixpipe.channel_split && !(nz && fixpipe.head.dtype == Dtype::f32))
        core.fail_unsupported("Fixpipe with isChannelSplit takes a float destination and CFG_NZ.");
    if (fixpipe.channel_split && (!is_global(fixpipe.dst) || fixpipe.unit_flag))
        core.fail_unsupported("Fixpipe with isChannelSplit writes to global memory and takes no unitFlag.");
    core.require_range("nSize", fixpipe.n, 0, 4095);
    core.require_range("mSize", fixpipe.m, 0, nz ? 65535 : 8192);
    if (!nz) core.require_range("ndNum", fixpipe.nd_num, 1, 65535);
    const int64_t group = fixpipe.channel_split ? 8 : 16;
    if (nz && fixpipe.n % group) core.require_range("nSize modulo the width of a column group", fixpipe.n % group, 0, 0);
    core.require_aligned(fixpipe.src, 64, 1);
    core.require_aligned(fixpipe.dst, alignment_of(fixpipe.dst, static_cast<uint32_t>(size_of(fixpipe.head.dtype))), 0);
}

void require_words(Datapath& core, const Fixpipe& fixpipe) {
    if (has_quant_tensor(fixpipe) && memory_of(fixpipe.quant) != Memory::L1 && memory_of(fixpipe.quant) != Memory::FB)
        core.fail_unsupported("quantPre VDEQF16, VREQ8 and VQF322B8_PRE need a tensor with a word for each column: in L1 as the third "
                              "argument of Fixpipe, or in the Fixpipe buffer by SetFixPipeConfig before DataCopy.");
}

// The words go through the Fixpipe buffer before the first result leaves: a destination in L1 may lie over them.
const uint64_t* words_of(Datapath& core, const Fixpipe& fixpipe) {
    thread_local std::vector<uint64_t> kept;
    const auto* words = core.read<uint64_t>(fixpipe.quant, fixpipe.n * 8u, 2);
    kept.assign(words, words + fixpipe.n);
    return kept.data();
}

uint64_t src_span(const FixpipeJob& job) { return (ceil_div(job.columns, 16) - 1) * job.src_group + job.rows * 64ull; }

// Each row, or part of one in NZ, is converted into a buffer and then added to global memory.
void update(Datapath& core, const FixpipeJob& job, FixpipeBody body, const Fixpipe& fixpipe, uint32_t element) {
    for (uint32_t row = 0; row < job.rows; ++row)
        for (uint32_t column = 0; column < job.columns; column += 16) {
            alignas(64) uint8_t buffer[64];
            FixpipeJob part = job;
            part.dst = buffer;
            part.src = job.src + column / 16 * job.src_group + row * 64ull;
            part.rows = 1;
            part.columns = std::min(job.columns - column, 16u);
            part.dst_group = static_cast<uint64_t>(job.width) * element;
            if (!job.one_scale && job.scales) part.scales += column;
            body(part);
            for (uint32_t at = 0; at < part.columns; at += job.width) {
                uint8_t* to = job.dst + row * row_pitch(job, column) + group_offset(job, column + at) + (column + at) % job.width * element;
                const uint32_t count = std::min(part.columns - at, job.width);
                atomic_update(core, static_cast<AtomicOp>(fixpipe.atomic), fixpipe.head.dtype, to, buffer + at * element, count * element,
                              job.saturate);
            }
        }
}

} // namespace

bool execute_fixpipe(Datapath& core, Head& head) {
    const auto& fixpipe = reinterpret_cast<const Fixpipe&>(head);
    if (fixpipe.n == 0 || fixpipe.m == 0) return true;
    const bool nz = is_nz(fixpipe);
    require_fields(core, fixpipe, nz);
    const FixpipeBody body = body_of(core, fixpipe);
    require_words(core, fixpipe);
    const auto element = static_cast<uint32_t>(size_of(head.dtype));

    FixpipeJob job{};
    job.rows = fixpipe.m;
    job.columns = fixpipe.n;
    job.width = group_width(fixpipe);
    job.src_group = fixpipe.src_stride * 64ull;
    job.dst_row = nz ? job.width * element : static_cast<uint64_t>(fixpipe.dst_stride) * element;
    job.dst_group = nz ? static_cast<uint64_t>(fixpipe.dst_stride) * kBlock : job.width * element;
    job.relu = fixpipe.relu;
    job.saturate = head.ctrl & kCtrlSaturate;
    job.one_scale = !has_quant_tensor(fixpipe);
    job.scales = job.one_scale ? &fixpipe.deq_scalar : words_of(core, fixpipe);

    const uint32_t matrices = matrices_of(fixpipe);
    const uint64_t last = matrices - 1, src_matrix = fixpipe.src_nd_stride * kMatrixBytes,
                   dst_matrix = static_cast<uint64_t>(fixpipe.dst_nd_stride) * element;
    job.src = core.read(fixpipe.src, last * src_matrix + src_span(job), 1);
    job.dst = core.write(fixpipe.dst, destination_end(fixpipe, last) - fixpipe.dst.addr, 0);
    const bool updates = fixpipe.atomic && is_global(fixpipe.dst);
    if (updates && !has_atomic(head.dtype)) core.fail_unsupported(kAtomicTypes);
    for (uint32_t i = 0; i < matrices; ++i, job.src += src_matrix, job.dst += dst_matrix)
        if (updates) update(core, job, body, fixpipe, element);
        else body(job);
    return true;
}

} // namespace aclimb
