#define _GNU_SOURCE
#include "runtimes.h"
#include "inputs.h"
#include "objects.h"
#include "store.h"
#include <dlfcn.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define RUNTIMES 4       /* in one process; further ones are not recorded */
#define MOST_PLACES 1024 /* entries of a table that are copied */
#define MOST_RANK 12     /* axes of a tensor that are looked at */
#define MOST_SAVED 16    /* inputs of a run that are saved */
#define SHOWN_INPUTS 6   /* named in the text of a run, as in recorded_sessions.py */
#define INPUT_BYTES 400  /* of the text of one input */
#define TEXT_BYTES 3000
#define MODEL_BYTES 600
#define PREFIX_BYTES 700
#define TIMED_EVERY 16 /* runs, of which one tells what the recorder itself takes */
#define OLDEST 14      /* minor versions whose tables are known */
#define NEWEST 29
#define RUN_PROFILES 25 /* the first version that profiles a run alone */
#define PATIENCE_NS 1000000000u /* that a run waits for options that another one changes */

typedef void *Status; /* OrtStatus *; NULL is success */

enum place {
#define PLACE(function, place, version) AT_##function = place,
#include "places.def"
#undef PLACE
};

/* Entries in the table of each minor version, from OLDEST to NEWEST. */
static const short entries[] = {239, 255, 266, 276, 280, 280, 285, 285,
                                318, 390, 415, 419, 419, 419, 424, 425};
_Static_assert(sizeof entries / sizeof *entries == NEWEST - OLDEST + 1, "one for each version");
#define ENTRIES_BEFORE 232 /* that an older table has for sure */

/* Names of error codes as Python calls its exceptions. */
static const char *const error_names[] = {
    "no error", "Fail", "InvalidArgument", "NoSuchFile", "NoModel", "EngineError",
    "RuntimeException", "InvalidProtobuf", "ModelLoaded", "NotImplemented", "InvalidGraph",
    "EPFail", "ModelLoadCanceled", "ModelRequiresCompilation", "NotFound"};
#define ERRORS (sizeof error_names / sizeof *error_names)

/* Types of elements by their number: name, NumPy's description, and bits. */
static const struct {
    const char *name, *descr;
    int bits;
} types[] = {
    {"undefined", NULL, 0}, {"float32", "<f4", 32}, {"uint8", "|u1", 8}, {"int8", "|i1", 8},
    {"uint16", "<u2", 16}, {"int16", "<i2", 16}, {"int32", "<i4", 32}, {"int64", "<i8", 64},
    {"string", NULL, 0}, {"bool", "|b1", 8}, {"float16", "<f2", 16}, {"float64", "<f8", 64},
    {"uint32", "<u4", 32}, {"uint64", "<u8", 64}, {"complex64", "<c8", 64},
    {"complex128", "<c16", 128}, {"bfloat16", NULL, 16}, {"float8e4m3fn", NULL, 8},
    {"float8e4m3fnuz", NULL, 8}, {"float8e5m2", NULL, 8}, {"float8e5m2fnuz", NULL, 8},
    {"uint4", NULL, 4}, {"int4", NULL, 4}, {"float4e2m1", NULL, 4}, {"uint2", NULL, 2},
    {"int2", NULL, 2}, {"float8e8m0", NULL, 8}};
#define TYPE_COUNT ((int)(sizeof types / sizeof *types))

static struct runtime {
    get_base get;                  /* its own OrtGetApiBase */
    const struct api_base *base;   /* what that returns */
    struct api_base stand_in;      /* what the program gets instead */
    const void *const *real;       /* its table of functions */
    const void *const *table;      /* ours */
    int minor;
} runtimes[RUNTIMES];
static _Atomic int64_t predictions;
static _Atomic int sessions;

struct seen { /* of a tensor. type: 0 for what is none */
    int type;
    size_t rank;
    int64_t dims[MOST_RANK];
};

