#define _GNU_SOURCE
#include "store.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096
#define BLOCK 4096            /* rows that get their room at once, as in `span_ring.py` */
#define SAMPLE_NS 200000000u  /* between two facts on memory and time on the CPU */
#define INTERRUPTED_NS 1000000u /* what takes as long was waiting for a processor */
#define PATH_BYTES 1024
#define LINE_BYTES 4096
#define THREAD_BYTES 16  /* room for a thread's number after its name */
#define WORDS 16384      /* places for texts; a power of two */
#define MOST_WORDS 10000 /* as in `store.py`; later ones get no number */
#define PROBES 64        /* places that are tried for a text */

struct row {
    int64_t start, duration, size, prediction;
    int32_t thread, session, word, kind;
    _Atomic int64_t number; /* from 1; written last: 0 is half a row */
};
_Static_assert(sizeof(struct row) == 56, "the layout that span_ring.py reads");

const char *store_folder;
int store_saved_inputs;
_Atomic int store_capture, store_request;
struct layer_runs store_layers;

static struct {
    struct row *rows; /* NULL: nothing is recorded any more */
    uint64_t count;
    _Atomic uint64_t next, ready; /* ready: rows that have room on the disk */
    ino_t inode;                  /* of the file of rows: the program may have replaced it */
    int process;
    char facts[PATH_BYTES], spans[PATH_BYTES];
} part;
static uint64_t keep = 1000000;
static const char *way_in = "";
static volatile char *awake; /* a page that the system empties in a forked child */
static atomic_flag lock = ATOMIC_FLAG_INIT;
static _Atomic uint64_t sampled_ns, calls, timed, own_ns;
static int captured; /* number of the last request, as `live_progress.py` counts them */
static struct layer_runs requested;
static _Atomic int threads;
static __thread int thread_number;
static __thread int thread_process;
static struct {
    _Atomic uint64_t key; /* 0: free */
    int number;
} words[WORDS];
static int word_count;

