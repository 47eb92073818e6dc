/* LD_PRELOAD stand-in for /dev/gpiochip0 (GPIO character device ABI v2, which lgpio 0.2.2 speaks, and v1).
 * A control socket at $FAKEGPIO_SOCK (unix datagram): "set 5 1" drives input line 5 high from outside,
 * "get 17" answers with the level the program drives. $FAKEGPIO_BUSY ("3 17") lists lines that another program has.
 * Nothing privileged, no kernel module.
 * gcc -shared -fPIC -O1 -o fakegpiochip.so fakegpiochip.c -lpthread -ldl */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define LINES 58
static int level[LINES], flags[LINES], driven[LINES];
enum { NONE, CHIP, HANDLE, EVENT };
static struct { int kind, n, line[64], out, edges, wr, v2; unsigned seq; } f[1024];
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static int (*r_open)(const char *, int, ...), (*r_ioctl)(int, unsigned long, ...), (*r_close)(int);

static void *control(void *arg) {
    int s = socket(AF_UNIX, SOCK_DGRAM, 0);
    struct sockaddr_un a = { .sun_family = AF_UNIX }, from;
    snprintf(a.sun_path, sizeof a.sun_path, "%s", (char *)arg);
    unlink(a.sun_path);
    if (bind(s, (void *)&a, sizeof a)) return 0;
    char b[64]; int line, v; socklen_t fl; ssize_t n;
    while (fl = sizeof from, (n = recvfrom(s, b, sizeof b - 1, 0, (void *)&from, &fl)) >= 0) {
        b[n] = 0;
        pthread_mutex_lock(&mu);
        if (sscanf(b, "set %d %d", &line, &v) == 2 && line >= 0 && line < LINES) {
            if (level[line] != v) {
                level[line] = v; driven[line] = 1;
                struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t);
                struct gpioevent_data e = { .timestamp = t.tv_sec * 1000000000ull + t.tv_nsec,
                    .id = v ? GPIOEVENT_EVENT_RISING_EDGE : GPIOEVENT_EVENT_FALLING_EDGE };
                for (int i = 0; i < 1024; i++) {
                    if (f[i].kind != EVENT || !(f[i].edges & (v ? 1 : 2))) continue;
                    for (int k = 0; k < f[i].n; k++) {
                        if (f[i].line[k] != line) continue;
                        struct gpio_v2_line_event e2 = { .timestamp_ns = e.timestamp, .offset = line,
                            .id = v ? GPIO_V2_LINE_EVENT_RISING_EDGE : GPIO_V2_LINE_EVENT_FALLING_EDGE,
                            .seqno = ++f[i].seq, .line_seqno = f[i].seq };
                        if (f[i].v2 ? write(f[i].wr, &e2, sizeof e2) : write(f[i].wr, &e, sizeof e)) {}
                    }
                }
            }
            n = sprintf(b, "ok");
        } else if (sscanf(b, "get %d", &line) == 1 && line >= 0 && line < LINES)
            n = sprintf(b, "%d %d", level[line], flags[line]);
        else n = sprintf(b, "err");
        pthread_mutex_unlock(&mu);
        if (fl > sizeof(sa_family_t)) sendto(s, b, n, 0, (void *)&from, fl);
    }
    return 0;
}
__attribute__((constructor)) static void init(void) {
    r_open = dlsym(RTLD_NEXT, "open"); r_ioctl = dlsym(RTLD_NEXT, "ioctl"); r_close = dlsym(RTLD_NEXT, "close");
}
static int chip_open(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT; (void)once;
    static int started; pthread_t t;
    int fd = eventfd(0, EFD_CLOEXEC);
    if (fd >= 0 && fd < 1024) f[fd].kind = CHIP;
    if (!started++ && getenv("FAKEGPIO_SOCK")) pthread_create(&t, 0, control, getenv("FAKEGPIO_SOCK"));
    return fd;
}
int open(const char *p, int fl, ...) {
    va_list ap; va_start(ap, fl); int m = va_arg(ap, int); va_end(ap);
    if (!strcmp(p, "/dev/gpiochip0")) return chip_open();
    return r_open(p, fl, m);
}
int open64(const char *p, int fl, ...) {
    va_list ap; va_start(ap, fl); int m = va_arg(ap, int); va_end(ap);
    if (!strcmp(p, "/dev/gpiochip0")) return chip_open();
    return r_open(p, fl | O_LARGEFILE, m);
}
int close(int fd) {
    if (fd >= 0 && fd < 1024 && f[fd].kind) {
        pthread_mutex_lock(&mu);
        if (f[fd].kind == EVENT) r_close(f[fd].wr);
        f[fd].kind = NONE;
        pthread_mutex_unlock(&mu);
    }
    return r_close(fd);
}
static void bias(int line, unsigned fl) {
    flags[line] = fl;
    if (!driven[line] && (fl & GPIOHANDLE_REQUEST_BIAS_PULL_UP)) level[line] = 1;
    if (!driven[line] && (fl & GPIOHANDLE_REQUEST_BIAS_PULL_DOWN)) level[line] = 0;
}
static int is_busy(int line) {
    const char *p = getenv("FAKEGPIO_BUSY");
    for (char *end; p && *p; p = end) {
        long n = strtol(p, &end, 10);
        if (end == p) break;
        if (n == line) return 1;
    }
    return 0;
}
static unsigned long long v2flags[LINES];
static void v2config(int fd, struct gpio_v2_line_config *c) {
    for (int i = 0; i < f[fd].n; i++) {
        unsigned long long fl = c->flags, out = 0, has = 0;
        for (unsigned a = 0; a < c->num_attrs; a++) {
            if (!(c->attrs[a].mask >> i & 1)) continue;
            if (c->attrs[a].attr.id == GPIO_V2_LINE_ATTR_ID_FLAGS) fl = c->attrs[a].attr.flags;
            if (c->attrs[a].attr.id == GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES) has = 1, out = c->attrs[a].attr.values >> i & 1;
        }
        int o = f[fd].line[i];
        v2flags[o] = fl | GPIO_V2_LINE_FLAG_USED;
        f[fd].edges = !!(fl & GPIO_V2_LINE_FLAG_EDGE_RISING) | !!(fl & GPIO_V2_LINE_FLAG_EDGE_FALLING) << 1;
        if (fl & GPIO_V2_LINE_FLAG_OUTPUT) { if (has) level[o] = out; }
        else if (!driven[o] && (fl & GPIO_V2_LINE_FLAG_BIAS_PULL_UP)) level[o] = 1;
        else if (!driven[o] && (fl & GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN)) level[o] = 0;
    }
}
int ioctl(int fd, unsigned long req, ...) {
    va_list ap; va_start(ap, req); void *p = va_arg(ap, void *); va_end(ap);
    if (fd < 0 || fd >= 1024 || !f[fd].kind) return r_ioctl(fd, req, p);
    int rc = 0;
    pthread_mutex_lock(&mu);
    if (f[fd].kind == CHIP && req == GPIO_GET_CHIPINFO_IOCTL) {
        struct gpiochip_info *c = p; memset(c, 0, sizeof *c);
        strcpy(c->name, "gpiochip0"); strcpy(c->label, "pinctrl-fake"); c->lines = LINES;
    } else if (f[fd].kind == CHIP && req == GPIO_GET_LINEINFO_IOCTL) {
        struct gpioline_info *l = p; int o = l->line_offset;
        memset(l->name, 0, sizeof l->name); memset(l->consumer, 0, sizeof l->consumer);
        l->flags = 0; snprintf(l->name, sizeof l->name, "GPIO%d", o);
        if (o < LINES) {
            if (flags[o] & GPIOHANDLE_REQUEST_OUTPUT) l->flags |= GPIOLINE_FLAG_IS_OUT;
            if (flags[o] & GPIOHANDLE_REQUEST_BIAS_PULL_UP) l->flags |= GPIOLINE_FLAG_BIAS_PULL_UP;
            if (flags[o] & GPIOHANDLE_REQUEST_BIAS_PULL_DOWN) l->flags |= GPIOLINE_FLAG_BIAS_PULL_DOWN;
            if (flags[o] & GPIOHANDLE_REQUEST_BIAS_DISABLE) l->flags |= GPIOLINE_FLAG_BIAS_DISABLE;
        }
    } else if (f[fd].kind == CHIP && req == GPIO_GET_LINEHANDLE_IOCTL) {
        struct gpiohandle_request *h = p; int n = eventfd(0, EFD_CLOEXEC);
        f[n].kind = HANDLE; f[n].n = h->lines; f[n].out = !!(h->flags & GPIOHANDLE_REQUEST_OUTPUT);
        for (unsigned i = 0; i < h->lines; i++) {
            f[n].line[i] = h->lineoffsets[i]; bias(h->lineoffsets[i], h->flags);
            if (f[n].out) level[h->lineoffsets[i]] = h->default_values[i];
        }
        h->fd = n;
    } else if (f[fd].kind == CHIP && req == GPIO_GET_LINEEVENT_IOCTL) {
        struct gpioevent_request *e = p; int sv[2];
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sv);
        f[sv[0]].kind = EVENT; f[sv[0]].n = 1; f[sv[0]].line[0] = e->lineoffset;
        f[sv[0]].edges = e->eventflags; f[sv[0]].wr = sv[1]; bias(e->lineoffset, e->handleflags);
        e->fd = sv[0];
    } else if (req == GPIOHANDLE_GET_LINE_VALUES_IOCTL) {
        struct gpiohandle_data *d = p; for (int i = 0; i < f[fd].n; i++) d->values[i] = level[f[fd].line[i]];
    } else if (req == GPIOHANDLE_SET_LINE_VALUES_IOCTL) {
        struct gpiohandle_data *d = p; for (int i = 0; i < f[fd].n; i++) level[f[fd].line[i]] = d->values[i];
    } else if (f[fd].kind == CHIP && req == GPIO_V2_GET_LINEINFO_IOCTL) {
        struct gpio_v2_line_info *l = p; int o = l->offset;
        memset(l, 0, sizeof *l); l->offset = o; snprintf(l->name, sizeof l->name, "GPIO%d", o);
        if (o < LINES) l->flags = v2flags[o];
    } else if (f[fd].kind == CHIP && req == GPIO_V2_GET_LINE_IOCTL && is_busy(((struct gpio_v2_line_request *)p)->offsets[0])) {
        errno = EBUSY; rc = -1;
    } else if (f[fd].kind == CHIP && req == GPIO_V2_GET_LINE_IOCTL) {
        struct gpio_v2_line_request *h = p; int sv[2];
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sv);
        f[sv[0]].kind = EVENT; f[sv[0]].wr = sv[1]; f[sv[0]].v2 = 1; f[sv[0]].n = h->num_lines; f[sv[0]].seq = 0;
        for (unsigned i = 0; i < h->num_lines; i++) f[sv[0]].line[i] = h->offsets[i];
        v2config(sv[0], &h->config); h->fd = sv[0];
    } else if (req == GPIO_V2_LINE_SET_CONFIG_IOCTL) {
        v2config(fd, p);
    } else if (req == GPIO_V2_LINE_GET_VALUES_IOCTL) {
        struct gpio_v2_line_values *v = p; v->bits = 0;
        for (int i = 0; i < f[fd].n; i++) if (level[f[fd].line[i]]) v->bits |= 1ull << i;
    } else if (req == GPIO_V2_LINE_SET_VALUES_IOCTL) {
        struct gpio_v2_line_values *v = p;
        for (int i = 0; i < f[fd].n; i++) if (v->mask >> i & 1) level[f[fd].line[i]] = v->bits >> i & 1;
    } else { fprintf(stderr, "fakegpio: ioctl %lx\n", req); errno = ENOTTY; rc = -1; }
    pthread_mutex_unlock(&mu);
    return rc;
}
