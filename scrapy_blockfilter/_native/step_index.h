/* The steps of style paths that are known, by number of the parent's path and names of the element. */
#ifndef BLOCKFILTER_STEP_INDEX_H
#define BLOCKFILTER_STEP_INDEX_H

#include "growing.h"

typedef struct {
    uint64_t hash;
    size_t start; /* of the names in `names` */
    uint32_t size;
    int32_t parent, path; /* path: -1 in a free place */
    int64_t style, tags, hints;
} KnownStep;

typedef struct {
    KnownStep *steps;
    size_t room, count; /* room: a power of two */
    Growing names;
} StepIndex;

static inline uint64_t step_hash(int32_t parent, const unsigned char *names, size_t size) {
    uint64_t hash = 0x9e3779b97f4a7c15ULL * ((uint64_t)(uint32_t)parent + 1) ^ size, word;
    while (size >= 8) {
        memcpy(&word, names, 8);
        hash = (hash ^ word) * 0xff51afd7ed558ccdULL;
        hash ^= hash >> 32;
        names += 8;
        size -= 8;
    }
    word = 0;
    if (size) memcpy(&word, names, size);
    hash = (hash ^ word) * 0xff51afd7ed558ccdULL;
    hash ^= hash >> 29;
    hash *= 0xc4ceb9fe1a85ec53ULL;
    return hash ^ hash >> 32;
}

/* Return the place of a step, or the free place where it belongs. */
static inline KnownStep *step_place(
    const StepIndex *index, uint64_t hash, int32_t parent, const unsigned char *names, size_t size) {
    for (size_t place = hash;; place++) {
        KnownStep *step = &index->steps[place &= index->room - 1];
        if (step->path < 0) return step;
        if (step->hash == hash && step->parent == parent && step->size == size
            && !memcmp((const char *)index->names.items + step->start, names, size))
            return step;
    }
}

/* Make room for one more step. Return 0 if there is no memory. */
static int step_index_reserve(StepIndex *index) {
    if (index->room && index->count < index->room / 2) return 1;
    size_t room = index->room ? 2 * index->room : 1024;
    KnownStep *steps = malloc(room * sizeof(KnownStep));
    if (!steps) return 0;
    for (size_t place = 0; place < room; place++) steps[place].path = -1;
    for (size_t old = 0; old < index->room; old++) {
        if (index->steps[old].path < 0) continue;
        size_t place = index->steps[old].hash & (room - 1);
        while (steps[place].path >= 0) place = (place + 1) & (room - 1);
        steps[place] = index->steps[old];
    }
    free(index->steps);
    index->steps = steps;
    index->room = room;
    return 1;
}

/* Add a step. Return 0 if there is no memory. */
static int step_index_add(StepIndex *index, const KnownStep *made, const unsigned char *names) {
    if (!step_index_reserve(index) || !growing_reserve(&index->names, made->size, 1)) return 0;
    KnownStep *step = step_place(index, made->hash, made->parent, names, made->size);
    if (step->path >= 0) return 1;
    *step = *made;
    step->start = index->names.count;
    if (made->size) memcpy((char *)index->names.items + step->start, names, made->size);
    index->names.count += made->size;
    index->count++;
    return 1;
}

#endif