static uint64_t clock_ns(clockid_t which) {
    struct timespec time;
    clock_gettime(which, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
uint64_t store_now(void) { return clock_ns(CLOCK_MONOTONIC); }
uint64_t store_wall(void) { return clock_ns(CLOCK_REALTIME); }
int store_process(void) { return part.process; }

void store_lock(void) {
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
        sched_yield();
}
void store_unlock(void) { atomic_flag_clear_explicit(&lock, memory_order_release); }

int store_cores(void) {
    cpu_set_t allowed;
    int count = sched_getaffinity(0, sizeof allowed, &allowed) ? 0 : CPU_COUNT(&allowed);
    return count > 0 ? count : 1;
}

static int number_of(const char *variable, int otherwise) {
    const char *text = getenv(variable);
    return text && *text ? atoi(text) : otherwise;
}

/* Read "50", "100-149" or "encoder.onnx:50", as `profiled_runs.py` writes it. */
static struct layer_runs layer_runs_of(const char *text) {
    struct layer_runs runs = {1, 0, ""};
    const char *colon = text ? strrchr(text, ':') : NULL, *dash;
    if (!text)
        return runs;
    if (colon)
        snprintf(runs.session, sizeof runs.session, "%.*s", (int)(colon - text), text);
    text = colon ? colon + 1 : text;
    dash = strchr(text, '-');
    runs.last = atoi(dash ? dash + 1 : text);
    runs.first = dash ? atoi(text) : 1;
    return runs;
}

int layers_of(const struct layer_runs *runs, const char *model, int session) {
    char number[16];
    snprintf(number, sizeof number, "#%d", session + 1);
    return runs->last > 0 && (!runs->session[0] || !strcmp(runs->session, model) ||
                              !strcmp(runs->session, number));
}

struct layer_runs store_requested(void) {
    store_lock();
    struct layer_runs copy = requested;
    store_unlock();
    return copy;
}

void store_configure(const char *way) {
    const char *to = getenv("INSPECTOR_RECORD");
    if (store_folder || !to || !*to || strlen(to) > PATH_BYTES - 64)
        return;
    int rows = number_of("INSPECTOR_RECORD_KEEP", (int)keep);
    keep = rows > 0 ? (uint64_t)rows : keep;
    store_layers = layer_runs_of(getenv("INSPECTOR_RECORD_NODES"));
    store_saved_inputs = number_of("INSPECTOR_RECORD_INPUTS", 0);
    way_in = way;
    store_folder = strdup(to);
}

const char *store_escaped(char *to, size_t room, const char *from) {
    size_t n = 0;
    for (; from && *from && n + 7 < room; from++) {
        unsigned char byte = (unsigned char)*from;
        if (byte == '"' || byte == '\\') {
            to[n++] = '\\';
            to[n++] = (char)byte;
        } else if (byte < ' ') {
            n += (size_t)snprintf(to + n, 7, "\\u%04x", byte);
        } else {
            to[n++] = (char)byte;
        }
    }
    to[n] = 0;
    return to;
}

/* Facts are rare, so their file is opened for each: a program may close descriptors that it
 * does not know. One write of a whole line is never mixed with another's. */
static int append(const char *text, size_t size) {
    int file = open(part.facts, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return 0;
    ssize_t written = write(file, text, size);
    close(file);
    return written == (ssize_t)size;
}

void store_fact(const char *format, ...) {
    char line[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    if (size <= 0 || size >= (int)sizeof line - 1 || !part.process)
        return;
    line[size] = '\n';
    append(line, (size_t)size + 1);
}

/* An empty file, which even a full disk takes: why no more came. */
static void leave_word(void) {
    char path[PATH_BYTES + 16];
    snprintf(path, sizeof path, "%.*s.stopped", (int)(strlen(part.facts) - 6), part.facts);
    int file = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file >= 0)
        close(file);
}

static void stop(int error) {
    part.rows = NULL;
    if (error == ENOSPC || error == EFBIG || error == EDQUOT)
        leave_word();
}

/* Take room on the disk before rows are written: a full disk would end the program with a
 * signal at a write to a page. The lock is held. */
static void make_room(uint64_t number) {
    while (part.rows && number >= part.ready) {
        uint64_t first = part.ready;
        if (first < part.count) {
            struct stat now;
            int file = open(part.spans, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
            int failed = file < 0 ? errno : 0;
            if (!failed && (fstat(file, &now) || now.st_ino != part.inode))
                failed = ESTALE;
            if (!failed)
                failed = posix_fallocate(file, (off_t)(first * sizeof(struct row)),
                                         (off_t)(BLOCK * sizeof(struct row)));
            if (file >= 0)
                close(file);
            if (failed) {
                stop(failed);
                return;
            }
        }
        atomic_store(&part.ready, first + BLOCK);
    }
}

static int map_rows(void) {
    int file = open(part.spans, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    struct stat made;
    if (file < 0 || fstat(file, &made)) {
        int error = errno;
        if (file >= 0)
            close(file);
        return error;
    }
    int error = ENOMEM;
    uint64_t rows = (keep + BLOCK - 1) / BLOCK * BLOCK;
    for (; error && rows >= BLOCK; rows = rows / 2 / BLOCK * BLOCK) {
        size_t size = rows * sizeof(struct row);
        if (ftruncate(file, (off_t)size)) {
            error = errno;
            continue;
        }
        void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (memory == MAP_FAILED)
            continue;
        part.rows = memory, part.count = rows, part.inode = made.st_ino;
        error = 0;
    }
    close(file);
    return error;
}

/* What the parent has told of sessions and texts holds for its child, too, but its profiles. */
static void copy_facts(const char *from) {
    FILE *file = fopen(from, "re");
    char line[LINE_BYTES];
    while (file && fgets(line, sizeof line, file)) {
        char *profile = strstr(line, ", \"profile\": ");
        if (profile)
            strcpy(profile, "}\n");
        if (!strncmp(line, "{\"word\"", 7) || !strncmp(line, "{\"session\"", 10) ||
            !strncmp(line, "{\"runtime\"", 10))
            append(line, strlen(line));
    }
    if (file)
        fclose(file);
}

static void sample(void) {
    long pages = 0;
    char text[64] = "";
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        if (read(file, text, sizeof text - 1) > 0)
            sscanf(text, "%*s %ld", &pages);
        close(file);
    }
    store_fact("{\"sample\": %llu, \"memory\": %llu, \"cpu_ns\": %llu}",
               (unsigned long long)store_now(),
               (unsigned long long)pages * (unsigned long long)sysconf(_SC_PAGESIZE),
               (unsigned long long)clock_ns(CLOCK_PROCESS_CPUTIME_ID));
    store_fact("{\"calls\": %llu, \"timed\": %llu, \"own_ns\": %llu}",
               (unsigned long long)calls, (unsigned long long)timed,
               (unsigned long long)own_ns);
}

/* Return the number of a request; what else stands there follows as a text. 0: no request. */
static int request_in(const char *name, char *text, size_t room) {
    char path[PATH_BYTES], *end = text;
    snprintf(path, sizeof path, "%s/%s", store_folder, name);
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return 0;
    ssize_t size = read(file, text, room - 1);
    close(file);
    text[size > 0 ? size : 0] = 0;
    long number = strtol(text, &end, 10);
    memmove(text, end + (*end == ' '), strlen(end + (*end == ' ')) + 1);
    return number > 0 && number < 1 << 30 ? (int)number : 0;
}

/* Look whether inputs or layers of the next runs are wanted now. */
static void look_for_requests(void) {
    char text[240];
    int number = request_in("capture", text, sizeof text);
    if (number > captured) {
        captured = number;
        store_capture = 1;
    }
    number = request_in("layers", text, sizeof text);
    if (number > store_request) {
        store_lock();
        requested = layer_runs_of(text);
        store_unlock();
        store_request = number;
    }
}

static void open_files(int forked) {
    char before[PATH_BYTES];
    memcpy(before, part.facts, sizeof before);
    int process = (int)getpid(), file = -1;
    part.rows = NULL, part.process = 0;
    part.next = part.ready = 0;
    calls = timed = own_ns = 0;
    threads = 0;
    for (int number = 0; file < 0 && number < 1000; number++) {
        snprintf(part.facts, sizeof part.facts, "%s/part-%d-%d.facts", store_folder, process,
                 number);
        snprintf(part.spans, sizeof part.spans, "%s/part-%d-%d.spans", store_folder, process,
                 number);
        file = open(part.facts, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file < 0 && errno != EEXIST)
            return;
    }
    if (file < 0)
        return;
    close(file);
    part.process = process;
    char program[PATH_BYTES] = "", clean[2 * PATH_BYTES];
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0)
        program[0] = 0;
    unsigned long long steady = store_now(), wall = store_wall();
    store_fact("{\"begin\": [%llu, %llu, %llu], \"pid\": %d, \"group\": %d, \"cores\": %d, "
               "\"native\": \"%s\", \"program\": \"%s\"}",
               steady, wall, steady, process, (int)getpgrp(), store_cores(), way_in,
               store_escaped(clean, sizeof clean, program));
    if (forked)
        copy_facts(before);
    int error = map_rows();
    if (error)
        stop(error);
    else
        make_room(0);
    sampled_ns = store_now();
    sample();
}

int store_ready(void) {
    if (__builtin_expect(awake && *awake, 1))
        return part.rows != NULL;
    if (!store_folder)
        return 0;
    if (!awake) {
        store_lock();
        if (!awake) {
            char *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                              -1, 0);
            if (page == MAP_FAILED) {
                store_unlock();
                return 0;
            }
            madvise(page, PAGE, MADV_WIPEONFORK);
            open_files(0);
            *page = 1;
            awake = page;
        }
        store_unlock();
        return part.rows != NULL;
    }
    store_unlock(); /* a forked child: who held the lock is not in this process */
    store_lock();
    if (!*awake) {
        open_files(1);
        *awake = 1;
    }
    store_unlock();
    return part.rows != NULL;
}

void store_end(void) {
    if (!awake || !*awake || part.process != (int)getpid())
        return; /* after vfork, this is the parent's memory */
    sample();
    unsigned long long steady = store_now(), wall = store_wall();
    store_fact("{\"end\": [%llu, %llu, %llu]}", steady, wall, steady);
    part.rows = NULL;
}

/* Number of this thread, which is told with its name when it comes first. */
static int this_thread(void) {
    if (thread_number && thread_process == part.process)
        return thread_number;
    char path[64], name[64] = "", clean[256];
    int native = (int)syscall(SYS_gettid);
    snprintf(path, sizeof path, "/proc/self/task/%d/comm", native);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        ssize_t size = read(file, name, sizeof name - THREAD_BYTES);
        name[size > 0 ? size - 1 : 0] = 0;
        close(file);
    }
    thread_number = atomic_fetch_add(&threads, 1) + 1;
    thread_process = part.process;
    if (native != (int)getpid()) /* most threads have the name of the program */
        snprintf(name + strlen(name), sizeof name - strlen(name), " %d", thread_number);
    store_fact("{\"thread\": %d, \"name\": \"%s\", \"native\": %d}", thread_number,
               store_escaped(clean, sizeof clean, name), native);
    return thread_number;
}

void store_put(const struct span *span) {
    uint64_t number = atomic_fetch_add_explicit(&part.next, 1, memory_order_relaxed);
    if (__builtin_expect(number >= part.ready, 0)) {
        store_lock();
        make_room(number);
        store_unlock();
    }
    struct row *rows = part.rows;
    if (!rows)
        return;
    struct row *row = &rows[number % part.count];
    atomic_store_explicit(&row->number, 0, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    row->start = (int64_t)span->start_ns;
    row->duration = (int64_t)(span->end_ns - span->start_ns);
    row->size = span->bytes, row->prediction = span->prediction;
    row->thread = span->thread == THIS_THREAD ? this_thread() : span->thread;
    row->session = span->session, row->word = span->word, row->kind = (int32_t)span->kind;
    atomic_store_explicit(&row->number, (int64_t)number + 1, memory_order_release);
    atomic_fetch_add_explicit(&calls, span->kind == CALL, memory_order_relaxed);
    uint64_t last = atomic_load_explicit(&sampled_ns, memory_order_relaxed);
    if (__builtin_expect(span->end_ns > last + SAMPLE_NS, 0) &&
        atomic_compare_exchange_strong(&sampled_ns, &last, span->end_ns)) {
        sample();
        look_for_requests();
    }
}

void store_spent(uint64_t ns) {
    if (ns < INTERRUPTED_NS) {
        atomic_fetch_add_explicit(&timed, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&own_ns, ns, memory_order_relaxed);
    }
}

int store_knows(uint64_t key, int *word) {
    key |= 1;
    uint64_t place = key % WORDS;
    for (int n = 0; n < PROBES; n++, place = (place + 1) % WORDS) {
        uint64_t held = atomic_load_explicit(&words[place].key, memory_order_acquire);
        if (held == key) {
            *word = words[place].number;
            return 1;
        }
        if (!held)
            return 0;
    }
    *word = -1; /* no place near by: a span without a text */
    return 1;
}

int store_learn(uint64_t key, const char *text) {
    int word = -1;
    char clean[LINE_BYTES - 100];
    key |= 1;
    store_lock();
    if (!store_knows(key, &word) && word_count < MOST_WORDS) {
        uint64_t place = key % WORDS;
        while (words[place].key)
            place = (place + 1) % WORDS;
        word = words[place].number = word_count++;
        store_fact("{\"word\": %d, \"text\": \"%s\"}", word,
                   store_escaped(clean, sizeof clean, text));
        atomic_store_explicit(&words[place].key, key, memory_order_release);
    }
    store_unlock();
    return word;
}

int store_word(const char *text) {
    uint64_t key = 7;
    int word;
    for (const char *byte = text; *byte; byte++)
        key = mixed(key, (unsigned char)*byte);
    return store_knows(key, &word) ? word : store_learn(key, text);
}
