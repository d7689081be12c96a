/* Stand-ins for functions of ONNX Runtime, included once for each runtime in the process.
 *
 * RUNTIME: its number. A stand-in calls the runtime's own function, and puts down when and with
 * what. It looks at the arguments before the clock starts, and never at values of tensors but
 * where inputs are saved. Names of spans are those that `wrappers.py` gives. */
#define JOIN2(name, number) name##_##number
#define JOIN(name, number) JOIN2(name, number)
#define OUR(name) JOIN(name, RUNTIME)
#define FUNCTION(name, result, ...) ((result(*)(__VA_ARGS__))runtimes[RUNTIME].real[AT_##name])
#define REAL(name, ...) FUNCTION(name, Status, __VA_ARGS__)

static void OUR(forget)(Status status) {
    if (status)
        FUNCTION(ReleaseStatus, void, Status)(status);
}

static unsigned OUR(code)(Status status) {
    return status ? (unsigned)FUNCTION(GetErrorCode, int, Status)(status) : 0;
}

/* Put down a call that failed, by the name that Python gives the exception. */
static void OUR(put_refused)(const char *call, uint64_t start, int session, Status status) {
    char text[120];
    unsigned code = OUR(code)(status);
    snprintf(text, sizeof text, "%s failed: %s", call,
             code < ERRORS ? error_names[code] : "error");
    put_call(start, store_now(), session, store_word(text), 0, NO_PREDICTION);
}

/* Type and shape of a tensor; type 0 for what is none. Returns its bytes. */
static uint64_t OUR(look)(const void *value, struct seen *seen) {
    int is_tensor = 0;
    seen->type = 0, seen->rank = 0;
    if (!value)
        return 0;
    OUR(forget)(REAL(IsTensor, const void *, int *)(value, &is_tensor));
    if (!is_tensor)
        return 0;
    if (runtimes[RUNTIME].minor >= 24) { /* without an allocation */
        const int64_t *held = NULL;
        Status failed = REAL(GetTensorElementTypeAndShapeDataReference, const void *, int *,
                             const int64_t **, size_t *)(value, &seen->type, &held, &seen->rank);
        OUR(forget)(failed);
        if (failed)
            return 0;
        seen->rank = seen->rank > MOST_RANK ? MOST_RANK : seen->rank;
        if (seen->rank)
            memcpy(seen->dims, held, seen->rank * sizeof *seen->dims);
    } else {
        void *info = NULL;
        Status failed = REAL(GetTensorTypeAndShape, const void *, void **)(value, &info);
        OUR(forget)(failed);
        if (failed)
            return 0;
        OUR(forget)(REAL(GetTensorElementType, const void *, int *)(info, &seen->type));
        OUR(forget)(REAL(GetDimensionsCount, const void *, size_t *)(info, &seen->rank));
        seen->rank = seen->rank > MOST_RANK ? MOST_RANK : seen->rank;
        OUR(forget)(REAL(GetDimensions, const void *, int64_t *, size_t)(info, seen->dims,
                                                                         seen->rank));
        FUNCTION(ReleaseTensorTypeAndShapeInfo, void, void *)(info);
    }
    return bytes_of(seen);
}

/* Number of the text of a run: "run(image float32 1×3×224×224)", and the bytes of its inputs. */
static int OUR(signature)(const char *call, const char *const *names,
                          const void *const *values, size_t count, int64_t *bytes) {
    uint64_t key = mixed(11, call[3] == '_');
    struct seen seen;
    int word;
    *bytes = 0;
    for (size_t i = 0; i < count; i++) {
        *bytes += (int64_t)OUR(look)(values[i], &seen);
        for (const char *c = names && names[i] ? names[i] : ""; *c; c++)
            key = mixed(key, (unsigned char)*c);
        key = mixed(key, (uint64_t)seen.type * 64 + seen.rank);
        for (size_t axis = 0; axis < seen.rank; axis++)
            key = mixed(key, (uint64_t)seen.dims[axis]);
    }
    if (store_knows(key, &word))
        return word;
    char text[TEXT_BYTES];
    size_t at = (size_t)snprintf(text, sizeof text, "%s(", call);
    for (size_t i = 0; i < count && i < SHOWN_INPUTS && at < sizeof text - INPUT_BYTES; i++) {
        OUR(look)(values[i], &seen);
        at += write_input(text + at, i ? ", " : "", names ? names[i] : NULL, &seen);
    }
    if (count > SHOWN_INPUTS)
        at += (size_t)snprintf(text + at, 32, ", %zu more", count - SHOWN_INPUTS);
    snprintf(text + at, 2, ")");
    return store_learn(key, text);
}

