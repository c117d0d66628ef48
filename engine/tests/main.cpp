// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "check.h"
#include "core/worker.h"
#include "host/pool.h"
#include "memory/guarded.h"

int failed_checks = 0;

std::vector<Test>& all_tests() {
    static std::vector<Test> tests;
    return tests;
}

int main() {
    aclimb::install_fault_handlers();
    aclimb::start_watchdog();
    aclimb::Pool::instance().start(2);
    int failed = 0;
    for (const auto& test : all_tests()) {
        const int before = failed_checks;
        test.run();
        if (failed_checks > before) {
            failed++;
            std::printf("FAILED %s\n", test.name);
        }
    }
    std::printf("%zu passed, %d failed\n", all_tests().size() - static_cast<size_t>(failed), failed);
    std::fflush(stdout);
    std::_Exit(failed != 0); // the pool's threads outlive static destruction
}
