#include <sqlite3.h>

// Swift cannot call a function that takes whatever it is given.
static inline int csqlite_stop_counting_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