struct waiting { /* for the answer of an asynchronous run */
    void (*callback)(void *, void **, size_t, Status);
    void *user;
    uint64_t start;
    int64_t prediction;
    int session;
};

struct creation { /* of a session. place: the function that was called */
    enum place place;
    const void *environment, *model;
    size_t size;
    void *prepacked;
};

/* Runs under way with options of the program; BORROWED: one of them has changed its own for a
 * moment, so that no other one may read them. */
#define BORROWED (-1)
static _Atomic int options_users;
static __thread int has_borrowed;

static int enter_with_options(void) {
    uint64_t begun = 0;
    for (;;) {
        int users = atomic_load(&options_users);
        if (users != BORROWED) {
            if (atomic_compare_exchange_weak(&options_users, &users, users + 1))
                return 1;
            continue;
        }
        if (has_borrowed) /* a run within a run */
            return 0;
        begun = begun ? begun : store_now();
        if (store_now() - begun > PATIENCE_NS)
            return 0;
        sched_yield();
    }
}
static void leave_options(void) { atomic_fetch_sub(&options_users, 1); }

static int borrow_options(void) { /* by a run that has entered, and is the only one */
    int alone = 1;
    has_borrowed = atomic_compare_exchange_strong(&options_users, &alone, BORROWED);
    return has_borrowed;
}
static void give_back_options(void) {
    has_borrowed = 0;
    atomic_store(&options_users, 1);
}

/* Whether layers of the next run are wanted: one of those asked for at the start, or since. */
static int wants_layers(struct object *own) {
    int request = atomic_load_explicit(&store_request, memory_order_relaxed);
    if (own->last) {
        int number = atomic_fetch_add(&own->runs, 1) + 1;
        if (number >= own->first && number <= own->last)
            return 1;
    }
    if (request != own->request && atomic_exchange(&own->request, request) != request) {
        struct layer_runs runs = store_requested();
        if (layers_of(&runs, own->model, own->session))
            atomic_store(&own->layers_left, runs.last);
    }
    return own->layers_left > 0 && atomic_fetch_sub(&own->layers_left, 1) > 0;
}

static int64_t next_prediction(void) {
    return atomic_fetch_add_explicit(&predictions, 1, memory_order_relaxed);
}
static int next_session(void) { return atomic_fetch_add(&sessions, 1); }

static void put_call(uint64_t start, uint64_t end, int session, int word, int64_t bytes,
                     int64_t prediction) {
    store_put(&(struct span){start, end, bytes, prediction, session, THIS_THREAD, word, CALL});
}

static void put_check(uint64_t at, int session, const char *text) {
    store_put(&(struct span){at, at, 0, NO_PREDICTION, session, THIS_THREAD, store_word(text),
                             CHECK});
}

/* Put down a call on a session or binding; owner: NULL for one on neither. */
static void put_timed(enum kind kind, uint64_t start, uint64_t end, const void *owner,
                      const char *name, int64_t bytes) {
    struct object *own = owner ? object_of(owner) : NULL;
    store_put(&(struct span){start, end, bytes, NO_PREDICTION, own ? own->session : UNKNOWN,
                             THIS_THREAD, store_word(name), kind});
}

static void answered(void *user, void **outputs, size_t count, Status status) {
    struct waiting waits = *(struct waiting *)user;
    free(user);
    if (store_ready())
        store_put(&(struct span){waits.start, store_now(), 0, waits.prediction, waits.session,
                                 THE_RUNTIME, store_word("asynchronous run"), CALL});
    waits.callback(waits.user, outputs, count, status);
}

static uint64_t bytes_of_dims(int type, const int64_t *dims, size_t rank) {
    uint64_t bits = type > 0 && type < TYPE_COUNT ? (uint64_t)types[type].bits : 0;
    for (size_t axis = 0; axis < rank; axis++)
        bits *= (uint64_t)dims[axis];
    return bits / 8;
}
static uint64_t bytes_of(const struct seen *seen) {
    return bytes_of_dims(seen->type, seen->dims, seen->rank);
}
static const char *numpy_type(int type) {
    return type > 0 && type < TYPE_COUNT ? types[type].descr : NULL;
}

