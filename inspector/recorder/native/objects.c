#include "objects.h"
#include "store.h"
#include <stdint.h>
#include <string.h>

#define PLACES 4096 /* a power of two; more objects at a time are not known */
#define PROBES 256  /* places that are tried */
#define GONE ((const void *)1)

static struct object objects[PLACES];

static uint64_t first_place(const void *key) { return mixed(5, (uintptr_t)key) % PLACES; }

struct object *object_of(const void *key) {
    uint64_t place = first_place(key);
    for (int n = 0; key && n < PROBES; n++, place = (place + 1) % PLACES) {
        const void *held = atomic_load_explicit(&objects[place].key, memory_order_acquire);
        if (held == key)
            return &objects[place];
        if (!held)
            return NULL;
    }
    return NULL;
}

struct object *object_add(const void *key, int session, const struct object *like) {
    struct object *found = NULL;
    store_lock();
    uint64_t place = first_place(key);
    for (int n = 0; key && !found && n < PROBES; n++, place = (place + 1) % PLACES) {
        const void *held = objects[place].key;
        if (!held || held == GONE || held == key)
            found = &objects[place];
    }
    if (found) {
        const size_t head = sizeof found->key;
        if (like) {
            memcpy((char *)found + head, (const char *)like + head, sizeof *found - head);
        } else {
            memset((char *)found + head, 0, sizeof *found - head);
            found->threads = found->level = UNKNOWN;
        }
        found->session = session;
        found->process = store_process();
        atomic_store_explicit(&found->key, key, memory_order_release);
    }
    store_unlock();
    return found;
}

void object_drop(const void *key) {
    struct object *found = object_of(key);
    if (found)
        atomic_store_explicit(&found->key, GONE, memory_order_release);
}

void object_each(void (*visit)(const void *key, struct object *object)) {
    for (int place = 0; place < PLACES; place++) {
        const void *key = objects[place].key;
        if (key && key != GONE)
            visit(key, &objects[place]);
    }
}
