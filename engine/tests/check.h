// SPDX-License-Identifier: Apache-2.0
// A test is a function with a sentence for a name; CHECK counts and says where.
#pragma once
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

struct Test {
    const char* name;
    void (*run)();
};
std::vector<Test>& all_tests();
extern int failed_checks;

struct RegisterTest {
    RegisterTest(const char* name, void (*run)()) { all_tests().push_back({name, run}); }
};

#define TEST(name)                                                                                                                         \
    static void test_##name();                                                                                                             \
    static RegisterTest register_##name(#name, test_##name);                                                                               \
    static void test_##name()

#define CHECK(condition)                                                                                                                   \
    do {                                                                                                                                   \
        if (!(condition)) {                                                                                                                \
            failed_checks++;                                                                                                               \
            std::printf("%s:%d: CHECK(%s) failed\n", __FILE__, __LINE__, #condition);                                                      \
        }                                                                                                                                  \
    } while (0)
