/* The sums that a site is learnt with, equal to those of numpy to the last bit: in double, in the order of the rows. */

#ifndef BLOCKFILTER_LEARNING_H
#define BLOCKFILTER_LEARNING_H

#include "network.h"

/* Add the rows of values to the targets that they belong to. The sum over a page comes first, as it is rounded.
 * `page_sums` and `seen` are of as many targets, and zero before and after. */
static void add_by_target(const int64_t *targets, int64_t rows, const double *values, int64_t width, double *page_sums,
                          uint8_t *seen, double *sums) {
    for (int64_t row = 0; row < rows; row++) {
        double *sum = page_sums + targets[row] * width;
        seen[targets[row]] = 1;
        for (int64_t i = 0; i < width; i++) sum[i] += values[row * width + i];
    }
    for (int64_t row = 0; row < rows; row++) {
        const int64_t target = targets[row];
        if (!seen[target]) continue;
        for (int64_t i = 0; i < width; i++) {
            sums[target * width + i] += page_sums[target * width + i];
            page_sums[target * width + i] = 0;
        }
        seen[target] = 0;
    }
}

static void run_up(const float *values, int64_t rows, int64_t width, double *running) {
    memset(running, 0, (size_t)width * sizeof(double));
    for (int64_t row = 0; row < rows; row++)
        for (int64_t i = 0; i < width; i++)
            running[(row + 1) * width + i] = running[row * width + i] + (double)values[row * width + i];
}

/* Add the weighted impressions in each node's subtree to its slots. Returns 0 without memory. */
static int add_to_slots(int64_t blocks, int64_t nodes, int64_t slots, int64_t width, const float *weighted,
                        const int64_t *starts, const int64_t *ends, const int64_t *style_rows,
                        const int64_t *tag_rows, double *sums) {
    Memory memory;
    memset(&memory, 0, sizeof(memory));
    double *running = TAKE(&memory, double, (blocks + 1) * width), *inside = TAKE(&memory, double, nodes * width);
    double *page_sums = TAKE(&memory, double, slots * width);
    uint8_t *seen = TAKE(&memory, uint8_t, slots);
    const int enough = !memory.failed;
    if (enough) {
        run_up(weighted, blocks, width, running);
        for (int64_t node = 0; node < nodes; node++)
            for (int64_t i = 0; i < width; i++)
                inside[node * width + i] =
                    (double)(float)(running[ends[node] * width + i] - running[starts[node] * width + i]);
        add_by_target(style_rows, nodes, inside, width, page_sums, seen, sums);
        add_by_target(tag_rows, nodes, inside, width, page_sums, seen, sums);
    }
    free_all(&memory);
    return enough;
}

static void put_quotients(float *out, int64_t step, int64_t networks, int64_t width, const double *last,
                          const double *first) {
    const double weight = last[networks * width] - first[networks * width] + 1;
    for (int64_t network = 0; network < networks; network++, out += step)
        for (int64_t i = 0; i < width; i++, last++, first++) out[i] = (float)((*last - *first) / weight);
}

static void put_floats(float *out, int64_t step, int64_t networks, int64_t width, const float *from) {
    for (int64_t network = 0; network < networks; network++, out += step)
        for (int64_t i = 0; i < width; i++) out[i] = from ? *from++ : 0;
}

