/* The sums that a site is learnt with, equal to those of numpy to the last bit: in double, in the order of the rows. */

#ifndef BLOCKFILTER_LEARNING_H
#define BLOCKFILTER_LEARNING_H

#include "network.h"

/* Add the rows of values to the targets that they belong to. The sum over a page comes first, as it is rounded.
 * `page_sums` and `seen` are of as many targets, and zero before and after. `on_pages`, if any, counts the targets. */
static void add_by_target(const int64_t *targets, int64_t rows, const double *values, int64_t width, double *page_sums,
                          uint8_t *seen, double *sums, float *on_pages) {
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
        if (on_pages) on_pages[target] += 1;
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
    Memory memory = {0};
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
        add_by_target(style_rows, nodes, inside, width, page_sums, seen, sums, NULL);
        add_by_target(tag_rows, nodes, inside, width, page_sums, seen, sums, NULL);
    }
    free_all(&memory);
    return enough;
}

static void put_quotients(float *out, int64_t width, const double *last, const double *first) {
    const double weight = last[width] - first[width] + 1;
    for (int64_t i = 0; i < width; i++) out[i] = (float)((last[i] - first[i]) / weight);
}

/* Fill the impressions that each block sees: (blocks, CONTEXTS * width). Returns 0 without memory. */
static int fill_contexts(const Scene *scene, int64_t width, const float *weighted, const float *of_slots,
                         float *contexts) {
    const int64_t blocks = scene->blocks;
    Memory memory = {0};
    double *running = TAKE(&memory, double, (blocks + 1) * (width + 1));
    double *shares = TAKE(&memory, double, (blocks + 1) * width);
    float *here = TAKE(&memory, float, scene->nodes * width), *impressions = TAKE(&memory, float, blocks * width);
    const int enough = !memory.failed;
    if (enough) {
        run_up(weighted, blocks, width + 1, running);
        const double total = running[blocks * (width + 1) + width] + 1;
        for (int64_t block = 0; block <= blocks; block++)
            for (int64_t i = 0; i < width; i++) shares[block * width + i] = running[block * (width + 1) + i] / total;
        for (int64_t node = 0; node < scene->nodes; node++)
            put_quotients(here + node * width, width, running + scene->ends[node] * (width + 1),
                          running + scene->starts[node] * (width + 1));
        for (int64_t block = 0; block < blocks; block++)
            for (int64_t i = 0; i < width; i++)
                impressions[block * width + i] =
                    weighted[block * (width + 1) + i] / weighted[block * (width + 1) + width];
        for (int64_t block = 0; block < blocks; block++) {
            float *out = contexts + block * CONTEXTS * width;
            const float *own = impressions + block * width;
            const double *last = shares + blocks * width, *before = shares + block * width;
            for (int level = 0; level < LEVELS; level++) {
                const int64_t node = scene->levels[block * LEVELS + level], row = scene->rows[node];
                put_floats(out + level * width, width, here + node * width);
                put_floats(out + (LEVELS + level) * width, width, row < 0 ? NULL : of_slots + row * width);
            }
            out += 2 * LEVELS * width;
            for (int64_t i = 0; i < width; i++) {
                out[i] = (float)before[i];
                out[width + i] = (float)(last[i] - before[width + i]);
                out[2 * width + i] = (float)last[i];
            }
            out += 3 * width;
            put_floats(out, width, block ? own - width : NULL);
            put_floats(out + width, width, block + 1 < blocks ? own + width : NULL);
            put_floats(out + 2 * width, width,
                       scene->headings[block] < 0 ? NULL : impressions + scene->headings[block] * width);
            out += 3 * width;
            for (int number = 0; number < WINDOWS; number++, out += 2 * width) {
                const int64_t start = block - WINDOW_SIZES[number], end = block + 1 + WINDOW_SIZES[number];
                put_quotients(out, width, running + block * (width + 1),
                              running + (start > 0 ? start : 0) * (width + 1));
                put_quotients(out + width, width, running + (end < blocks ? end : blocks) * (width + 1),
                              running + (block + 1) * (width + 1));
            }
        }
    }
    free_all(&memory);
    return enough;
}

enum { SUMS = ALL_SUMS - 4, TOTALS = 2 + 2 * SUMS };

/* Add a page to the sums of a site's slots: nodes, shares of the page, own sums and those of subtrees, and count the
 * slots. Returns 0 without memory, and -1 for a page with a slot that the site lacks. */
static int add_to_totals(const Page *page, const Site *site, uint64_t key, int64_t *style_rows, int64_t *tag_rows,
                         double *totals, float *on_pages) {
    const int64_t blocks = page->blocks, nodes = page->nodes, slots = site->slots.count;
    Work work = {.key = key};
    Found found = {.style_rows = style_rows, .tag_rows = tag_rows};
    prepare(&work, page, site);
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
    found.rows = TAKE(memory, int64_t, nodes);
    int done = !memory->failed;
    if (done) compare(page, site, &work, &found);
    for (int64_t node = 0; done > 0 && node < nodes; node++)
        if (style_rows[node] < 0 || tag_rows[node] < 0) done = -1;
    if (done > 0) {
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
        add_by_target(style_rows, nodes, values, TOTALS, page_sums, seen, totals, on_pages);
        add_by_target(tag_rows, nodes, values, TOTALS, page_sums, seen, totals, on_pages);
    }
    free_all(memory);
    return done;
}

#endif
