// SPDX-License-Identifier: Apache-2.0
// Plain bytes between host and device process. Whoever reads checks: a value that is not there, or not one of those it may be, makes the
// reader `bad`, and everything behind it 0.
#pragma once
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "core/kernel.h"
#include "isa/fault.h"

namespace aclimb {

struct Launch;

class Writer {
  public:
    template <class T> void put(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        put_bytes(&value, sizeof value);
    }
    void put_text(const std::string& text) {
        put(static_cast<uint32_t>(text.size()));
        put_bytes(text.data(), text.size());
    }
    void put_bytes(const void* from, size_t size) {
        const auto* begin = static_cast<const uint8_t*>(from);
        bytes.insert(bytes.end(), begin, begin + size);
    }
    std::vector<uint8_t> bytes;
};

class Reader {
  public:
    Reader(const uint8_t* bytes, size_t size) : at_(bytes), left_(size) {}
    template <class T> T get() {
        static_assert(std::is_trivially_copyable_v<T>);
        if constexpr (std::is_same_v<T, bool>) return get<uint8_t>() != 0; // any other byte would be no bool
        T value{};
        if (const uint8_t* from = take(sizeof value)) memcpy(&value, from, sizeof value);
        return value;
    }
    std::string get_text(uint32_t most) {
        const auto size = get<uint32_t>();
        if (size > most) bad = true;
        const uint8_t* from = bad ? nullptr : take(size);
        return from ? std::string(reinterpret_cast<const char*>(from), size) : std::string();
    }
    uint32_t get_count(uint32_t most) {
        const auto count = get<uint32_t>();
        if (count > most) bad = true;
        return bad ? 0 : count;
    }
    // A number from `least` to `most`.
    template <class T> T get_between(int64_t least, int64_t most) {
        const auto value = get<T>();
        if (static_cast<int64_t>(value) < least || static_cast<int64_t>(value) > most) bad = true;
        return bad ? T{} : value;
    }
    // An enum whose values are `count` many from 0 on.
    template <class Enum> Enum get_enum(size_t count) {
        const auto value = get<uint32_t>();
        if (value >= count) bad = true;
        return bad ? Enum{} : static_cast<Enum>(value);
    }
    size_t left() const { return left_; }
    bool bad = false;

  private:
    const uint8_t* take(size_t size) {
        if (bad || size > left_) {
            bad = true;
            return nullptr;
        }
        const uint8_t* from = at_;
        at_ += size;
        left_ -= size;
        return from;
    }
    const uint8_t* at_;
    size_t left_;
};

// Every image of a kernel, those of its sub-kernels behind its own; the same order on both sides.
using Images = std::vector<std::shared_ptr<Image>>;
Images images_in(const Kernel& kernel);
int64_t members_of(const Launch& launch); // sub-kernels of a fused one, else 0

// A place in the code is an image and an offset in it: addresses differ.
void put_place(Writer& to, const Images& images, uint64_t pc);
uint64_t get_place(Reader& from, const Images& images); // 0: in none of them

void put_kernel(Writer& to, const Kernel& kernel, const std::vector<uint64_t>& image_ids);
using FindImage = std::shared_ptr<Image> (*)(uint64_t id);
std::shared_ptr<Kernel> get_kernel(Reader& from, FindImage find);

// What a launch leaves: its fault, its notes, what its cores printed, what its observers saw (isolation/watch.h).
void put_result(Writer& to, const Launch& launch);
bool get_result(Reader& from, Launch& launch); // false: the bytes make no sense, and the launch is as it was

} // namespace aclimb