static void OUR(save_inputs)(struct object *own, const char *const *names,
                             const void *const *values, size_t count) {
    struct input_value found[MOST_SAVED];
    struct seen seen[MOST_SAVED];
    size_t kept = 0;
    for (size_t i = 0; i < count && kept < MOST_SAVED; i++) {
        const void *place = NULL;
        void *data = NULL;
        int device = 0;
        uint64_t bytes = OUR(look)(values[i], &seen[kept]);
        const char *descr = numpy_type(seen[kept].type);
        if (!descr)
            continue;
        OUR(forget)(REAL(GetTensorMemoryInfo, const void *, const void **)(values[i], &place));
        if (place)
            FUNCTION(MemoryInfoGetDeviceType, void, const void *, int *)(place, &device);
        if (device) /* not in the memory of this process */
            continue;
        OUR(forget)(REAL(GetTensorMutableData, const void *, void **)(values[i], &data));
        if (!data && bytes)
            continue;
        found[kept] = (struct input_value){names ? names[i] : "", descr, data, seen[kept].dims,
                                           seen[kept].rank, bytes};
        kept++;
    }
    if (kept)
        inputs_save(own->session, atomic_fetch_add(&own->saved_inputs, 1), found, kept);
}

/* Have the runtime write its profile, which ends profiling: from now on runs are as usual. */
static void OUR(end_profile)(void *session, struct object *own) {
    void *allocator = NULL;
    char *name = NULL;
    uint64_t start = store_now();
    OUR(forget)(REAL(GetAllocatorWithDefaultOptions, void **)(&allocator));
    Status failed = REAL(SessionEndProfiling, void *, void *, char **)(session, allocator, &name);
    OUR(forget)(failed);
    if (failed)
        return;
    OUR(forget)(REAL(AllocatorFree, void *, void *)(allocator, name));
    put_call(start, store_now(), own->session, store_word("save profile (Inspector)"), 0,
             NO_PREDICTION);
}

static void OUR(count_run)(void *session, struct object *own) {
    if (own && atomic_load_explicit(&own->profiled_left, memory_order_relaxed) > 0 &&
        own->process == store_process() && atomic_fetch_sub(&own->profiled_left, 1) == 1)
        OUR(end_profile)(session, own);
}

/* Options of a run, and what was done for its layers to be recorded. */
struct OUR(options) {
    const void *used;
    void *changed;  /* NULL: layers are not recorded */
    int has_entered; /* with options of the program */
};

/* Have the runtime profile one run, where that is wanted: a file for each. Options of the program
 * are changed for this one run, and only while no other run reads some. */
static struct OUR(options) OUR(begin_layers)(const void *given, struct object *own,
                                             int64_t prediction) {
    struct OUR(options) options = {given, NULL, 0};
    char prefix[PREFIX_BYTES];
    if (runtimes[RUNTIME].minor < RUN_PROFILES)
        return options;
    options.has_entered = given && enter_with_options();
    if (!own || own->profiled_left > 0 || !wants_layers(own))
        return options;
    if (given && (!options.has_entered || !borrow_options())) {
        atomic_fetch_add(&own->layers_left, 1); /* the next one, then */
        return options;
    }
    name_layers(prefix, own->session, prediction);
    Status failed = NULL;
    if (given)
        options.changed = (void *)given;
    else
        failed = REAL(CreateRunOptions, void **)(&options.changed);
    if (!failed)
        failed = REAL(RunOptionsEnableProfiling, void *, const char *)(options.changed, prefix);
    OUR(forget)(failed);
    options.used = options.changed ? options.changed : given;
    return options;
}

static void OUR(end_layers)(const struct OUR(options) *options, const void *given,
                            const struct object *own, int64_t prediction, uint64_t start) {
    if (options->changed) {
        if (given) {
            OUR(forget)(REAL(RunOptionsDisableProfiling, void *)(options->changed));
            give_back_options();
        } else {
            FUNCTION(ReleaseRunOptions, void, void *)(options->changed);
        }
        store_fact("{\"layers\": \"layers-%d-%d-%lld\", \"of\": %d, \"prediction\": %lld, "
                   "\"zero\": %llu}",
                   store_process(), own->session, (long long)prediction, own->session,
                   (long long)prediction, (unsigned long long)start);
    }
    if (options->has_entered)
        leave_options();
}

