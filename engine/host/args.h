// SPDX-License-Identifier: Apache-2.0
// An argument list: the bytes a kernel reads, put together parameter by parameter.
//
// State map
//   open       parameters and placeholders are appended, each at the next multiple of 8
//   data       placeholder buffers are handed out, behind the last parameter, each at a multiple of 8
//   finalised  can be launched; updating a value takes that away until the next finalise
#pragma once
#include <cstdint>
#include <vector>

namespace aclimb {

enum class ArgsStatus : int {
    ok,
    too_many,
    no_room,
    has_data,
    finalised,
    stale,
    not_placeholder,
    placeholder,
    other_size,
    unreadable, // the value's address
    gone        // the user's memory that holds the list
};

class ArgsList {
  public:
    static constexpr uint32_t kMaxParameters = 128;

    void init(); // empties it; parameter numbers of before are stale from now on
    // In the user's memory. `handle` is where the user believes the list to be; it gets a mark there. False: it cannot be written.
    bool init(uint8_t* handle, uint8_t* buffer, uint64_t size, uint32_t most);
    bool alive() const; // whether the mark is still there: the user may have used that memory for something else

    ArgsStatus append(const void* value, uint64_t size, uint64_t& number);
    ArgsStatus append_placeholder(uint64_t& number);
    ArgsStatus placeholder_buffer(uint64_t number, uint64_t size, uint64_t& host);
    ArgsStatus update(uint64_t number, const void* value, uint64_t size);
    uint32_t size_of(uint64_t number); // of a parameter; 0: there is none of that number
    void finalise();

    bool ready() const { return finalised_ && !updating_; }
    bool updating() const { return updating_; }
    uint64_t size() const { return end_; }
    uint64_t parameter_bytes() const { return parameters_.empty() ? 0 : parameters_.back().offset + parameters_.back().size; }
    uint64_t capacity() const { return capacity_; }
    uint64_t data_bytes() const { return data_bytes_; }
    bool has_placeholders() const { return placeholders_; }
    uint32_t most() const { return most_; }

    // The block as the kernel is to find it at device address `base`, written to `out` (size() bytes). False: the user's memory is gone.
    bool write(uint8_t* out, uint64_t base) const;

  private:
    struct Parameter {
        uint32_t offset, size, data;
        bool placeholder;
    };
    ArgsStatus add(uint32_t size, bool placeholder, uint64_t& number);
    Parameter* find(uint64_t number);
    ArgsStatus put(uint64_t offset, const void* value, uint64_t size);
    void reset(uint8_t* buffer, uint64_t size, uint32_t most);

    std::vector<uint8_t> own_;
    uint8_t *buffer_ = nullptr, *handle_ = nullptr;
    uint64_t capacity_ = 0, end_ = 0, data_bytes_ = 0, generation_ = 0;
    uint32_t most_ = kMaxParameters;
    std::vector<Parameter> parameters_;
    bool placeholders_ = false, has_data_ = false, finalised_ = false, updating_ = false;
};

} // namespace aclimb
