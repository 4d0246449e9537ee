/* The network in C: consensus/network.py, with what blocks share computed once.
 *
 * A block's features and impressions of one level are those of its node at this level, so their products are computed
 * once per node and level. Scores differ from those of Python in the last bits, as sums are in another order.
 */

#ifndef BLOCKFILTER_NETWORK_H
#define BLOCKFILTER_NETWORK_H

#include "evidence.h"

enum { WINDOWS = 2, CONTEXTS = 2 * LEVELS + 3 + 2 + 1 + 2 * WINDOWS };
static const int64_t WINDOW_SIZES[WINDOWS] = {3, 8};

#if defined(_MSC_VER) && !defined(__clang__)
#define restrict __restrict
#endif

#if defined(__GNUC__)
#define VECTORS
typedef float Eight __attribute__((vector_size(32), aligned(4), may_alias));
typedef float Four __attribute__((vector_size(16), aligned(4), may_alias));
#endif

/* Rows that are multiplied at once: with three vectors of columns their sums fill the registers. */
enum { ROWS = 4 };
/* Features that are skipped at once if all are zero, as are most tags and hints. */
enum { GROUP = 16 };

/* Evidence of a page. */
typedef struct {
    int64_t blocks, nodes, features, slots;
    const float *matrix, *weights;
    const int64_t *levels, *starts, *ends, *rows, *headings;
} Scene;

/* One look: from `size` hidden numbers to `next`, through `width` impressions. */
typedef struct {
    int64_t size, width, next;
    const float *we, *be, *w, *b, *of_slots;
} Look;

typedef struct {
    int64_t hidden, third;
    const float *least, *most, *w1, *b1, *w4, *b4;
    Look first, second;
} Layers;

typedef struct {
    Memory memory;
    int64_t pairs, *pair_of, *pair_level, *pair_node, *pair_block, *stamps;
    int32_t *which;
    float *values, *hidden, *next, *impressions, *seen, *of_pairs;
    double *running;
} Scratch;

static inline int64_t most_of(int64_t one, int64_t other) { return one > other ? one : other; }

/* Copy the impressions of one block or slot; NULL for none. */
static inline void put_floats(float *out, int64_t width, const float *from) {
    for (int64_t i = 0; i < width; i++) out[i] = from ? from[i] : 0;
}

/* Number the pairs of a level and a node that blocks have. */
static void number_pairs(const Scene *scene, Scratch *scratch) {
    for (int64_t level = 0; level < LEVELS; level++) {
        for (int64_t node = 0; node < scene->nodes; node++) scratch->stamps[node] = -1;
        for (int64_t block = 0; block < scene->blocks; block++) {
            const int64_t node = scene->levels[block * LEVELS + level];
            if (scratch->stamps[node] < 0) {
                scratch->pair_level[scratch->pairs] = level;
                scratch->pair_node[scratch->pairs] = node;
                scratch->pair_block[scratch->pairs] = block;
                scratch->stamps[node] = scratch->pairs++;
            }
            scratch->pair_of[block * LEVELS + level] = scratch->stamps[node];
        }
    }
}

static int prepare_scratch(const Scene *scene, const Layers *layers, Scratch *scratch) {
    Memory *memory = &scratch->memory;
    const int64_t blocks = scene->blocks, width = most_of(layers->first.width, layers->second.width);
    const int64_t size = most_of(most_of(layers->hidden, layers->second.size), layers->third);
    scratch->pair_of = TAKE(memory, int64_t, blocks * LEVELS);
    scratch->pair_level = TAKE(memory, int64_t, blocks * LEVELS);
    scratch->pair_node = TAKE(memory, int64_t, blocks * LEVELS);
    scratch->pair_block = TAKE(memory, int64_t, blocks * LEVELS);
    scratch->stamps = TAKE(memory, int64_t, scene->nodes);
    scratch->which = TAKE(memory, int32_t, scene->features);
    scratch->values = TAKE(memory, float, most_of(scene->features, ROWS * NODE));
    scratch->hidden = TAKE(memory, float, blocks * size);
    scratch->next = TAKE(memory, float, blocks * size);
    scratch->impressions = TAKE(memory, float, blocks * width);
    scratch->seen = TAKE(memory, float, CONTEXTS * ROWS * width);
    scratch->running = TAKE(memory, double, (blocks + 1) * (width + 1));
    if (memory->failed) return 0;
    number_pairs(scene, scratch);
    scratch->of_pairs = TAKE(memory, float, scratch->pairs * size);
    return !memory->failed;
}

#define NAME(name) name##_anywhere
#define TARGET
#include "network_body.h"
#undef NAME
#undef TARGET

#if defined(__GNUC__) && defined(__x86_64__)
#define BY_PROCESSOR
#define NAME(name) name##_avx2
#define TARGET __attribute__((target("avx2,fma")))
#include "network_body.h"
#undef NAME
#undef TARGET
#endif

/* Fill the scores of all blocks. Returns 0 without memory. */
static int score(const Scene *scene, const Layers *layers, float *scores) {
    Scratch scratch = {0};
    const int ready = prepare_scratch(scene, layers, &scratch);
    if (ready) {
#ifdef BY_PROCESSOR
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
            fill_scores_avx2(scene, layers, &scratch, scores);
        else
#endif
            fill_scores_anywhere(scene, layers, &scratch, scores);
    }
    free_all(&scratch.memory);
    return ready;
}

#endif