#define RUN_TYPES void *, const void *, const char *const *, const void *const *, size_t, \
                  const char *const *, size_t, void **
static Status OUR(Run)(void *session, const void *options, const char *const *names,
                       const void *const *inputs, size_t count, const char *const *output_names,
                       size_t output_count, void **outputs) {
    if (!store_ready())
        return REAL(Run, RUN_TYPES)(session, options, names, inputs, count, output_names,
                                    output_count, outputs);
    int64_t bytes, prediction = next_prediction();
    uint64_t entered = prediction % TIMED_EVERY ? 0 : store_now();
    struct object *own = object_of(session);
    int number = own ? own->session : UNKNOWN;
    int word = OUR(signature)("run", names, inputs, count, &bytes);
    if (own && (own->saved_inputs < store_saved_inputs ||
                (store_capture && atomic_exchange(&store_capture, 0))))
        OUR(save_inputs)(own, names, inputs, count);
    struct OUR(options) own_options = OUR(begin_layers)(options, own, prediction);
    uint64_t start = store_now();
    Status status = REAL(Run, RUN_TYPES)(session, own_options.used, names, inputs, count,
                                         output_names, output_count, outputs);
    uint64_t end = store_now();
    OUR(end_layers)(&own_options, options, own, prediction, start);
    if (status)
        OUR(put_refused)("run", start, number, status);
    else
        put_call(start, end, number, word, bytes, prediction);
    OUR(count_run)(session, own);
    if (entered)
        store_spent(start - entered + store_now() - end);
    return status;
}

static Status OUR(RunWithBinding)(void *session, const void *options, const void *binding) {
    if (!store_ready())
        return REAL(RunWithBinding, void *, const void *, const void *)(session, options, binding);
    struct object *own = object_of(session);
    int number = own ? own->session : UNKNOWN;
    int64_t prediction = next_prediction();
    struct OUR(options) own_options = OUR(begin_layers)(options, own, prediction);
    uint64_t start = store_now();
    Status status = REAL(RunWithBinding, void *, const void *, const void *)(
        session, own_options.used, binding);
    uint64_t end = store_now();
    OUR(end_layers)(&own_options, options, own, prediction, start);
    if (status)
        OUR(put_refused)("run_with_iobinding", start, number, status);
    else
        put_call(start, end, number, store_word("run_with_iobinding"), 0, prediction);
    OUR(count_run)(session, own);
    return status;
}

#define ASYNC_TYPES RUN_TYPES, void (*)(void *, void **, size_t, Status), void *
static Status OUR(RunAsync)(void *session, const void *options, const char *const *names,
                            const void *const *inputs, size_t count,
                            const char *const *output_names, size_t output_count, void **outputs,
                            void (*callback)(void *, void **, size_t, Status), void *user) {
    struct waiting *waits = store_ready() && callback ? malloc(sizeof *waits) : NULL;
    if (!waits)
        return REAL(RunAsync, ASYNC_TYPES)(session, options, names, inputs, count, output_names,
                                           output_count, outputs, callback, user);
    struct object *own = object_of(session);
    int64_t bytes, prediction = next_prediction();
    int number = own ? own->session : UNKNOWN;
    int word = OUR(signature)("run_async", names, inputs, count, &bytes);
    uint64_t start = store_now();
    *waits = (struct waiting){callback, user, start, prediction, number};
    Status status =
        REAL(RunAsync, ASYNC_TYPES)(session, options, names, inputs, count, output_names,
                                    output_count, outputs, answered, waits);
    uint64_t end = store_now(); /* `waits` is the callback's now; a refused run calls none */
    if (status) {
        free(waits);
        OUR(put_refused)("run_async", start, number, status);
    } else {
        put_call(start, end, number, word, bytes, prediction);
    }
    return status;
}

