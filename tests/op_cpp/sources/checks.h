// SPDX-License-Identifier: Apache-2.0
// CHECK in a function that gives what failed, as text; empty when nothing did.
#pragma once
#include <sstream>
#include <string>

struct Failures {
    std::string text;
    template <typename A, typename B> void equal(int line, const char* what, const A& got, const B& wanted) {
        if (got == wanted) return;
        std::ostringstream out;
        out << "line " << line << ": " << what << " is " << got << ", not " << wanted << "\n";
        text += out.str();
    }
    void check(int line, const char* what, bool holds) {
        if (!holds) text += "line " + std::to_string(line) + ": " + what + "\n";
    }
};

#define EXPORT extern "C" __attribute__((visibility("default")))
#define CHECK(condition) failures.check(__LINE__, #condition, condition)
#define EQUAL(got, wanted) failures.equal(__LINE__, #got, got, wanted)
// TEST(name) { ... } is the exported function check_name.
#define TEST(name)                                                                                                                         \
    static void run_##name(Failures& failures);                                                                                            \
    EXPORT const char* check_##name() {                                                                                                    \
        static Failures failures;                                                                                                          \
        run_##name(failures);                                                                                                              \
        return failures.text.c_str();                                                                                                      \
    }                                                                                                                                      \
    static void run_##name(Failures& failures)
