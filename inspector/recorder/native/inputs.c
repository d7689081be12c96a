#define _GNU_SOURCE
#include "inputs.h"
#include "store.h"
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST_BYTES (512ull << 20) /* of all saved inputs, against a full disk */
#define LINE_BYTES 1024

static _Atomic uint64_t taken;

static int write_all(int file, const void *data, uint64_t size) {
    const char *from = data;
    while (size) {
        ssize_t written = write(file, from, size);
        if (written <= 0)
            return 0;
        from += written, size -= (uint64_t)written;
    }
    return 1;
}

static int write_value(int file, const struct input_value *value) {
    char line[LINE_BYTES], name[LINE_BYTES / 2];
    store_escaped(name, sizeof name, value->name ? value->name : "");
    int at = snprintf(line, sizeof line, "{\"name\": \"%s\", \"descr\": \"%s\", \"bytes\": %llu, "
                      "\"shape\": [", name, value->descr, (unsigned long long)value->bytes);
    for (size_t axis = 0; axis < value->rank && at < (int)sizeof line - 30; axis++)
        at += snprintf(line + at, 24, "%s%lld", axis ? ", " : "", (long long)value->dims[axis]);
    at += snprintf(line + at, 4, "]}\n");
    return write_all(file, line, (uint64_t)at) && write_all(file, value->data, value->bytes);
}

void inputs_save(int session, int number, const struct input_value *values, size_t count) {
    char path[600], half[sizeof path + 8];
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += values[i].bytes;
    if (atomic_fetch_add(&taken, bytes) + bytes > MOST_BYTES)
        return;
    snprintf(path, sizeof path, "%.500s/inputs-%d-%d-%d.values", store_folder, store_process(),
             session, number);
    snprintf(half, sizeof half, "%s.half", path);
    int file = open(half, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    int whole = 1;
    for (size_t i = 0; whole && i < count; i++)
        whole = write_value(file, &values[i]);
    close(file);
    if (!whole || rename(half, path)) /* no room: a killed or full run leaves no half file */
        unlink(half);
}
