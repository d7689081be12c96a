// The bad habits of twin.py in C++, linked with the library, with a thread for each session.
//
// native.cpp MODEL RUNS
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

enum {
    ROWS = 2048, // of a batch of half a mebibyte
#define PLACE(function, place, version) AT_##function = place,
#include "places.def"
#undef PLACE
    AT_CreateEnv = 3,
    AT_ReleaseValue = 96,
};
struct Base {
    const void *const *(*GetApi)(uint32_t);
    const char *(*GetVersionString)();
};
extern "C" const Base *OrtGetApiBase();
static const void *const *api = OrtGetApiBase()->GetApi(16); // before main, as many programs do

template <typename... Types> void call(int place, Types... values) {
    void *status = reinterpret_cast<void *(*)(Types...)>(const_cast<void *>(api[place]))(values...);
    if (status)
        throw std::runtime_error("refused");
}
static void release(int place, void *object) {
    reinterpret_cast<void (*)(void *)>(const_cast<void *>(api[place]))(object);
}
static int64_t now() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

static void *env, *options, *memory, *input;
static const char *model;
static std::mutex lock;
static std::vector<std::pair<int64_t, int64_t>> times;

struct Session {
    void *own = nullptr;
    Session() { call(AT_CreateSession, env, model, options, &own); }
    ~Session() { release(AT_ReleaseSession, own); }
    void run() {
        const char *inputs[] = {"picture"}, *outputs[] = {"probabilities"};
        void *output = nullptr;
        int64_t begin = now();
        call(AT_Run, own, static_cast<void *>(nullptr), static_cast<const char **>(inputs), &input,
             size_t{1}, static_cast<const char **>(outputs), size_t{1}, &output);
        int64_t end = now();
        release(AT_ReleaseValue, output);
        std::lock_guard<std::mutex> held(lock);
        times.emplace_back(begin, end);
    }
};

// Each input is copied into a new tensor in the runtime's memory.
static void copy_inputs(Session &session, int runs) {
    static const float many[ROWS * 64] = {};
    int64_t dims[] = {ROWS, 1, 8, 8};
    void *allocator, *data, *small = input;
    call(AT_GetAllocatorWithDefaultOptions, &allocator);
    for (int i = 0; i < runs; i++) {
        call(AT_CreateTensorAsOrtValue, allocator, static_cast<int64_t *>(dims), size_t{4}, 1,
             &input);
        call(AT_GetTensorMutableData, input, &data);
        std::memcpy(data, many, sizeof many);
        session.run();
        release(AT_ReleaseValue, input);
    }
    input = small;
}

int main(int, char **arguments) {
    static float picture[64];
    static int64_t dims[] = {1, 1, 8, 8};
    int runs = std::atoi(arguments[2]);
    model = arguments[1];
    call(AT_CreateEnv, 3, "native", &env);
    call(AT_CreateSessionOptions, &options);
    call(AT_CreateCpuMemoryInfo, 0, 0, &memory);
    call(AT_CreateTensorWithDataAsOrtValue, memory, static_cast<void *>(picture), sizeof picture,
         static_cast<int64_t *>(dims), size_t{4}, 1, &input);
    call(AT_SetIntraOpNumThreads, options, 2 * static_cast<int>(std::thread::hardware_concurrency()));
    call(AT_SetSessionGraphOptimizationLevel, options, 0);
    void *none = nullptr;
    try {
        call(AT_SessionOptionsAppendExecutionProvider, options, "QNN", none, none, size_t{0});
    } catch (const std::runtime_error &) {
    }
    for (int i = 0; i < 6 * runs; i++)
        Session().run();
    {
        Session first, second;
        std::thread others([&] {
            for (int i = 0; i < runs; i++)
                second.run();
        });
        for (int i = 0; i < runs; i++)
            first.run();
        others.join();
        copy_inputs(first, runs);
    }
    std::printf("{\"times\": [");
    for (size_t i = 0; i < times.size(); i++)
        std::printf("%s[%lld, %lld]", i ? ", " : "", static_cast<long long>(times[i].first),
                    static_cast<long long>(times[i].second));
    std::printf("]}\n");
}