/* Fill the impressions that each block sees: (networks, blocks, CONTEXTS * width). Returns 0 without memory. */
static int fill_contexts(const Scene *scene, int64_t networks, int64_t width, const float *weighted,
                         const float *of_slots, float *contexts) {
    const int64_t blocks = scene->blocks, all = networks * width, step = blocks * CONTEXTS * width;
    Memory memory;
    memset(&memory, 0, sizeof(memory));
    double *running = TAKE(&memory, double, (blocks + 1) * (all + 1));
    double *shares = TAKE(&memory, double, (blocks + 1) * all);
    float *here = TAKE(&memory, float, scene->nodes * all), *impressions = TAKE(&memory, float, blocks * all);
    const int enough = !memory.failed;
    if (enough) {
        run_up(weighted, blocks, all + 1, running);
        const double total = running[blocks * (all + 1) + all] + 1;
        for (int64_t block = 0; block <= blocks; block++)
            for (int64_t i = 0; i < all; i++) shares[block * all + i] = running[block * (all + 1) + i] / total;
        for (int64_t node = 0; node < scene->nodes; node++)
            put_quotients(here + node * all, width, networks, width, running + scene->ends[node] * (all + 1),
                          running + scene->starts[node] * (all + 1));
        for (int64_t block = 0; block < blocks; block++)
            for (int64_t i = 0; i < all; i++)
                impressions[block * all + i] = weighted[block * (all + 1) + i] / weighted[block * (all + 1) + all];
        for (int64_t block = 0; block < blocks; block++) {
            float *out = contexts + block * CONTEXTS * width;
            const float *own = impressions + block * all;
            const double *last = shares + blocks * all, *before = shares + block * all;
            for (int level = 0; level < LEVELS; level++) {
                const int64_t node = scene->levels[block * LEVELS + level], row = scene->rows[node];
                put_floats(out + level * width, step, networks, width, here + node * all);
                put_floats(out + (LEVELS + level) * width, step, networks, width,
                           row < 0 ? NULL : of_slots + row * all);
            }
            out += 2 * LEVELS * width;
            for (int64_t i = 0; i < all; i++) {
                float *at = out + i / width * step + i % width;
                at[0] = (float)before[i];
                at[width] = (float)(last[i] - before[all + i]);
                at[2 * width] = (float)last[i];
            }
            out += 3 * width;
            put_floats(out, step, networks, width, block ? own - all : NULL);
            put_floats(out + width, step, networks, width, block + 1 < blocks ? own + all : NULL);
            put_floats(out + 2 * width, step, networks, width,
                       scene->headings[block] < 0 ? NULL : impressions + scene->headings[block] * all);
            out += 3 * width;
            for (int number = 0; number < WINDOWS; number++, out += 2 * width) {
                const int64_t start = block - WINDOW_SIZES[number], end = block + 1 + WINDOW_SIZES[number];
                put_quotients(out, step, networks, width, running + block * (all + 1),
                              running + (start > 0 ? start : 0) * (all + 1));
                put_quotients(out + width, step, networks, width, running + (end < blocks ? end : blocks) * (all + 1),
                              running + (block + 1) * (all + 1));
            }
        }
    }
    free_all(&memory);
    return enough;
}

enum { SUMS = ALL_SUMS - 4, TOTALS = 2 + 2 * SUMS };

/* Add a page to the sums of a site's slots: nodes, shares of the page, own sums and those of subtrees, and count the
 * slots. Returns 0 without memory. */
static int add_to_totals(const Page *page, const uint8_t *repeated, int64_t slots, const int64_t *style_rows,
                         const int64_t *tag_rows, double *totals, float *on_pages) {
    const int64_t blocks = page->blocks, nodes = page->nodes;
    Work work;
    Found found;
    Site none;
    memset(&work, 0, sizeof(work));
    memset(&found, 0, sizeof(found));
    memset(&none, 0, sizeof(none));
    prepare(&work, page, &none);
    Memory *memory = &work.memory;
    double *values = TAKE(memory, double, nodes * TOTALS), *page_sums = TAKE(memory, double, slots * TOTALS);
    uint8_t *seen = TAKE(memory, uint8_t, slots);
    found.starts = TAKE(memory, int64_t, nodes);
    found.ends = TAKE(memory, int64_t, nodes);
    found.outer = TAKE(memory, int64_t, nodes);
    found.inherited = TAKE(memory, int64_t, nodes);
    found.levels = TAKE(memory, int64_t, blocks * LEVELS);
    found.headings = TAKE(memory, int64_t, blocks);
    found.pages_with = TAKE(memory, float, blocks);
    const int enough = !memory->failed;
    if (enough) {
        for (int64_t block = 0; block < blocks; block++) found.pages_with[block] = repeated[block] ? 1.0f : 0.0f;
        fill_tree(page, &work, &found);
        fill_sums(page, &work, &found);
        const float total = larger(1, work.inside[WEIGHT]);
        for (int64_t node = 0; node < nodes; node++) {
            double *at = values + node * TOTALS;
            at[0] = 1;
            at[1] = (double)(work.inside[node * ALL_SUMS + WEIGHT] / total);
            for (int sum = 0; sum < SUMS; sum++) at[2 + SUMS + sum] = (double)work.inside[node * ALL_SUMS + sum];
        }
        for (int64_t block = 0; block < blocks; block++)
            for (int sum = 0; sum < SUMS; sum++)
                values[page->node_of[block] * TOTALS + 2 + sum] += (double)work.sums[block * ALL_SUMS + sum];
        for (int half = 0; half < 2; half++) {
            const int64_t *rows = half ? tag_rows : style_rows;
            for (int64_t node = 0; node < nodes; node++) seen[rows[node]] = 1;
            for (int64_t node = 0; node < nodes; node++)
                if (seen[rows[node]]) {
                    on_pages[rows[node]] += 1;
                    seen[rows[node]] = 0;
                }
            add_by_target(rows, nodes, values, TOTALS, page_sums, seen, totals);
        }
    }
    free_all(memory);
    return enough;
}

#endif
