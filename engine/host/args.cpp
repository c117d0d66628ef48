// SPDX-License-Identifier: Apache-2.0
#include "host/args.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "memory/global.h"
#include "memory/guarded.h"

namespace aclimb {
namespace {

constexpr uint64_t kCapacity = 64 << 10;               // of a list whose memory is ours
constexpr uint64_t kMostCapacity = 1 << 30;            // of one in the user's: offsets have 32 bits
constexpr uint64_t kNumberTag = uint64_t{0xac1} << 48; // no host address looks like this

std::atomic<uint64_t> generations{0};

uint64_t align8(uint64_t value) { return (value + 7) & ~uint64_t{7}; }

} // namespace

void ArgsList::init() {
    own_.resize(kCapacity);
    reset(own_.data(), kCapacity, kMaxParameters);
}

bool ArgsList::init(uint8_t* handle, uint8_t* buffer, uint64_t size, uint32_t most) {
    reset(buffer, std::min(size, kMostCapacity), most);
    handle_ = handle;
    const uint64_t mark = kNumberTag | generation_ << 8;
    return copy_guarded(handle, &mark, 8);
}

bool ArgsList::alive() const {
    uint64_t found = 0;
    return copy_guarded(&found, handle_, 8) && found == (kNumberTag | generation_ << 8);
}

void ArgsList::reset(uint8_t* buffer, uint64_t size, uint32_t most) {
    buffer_ = buffer;
    capacity_ = size;
    most_ = most;
    end_ = data_bytes_ = 0;
    generation_ = ++generations;
    parameters_.clear();
    placeholders_ = has_data_ = finalised_ = updating_ = false;
}

ArgsStatus ArgsList::add(uint32_t size, bool placeholder, uint64_t& number) {
    if (finalised_) return ArgsStatus::finalised;
    if (has_data_) return ArgsStatus::has_data;
    if (parameters_.size() >= most_) return ArgsStatus::too_many;
    const uint64_t offset = align8(end_);
    if (offset > capacity_ || size > capacity_ - offset) return ArgsStatus::no_room;
    if (offset > end_ && !fill_guarded(buffer_ + end_, 0, offset - end_)) return ArgsStatus::gone;
    number = kNumberTag | generation_ << 8 | parameters_.size();
    parameters_.push_back({static_cast<uint32_t>(offset), size, 0, placeholder});
    end_ = offset + size;
    return ArgsStatus::ok;
}

ArgsStatus ArgsList::append(const void* value, uint64_t size, uint64_t& number) {
    if (size > capacity_) size = capacity_ + 1; // does not fit, and the sum does not wrap
    const uint64_t before = end_;
    ArgsStatus status = add(static_cast<uint32_t>(size), false, number);
    if (status != ArgsStatus::ok) return status;
    status = put(parameters_.back().offset, value, size);
    if (status != ArgsStatus::ok) { // as if it had never been asked for
        parameters_.pop_back();
        end_ = before;
    }
    return status;
}

ArgsStatus ArgsList::put(uint64_t offset, const void* value, uint64_t size) {
    const auto addr = reinterpret_cast<uint64_t>(value);
    if (GlobalMemory::owner(addr)) return ArgsStatus::unreadable;
    if (copy_guarded(buffer_ + offset, value, size)) return ArgsStatus::ok;
    return readable_bytes(addr, size) < size ? ArgsStatus::unreadable : ArgsStatus::gone;
}

ArgsStatus ArgsList::append_placeholder(uint64_t& number) {
    const ArgsStatus status = add(8, true, number);
    if (status != ArgsStatus::ok) return status;
    if (!fill_guarded(buffer_ + parameters_.back().offset, 0, 8)) return ArgsStatus::gone;
    placeholders_ = true;
    return ArgsStatus::ok;
}

ArgsList::Parameter* ArgsList::find(uint64_t number) {
    const uint64_t index = number & 0xff;
    if (number >> 8 != (kNumberTag >> 8 | generation_) || index >= parameters_.size()) return nullptr;
    return &parameters_[index];
}

ArgsStatus ArgsList::placeholder_buffer(uint64_t number, uint64_t size, uint64_t& host) {
    Parameter* parameter = find(number);
    if (!parameter) return ArgsStatus::stale;
    if (finalised_) return ArgsStatus::finalised;
    if (!parameter->placeholder) return ArgsStatus::not_placeholder;
    const uint64_t offset = align8(end_);
    if (offset > capacity_ || size > capacity_ - offset) return ArgsStatus::no_room;
    if (!fill_guarded(buffer_ + end_, 0, offset + size - end_)) return ArgsStatus::gone;
    parameter->data = static_cast<uint32_t>(offset);
    host = reinterpret_cast<uint64_t>(buffer_ + offset);
    end_ = offset + size;
    data_bytes_ += size;
    has_data_ = true;
    return ArgsStatus::ok;
}

uint32_t ArgsList::size_of(uint64_t number) {
    const Parameter* parameter = find(number);
    return parameter ? parameter->size : 0;
}

ArgsStatus ArgsList::update(uint64_t number, const void* value, uint64_t size) {
    const Parameter* parameter = find(number);
    if (!parameter) return ArgsStatus::stale;
    if (parameter->placeholder) return ArgsStatus::placeholder;
    if (parameter->size != size) return ArgsStatus::other_size;
    const ArgsStatus status = put(parameter->offset, value, size);
    if (status == ArgsStatus::ok) updating_ = true;
    return status;
}

void ArgsList::finalise() {
    finalised_ = true;
    updating_ = false;
}

bool ArgsList::write(uint8_t* out, uint64_t base) const {
    if (!copy_guarded(out, buffer_, end_)) return false;
    for (const auto& parameter : parameters_)
        if (parameter.placeholder) {
            const uint64_t addr = base + parameter.data;
            memcpy(out + parameter.offset, &addr, 8);
        }
    return true;
}

} // namespace aclimb
