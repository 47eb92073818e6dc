// A stand-in for sudden death: once armed with strike_at(n), the n-th change to files kills the process.
// Preloaded; each of these calls is one step. It dies before the step is done.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static int left = -1;  // steps to live; below zero: for ever

void strike_at(int step) { left = step; }

static void step(void) {
    if (left > 0 && --left == 0) kill(getpid(), SIGKILL);
}

#define STEP(kind, name, parameters, arguments)                       \
    kind name parameters {                                            \
        static kind(*real) parameters;                                \
        if (!real) real = (kind(*) parameters)dlsym(RTLD_NEXT, #name); \
        step();                                                       \
        return real arguments;                                        \
    }

STEP(int, fsync, (int file), (file))
STEP(int, fdatasync, (int file), (file))
STEP(int, ftruncate, (int file, off_t size), (file, size))
STEP(int, ftruncate64, (int file, off64_t size), (file, size))
STEP(int, mkdir, (const char *path, mode_t mode), (path, mode))
STEP(int, rename, (const char *from, const char *to), (from, to))
STEP(int, renameat, (int here, const char *from, int there, const char *to), (here, from, there, to))
STEP(int, unlink, (const char *path), (path))
STEP(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags))
STEP(ssize_t, write, (int file, const void *data, size_t size), (file, data, size))
STEP(ssize_t, pwrite, (int file, const void *data, size_t size, off_t at), (file, data, size, at))
STEP(ssize_t, pwrite64, (int file, const void *data, size_t size, off64_t at), (file, data, size, at))
STEP(ssize_t, sendfile64, (int to, int from, off64_t *at, size_t size), (to, from, at, size))
STEP(ssize_t, copy_file_range, (int from, off64_t *at, int to, off64_t *there, size_t size, unsigned flags),
     (from, at, to, there, size, flags))
