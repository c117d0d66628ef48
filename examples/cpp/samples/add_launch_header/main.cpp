// SPDX-License-Identifier: Apache-2.0
// The host side alone: the kernel is started through the function that its library brings.
#include "../common/sample.h"
#include "aclrtlaunch_add_custom.h"

#include <fstream>

int main() {
    constexpr uint32_t kBlocks = 4, kLength = 1024;
    std::vector<uint16_t> x(kBlocks * kLength), y(x.size());
    std::ifstream("./input/input_x.bin", std::ios::binary).read(reinterpret_cast<char*>(x.data()), x.size() * sizeof(uint16_t));
    std::ifstream("./input/input_y.bin", std::ios::binary).read(reinterpret_cast<char*>(y.data()), y.size() * sizeof(uint16_t));
    Device device;
    uint8_t *dx = device.Put(x), *dy = device.Put(y), *dz = device.Put(std::vector<uint16_t>(x.size()));
    ACLRT_LAUNCH_KERNEL(add_custom)(kBlocks, device.stream, dx, dy, dz, kLength);
    const std::vector<uint16_t> z = device.Get<uint16_t>(dz, x.size());
    std::ofstream("./output/output_z.bin", std::ios::binary).write(reinterpret_cast<const char*>(z.data()), z.size() * sizeof(uint16_t));
    return 0;
}
