/* Arrays that grow. */
#ifndef BLOCKFILTER_GROWING_H
#define BLOCKFILTER_GROWING_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    void *items;
    size_t count, room;
} Growing;

/* Make room for `more` further items of `size` bytes. Return 0 if there is no memory. */
static inline int growing_reserve(Growing *array, size_t more, size_t size) {
    if (array->room - array->count >= more) return 1;
    size_t room = array->room ? array->room : 64;
    while (room - array->count < more) {
        if (room > SIZE_MAX / 2 / size) return 0;
        room *= 2;
    }
    void *items = realloc(array->items, room * size);
    if (!items) return 0;
    array->items = items;
    array->room = room;
    return 1;
}

static inline void growing_free(Growing *array) {
    free(array->items);
    array->items = NULL;
    array->count = array->room = 0;
}

#define GROWING_AT(array, type, place) (((type *)(array)->items)[place])

#endif
