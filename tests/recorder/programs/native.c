/* A program that knows nothing of recorders: it loads ONNX Runtime while it runs, times its own
 * runs, and prints them as JSON. No header of the runtime is needed.
 *
 * native LIBRARY MODEL RUNS WHAT */
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
#define PLACE(function, place, version) AT_##function = place,
#include "places.def"
#undef PLACE
    AT_CreateEnv = 3,
    ROWS = 2048, /* of a batch of half a mebibyte */
    MOST_TIMES = 1 << 16,
    AT_ReleaseValue = 96,
    AT_ReleaseAllocator = 132,
};

typedef struct {
    const void *const *(*GetApi)(uint32_t);
    const char *(*GetVersionString)(void);
} Base;
static const void *const *api;
#define CALL(name, ...) ((void *(*)(__VA_ARGS__))api[AT_##name])
#define RELEASE(name, object) ((void (*)(void *))api[AT_##name])(object)

static void *env, *options, *memory, *input;
static float pixels[64];
static const char *model, *input_names[] = {"picture"}, *output_names[] = {"probabilities"};
static uint64_t total_ns, cpu_ns, times[MOST_TIMES][2];
static int timed;

static void check(void *status) {
    if (status) {
        fprintf(stderr, "%s\n", ((const char *(*)(void *))api[AT_GetErrorMessage])(status));
        exit(1);
    }
}

