/* Files of a recorded process: the same that `store.py` and `span_ring.py` write.
 *
 * `part-PID-N.facts` has one JSON value a line, `part-PID-N.spans` rows of 56 bytes in a file
 * that is mapped into memory, so that what is there survives a program that is killed. All
 * failures mean that nothing is recorded any more: the program never notices. */
#ifndef INSPECTOR_STORE_H
#define INSPECTOR_STORE_H
#include <stddef.h>
#include <stdint.h>

enum kind { CALL, COPY, CAST, CHECK }; /* as places in `span_ring.KINDS` */

#define NO_PREDICTION (-1)
#define THIS_THREAD (-1)
#define THE_RUNTIME 0 /* thread of what the runtime does by itself */

struct span {
    uint64_t start_ns, end_ns;
    int64_t bytes, prediction;
    int session, thread, word;
    enum kind kind;
};

/* Settings of the recording, from the environment. No folder: nothing is recorded. */
extern const char *store_folder;
extern int store_saved_inputs;
extern _Atomic int store_capture; /* whether to save the inputs of the next run */

/* Runs whose layers are recorded, from 1 on, and of which sessions: those of a model file, or
 * "#2", the second one; "": all. */
struct layer_runs {
    int first, last;
    char session[200];
};
extern struct layer_runs store_layers; /* asked for before the program began */
extern _Atomic int store_request;      /* number of the last request while it runs */
struct layer_runs store_requested(void);
int layers_of(const struct layer_runs *runs, const char *model, int session);

void store_configure(const char *way); /* way: how this library came into the program */
int store_ready(void);                 /* whether to record; opens files, also after a fork */
void store_end(void);                  /* the program ends */
void store_put(const struct span *span);
void store_spent(uint64_t ns); /* what the recorder itself took for one call */
void store_fact(const char *format, ...) __attribute__((format(printf, 1, 2)));
int store_process(void); /* number of the process that the files are of */

/* Numbers of texts. A text with a key is made only when the key is new. */
int store_knows(uint64_t key, int *word);
int store_learn(uint64_t key, const char *text);
int store_word(const char *text);

const char *store_escaped(char *to, size_t room, const char *from); /* inside a JSON string */
uint64_t store_now(void);                                           /* monotonic, in ns */
uint64_t store_wall(void);
int store_cores(void);
void store_lock(void);
void store_unlock(void);

static inline uint64_t mixed(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ull; /* 2^64 / golden ratio */
    return hash ^ hash >> 29;
}
#endif
