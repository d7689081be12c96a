/* Writes the inputs of a run to a file that Inspector turns into .npz. */
#ifndef INSPECTOR_INPUTS_H
#define INSPECTOR_INPUTS_H
#include <stddef.h>
#include <stdint.h>

struct input_value {
    const char *name;
    const char *descr; /* NumPy's: "<f4" */
    const void *data;
    const int64_t *dims;
    size_t rank;
    uint64_t bytes;
};

/* Write one file for a run: for each value a line of JSON, then its bytes. */
void inputs_save(int session, int number, const struct input_value *values, size_t count);
#endif
