// SPDX-License-Identifier: Apache-2.0
#include "host/args.h"

#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

namespace aclimb {
namespace {

constexpr uint64_t kCapacity = 64 << 10;               // of a list whose memory is ours
constexpr uint64_t kNumberTag = uint64_t{0xac1} << 48; // no host address looks like this

std::atomic<uint64_t> generations{0};

uint64_t align8(uint64_t value) { return (value + 7) & ~uint64_t{7}; }

} // namespace

void ArgsList::init() {
    own_.resize(kCapacity);
    reset(own_.data(), kCapacity, kMaxParameters);
}

void ArgsList::init(uint8_t* handle, uint8_t* buffer, uint64_t size, uint32_t most) {
    reset(buffer, size, most);
    handle_ = handle;
    const uint64_t mark = kNumberTag | generation_ << 8;
    memcpy(handle, &mark, 8);
}

bool ArgsList::alive() const {
    uint64_t mark = kNumberTag | generation_ << 8, found = 0;
    iovec to{&found, 8}, from{handle_, 8}; // this way of reading fails, and does not crash, when the memory is gone
    const ssize_t read = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
    return read == 8 ? found == mark : errno == EPERM || errno == ENOSYS; // where it is not allowed the user is believed
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
    memset(buffer_ + end_, 0, offset - end_);
    number = kNumberTag | generation_ << 8 | parameters_.size();
    parameters_.push_back({static_cast<uint32_t>(offset), size, 0, placeholder});
    end_ = offset + size;
    return ArgsStatus::ok;
}

ArgsStatus ArgsList::append(const void* value, uint64_t size, uint64_t& number) {
    if (size > capacity_) size = capacity_ + 1; // does not fit, and the sum does not wrap
    const ArgsStatus status = add(static_cast<uint32_t>(size), false, number);
    if (status == ArgsStatus::ok) memcpy(buffer_ + parameters_.back().offset, value, size);
    return status;
}

ArgsStatus ArgsList::append_placeholder(uint64_t& number) {
    const ArgsStatus status = add(8, true, number);
    if (status == ArgsStatus::ok) {
        memset(buffer_ + parameters_.back().offset, 0, 8);
        placeholders_ = true;
    }
    return status;
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
    memset(buffer_ + end_, 0, offset + size - end_);
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
    memcpy(buffer_ + parameter->offset, value, size);
    updating_ = true;
    return ArgsStatus::ok;
}

void ArgsList::finalise() {
    finalised_ = true;
    updating_ = false;
}

void ArgsList::write(uint8_t* out, uint64_t base) const {
    memcpy(out, buffer_, end_);
    for (const auto& parameter : parameters_)
        if (parameter.placeholder) {
            const uint64_t addr = base + parameter.data;
            memcpy(out + parameter.offset, &addr, 8);
        }
}

} // namespace aclimb
