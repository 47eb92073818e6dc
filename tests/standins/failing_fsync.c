/* A disk that reports errors: while the file named by FAIL_FSYNC exists, nothing can be synced.
   gcc -shared -fPIC -O1 -o failing_fsync.so failing_fsync.c -ldl, then LD_PRELOAD it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int failing(void) {
    const char *flag = getenv("FAIL_FSYNC");
    return flag && access(flag, F_OK) == 0;
}

static int really(const char *name, int file) {
    int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    return next(file);
}

int fsync(int file) {
    if (failing()) { errno = EIO; return -1; }
    return really("fsync", file);
}

int fdatasync(int file) {
    if (failing()) { errno = EIO; return -1; }
    return really("fdatasync", file);
}