/* Write "image float32 1×3×224×224"; returns how many bytes. */
static size_t write_input(char *to, const char *before, const char *name,
                          const struct seen *seen) {
    const char *type = seen->type > 0 && seen->type < TYPE_COUNT ? types[seen->type].name
                                                                 : "no tensor";
    size_t at = (size_t)snprintf(to, 110, "%s%.60s %s", before, name ? name : "", type);
    if (seen->type && !seen->rank)
        at += (size_t)snprintf(to + at, 10, " scalar");
    for (size_t axis = 0; axis < seen->rank; axis++)
        at += (size_t)snprintf(to + at, 24, "%s%lld", axis ? "×" : " ",
                               (long long)seen->dims[axis]);
    return at;
}

/* A provider that options of this thread were refused, which no session was made with: the next
 * session is what the program fell back to. */
static __thread char refused_before[200];

static struct object *known_options(const void *options) {
    if (!store_ready())
        return NULL;
    struct object *own = object_of(options);
    return own ? own : object_add(options, UNKNOWN, NULL);
}

/* Note a provider as `usage_checks.missing_providers` says it. */
static void note_provider(struct object *own, const char *name, int refused, const char *said) {
    char *to = refused ? own->refused : own->providers;
    size_t at = strlen(to);
    if (!refused) {
        snprintf(to + at, sizeof own->providers - at, "%s%.40sExecutionProvider", at ? ", " : "",
                 name);
        return;
    }
    int absent = strstr(said, "this build") || strstr(said, "not enabled") ||
                 strstr(said, "not supported") || strstr(said, "nknown provider");
    snprintf(to, sizeof own->refused, "%.40sExecutionProvider requested but not used: %s", name,
             absent ? "not in this build of ONNX Runtime" : "failed to load");
}

/* Name, place and identity of a model, as `recorded_sessions.identity` has them. */
static void describe_model(const struct creation *asked, char model[MODEL_BYTES],
                           char place[2 * MODEL_BYTES], char same[100]) {
    place[0] = 0;
    if (asked->size && asked->model) {
        uint64_t hash = 3;
        const unsigned char *bytes = asked->model;
        for (size_t i = 0; i < asked->size; i += 1 + asked->size / 65536)
            hash = mixed(hash, bytes[i]);
        snprintf(model, MODEL_BYTES, "model in memory");
        snprintf(same, 100, "%zu-%llu", asked->size, (unsigned long long)hash);
        return;
    }
    const char *path = asked->model, *slash = path ? strrchr(path, '/') : NULL;
    struct stat found;
    char clean[2 * MODEL_BYTES - 20], whole[PATH_MAX];
    store_escaped(model, MODEL_BYTES, slash ? slash + 1 : path);
    if (path && realpath(path, whole) && strlen(whole) < sizeof clean / 2)
        snprintf(place, 2 * MODEL_BYTES, ", \"path\": \"%s\"",
                 store_escaped(clean, sizeof clean, whole));
    if (path && !stat(path, &found))
        snprintf(same, 100, "%lld-%lld-%lld-%lld", (long long)found.st_dev,
                 (long long)found.st_ino,
                 (long long)found.st_mtim.tv_sec * 1000000000 + found.st_mtim.tv_nsec,
                 (long long)found.st_size);
    else
        same[0] = 0;
}

static void name_profile(char prefix[PREFIX_BYTES], int session) {
    snprintf(prefix, PREFIX_BYTES, "%s/profile-%d-%d", store_folder, store_process(), session);
}

static void name_layers(char prefix[PREFIX_BYTES], int session, int64_t prediction) {
    snprintf(prefix, PREFIX_BYTES, "%s/layers-%d-%d-%lld", store_folder, store_process(), session,
             (long long)prediction);
}

