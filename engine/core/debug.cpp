// SPDX-License-Identifier: Apache-2.0
// printf, DumpTensor, assert and Trap. Text is collected for each core and handed to the host in core order when the task ends.
#include <cstdarg>
#include <cstdio>

#include "core/issue.h"
#include "core/launch.h"
#include "isa/numeric/half.h"

namespace aclimb {
namespace {

constexpr size_t kOutputLimit = 1 << 20; // for each core; what exceeds it is cut off with a note
constexpr int kWidest = 511;             // of one number or text; a larger width or precision is taken for this

bool is_cut(const Core& core) { return core.output->size() > kOutputLimit; }

void append_text(Core& core, const char* text, size_t bytes) {
    if (is_cut(core)) return;
    core.output->append(text, bytes);
    if (is_cut(core)) *core.output += "\n[output of this core is cut off here: over 1 MiB]\n";
}

void append(Core& core, const char* format, ...) {
    if (is_cut(core)) return;
    char text[kWidest + 1];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    append_text(core, text, strlen(text));
}

// "%-08.3" of a conversion. The host would spend minutes and gigabytes on a width of 2000000000.
std::string read_specification(const char*& at) {
    std::string specification = "%";
    for (; *at && strchr("-+ #0", *at); at++)
        if (specification.size() < 6) specification += *at;
    for (bool more = true; more;) {
        int number = -1;
        for (; *at >= '0' && *at <= '9'; at++) number = std::min(kWidest, std::max(number, 0) * 10 + (*at - '0'));
        if (number >= 0) specification += std::to_string(number);
        more = *at == '.';
        if (more) specification += *at++;
    }
    while (*at == 'l' || *at == 'h' || *at == 'z') at++;
    return specification;
}

void format_one(Core& core, std::string specification, char conversion, const PrintArg& argument) {
    switch (conversion) {
    case 'd':
    case 'i': append(core, (specification + "ll" + conversion).c_str(), static_cast<long long>(argument.bits)); break;
    case 'u':
    case 'x':
    case 'X':
    case 'o': append(core, (specification + "ll" + conversion).c_str(), static_cast<unsigned long long>(argument.bits)); break;
    case 'f':
    case 'F':
    case 'e':
    case 'g': {
        double value;
        memcpy(&value, &argument.bits, 8);
        if (argument.kind == PrintKind::i64) value = static_cast<double>(static_cast<int64_t>(argument.bits));
        append(core, (specification + conversion).c_str(), value);
        break;
    }
    case 's': // without a precision the host would look for the end of the text, wherever that is
        if (specification.find('.') == std::string::npos) specification += "." + std::to_string(kWidest);
        append(core, (specification + "s").c_str(), reinterpret_cast<const char*>(argument.bits));
        break;
    case 'c': append(core, "%c", static_cast<int>(argument.bits)); break;
    case 'p': append(core, "0x%llx", static_cast<unsigned long long>(argument.bits)); break;
    default: append(core, "%%%c", conversion);
    }
}

double element(const uint8_t* at, Dtype type) {
    switch (type) {
    case Dtype::i8: return *reinterpret_cast<const int8_t*>(at);
    case Dtype::u8: return *at;
    case Dtype::i16: return *reinterpret_cast<const int16_t*>(at);
    case Dtype::u16: return *reinterpret_cast<const uint16_t*>(at);
    case Dtype::i32: return *reinterpret_cast<const int32_t*>(at);
    case Dtype::u32: return *reinterpret_cast<const uint32_t*>(at);
    case Dtype::i64: return static_cast<double>(*reinterpret_cast<const int64_t*>(at));
    case Dtype::u64: return static_cast<double>(*reinterpret_cast<const uint64_t*>(at));
    case Dtype::half: return widen(half{*reinterpret_cast<const uint16_t*>(at)});
    case Dtype::bf16: return widen(bfloat16_t{*reinterpret_cast<const uint16_t*>(at)});
    default: return *reinterpret_cast<const float*>(at);
    }
}

const char* type_name(Dtype type) {
    constexpr const char* names[] = {"none",  "int8",   "uint8",   "int16",    "uint16",  "int32", "uint32",
                                     "int64", "uint64", "float16", "bfloat16", "float32", "int4"};
    return names[static_cast<int>(type)];
}

} // namespace

bool execute_print(Core& core, Head& head) {
    const auto& print = reinterpret_cast<Print&>(head);
    uint32_t next = 0;
    for (const char* at = print.format; *at && !is_cut(core);) {
        const char* percent = at;
        while (*percent && *percent != '%' && percent - at <= static_cast<ptrdiff_t>(kOutputLimit)) percent++;
        append_text(core, at, static_cast<size_t>(percent - at));
        if (!*percent || is_cut(core)) break;
        at = percent + 1;
        if (*at == '%') {
            append(core, "%%");
            at++;
            continue;
        }
        const std::string specification = read_specification(at);
        if (!*at) break;
        const char conversion = *at++;
        if (next < print.count) format_one(core, specification, conversion, print.args[next++]);
        else append(core, "%s%c", specification.c_str(), conversion);
    }
    return true;
}

bool execute_dump_tensor(Core& core, Head& head) {
    const auto& dump = reinterpret_cast<DumpTensor&>(head);
    require_idle(core, "DumpTensor");
    const size_t bytes = size_of(head.dtype);
    const uint8_t* at = core.read(dump.at, bytes * dump.count, 0);
    append(core, "DumpTensor: desc=%u, addr=0x%llx, data_type=%s, position=%s, dump_size=%u\n", dump.desc,
           static_cast<unsigned long long>(dump.at.addr), type_name(head.dtype), name_of(static_cast<Memory>(dump.at.memory)), dump.count);
    const uint32_t row = dump.dims ? dump.shape[dump.dims - 1] : 8;
    uint32_t total = dump.count;
    if (dump.dims) {
        total = 1;
        for (uint32_t i = 0; i < dump.dims; i++) total *= dump.shape[i];
    }
    for (uint32_t i = 0; i < total && row && !is_cut(core); i++) {
        if (i % row == 0) append(core, "[");
        if (i < dump.count) append(core, "%g", element(at + bytes * i, head.dtype));
        else append(core, "-");
        append(core, i % row == row - 1 || i + 1 == total ? "]\n" : ", ");
    }
    return true;
}

bool execute_assert_failed(Core& core, Head& head) {
    const auto& failed = reinterpret_cast<Assert&>(head);
    core.fail(core.make_fault("assertion").text("expression", failed.expression).text("file", failed.file).number("line", failed.line));
}

bool execute_trap(Core& core, Head&) { core.fail(core.make_fault("trap_call")); }

} // namespace aclimb