/* How many of a session's inputs there are, and whether all begin with the same free axis. */
static int OUR(takes_batches)(const void *session) {
    size_t count = 0, rank = 0;
    char common[64] = "";
    OUR(forget)(REAL(SessionGetInputCount, const void *, size_t *)(session, &count));
    for (size_t i = 0; i < count; i++) {
        void *type = NULL;
        const void *info = NULL;
        const char *names[MOST_RANK] = {NULL};
        int64_t dims[MOST_RANK];
        OUR(forget)(REAL(SessionGetInputTypeInfo, const void *, size_t, void **)(session, i, &type));
        if (!type)
            return 0;
        OUR(forget)(REAL(CastTypeInfoToTensorInfo, const void *, const void **)(type, &info));
        int is_free = 0;
        if (info) {
            OUR(forget)(REAL(GetDimensionsCount, const void *, size_t *)(info, &rank));
            is_free = rank > 0 && rank <= MOST_RANK;
        }
        if (is_free) {
            OUR(forget)(REAL(GetDimensions, const void *, int64_t *, size_t)(info, dims, rank));
            OUR(forget)(
                REAL(GetSymbolicDimensions, const void *, const char **, size_t)(info, names, rank));
            const char *name = names[0] ? names[0] : "";
            is_free = dims[0] < 0 && (!i || !strncmp(common, name, sizeof common - 1));
            snprintf(common, sizeof common, "%s", name);
        }
        FUNCTION(ReleaseTypeInfo, void, void *)(type);
        if (!is_free)
            return 0;
    }
    return count > 0;
}

/* What was asked for and is not so, or makes a session slow. */
static void OUR(check_session)(const void *session, const struct object *options, int number,
                               uint64_t at) {
    char text[TEXT_BYTES];
    size_t free_weights = 0;
    const char *refused = options->refused[0] ? options->refused : refused_before;
    if (refused[0]) {
        snprintf(text, sizeof text, "check providers: %s; used: %s%sCPUExecutionProvider", refused,
                 options->providers, options->providers[0] ? ", " : "");
        put_check(at, number, text);
        refused_before[0] = 0;
    }
    OUR(forget)(REAL(SessionGetOverridableInitializerCount, const void *, size_t *)(
        session, &free_weights));
    if (free_weights) {
        snprintf(text, sizeof text, "check initializers: %zu among the inputs", free_weights);
        put_check(at, number, text);
    }
    if (options->is_profiling)
        put_check(at, number, "check session: profiling is on");
    if (options->level == 0)
        put_check(at, number, "check session: optimization is disabled");
}

/* Options of a session that is profiled: a copy of the program's; NULL: it is not. */
static void *OUR(profiled_options)(const void *options, const struct object *given,
                                   const char *prefix) {
    void *changed = NULL;
    if (given->is_profiling)
        return NULL;
    Status failed =
        options ? REAL(CloneSessionOptions, const void *, void **)(options, &changed)
                : REAL(CreateSessionOptions, void **)(&changed);
    if (!failed)
        failed = REAL(EnableProfiling, void *, const char *)(changed, prefix);
    OUR(forget)(failed);
    if (failed && changed) {
        FUNCTION(ReleaseSessionOptions, void, void *)(changed);
        changed = NULL;
    }
    return changed;
}

static Status OUR(make)(const struct creation *asked, const void *options, void **session) {
    switch (asked->place) {
    case AT_CreateSession:
        return REAL(CreateSession, const void *, const void *, const void *, void **)(
            asked->environment, asked->model, options, session);
    case AT_CreateSessionFromArray:
        return REAL(CreateSessionFromArray, const void *, const void *, size_t, const void *,
                    void **)(asked->environment, asked->model, asked->size, options, session);
    case AT_CreateSessionWithPrepackedWeightsContainer:
        return REAL(CreateSessionWithPrepackedWeightsContainer, const void *, const void *,
                    const void *, void *, void **)(asked->environment, asked->model, options,
                                                   asked->prepacked, session);
    default:
        return REAL(CreateSessionFromArrayWithPrepackedWeightsContainer, const void *,
                    const void *, size_t, const void *, void *, void **)(
            asked->environment, asked->model, asked->size, options, asked->prepacked, session);
    }
}