static void name_creation(char *to, size_t room, const struct object *options, int batches) {
    int cores = store_cores(), count = options->threads > 0 ? options->threads : cores;
    snprintf(to, room, "create session, %d thread%s on %d core%s%s", count,
             count == 1 ? "" : "s", cores, cores == 1 ? "" : "s", batches ? ", batches" : "");
}

#define RUNTIME 0
#include "calls.h"
#undef RUNTIME
#define RUNTIME 1
#include "calls.h"
#undef RUNTIME
#define RUNTIME 2
#include "calls.h"
#undef RUNTIME
#define RUNTIME 3
#include "calls.h"
#undef RUNTIME

#define STAND_IN(name) \
    {AT_##name, {(void *)name##_0, (void *)name##_1, (void *)name##_2, (void *)name##_3}}
static const struct {
    enum place place;
    void *ours[RUNTIMES];
} stand_ins[] = {
    STAND_IN(CreateSession),
    STAND_IN(CreateSessionFromArray),
    STAND_IN(CreateSessionWithPrepackedWeightsContainer),
    STAND_IN(CreateSessionFromArrayWithPrepackedWeightsContainer),
    STAND_IN(ReleaseSession),
    STAND_IN(Run),
    STAND_IN(RunWithBinding),
    STAND_IN(RunAsync),
    STAND_IN(SetIntraOpNumThreads),
    STAND_IN(SetSessionGraphOptimizationLevel),
    STAND_IN(EnableProfiling),
    STAND_IN(DisableProfiling),
    STAND_IN(CloneSessionOptions),
    STAND_IN(ReleaseSessionOptions),
    STAND_IN(SessionOptionsAppendExecutionProvider),
    STAND_IN(SessionOptionsAppendExecutionProvider_V2),
    STAND_IN(SessionOptionsAppendExecutionProvider_CUDA),
    STAND_IN(SessionOptionsAppendExecutionProvider_CUDA_V2),
    STAND_IN(SessionOptionsAppendExecutionProvider_ROCM),
    STAND_IN(SessionOptionsAppendExecutionProvider_OpenVINO),
    STAND_IN(SessionOptionsAppendExecutionProvider_OpenVINO_V2),
    STAND_IN(SessionOptionsAppendExecutionProvider_TensorRT),
    STAND_IN(SessionOptionsAppendExecutionProvider_TensorRT_V2),
    STAND_IN(SessionOptionsAppendExecutionProvider_MIGraphX),
    STAND_IN(SessionOptionsAppendExecutionProvider_CANN),
    STAND_IN(SessionOptionsAppendExecutionProvider_Dnnl),
    STAND_IN(SessionOptionsAppendExecutionProvider_VitisAI),
    STAND_IN(CreateTensorAsOrtValue),
    STAND_IN(CreateTensorWithDataAsOrtValue),
    STAND_IN(CreateTensorWithDataAndDeleterAsOrtValue),
    STAND_IN(CreateAllocator),
    STAND_IN(CreateMemoryInfo),
    STAND_IN(CreateCpuMemoryInfo),
    STAND_IN(CreateIoBinding),
    STAND_IN(ReleaseIoBinding),
    STAND_IN(BindInput),
    STAND_IN(BindOutput),
    STAND_IN(BindOutputToDevice),
    STAND_IN(GetBoundOutputValues),
    STAND_IN(SynchronizeBoundInputs),
    STAND_IN(SynchronizeBoundOutputs),
    STAND_IN(CopyTensors)};

static void finish_session(const void *session, struct object *own) {
    static void (*const finish[])(const void *, struct object *) = {finish_0, finish_1, finish_2,
                                                                    finish_3};
    if (own->profiled_left > 0)
        finish[own->runtime](session, own);
}
static int profiled;
static void count_profiled(const void *session, struct object *own) {
    (void)session;
    profiled += own->profiled_left > 0 && own->process == (int)getpid();
}

void runtimes_end(void) {
    object_each(finish_session);
    store_end();
}

int runtimes_are_profiled(void) {
    profiled = 0;
    object_each(count_profiled);
    return profiled;
}

/* How many entries may be read from a table. Its size is not in it, so: up to the end of the
 * mapping that it lies in. The next one may be pages of a file past its end. */
static size_t readable(const void *table) {
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[600];
    size_t count = 0;
    while (maps && !count && fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        if (sscanf(line, "%lx-%lx r", &from, &to) == 2 && from <= (uintptr_t)table &&
            (uintptr_t)table < to)
            count = (to - (uintptr_t)table) / sizeof(void *);
    }
    if (maps)
        fclose(maps);
    return count < MOST_PLACES ? count : MOST_PLACES;
}

/* Return our table in place of a runtime's; its own one where that cannot be. */
static const void *const *table_for(int number, const void *const *table) {
    struct runtime *runtime = &runtimes[number];
    if (!table || !store_ready())
        return table;
    if (runtime->table && runtime->real == table)
        return runtime->table;
    const char *version = runtime->base->GetVersionString();
    int minor = version && !strncmp(version, "1.", 2) ? atoi(version + 2) : 0;
    int known = minor > NEWEST ? NEWEST : minor; /* what a newer one appends is left alone */
    size_t sure = known < OLDEST ? ENTRIES_BEFORE : (size_t)entries[known - OLDEST];
    size_t count = readable(table), size = MOST_PLACES * sizeof(void *);
    if (count < sure)
        return table;
    const void **copy =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED)
        return table;
    memcpy(copy, table, count * sizeof(void *));
    runtime->real = table, runtime->minor = minor;
    for (size_t i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++)
        if ((size_t)stand_ins[i].place < sure && table[stand_ins[i].place])
            copy[stand_ins[i].place] = stand_ins[i].ours[number];
    mprotect(copy, size, PROT_READ);
    runtime->table = copy;
    static atomic_flag waits_for_end = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&waits_for_end)) {
        atexit(runtimes_end);
        at_quick_exit(runtimes_end);
    }
    Dl_info library = {0};
    char path[1200], text[100];
    dladdr((const void *)runtime->get, &library);
    store_fact("{\"runtime\": \"%s\", \"library\": \"%s\", \"known\": %d, "
               "\"newest\": \"1.%d\", \"profiles_runs\": %d}",
               store_escaped(text, sizeof text, version),
               store_escaped(path, sizeof path, library.dli_fname),
               minor >= OLDEST && minor <= NEWEST, NEWEST,
               minor >= RUN_PROFILES);
    return copy;
}

#define BASE(number) \
    static const void *const *get_api_##number(uint32_t version) { \
        return table_for(number, runtimes[number].base->GetApi(version)); \
    } \
    static const struct api_base *get_base_##number(void) { \
        struct runtime *runtime = &runtimes[number]; \
        if (!runtime->base) \
            runtime->base = runtime->get(); \
        if (!runtime->base || !store_ready()) \
            return runtime->base; \
        runtime->stand_in.GetVersionString = runtime->base->GetVersionString; \
        runtime->stand_in.GetApi = get_api_##number; \
        return &runtime->stand_in; \
    }
BASE(0)
BASE(1)
BASE(2)
BASE(3)
static const get_base our_bases[RUNTIMES] = {get_base_0, get_base_1, get_base_2, get_base_3};

get_base runtime_stand_in(get_base found) {
    get_base given = found;
    if (!found || !store_folder)
        return found;
    store_lock();
    for (int i = 0; i < RUNTIMES && our_bases[i] != found; i++) {
        if (!runtimes[i].get)
            runtimes[i].get = found;
        if (runtimes[i].get == found) {
            given = our_bases[i];
            break;
        }
    }
    store_unlock();
    return given;
}
