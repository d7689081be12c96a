/* Ways into a program: the dynamic linker loads this library first (LD_PRELOAD), or asks it at
 * each binding of a symbol (LD_AUDIT). */
#define _GNU_SOURCE
#include "runtimes.h"
#include "store.h"
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define SYMBOL "OrtGetApiBase"
#define MAIN_PROGRAM 1 /* what the audit interface keeps for us about the program itself */

typedef void *(*look_up)(void *, const char *);

__attribute__((constructor)) static void begin(void) { store_configure("preload"); }

#if defined(__GLIBC__)
static look_up own_dlsym(void) {
    static look_up found;
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
    for (int i = 0; !found && i < 3; i++)
        found = (look_up)dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    return found;
}
#else
static look_up own_dlsym(void) { return dlsym; }
#endif

/* Called instead of the runtime's. The runtime that is meant is the one that the library of the
 * caller sees: there may be several in a process. */
EXPORT const struct api_base *OrtGetApiBase(void) {
    Dl_info caller = {0};
    get_base found = NULL;
    look_up next = own_dlsym();
    if (next && dladdr(__builtin_return_address(0), &caller) && caller.dli_fname) {
        void *library = dlopen(caller.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
        if (library) {
            found = (get_base)next(library, SYMBOL);
            dlclose(library);
        }
    }
    if (!found || found == OrtGetApiBase)
        found = next ? (get_base)next(RTLD_NEXT, SYMBOL) : NULL;
    return found ? runtime_stand_in(found)() : NULL;
}

#if defined(__GLIBC__)
/* For programs that load the runtime while they run. All else is a jump, not a call: dlsym looks
 * at the address that it returns to. */
EXPORT void *dlsym(void *restrict library, const char *restrict name) {
    look_up next = own_dlsym();
    if (__builtin_expect(name[0] == 'O' && !strcmp(name, SYMBOL) && library != RTLD_NEXT, 0)) {
        void *found = next(library, name);
        return found == (void *)OrtGetApiBase ? found : (void *)runtime_stand_in((get_base)found);
    }
    return next(library, name);
}

/* The program ends without its exit handlers. */
EXPORT __attribute__((noreturn)) void _exit(int status) {
    store_end();
    for (;;)
        syscall(SYS_exit_group, status);
}

EXPORT unsigned la_version(unsigned version) {
    store_configure("audit");
    if (!store_folder)
        return 0;
    return version < LAV_CURRENT ? version : LAV_CURRENT;
}
EXPORT unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie) {
    *cookie = map->l_name[0] ? 0 : MAIN_PROGRAM;
    return space == LM_ID_BASE ? LA_FLG_BINDTO | LA_FLG_BINDFROM : 0;
}
EXPORT unsigned la_objclose(uintptr_t *cookie) {
    if (*cookie == MAIN_PROGRAM)
        store_end();
    return 0;
}
EXPORT uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned index, uintptr_t *from, uintptr_t *to,
                              unsigned *flags, const char *name) {
    (void)index, (void)from, (void)to, (void)flags;
    if (name[0] != 'O' || strcmp(name, SYMBOL))
        return symbol->st_value;
    return (uintptr_t)runtime_stand_in((get_base)symbol->st_value);
}
#endif
