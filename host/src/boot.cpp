// SPDX-License-Identifier: Apache-2.0
// Finds Python for a program that calls acl. A program that `aclimb build` linked is replaced by Python, which then loads it
// (aclimb/host/hosted.py); into any other one Python comes as a library, with the first call. Python is reached by names only: one
// libascendcl serves every version.
#include "table.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORTED extern "C" __attribute__((visibility("default")))
// Returns what Python exports under that name in this process.
#define PYTHON(returns, name, ...) reinterpret_cast<returns (*)(__VA_ARGS__)>(dlsym(RTLD_DEFAULT, #name))

namespace {

constexpr int kNoPython = 127; // as a shell says that there is no such program

// The lines of aclimb.python, which lies beside this library.
struct Python {
    char executable[PATH_MAX]; // in a virtual environment, if it is one
    char library[PATH_MAX];    // libpython, or nothing
    char folders[PATH_MAX];    // where aclimb is, if that executable does not know; with : between them
};

pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
char own_folder[PATH_MAX]; // of this library
bool embeds;               // Python came as a library
pid_t hosting;             // the process whose end Python is to hear of: not a child that was made behind its back

// --- which Python

[[noreturn]] void give_up(const char* what, const char* which, const char* why) {
    fprintf(stderr,
            "aclimb: %s %s: %s\naclimb: set ACLIMB_PYTHON to the executable of a Python that has aclimb, or build the program again with "
            "`aclimb build`\n",
            what, which, why);
    fflush(stderr);
    _exit(kNoPython);
}

bool read_line(FILE* file, char (&line)[PATH_MAX]) {
    if (!fgets(line, sizeof line, file)) return line[0] = 0;
    line[strcspn(line, "\n")] = 0;
    return true;
}

bool read_lines(FILE* file, Python& python) {
    const bool found = read_line(file, python.executable);
    read_line(file, python.library);
    read_line(file, python.folders);
    return found && python.executable[0];
}

bool read_file(Python& python) {
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/aclimb.python", own_folder);
    FILE* file = fopen(path, "re");
    if (!file) return false;
    const bool found = read_lines(file, python);
    fclose(file);
    return found;
}

// ACLIMB_PYTHON wins. What else is known of that one is in the file, or it can be asked.
void find_executable(Python& python) {
    const bool in_file = read_file(python);
    const char* wanted = secure_getenv("ACLIMB_PYTHON");
    if (wanted && wanted[0] && (!in_file || strcmp(wanted, python.executable) != 0)) {
        if (strlen(wanted) >= PATH_MAX) give_up("ACLIMB_PYTHON is", wanted, strerror(ENAMETOOLONG));
        strcpy(python.executable, wanted);
        python.library[0] = python.folders[0] = 0;
    } else if (!in_file) {
        give_up("nobody says where Python is:", own_folder, "there is no file aclimb.python");
    }
}

void ask(Python& python) {
    FILE* answer = popen("\"$ACLIMB_PYTHON\" -P -c 'from aclimb.host import python_file; print(python_file.text(), end=\"\")'", "re");
    if (!answer || !read_lines(answer, python)) give_up("cannot start", secure_getenv("ACLIMB_PYTHON"), "there is no Python with aclimb");
    pclose(answer);
}

// --- Python takes the place of the program

[[noreturn]] void become_python(int argc, char** argv, char** environment) {
    static Python python;
    static char program[PATH_MAX];
    find_executable(python);
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0) give_up("cannot read", "/proc/self/exe", strerror(errno));
    const bool plain = !python.folders[0];
    char* module[] = {python.executable, const_cast<char*>("-P"), const_cast<char*>("-m"), const_cast<char*>("aclimb.host.hosted")};
    char* code[] = {python.executable, const_cast<char*>("-P"), const_cast<char*>("-c"),
                    const_cast<char*>("import sys; sys.path += sys.argv.pop(1).split(':'); from aclimb.host import hosted; hosted.main()"),
                    python.folders};
    const int leading = plain ? 4 : 5;
    auto** words = static_cast<char**>(calloc(static_cast<size_t>(argc + leading + 2), sizeof(char*)));
    memcpy(words, plain ? module : code, static_cast<size_t>(leading) * sizeof(char*));
    words[leading] = program;
    memcpy(words + leading + 1, argv, static_cast<size_t>(argc) * sizeof(char*));
    execvpe(python.executable, words, environment);
    give_up("cannot start", python.executable, strerror(errno));
}

