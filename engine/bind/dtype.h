// SPDX-License-Identifier: Apache-2.0
// NumPy dtypes made from structs, so that Python reads their bytes by name: each member with its type and its offset.
#pragma once
#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace aclimb {

template <class T> std::string numpy_code() {
    if constexpr (std::is_enum_v<T>) return numpy_code<std::underlying_type_t<T>>();
    else return (std::is_signed_v<T> ? "i" : "u") + std::to_string(sizeof(T));
}

template <class Struct> class Record {
  public:
    Record& add(const std::string& name, size_t offset, nanobind::object type) {
        names_.append(name.c_str());
        formats_.append(type);
        offsets_.append(offset);
        return *this;
    }
    template <class T> Record& add(const std::string& name, size_t offset) {
        return add(name, offset, nanobind::str(numpy_code<T>().c_str()));
    }
    nanobind::object dtype() {
        nanobind::dict fields;
        fields["names"] = names_;
        fields["formats"] = formats_;
        fields["offsets"] = offsets_;
        fields["itemsize"] = sizeof(Struct);
        return nanobind::module_::import_("numpy").attr("dtype")(fields);
    }

  private:
    nanobind::list names_, formats_, offsets_;
};

#define ACLIMB_FIELD(record, Struct, member) record.add<decltype(Struct::member)>(#member, offsetof(Struct, member))

template <class Struct> nanobind::object numpy_array(const std::vector<Struct>& rows, nanobind::handle dtype) {
    const nanobind::bytes bytes(reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(Struct));
    return nanobind::module_::import_("numpy").attr("frombuffer")(bytes, dtype);
}

} // namespace aclimb
