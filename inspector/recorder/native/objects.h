/* What is known of the runtime's objects, by their addresses: sessions, bindings, options. */
#ifndef INSPECTOR_OBJECTS_H
#define INSPECTOR_OBJECTS_H
#include <stdatomic.h>

#define UNKNOWN (-1)

struct object {
    _Atomic(const void *) key;
    int session; /* number of a session, or of the one that a binding is for */
    int runtime; /* number of the runtime that made a session */
    int process; /* that made it: a forked child shares the open profile of its parent */
    _Atomic int profiled_left, saved_inputs; /* runs still to profile; inputs saved so far */
    _Atomic int runs, layers_left; /* made so far; to be profiled one by one */
    int first, last;               /* runs to profile one by one; 0: none */
    _Atomic int request;           /* number of the last one that it has heard of */
    int threads, level, is_profiling; /* of options; UNKNOWN: never set */
    int is_used;                      /* of options: a session was made with them */
    union {
        char providers[200]; /* of options: those that were accepted */
        char model[200];     /* of a session: its file */
    };
    char refused[200]; /* of options: providers that were not accepted */
};

struct object *object_of(const void *key); /* NULL: never heard of */
/* like: options of which these are a copy; NULL for a new object. NULL: there is no room. */
struct object *object_add(const void *key, int session, const struct object *like);
void object_drop(const void *key);
void object_each(void (*visit)(const void *key, struct object *object));
#endif
