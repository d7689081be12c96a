/* Runtimes in this process, and stand-ins for their tables of functions. */
#ifndef INSPECTOR_RUNTIMES_H
#define INSPECTOR_RUNTIMES_H
#include <stdint.h>

struct api_base { /* OrtApiBase, the same since the first version */
    const void *const *(*GetApi)(uint32_t version);
    const char *(*GetVersionString)(void);
};
typedef const struct api_base *(*get_base)(void);

/* Return what to hand out in place of a runtime's OrtGetApiBase. */
get_base runtime_stand_in(get_base found);

/* The program ends: write the profiles that are under way, and the last facts. */
void runtimes_end(void);
int runtimes_are_profiled(void); /* how many sessions have a profile under way */
#endif
