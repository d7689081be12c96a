/* Ways into a program: the dynamic linker loads this library first (LD_PRELOAD), or asks it at
 * each binding of a symbol (LD_AUDIT). */
#define _GNU_SOURCE
#include "runtimes.h"
#include "store.h"
#include <dlfcn.h>
#include <signal.h>
#include <link.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define SYMBOL "OrtGetApiBase"
#define PATIENCE_S 2   /* that a program waits for its profiles at its end */
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

static int status_at_end;
static void leave(int signal) {
    (void)signal;
    for (;;)
        syscall(SYS_exit_group, status_at_end);
}

/* The program ends without its exit handlers, perhaps in a handler of a signal that came while
 * the runtime held a lock: to write its profiles may take some time, but not for ever. */
EXPORT __attribute__((noreturn)) void _exit(int status) {
    status_at_end = status;
    if (runtimes_are_profiled()) {
        struct sigaction then = {.sa_handler = leave};
        sigset_t alarm_only;
        sigemptyset(&alarm_only);
        sigaddset(&alarm_only, SIGALRM);
        sigaction(SIGALRM, &then, NULL);
        sigprocmask(SIG_UNBLOCK, &alarm_only, NULL);
        alarm(PATIENCE_S);
    }
    runtimes_end();
    for (;;)
        leave(0);
}
EXPORT __attribute__((noreturn)) void _Exit(int status) { _exit(status); }

static void (*real_quick_exit)(int);
static void quick_exit_ours(int status) {
    runtimes_end();
    real_quick_exit(status);
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
        runtimes_end();
    return 0;
}
EXPORT uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned index, uintptr_t *from, uintptr_t *to,
                              unsigned *flags, const char *name) {
    (void)index, (void)from, (void)to, (void)flags;
    if (name[0] == 'O' && !strcmp(name, SYMBOL))
        return (uintptr_t)runtime_stand_in((get_base)symbol->st_value);
    if (!strcmp(name, "_exit") || !strcmp(name, "_Exit"))
        return (uintptr_t)_exit;
    if (!strcmp(name, "quick_exit")) { /* its handlers are of another C library than ours */
        real_quick_exit = (void (*)(int))symbol->st_value;
        return (uintptr_t)quick_exit_ours;
    }
    return symbol->st_value;
}
#endif