static uint64_t clock_ns(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint64_t now(void) { return clock_ns(CLOCK_MONOTONIC); }

static void took(uint64_t begin) {
    uint64_t end = now();
    total_ns += end - begin;
    if (timed < MOST_TIMES)
        times[timed][0] = begin, times[timed++][1] = end;
}

static void *load(void) {
    void *session = NULL;
    check(CALL(CreateSession, void *, const char *, void *, void **)(env, model, options, &session));
    return session;
}

static void run(void *session) {
    void *output = NULL;
    const void *inputs[] = {input};
    uint64_t begin = now();
    check(CALL(Run, void *, void *, const char **, const void **, size_t, const char **, size_t,
               void **)(session, NULL, input_names, inputs, 1, output_names, 1, &output));
    took(begin);
    RELEASE(ReleaseValue, output);
}

static void run_bound(void *session, void *binding) {
    uint64_t begin = now();
    check(CALL(RunWithBinding, void *, void *, void *)(session, NULL, binding));
    took(begin);
}

/* Each input is copied into a new tensor in the runtime's memory. */
static void copy_inputs(void *session, int runs) {
    static float many[ROWS * 64];
    int64_t dims[] = {ROWS, 1, 8, 8};
    void *allocator, *data, *small = input;
    check(CALL(GetAllocatorWithDefaultOptions, void **)(&allocator));
    for (int i = 0; i < runs; i++) {
        check(CALL(CreateTensorAsOrtValue, void *, int64_t *, size_t, int, void **)(
            allocator, dims, 4, 1, &input));
        check(CALL(GetTensorMutableData, void *, void **)(input, &data));
        memcpy(data, many, sizeof many);
        run(session);
        RELEASE(ReleaseValue, input);
    }
    input = small;
}

static void bad_habits(int runs) {
    void *first, *second, *binding, *allocator, *refused;
    check(CALL(SetIntraOpNumThreads, void *, int)(options, 2 * (int)sysconf(_SC_NPROCESSORS_ONLN)));
    check(CALL(SetSessionGraphOptimizationLevel, void *, int)(options, 0));
    refused = CALL(SessionOptionsAppendExecutionProvider, void *, const char *, void *, void *,
                   size_t)(options, "QNN", NULL, NULL, 0);
    if (refused)
        RELEASE(ReleaseStatus, refused);
    for (int i = 0; i < 6 * runs; i++) { /* a session for each run */
        void *session = load();
        run(session);
        RELEASE(ReleaseSession, session);
    }
    first = load();
    second = load(); /* the same model twice */
    for (int i = 0; i < runs; i++) {
        check(CALL(CreateIoBinding, void *, void **)(first, &binding));
        check(CALL(BindInput, void *, const char *, void *)(binding, input_names[0], input));
        check(CALL(BindOutputToDevice, void *, const char *, void *)(binding, output_names[0],
                                                                     memory));
        run_bound(first, binding);
        RELEASE(ReleaseIoBinding, binding);
    }
    for (int i = 0; i < runs; i++) {
        check(CALL(CreateAllocator, void *, void *, void **)(second, memory, &allocator));
        run(second);
        RELEASE(ReleaseAllocator, allocator);
    }
    copy_inputs(first, runs);
    RELEASE(ReleaseSession, first);
    RELEASE(ReleaseSession, second);
}

/* What the runtime refuses; says how much of it. */
static int refusals(void) {
    static char name[100000];
    int64_t huge[] = {1ll << 40, 1ll << 40};
    void *made = NULL, *allocator, *status[4];
    memset(name, 'x', sizeof name - 1);
    check(CALL(GetAllocatorWithDefaultOptions, void **)(&allocator));
    status[0] = CALL(CreateSessionFromArray, void *, void *, size_t, void *, void **)(
        env, NULL, 5, options, &made);
    status[1] = CALL(CreateSession, void *, const char *, void *, void **)(env, name, options, &made);
    status[2] = CALL(CreateSession, void *, const char *, void *, void **)(env, NULL, options, &made);
    status[3] = CALL(CreateTensorAsOrtValue, void *, int64_t *, size_t, int, void **)(
        allocator, huge, 2, 1, &made);
    int count = 0;
    for (int i = 0; i < 4; i++)
        count += status[i] != NULL;
    return count;
}

static void print_times(void) {
    printf("{\"runs\": %d, \"total_ns\": %llu, \"cpu_ns\": %llu, \"times\": [", timed,
           (unsigned long long)total_ns, (unsigned long long)cpu_ns);
    for (int i = 0; i < timed; i++)
        printf("%s[%llu, %llu]", i ? ", " : "", (unsigned long long)times[i][0],
               (unsigned long long)times[i][1]);
    printf("]}\n");
}

int main(int count, char **arguments) {
    if (count < 5)
        return 2;
    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fprintf(stderr, "%s\n", dlerror()), 1;
    const Base *base = ((const Base *(*)(void))dlsym(library, "OrtGetApiBase"))();
    const char *what = arguments[4];
    int runs = atoi(arguments[3]);
    int64_t dims[] = {1, 1, 8, 8};
    model = arguments[2], api = base->GetApi(16); /* one table for all versions */
    check(CALL(CreateEnv, int, const char *, void **)(3, "native", &env));
    check(CALL(CreateSessionOptions, void **)(&options));
    check(CALL(SetIntraOpNumThreads, void *, int)(options, 1));
    check(CALL(CreateCpuMemoryInfo, int, int, void **)(0, 0, &memory));
    for (int i = 0; i < 64; i++)
        pixels[i] = (float)(i % 17);
    check(CALL(CreateTensorWithDataAsOrtValue, void *, void *, size_t, int64_t *, size_t, int,
               void **)(memory, pixels, sizeof pixels, dims, 4, 1, &input));
    if (!strcmp(what, "refusals"))
        return printf("{\"refusals\": %d}\n", refusals()), 0;
    if (!strcmp(what, "habits")) {
        bad_habits(runs);
        print_times();
        return 0;
    }
    void *session = load();
    run(session);
    uint64_t before = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 1; i < runs; i++) {
        run(session);
        if (!strcmp(what, "kill") && i == runs / 2)
            kill(getpid(), SIGKILL);
    }
    cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - before;
    if (!strcmp(what, "fork") && !fork()) {
        for (int i = 0; i < runs; i++)
            run(session);
        _exit(0);
    }
    if (!strcmp(what, "leave"))
        _exit(0);
    wait(NULL);
    print_times();
    return 0;
}