static Status OUR(create)(const struct creation *asked, const void *options, void **session) {
    if (!store_ready())
        return OUR(make)(asked, options, session);
    struct object plain = {.threads = UNKNOWN, .level = UNKNOWN}, *own;
    struct object *known = object_of(options);
    const struct object *given = known ? known : &plain;
    int number = next_session();
    char prefix[PREFIX_BYTES], model[MODEL_BYTES], path[2 * MODEL_BYTES], same[100], name[100];
    char profile[PREFIX_BYTES] = "";
    name_profile(prefix, number);
    describe_model(asked, model, path, same);
    int is_chosen = layers_of(&store_layers, model, number);
    int one_by_one = store_layers.first > 1 && runtimes[RUNTIME].minor >= RUN_PROFILES;
    void *changed =
        is_chosen && !one_by_one ? OUR(profiled_options)(options, given, prefix) : NULL;
    unsigned long long wall = store_wall();
    uint64_t start = store_now(), zero = 0;
    Status status = OUR(make)(asked, changed ? changed : options, session);
    uint64_t end = store_now();
    if (changed)
        FUNCTION(ReleaseSessionOptions, void, void *)(changed);
    if (known)
        known->is_used = 1;
    if (status) {
        OUR(put_refused)("create session", start, UNKNOWN, status);
        return status;
    }
    own = object_add(*session, number, NULL);
    if (own) {
        own->runtime = RUNTIME;
        own->profiled_left = changed ? store_layers.last : 0;
        own->request = store_request; /* what was asked for before is not about this one */
        snprintf(own->model, sizeof own->model, "%.199s", model);
        if (is_chosen && one_by_one)
            own->first = store_layers.first, own->last = store_layers.last;
    }
    if (own && changed) {
        OUR(forget)(REAL(SessionGetProfilingStartTimeNs, const void *, uint64_t *)(*session, &zero));
        snprintf(profile, sizeof profile,
                 ", \"profile\": \"profile-%d-%d\", \"zero\": %llu, \"begun\": [%llu, %llu, %llu], "
                 "\"first\": %d",
                 store_process(), number, (unsigned long long)zero, (unsigned long long)start, wall,
                 (unsigned long long)start, store_layers.first);
    }
    store_fact("{\"session\": %d, \"model\": \"%s\", \"same\": \"%s\"%s%s}", number, model, same,
               path, profile);
    name_creation(name, sizeof name, given, OUR(takes_batches)(*session));
    put_call(start, end, number, store_word(name), 0, NO_PREDICTION);
    OUR(check_session)(*session, given, number, start);
    return NULL;
}

static Status OUR(CreateSession)(const void *environment, const void *model, const void *options,
                                 void **session) {
    struct creation asked = {AT_CreateSession, environment, model, 0, NULL};
    return OUR(create)(&asked, options, session);
}
static Status OUR(CreateSessionFromArray)(const void *environment, const void *model, size_t size,
                                          const void *options, void **session) {
    struct creation asked = {AT_CreateSessionFromArray, environment, model, size, NULL};
    return OUR(create)(&asked, options, session);
}
static Status OUR(CreateSessionWithPrepackedWeightsContainer)(const void *environment,
                                                              const void *model,
                                                              const void *options,
                                                              void *prepacked, void **session) {
    struct creation asked = {AT_CreateSessionWithPrepackedWeightsContainer, environment, model, 0,
                             prepacked};
    return OUR(create)(&asked, options, session);
}
static Status OUR(CreateSessionFromArrayWithPrepackedWeightsContainer)(
    const void *environment, const void *model, size_t size, const void *options,
    void *prepacked, void **session) {
    struct creation asked = {AT_CreateSessionFromArrayWithPrepackedWeightsContainer, environment,
                             model, size, prepacked};
    return OUR(create)(&asked, options, session);
}

/* Have a profile that is under way written, but not by a forked child. */
static void OUR(finish)(const void *session, struct object *own) {
    if (own->process == (int)getpid() && atomic_exchange(&own->profiled_left, 0) > 0)
        OUR(end_profile)((void *)session, own);
}

static void OUR(ReleaseSession)(void *session) {
    struct object *own = store_ready() ? object_of(session) : NULL;
    int number = own ? own->session : UNKNOWN;
    if (own)
        OUR(finish)(session, own);
    object_drop(session); /* before: another thread may get the address at once */
    uint64_t start = store_now();
    FUNCTION(ReleaseSession, void, void *)(session);
    if (own)
        put_call(start, store_now(), number, store_word("release session"), 0, NO_PREDICTION);
}

/* Options are known by their address until they are released. */
#define OPTION(name, type, remember) \
    static Status OUR(name)(void *options, type value) { \
        struct object *own = known_options(options); \
        if (own) \
            remember; \
        return REAL(name, void *, type)(options, value); \
    }
