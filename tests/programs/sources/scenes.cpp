// SPDX-License-Identifier: Apache-2.0
// One program for all tests of hosting: the first argument says what it does.
#include <cassert>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <errno.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acl/acl.h"

namespace {

using Words = std::vector<std::string>;
Words words; // behind the name of the scene

int number(size_t at = 0) { return std::stoi(words.at(at)); }

aclError allocate_and_free() {
    void* memory = nullptr;
    const aclError code = aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
    return code == 0 ? aclrtFree(memory) : code;
}

aclError allocate_and_free(int device) {
    const aclError code = aclrtSetDevice(device);
    return code == 0 ? allocate_and_free() : code;
}

void begin() {
    const aclError code = aclInit(nullptr);
    if (code != 0 && code != 100002) std::_Exit(99); // again, after a constructor
    if (aclrtSetDevice(0) != 0) std::_Exit(98);
}

// --- arguments, names, streams

int scene_words() {
    begin();
    for (const auto& word : words) printf("[%s]\n", word.c_str());
    printf("MINE=%s\n", getenv("MINE"));
    return 0;
}

int scene_surroundings() {
    begin();
    char name[32] = {};
    prctl(PR_GET_NAME, name);
    printf("%s %s %s\n", program_invocation_short_name, name, setlocale(LC_ALL, nullptr));
    printf("LC_CTYPE %s\n", getenv("LC_CTYPE") ? getenv("LC_CTYPE") : "is not set");
    for (int each : {SIGINT, SIGPIPE, SIGXFSZ, SIGTERM}) printf("%d", signal(each, SIG_DFL) == SIG_DFL);
    printf("\n");
    return 0;
}

int scene_echo() {
    begin();
    std::string line;
    while (std::getline(std::cin, line)) {
        std::cout << "cout " << line << "\n";
        printf("printf %s\n", line.c_str());
    }
    fprintf(stderr, "to stderr\n");
    return 0;
}

int scene_children() {
    begin();
    char text[64] = {};
    FILE* child = popen("echo from a child of $MINE", "r");
    if (!fgets(text, sizeof text, child)) return 1;
    printf("%s%d %d\n", text, pclose(child), WEXITSTATUS(system("exit 6")));
    return 0;
}

int forked(int own_code) {
    int status = 0;
    waitpid(-1, &status, 0);
    printf("child %d, parent %d\n", WEXITSTATUS(status), own_code);
    return 0;
}

// The device lives in the process that used it first.
int scene_fork_before_use() {
    if (fork() == 0) exit(aclInit(nullptr) == 0 && allocate_and_free(0) == 0 ? 4 : 1);
    begin();
    return forked(allocate_and_free());
}

int scene_fork_after_use() {
    begin();
    if (allocate_and_free() != 0) return 1;
    if (fork() == 0) exit(allocate_and_free() == 0 ? 1 : 4);
    return forked(allocate_and_free());
}

// --- ways to end

int scene_return() {
    begin();
    return number();
}

int scene_exit() {
    begin();
    atexit([] { printf("handler\n"); });
    exit(number());
}

int scene_exit_on_a_thread() {
    begin();
    std::thread([] { exit(number()); }).join();
    return 1;
}

int scene_leave_at_once() {
    begin();
    printf("lost with the buffer");
    _exit(number());
}

int scene_abort() {
    begin();
    abort();
}

int scene_throw() {
    begin();
    throw std::runtime_error("mine");
}

int scene_catch() {
    begin();
    try {
        throw std::runtime_error("mine");
    } catch (const std::exception& error) {
        printf("caught %s\n", error.what());
    }
    return 0;
}

__attribute__((noinline)) int users_own_function(volatile int* place) { return *place = 1; }

int scene_segv() {
    begin();
    return users_own_function(reinterpret_cast<int*>(words.size() - 1)); // 0 if there is one word
}

int scene_raise() {
    begin();
    raise(number());
    return 1;
}

int scene_assert() {
    begin();
    assert(words.empty() && "the words are none");
    return 1;
}

int scene_nothing() { return 0; }

// --- signals

int scene_busy() {
    begin();
    printf("busy\n");
    fflush(stdout);
    for (volatile uint64_t count = 0;; count = count + 1) {}
}

int scene_own_handler() {
    begin();
    signal(SIGINT, [](int) { _exit(5); });
    printf("busy\n");
    fflush(stdout);
    for (;;) pause();
}

int scene_broken_pipe() {
    begin();
    int ends[2];
    if (pipe(ends) != 0) return 1;
    close(ends[0]);
    return write(ends[1], "x", 1) < 0 ? 2 : 3;
}

// Python made the stream and queued something on it before this program was loaded.
int scene_synchronize() {
    printf("before\n");
    fflush(stdout);
    auto stream = reinterpret_cast<aclrtStream>(std::stoull(words.at(0)));
    aclrtSetDevice(0);
    const aclError code = aclrtSynchronizeStream(stream);
    printf("after %d\n", code);
    return 0;
}

// The kernel runs on, and the wait ends when it ends; meanwhile other calls are answered.
int scene_wait_through_control_c() {
    static volatile sig_atomic_t heard = 0;
    signal(SIGINT, [](int) { heard = 1; });
    const pthread_t waits = pthread_self();
    aclError meanwhile = -1;
    std::thread other([&] {
        usleep(100000);
        meanwhile = allocate_and_free(0);
        pthread_kill(waits, SIGINT);
    });
    aclrtSetDevice(0);
    const aclError code = aclrtSynchronizeStream(reinterpret_cast<aclrtStream>(std::stoull(words.at(0))));
    other.join();
    printf("heard %d, synchronize %d, meanwhile %d\n", int(heard), code, meanwhile);
    return 0;
}

// --- threads

int scene_first_on_a_thread() {
    aclError code = -1;
    std::thread([&] { code = aclInit(nullptr); }).join();
    std::thread([&] { code = code ? code : allocate_and_free(0); }).join();
    printf("%d %d\n", code, allocate_and_free(0));
    return 0;
}

int scene_many_threads() {
    begin();
    std::vector<aclError> codes(50, -1);
    std::vector<std::thread> threads;
    for (auto& code : codes) {
        threads.emplace_back([&code] {
            code = aclrtSetDevice(0);
            for (int round = 0; round < 5 && code == 0; ++round) code = allocate_and_free();
            // What Python holds for a thread is there at the next call, and not that of another thread.
            aclrtStream stream = nullptr;
            if (code == 0) code = aclrtCreateStream(&stream);
            if (code == 0 && aclrtMalloc(nullptr, 1, ACL_MEM_MALLOC_HUGE_FIRST) != 100000) code = 1;
            if (code == 0) code = aclrtSynchronizeStream(stream);
            if (code == 0) code = aclrtDestroyStream(stream);
            if (code == 0) code = aclrtResetDevice(0);
        });
    }
    for (auto& each : threads) each.join();
    int failed = 0;
    for (aclError code : codes) failed += code != 0;
    aclrtResetDevice(0);
    printf("%d of %zu failed, finalize %d\n", failed, codes.size(), aclFinalize());
    return 0;
}

int scene_detached() {
    begin();
    std::thread([] {
        for (;;) allocate_and_free(0);
    }).detach();
    usleep(50000);
    return number();
}

int scene_leak() {
    begin();
    void* memory = nullptr;
    return aclrtMalloc(&memory, 12345, ACL_MEM_MALLOC_HUGE_FIRST);
}

// --- static objects, which are made before main and go after it

struct Holder {
    void* memory = nullptr;
    bool used = false;
    void take() {
        used = true;
        const aclError code = aclInit(nullptr) + aclrtSetDevice(0);
        printf("constructor %d %d\n", code, aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    }
    Holder() {
        if (getenv("TAKE_EARLY")) take();
    }
    ~Holder() {
        if (used) printf("destructor %d\n", aclrtFree(memory));
    }
} holder;

__attribute__((destructor)) void at_the_very_end() {
    if (holder.used) printf("very end, refused %d\n", aclrtSetDevice(0) != 0);
}

int scene_statics() {
    if (!holder.used) holder.take(); // else in its constructor, before main
    atexit([] { printf("handler %d\n", allocate_and_free(0)); });
    static struct Local {
        ~Local() { printf("local %d\n", allocate_and_free(0)); }
    } local;
    printf("main, finalize %d\n", aclFinalize());
    return 0;
}

#define SCENE(name) {#name, scene_##name}
const std::map<std::string, int (*)()> scenes = {
    SCENE(words),
    SCENE(surroundings),
    SCENE(echo),
    SCENE(children),
    SCENE(fork_before_use),
    SCENE(fork_after_use),
    SCENE(return),
    SCENE(exit),
    SCENE(exit_on_a_thread),
    SCENE(leave_at_once),
    SCENE(abort),
    SCENE(throw),
    SCENE(catch),
    SCENE(segv),
    SCENE(raise),
    SCENE(assert),
    SCENE(nothing),
    SCENE(busy),
    SCENE(own_handler),
    SCENE(broken_pipe),
    SCENE(synchronize),
    SCENE(wait_through_control_c),
    SCENE(first_on_a_thread),
    SCENE(many_threads),
    SCENE(detached),
    SCENE(leak),
    SCENE(statics),
};

} // namespace

int main(int argc, char** argv) {
    words.assign(argv + 2, argv + argc);
    return scenes.at(argv[1])();
}
