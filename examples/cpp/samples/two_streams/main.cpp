// SPDX-License-Identifier: Apache-2.0
// Two streams and an event between them: the second adds after the first has copied.
#include "../common/sample.h"

void FillDo(aclrtStream stream, void* x, int32_t value, uint32_t length);

int main() {
    constexpr uint32_t kLength = 40;
    Device device;
    uint8_t *x = device.Put(std::vector<int32_t>(kLength, 1)), *copy = device.Put(std::vector<int32_t>(kLength));
    aclrtStream other = nullptr;
    aclrtEvent copied = nullptr;
    CHECK_ACL(aclrtCreateStream(&other));
    CHECK_ACL(aclrtCreateEventExWithFlag(&copied, ACL_EVENT_SYNC));
    FillDo(device.stream, x, 2, kLength);
    CHECK_ACL(aclrtMemcpyAsync(copy, kLength * 4, x, kLength * 4, ACL_MEMCPY_DEVICE_TO_DEVICE, device.stream));
    CHECK_ACL(aclrtRecordEvent(copied, device.stream));
    CHECK_ACL(aclrtStreamWaitEvent(other, copied));
    FillDo(other, x, 10, kLength);
    CHECK_ACL(aclrtSynchronizeStream(other));
    const int wrong = Compare(device.Get<int32_t>(copy, kLength), std::vector<int32_t>(kLength, 3)) +
                      Compare(device.Get<int32_t>(x, kLength), std::vector<int32_t>(kLength, 13));
    CHECK_ACL(aclrtDestroyEvent(copied));
    CHECK_ACL(aclrtDestroyStream(other));
    return wrong;
}