OPTION(SetIntraOpNumThreads, int, own->threads = value)
OPTION(SetSessionGraphOptimizationLevel, int, own->level = value)
OPTION(EnableProfiling, const char *, own->is_profiling = 1)

static Status OUR(DisableProfiling)(void *options) {
    struct object *own = known_options(options);
    if (own)
        own->is_profiling = 0;
    return REAL(DisableProfiling, void *)(options);
}
static Status OUR(CloneSessionOptions)(const void *options, void **result) {
    Status status = REAL(CloneSessionOptions, const void *, void **)(options, result);
    struct object *own = store_ready() ? object_of(options) : NULL;
    if (!status && own)
        object_add(*result, UNKNOWN, own);
    return status;
}
static void OUR(ReleaseSessionOptions)(void *options) {
    struct object *own = object_of(options);
    if (own && own->refused[0] && !own->is_used)
        memcpy(refused_before, own->refused, sizeof refused_before);
    object_drop(options);
    FUNCTION(ReleaseSessionOptions, void, void *)(options);
}

/* Remember whether a provider was accepted, and why not. */
static Status OUR(appended)(void *options, const char *name, Status status) {
    struct object *own = known_options(options);
    const char *said = "";
    if (own && status)
        said = FUNCTION(GetErrorMessage, const char *, Status)(status);
    if (own)
        note_provider(own, name, status != NULL, said);
    return status;
}
#define PROVIDER(function, name) \
    static Status OUR(function)(void *options, const void *more) { \
        return OUR(appended)(options, name, REAL(function, void *, const void *)(options, more)); \
    }
#define PROVIDER_WITH_KEYS(function, name) \
    static Status OUR(function)(void *options, const char *const *keys, const char *const *values, \
                                size_t count) { \
        return OUR(appended)(options, name, \
                             REAL(function, void *, const char *const *, const char *const *, \
                                  size_t)(options, keys, values, count)); \
    }
PROVIDER(SessionOptionsAppendExecutionProvider_CUDA, "CUDA")
PROVIDER(SessionOptionsAppendExecutionProvider_CUDA_V2, "CUDA")
PROVIDER(SessionOptionsAppendExecutionProvider_ROCM, "ROCM")
PROVIDER(SessionOptionsAppendExecutionProvider_OpenVINO, "OpenVINO")
PROVIDER(SessionOptionsAppendExecutionProvider_TensorRT, "Tensorrt")
PROVIDER(SessionOptionsAppendExecutionProvider_TensorRT_V2, "Tensorrt")
PROVIDER(SessionOptionsAppendExecutionProvider_MIGraphX, "MIGraphX")
PROVIDER(SessionOptionsAppendExecutionProvider_CANN, "CANN")
PROVIDER(SessionOptionsAppendExecutionProvider_Dnnl, "Dnnl")
PROVIDER_WITH_KEYS(SessionOptionsAppendExecutionProvider_OpenVINO_V2, "OpenVINO")
PROVIDER_WITH_KEYS(SessionOptionsAppendExecutionProvider_VitisAI, "VitisAI")

static Status OUR(SessionOptionsAppendExecutionProvider)(void *options, const char *name,
                                                         const char *const *keys,
                                                         const char *const *values,
                                                         size_t count) {
    return OUR(appended)(options, name,
                         REAL(SessionOptionsAppendExecutionProvider, void *, const char *,
                              const char *const *, const char *const *, size_t)(
                             options, name, keys, values, count));
}
static Status OUR(SessionOptionsAppendExecutionProvider_V2)(
    void *options, void *environment, const void *const *devices, size_t device_count,
    const char *const *keys, const char *const *values, size_t count) {
    return OUR(appended)(options, "Plugin",
                         REAL(SessionOptionsAppendExecutionProvider_V2, void *, void *,
                              const void *const *, size_t, const char *const *,
                              const char *const *, size_t)(
                             options, environment, devices, device_count, keys, values, count));
}