// --- Python comes as a library

void start_python() {
    static Python python;
    find_executable(python);
    if (!python.library[0] && secure_getenv("ACLIMB_PYTHON")) ask(python);
    if (!python.library[0]) {
        fprintf(
            stderr,
            "aclimb: %s has no libpython, which this program would load: link it with `aclimb build main.cpp -o main`, which needs none, "
            "or install aclimb in a Python that has a shared library, and set ACLIMB_PYTHON to it\n",
            python.executable);
        exit(kNoPython);
    }
    if (!dlopen(python.library, RTLD_NOW | RTLD_GLOBAL)) give_up("cannot load", python.library, dlerror());
    // By its name Python finds the virtual environment that it belongs to.
    PYTHON(void, Py_SetProgramName, const wchar_t*)(PYTHON(wchar_t*, Py_DecodeLocale, const char*, size_t*)(python.executable, nullptr));
    char* locale = strdup(setlocale(LC_ALL, nullptr));
    PYTHON(void, Py_InitializeEx, int)(0);
    setlocale(LC_ALL, locale); // Python takes that of the environment
    free(locale);
    void* path = PYTHON(void*, PySys_GetObject, const char*)("path");
    for (char* folder = strtok(python.folders, ":"); folder; folder = strtok(nullptr, ":"))
        PYTHON(void*, PyObject_CallMethod, void*, const char*, const char*, ...)(path, "append", "s", folder);
    PYTHON(void*, PyEval_SaveThread, void)();
}

bool has_python() {
    auto runs = PYTHON(int, Py_IsInitialized, void);
    return runs && runs();
}

// Returns nullptr for an exception.
void* call(const char* module, const char* function, const char* format, long long argument) {
    void* found = PYTHON(void*, PyImport_ImportModule, const char*)(module);
    if (!found) return nullptr;
    return PYTHON(void*, PyObject_CallMethod, void*, const char*, const char*, ...)(found, function, format, argument);
}

// After the program's own handlers and static destructors, which may still call acl. The lock is kept: from here on no other thread
// runs Python, while the process is taken down around it.
void at_end(int status, void*) {
    if (hosting != getpid() || !has_python()) return;
    hosting = 0;
    PYTHON(int, PyGILState_Ensure, void)();
    void* answer = call("aclimb.host.ending", "end", "L", status);
    if (!answer) PYTHON(void, PyErr_Print, void)();
    const int wanted = answer ? static_cast<int>(PYTHON(long, PyLong_AsLong, void*)(answer)) : 1;
    if (wanted != status) exit(wanted); // goes on with the handlers that are left
}

// Before any code of the program: this library is initialised before those that need it. Handlers of on_exit run last first.
__attribute__((constructor)) void start(int argc, char** argv, char** environment) {
    Dl_info own;
    if (dladdr(reinterpret_cast<void*>(aclimb_boot), &own)) {
        char* slash = strrchr(realpath(own.dli_fname, own_folder) ? own_folder : strcpy(own_folder, "./"), '/');
        *slash = 0;
    }
    if (dlsym(RTLD_DEFAULT, "aclimb_start") && !has_python()) become_python(argc, argv, environment);
    on_exit(at_end, nullptr);
}

} // namespace

EXPORTED void aclimb_hosts_program(void) { hosting = getpid(); }

extern "C" void aclimb_boot(void) {
    struct sigaction sigint;
    pthread_mutex_lock(&starting);
    const bool is_first = !has_python();
    if (is_first) {
        sigaction(SIGINT, nullptr, &sigint);
        start_python();
        embeds = true;
    }
    pthread_mutex_unlock(&starting);
    const int held = PYTHON(int, PyGILState_Ensure, void)();
    // The door is opened once in a process and fills the copy of this library that it finds; the program may have brought another one.
    const auto own = reinterpret_cast<long long>(aclimb_install_here);
    if (!call(embeds ? "aclimb.host.hosted" : "aclimb.host.door", embeds ? "embedded" : "open_door", nullptr, 0) ||
        !call("aclimb._door", "fill", "L", own)) {
        PYTHON(void, PyErr_Print, void)();
        exit(kNoPython);
    }
    if (is_first) sigaction(SIGINT, &sigint, nullptr); // what the program had: Python's own module took it
    PYTHON(void, PyGILState_Release, int)(held);
}
