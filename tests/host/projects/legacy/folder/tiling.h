#pragma once
#include <cstdint>

struct Tiling {
    uint32_t length;
    int32_t step;
};