/* Values, bindings and allocators: a call with its time, and bytes where it has some. */
#define TIMED(name, kind, bytes, owner, parameters, types, arguments) \
    static Status OUR(name) parameters { \
        struct seen seen; \
        (void)seen; \
        uint64_t start = store_now(); \
        Status status = REAL(name, types) arguments; \
        uint64_t end = store_now(); \
        if (store_ready()) \
            put_timed(kind, start, end, owner, #name, status ? 0 : (int64_t)(bytes)); \
        return status; \
    }
#define TYPES(...) __VA_ARGS__
TIMED(CreateTensorAsOrtValue, CALL, bytes_of_dims(type, dims, rank), NULL,
      (void *allocator, const int64_t *dims, size_t rank, int type, void **value),
      TYPES(void *, const int64_t *, size_t, int, void **), (allocator, dims, rank, type, value))
TIMED(CreateTensorWithDataAsOrtValue, CALL, bytes, NULL,
      (const void *info, void *data, size_t bytes, const int64_t *dims, size_t rank, int type,
       void **value),
      TYPES(const void *, void *, size_t, const int64_t *, size_t, int, void **),
      (info, data, bytes, dims, rank, type, value))
TIMED(CreateTensorWithDataAndDeleterAsOrtValue, CALL, bytes, NULL,
      (void *deleter, void *data, size_t bytes, const int64_t *dims, size_t rank, int type,
       void **value),
      TYPES(void *, void *, size_t, const int64_t *, size_t, int, void **),
      (deleter, data, bytes, dims, rank, type, value))
TIMED(CreateAllocator, CALL, 0, session,
      (const void *session, const void *info, void **allocator),
      TYPES(const void *, const void *, void **), (session, info, allocator))
TIMED(CreateMemoryInfo, CALL, 0, NULL,
      (const char *name, int kind, int id, int use, void **info),
      TYPES(const char *, int, int, int, void **), (name, kind, id, use, info))
TIMED(CreateCpuMemoryInfo, CALL, 0, NULL, (int kind, int use, void **info),
      TYPES(int, int, void **), (kind, use, info))
TIMED(BindInput, CALL, OUR(look)(value, &seen), binding,
      (void *binding, const char *name, const void *value),
      TYPES(void *, const char *, const void *), (binding, name, value))
TIMED(BindOutput, CALL, OUR(look)(value, &seen), binding,
      (void *binding, const char *name, const void *value),
      TYPES(void *, const char *, const void *), (binding, name, value))
TIMED(BindOutputToDevice, CALL, 0, binding,
      (void *binding, const char *name, const void *info),
      TYPES(void *, const char *, const void *), (binding, name, info))
TIMED(GetBoundOutputValues, CALL, 0, binding,
      (const void *binding, void *allocator, void ***values, size_t *count),
      TYPES(const void *, void *, void ***, size_t *), (binding, allocator, values, count))
TIMED(SynchronizeBoundInputs, CALL, 0, binding, (void *binding), TYPES(void *), (binding))
TIMED(SynchronizeBoundOutputs, CALL, 0, binding, (void *binding), TYPES(void *), (binding))

static Status OUR(CopyTensors)(const void *environment, const void *const *from, void *const *to,
                               void *stream, size_t count) {
    struct seen seen;
    uint64_t start = store_now(), bytes = 0;
    Status status = REAL(CopyTensors, const void *, const void *const *, void *const *, void *,
                         size_t)(environment, from, to, stream, count);
    uint64_t end = store_now();
    for (size_t i = 0; !status && i < count; i++)
        bytes += OUR(look)(from[i], &seen);
    if (store_ready())
        put_timed(COPY, start, end, NULL, "CopyTensors", (int64_t)bytes);
    return status;
}

static Status OUR(CreateIoBinding)(void *session, void **binding) {
    uint64_t start = store_now();
    Status status = REAL(CreateIoBinding, void *, void **)(session, binding);
    struct object *own = store_ready() ? object_of(session) : NULL;
    if (!status && own) {
        object_add(*binding, own->session, NULL);
        put_timed(CALL, start, store_now(), session, "CreateIoBinding", 0);
    }
    return status;
}
static void OUR(ReleaseIoBinding)(void *binding) {
    object_drop(binding);
    FUNCTION(ReleaseIoBinding, void, void *)(binding);
}

#undef JOIN2
#undef JOIN
#undef OUR
#undef FUNCTION
#undef REAL
#undef RUN_TYPES
#undef ASYNC_TYPES
#undef OPTION
#undef PROVIDER
#undef PROVIDER_WITH_KEYS
#undef TIMED
#undef TYPES
