/* The features of a page's blocks on its site: consensus/features in C, operation by operation.
 *
 * Logarithms are left to numpy between the two halves, as its own differ from those of the C library in the last bit.
 * Floats are rounded where numpy rounds them: sums and quotients of integers are double, the rest is float.
 */

#ifndef BLOCKFILTER_EVIDENCE_H
#define BLOCKFILTER_EVIDENCE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Columns of Page.numbers. */
enum { LETTER, SPACE, DIGIT, UPPER, SENTENCE_END, COMMA, WIDE, SYMBOL,
       CHARS, LINK_CHARS, IMAGES, LINKS, CONTROLS, LAST_KIND, LINES, TITLE, FIGURES, NUMBERS };
/* Columns of the sums over a node's blocks, then of the marks of blocks that are added up beside them. */
enum { WEIGHT, LINKED, REPEATED, BLOCKS, ENDS, COMMAS, DIGITS, UPPERS, LINK_BLOCKS, PICTURES, ANCHORS, LONG_TEXT,
       M_TITLE, M_DATE, M_PRICE, M_HEADING, ALL_SUMS };
enum { DATED = 1, PRICED = 2 };
enum { LEVELS = 6, OWN = 39, TAGS = 22, SUBTREE = 13, NODE = 2 * SUBTREE + 15, OF_SLOT = 3 + SUBTREE - 1,
       REPETITION = 6 };
/* Numbers of the tags in TAGS. */
enum { TAG_TITLE = 0, TAG_H1 = 1, TAG_H6 = 6 };

#define MIX UINT64_C(0x9E3779B97F4A7C1)
#define MAX_BLOCKS 2000
#define QUOTED 3

static inline float larger(float a, float b) { return a > b ? a : b; }
static inline float smaller(float a, float b) { return a < b ? a : b; }

/* Memory that is freed at once. */
enum { MOST_PARTS = 80 };
typedef struct {
    void *parts[MOST_PARTS];
    int count, failed;
} Memory;

static void *take_bytes(Memory *memory, int64_t count, size_t size) {
    void *part = NULL;
    if (count < 0 || memory->count >= MOST_PARTS || !(part = calloc((size_t)count + 1, size))) {
        memory->failed = 1;
        return NULL;
    }
    memory->parts[memory->count++] = part;
    return part;
}
#define TAKE(memory, type, count) ((type *)take_bytes(memory, count, sizeof(type)))

static void free_all(Memory *memory) {
    while (memory->count) free(memory->parts[--memory->count]);
}

/* Sorted hashes with a row of bits each, and a last row for unknown hashes. */
typedef struct {
    const int64_t *hashes;
    const uint8_t *bits;
    int64_t count;
} Pages;

static int64_t find(const int64_t *hashes, int64_t count, int64_t hash) {
    const int64_t *base = hashes;
    int64_t size = count;
    if (!count) return -1;
    while (size > 1) {
        int64_t half = size / 2;
        base += (base[half - 1] < hash) * half;
        size -= half;
    }
    return *base == hash ? base - hashes : -1;
}

/* Number the distinct values in the order in which they appear. Returns how many there are.
 *
 * The key is an odd number that pages do not know: two values then share a place as rarely as by chance, whatever they
 * are (Dietzfelbinger et al. 1997: multiplication and shift as a universal hash). */
static int64_t group(const int64_t *values, int64_t count, uint64_t key, int64_t *groups, int64_t *firsts,
                     int64_t *table) {
    int64_t found = 0;
    int bits = 4;
    while (((int64_t)1 << bits) < 2 * count) bits++;
    const int64_t mask = ((int64_t)1 << bits) - 1;
    for (int64_t place = 0; place <= mask; place++) table[place] = -1;
    for (int64_t i = 0; i < count; i++) {
        int64_t place = (int64_t)(((uint64_t)values[i] * key) >> (64 - bits));
        while (table[place] >= 0 && values[firsts[table[place]]] != values[i]) place = (place + 1) & mask;
        if (table[place] < 0) {
            table[place] = found;
            firsts[found++] = i;
        }
        groups[i] = table[place];
    }
    return found;
}

typedef struct {
    int64_t blocks, nodes;
    const int64_t *keys, *node_of, *numbers, *tags, *parents, *slots, *tag_paths, *hints;
    const float *weights;
} Page;

typedef struct {
    int64_t pages, row_bytes, commons;
    Pages keys, places, slots;
    const int64_t *common, *texts, *telling;
    const float *of_slots, *of_subtrees;
} Site;

/* What Python reads afterwards. */
typedef struct {
    int64_t *starts, *ends, *outer, *inherited, *levels, *rows, *style_rows, *tag_rows, *headings;
    float *pages_with, *records, *matrix;
    int64_t others, width, groups, containers;
} Found;

/* Arrays of the work: their type, how many items they have, and their name. */
#define WORK_ARRAYS(ARRAY)                                                                                            \
    ARRAY(int64_t, blocks, key_of) ARRAY(int64_t, blocks, section_of) ARRAY(int64_t, blocks, key_rows)                \
    ARRAY(int64_t, blocks, like_keys) ARRAY(int64_t, blocks + 1, section_blocks)                                      \
    ARRAY(int64_t, nodes, slot_of) ARRAY(int64_t, nodes, path_of) ARRAY(int64_t, nodes, run_of)                       \
    ARRAY(int64_t, nodes, counts) ARRAY(int64_t, nodes, like_it) ARRAY(int64_t, nodes, of_records)                    \
    ARRAY(int64_t, nodes, pair) ARRAY(int64_t, most, firsts) ARRAY(int64_t, table_size, table)                        \
    ARRAY(uint8_t, blocks, flags) ARRAY(uint8_t, blocks, is_heading) ARRAY(uint8_t, nodes, is_record)                 \
    ARRAY(uint8_t, site->row_bytes, others)                                                                           \
    ARRAY(float, blocks, keys_on) ARRAY(float, blocks, keys_in_slots) ARRAY(float, blocks, title)                     \
    ARRAY(float, blocks, position) ARRAY(float, blocks, rivals) ARRAY(float, blocks, records_share)                   \
    ARRAY(float, nodes, style_on) ARRAY(float, nodes, tag_on) ARRAY(float, nodes, share) ARRAY(float, nodes, best)    \
    ARRAY(float, blocks *ALL_SUMS, sums) ARRAY(float, nodes *ALL_SUMS, inside) ARRAY(float, nodes *NODE, node_table)  \
    ARRAY(double, (blocks + 1) * ALL_SUMS, running) ARRAY(double, blocks + 1, long_before)                            \
    ARRAY(double, blocks + 1, linked) ARRAY(double, blocks + 1, text)                                                 \
    ARRAY(double, nodes, run_size) ARRAY(double, nodes, run_squares) ARRAY(double, nodes, run_count)                  \
    ARRAY(double, nodes, run_plain) ARRAY(double, nodes, run_dates) ARRAY(double, nodes, run_first)                   \
    ARRAY(double, nodes, record_text) ARRAY(double, site->pages, page_texts) ARRAY(double, site->pages, page_telling)

/* What the second half needs of the first. */
typedef struct {
    Memory memory;
    uint64_t key; /* of tables */
    int64_t keys, slots, tag_paths, sections, runs;
#define DECLARE(type, count, name) type *name;
    WORK_ARRAYS(DECLARE)
#undef DECLARE
    /* Arguments of logarithms, and where each kind of them starts. */
    float *small;
    double *large, *exact;
    int64_t small_size, large_size, exact_size;
    int64_t at_sections, at_section_blocks, at_paths, at_runs, at_others, at_slots, at_run_counts;
} Work;

static int prepare(Work *work, const Page *page, const Site *site) {
    const int64_t blocks = page->blocks, nodes = page->nodes, most = blocks > nodes ? blocks : nodes;
    int64_t table_size = 16;
    while (table_size < 2 * most) table_size *= 2;
#define TAKE_ARRAY(type, count, name) work->name = TAKE(&work->memory, type, count);
    WORK_ARRAYS(TAKE_ARRAY)
#undef TAKE_ARRAY
    return !work->memory.failed;
}

/* Fill starts, ends, outer, inherited and levels, as Tree does. */
static void fill_tree(const Page *page, Work *work, Found *found) {
    const int64_t blocks = page->blocks, nodes = page->nodes, *parents = page->parents;
    int64_t *counts = work->counts;
    for (int64_t node = 0; node < nodes; node++) {
        found->starts[node] = blocks;
        found->inherited[node] = page->hints[node];
        counts[node] = 0;
    }
    for (int64_t block = blocks - 1; block >= 0; block--) {
        found->starts[page->node_of[block]] = block;
        counts[page->node_of[block]]++;
    }
    for (int64_t node = nodes - 1; node > 0; node--)
        if (counts[node]) {
            const int64_t parent = parents[node];
            counts[parent] += counts[node];
            if (found->starts[node] < found->starts[parent]) found->starts[parent] = found->starts[node];
        }
    found->outer[0] = 0;
    for (int64_t node = 1; node < nodes; node++) {
        const int64_t parent = parents[node];
        found->outer[node] = counts[parent] > counts[node] ? parent : found->outer[parent];
        found->inherited[node] |= found->inherited[parent];
    }
    for (int64_t node = 0; node < nodes; node++) found->ends[node] = found->starts[node] + counts[node];
    for (int64_t block = 0; block < blocks; block++) {
        int64_t node = page->node_of[block], *levels = found->levels + block * LEVELS;
        for (int level = 0; level < LEVELS; level++, node = found->outer[node]) levels[level] = node;
    }
}

static inline int on_page(const uint8_t *row, int64_t page) { return row[page >> 3] >> (7 - (page & 7)) & 1; }

static inline float on_others(const Pages *pages, int64_t row, const uint8_t *others, int64_t bytes) {
    int count = 0;
    if (row < 0) return 0;
    for (int64_t place = 0; place < bytes; place++) {
        unsigned bits = pages->bits[row * bytes + place] & others[place];
        for (; bits; bits &= bits - 1) count++;
    }
    return (float)count;
}

/* On how many of the others a block's key is in the place of a path. */
static float on_others_at(const Site *site, const Work *work, int64_t key, uint64_t path) {
    const int64_t row = find(site->places.hashes, site->places.count, (int64_t)((uint64_t)key ^ path * MIX));
    return on_others(&site->places, row, work->others, site->row_bytes);
}

/* Find the rows of paths, and on how many of the others each path is. Return how many distinct ones there are. */
static int64_t find_paths(const int64_t *paths, int64_t nodes, uint64_t mix, const Site *site, Work *work,
                          int64_t *path_of, int64_t *rows, float *on) {
    const int64_t count = group(paths, nodes, work->key, path_of, work->firsts, work->table);
    for (int64_t path = 0; path < count; path++) {
        const int64_t hash = (int64_t)((uint64_t)paths[work->firsts[path]] ^ mix);
        work->pair[path] = find(site->slots.hashes, site->slots.count, hash);
        work->best[path] = on_others(&site->slots, work->pair[path], work->others, site->row_bytes);
    }
    for (int64_t node = 0; node < nodes; node++) {
        rows[node] = work->pair[path_of[node]];
        on[node] = work->best[path_of[node]];
    }
    return count;
}

static void compare(const Page *page, const Site *site, Work *work, Found *found) {
    const int64_t blocks = page->blocks, nodes = page->nodes, bytes = site->row_bytes;
    double texts = 0, telling = 0;
    enum { IS_TEXT = 1, TELLING = 2 };
    uint8_t *flags = work->flags;
    work->keys = group(page->keys, blocks, work->key, work->key_of, work->firsts, work->table);
    for (int64_t key = 0; key < work->keys; key++)
        work->key_rows[key] = find(site->keys.hashes, site->keys.count, page->keys[work->firsts[key]]);
    for (int64_t block = 0; block < blocks; block++) {
        const int64_t *numbers = page->numbers + block * NUMBERS, key = work->key_of[block];
        work->like_keys[key]++;
        if (block < MAX_BLOCKS) {
            flags[key] |= IS_TEXT;
            if (page->weights[block] >= 80 && numbers[LINK_CHARS] * 2 < numbers[CHARS]) flags[key] |= TELLING;
        }
    }
    for (int64_t key = 0; key < work->keys; key++) {
        if (flags[key] & TELLING && find(site->common, site->commons, page->keys[work->firsts[key]]) >= 0)
            flags[key] = IS_TEXT;
        texts += flags[key] & IS_TEXT;
        telling += (flags[key] & TELLING) / TELLING;
        if (!flags[key] || work->key_rows[key] < 0) continue;
        const uint8_t *row = site->keys.bits + work->key_rows[key] * bytes;
        for (int64_t other = 0; other < site->pages; other++)
            if (on_page(row, other)) {
                work->page_texts[other] += flags[key] & IS_TEXT;
                work->page_telling[other] += (flags[key] & TELLING) / TELLING;
            }
    }
    int differs_by_a_line = 0;
    if (site->pages == 1) {
        int64_t own = 0, shared = 0;
        float own_text = 0;
        for (int64_t key = 0; key < work->keys; key++) shared += work->key_rows[key] >= 0;
        for (int64_t block = 0; block < blocks; block++)
            if (work->key_rows[work->key_of[block]] < 0) {
                own++;
                own_text += page->weights[block];
            }
        differs_by_a_line = own <= 1 && site->texts[0] - shared <= 1 && own_text < 80;
    }
    found->others = 0;
    for (int64_t other = 0; other < site->pages; other++) {
        const double either = telling + (double)site->telling[other] - work->page_telling[other];
        const double all = texts + (double)site->texts[other] - work->page_texts[other];
        const int is_copy = either >= 2 ? work->page_telling[other] >= 0.7 * either
                                        : work->page_texts[other] >= 0.95 * all;
        if (is_copy || differs_by_a_line) continue;
        work->others[other >> 3] |= (uint8_t)(128 >> (other & 7));
        found->others++;
    }
    for (int64_t key = 0; key < work->keys; key++)
        work->keys_on[key] = on_others(&site->keys, work->key_rows[key], work->others, bytes);
    for (int64_t block = 0; block < blocks; block++)
        work->keys_in_slots[block] =
            on_others_at(site, work, page->keys[block], (uint64_t)page->slots[page->node_of[block]]);
    work->slots = find_paths(page->slots, nodes, 0, site, work, work->slot_of, found->style_rows, work->style_on);
    work->tag_paths = find_paths(page->tag_paths, nodes, MIX, site, work, work->path_of, found->tag_rows, work->tag_on);
    const float others = (float)(found->others > 1 ? found->others : 1);
    for (int64_t node = 0; node < nodes; node++) {
        const int has_style = work->style_on[node] > 0;
        work->like_it[work->slot_of[node]]++;
        found->rows[node] = has_style ? found->style_rows[node] : found->tag_rows[node];
        work->share[node] = (has_style ? work->style_on[node] : work->tag_on[node]) / others;
    }
    for (int64_t block = 0; block < blocks; block++) {
        const int64_t node = page->node_of[block];
        const float anywhere = work->keys_on[work->key_of[block]];
        if (QUOTED * anywhere > (float)found->others)
            found->pages_with[block] = anywhere;
        else if (work->style_on[node] > 0)
            found->pages_with[block] = work->keys_in_slots[block];
        else
            found->pages_with[block] = on_others_at(site, work, page->keys[block], (uint64_t)page->tag_paths[node] ^ MIX);
    }
}

/* The numbers of each block that are added up over nodes, and their running sums. */
static void fill_sums(const Page *page, Work *work, Found *found) {
    int64_t section = 0, heading = -1;
    for (int64_t block = 0; block < page->blocks; block++) {
        const int64_t *numbers = page->numbers + block * NUMBERS, tag = page->tags[block];
        float *sums = work->sums + block * ALL_SUMS;
        const float weight = page->weights[block];
        const int64_t chars = numbers[CHARS] > 1 ? numbers[CHARS] : 1;
        const double linked = (double)numbers[LINK_CHARS] * ((double)weight / (double)chars);
        work->title[block] = (float)((double)numbers[TITLE] / 100);
        work->is_heading[block] = tag >= TAG_H1 && tag <= TAG_H6;
        sums[WEIGHT] = weight;
        sums[LINKED] = (float)linked;
        sums[REPEATED] = found->pages_with[block] > 0 ? weight : 0;
        sums[BLOCKS] = 1;
        sums[ENDS] = (float)numbers[SENTENCE_END];
        sums[COMMAS] = (float)numbers[COMMA];
        sums[DIGITS] = (float)numbers[DIGIT];
        sums[UPPERS] = (float)numbers[UPPER];
        sums[LINK_BLOCKS] = linked > (double)(0.5f * weight);
        sums[PICTURES] = (float)numbers[IMAGES];
        sums[ANCHORS] = (float)numbers[LINKS];
        sums[LONG_TEXT] = weight >= 120;
        sums[M_TITLE] = tag == TAG_TITLE ? 0 : work->title[block];
        sums[M_DATE] = (numbers[FIGURES] & DATED) != 0;
        sums[M_PRICE] = (numbers[FIGURES] & PRICED) != 0;
        sums[M_HEADING] = work->is_heading[block];
        for (int sum = 0; sum < ALL_SUMS; sum++)
            work->running[(block + 1) * ALL_SUMS + sum] = work->running[block * ALL_SUMS + sum] + (double)sums[sum];
        const float long_text = sums[LONG_TEXT] * (weight - sums[LINKED]);
        work->long_before[block + 1] = work->long_before[block] + (double)long_text;
        if (work->is_heading[block]) {
            heading = block;
            section++;
        }
        found->headings[block] = heading;
        work->section_of[block] = section;
        work->section_blocks[section]++;
        work->linked[section] += work->is_heading[block] ? 0.0 : (double)sums[LINKED];
        work->text[section] += work->is_heading[block] ? 0.0 : (double)weight;
    }
    work->sections = section + 1;
    for (int64_t node = 0; node < page->nodes; node++) {
        const double *last = work->running + found->ends[node] * ALL_SUMS;
        const double *first = work->running + found->starts[node] * ALL_SUMS;
        for (int sum = 0; sum < ALL_SUMS; sum++)
            work->inside[node * ALL_SUMS + sum] = (float)(last[sum] - first[sum]);
    }
}

/* Where the headline is, and its rivals. */
static void fill_headlines(const Page *page, Work *work) {
    int64_t headline = -1;
    float best = 0, rivals = 0;
    for (int64_t block = 0; block < page->blocks; block++)
        if (work->is_heading[block] && work->title[block] >= 0.4f && work->title[block] > best) {
            best = work->title[block];
            headline = block;
        }
    if (headline < 0) return;
    const int64_t path = page->tag_paths[page->node_of[headline]];
    for (int64_t block = 0; block < page->blocks; block++) {
        const int after = block >= headline;
        rivals += after && work->title[block] < 0.4f && page->tag_paths[page->node_of[block]] == path;
        work->position[block] = after ? 1.0f : -1.0f;
        work->rivals[block] = smaller(rivals, 2);
    }
}

static inline float plain_text(const float *inside) { return inside[WEIGHT] - inside[LINKED]; }

static void fill_runs(const Page *page, Work *work, const Found *found) {
    for (int64_t node = 0; node < page->nodes; node++)
        work->pair[node] = page->parents[node] * (page->nodes + 1) + work->path_of[node];
    work->runs = group(work->pair, page->nodes, work->key, work->run_of, work->firsts, work->table);
    for (int64_t run = 0; run < work->runs; run++) work->run_first[run] = INFINITY;
    for (int64_t path = 0; path < work->tag_paths; path++) work->best[path] = 0;
    for (int64_t node = 0; node < page->nodes; node++) {
        const float *inside = work->inside + node * ALL_SUMS, size = inside[BLOCKS];
        const int64_t run = work->run_of[node], path = work->path_of[node];
        const double before = work->long_before[found->starts[node]];
        work->best[path] = larger(work->best[path], inside[M_TITLE]);
        work->run_plain[run] += (double)plain_text(inside);
        if (size > 0) {
            const float square = size * size;
            work->run_count[run] += 1;
            work->run_size[run] += (double)size;
            work->run_squares[run] += (double)square;
            work->run_dates[run] += (double)inside[M_DATE];
        }
        if (before < work->run_first[run]) work->run_first[run] = before;
        work->is_record[node] = inside[M_DATE] > 0 && inside[M_DATE] <= 3 && plain_text(inside) >= 20;
        if (work->is_record[node]) {
            work->of_records[path]++;
            work->record_text[path] += (double)inside[WEIGHT];
        }
    }
}

static inline double positive(double value) { return value > 0 ? value : 0; }

/* Collect what logarithms are needed of. */
static void fill_logarithms(const Page *page, Work *work, const Found *found) {
    const int64_t blocks = page->blocks, nodes = page->nodes;
    float *small = work->small, *of_nodes = small + 4 * blocks;
    double *large = work->large, *exact = work->exact;
    memset(work->firsts, 0, (size_t)work->keys * sizeof(int64_t));
    for (int64_t block = 0; block < blocks; block++) {
        const float *sums = work->sums + block * ALL_SUMS;
        const double *text = work->running + WEIGHT, start = found->headings[block] < 0
            ? 0.0 : text[(found->headings[block] + 1) * ALL_SUMS];
        small[block] = sums[WEIGHT];
        small[blocks + block] = sums[ENDS];
        small[2 * blocks + block] = sums[COMMAS];
        small[3 * blocks + block] = (float)work->firsts[work->key_of[block]]++;
        large[block] = work->long_before[block];
        large[blocks + block] = positive(work->long_before[blocks] - work->long_before[block + 1]);
        large[2 * blocks + block] = positive(text[block * ALL_SUMS] - start);
    }
    for (int64_t node = 0; node < nodes; node++) {
        const float *inside = work->inside + node * ALL_SUMS;
        of_nodes[node] = inside[WEIGHT];
        of_nodes[nodes + node] = inside[WEIGHT] / larger(inside[BLOCKS], 1e-9f);
        of_nodes[2 * nodes + node] = inside[BLOCKS];
        of_nodes[3 * nodes + node] = inside[M_DATE];
        of_nodes[4 * nodes + node] = inside[M_HEADING];
        of_nodes[5 * nodes + node] = inside[M_PRICE];
    }
    work->small_size = 4 * blocks + 6 * nodes;
    int64_t at = 3 * blocks;
    work->at_sections = at;
    for (int64_t section = 0; section < work->sections; section++)
        large[at++] = positive(work->text[section] - work->linked[section]);
    work->at_section_blocks = at;
    for (int64_t section = 0; section < work->sections; section++) large[at++] = (double)work->section_blocks[section];
    work->at_paths = at;
    for (int64_t path = 0; path < work->tag_paths; path++) large[at++] = (double)work->of_records[path];
    work->at_runs = at;
    for (int64_t run = 0; run < work->runs; run++) large[at++] = positive(work->run_first[run]);
    work->at_others = at;
    large[at++] = (double)found->others;
    work->large_size = at;
    at = 0;
    for (int64_t key = 0; key < work->keys; key++) exact[at++] = (double)work->like_keys[key];
    work->at_slots = at;
    for (int64_t slot = 0; slot < work->slots; slot++) exact[at++] = (double)work->like_it[slot];
    work->at_run_counts = at;
    for (int64_t run = 0; run < work->runs; run++) {
        if (work->run_count[run] < 1) work->run_count[run] = 1;
        exact[at++] = work->run_count[run];
    }
    work->exact_size = at;
}

static void first_half(const Page *page, const Site *site, Work *work, Found *found) {
    fill_tree(page, work, found);
    compare(page, site, work, found);
    fill_sums(page, work, found);
    fill_headlines(page, work);
    fill_runs(page, work, found);
    fill_logarithms(page, work, found);
}

typedef struct {
    int64_t like_it, node;
} Record;

static int by_number(const void *one, const void *other) {
    const Record *a = (const Record *)one, *b = (const Record *)other;
    if (a->like_it != b->like_it) return a->like_it < b->like_it ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

/* Paint the blocks of records; most similar ones count. Returns 0 without memory. */
static int fill_records(const Page *page, Work *work, const double *large, float total, Found *found) {
    int64_t count = 0;
    for (int64_t node = 0; node < page->nodes; node++)
        count += work->is_record[node] && work->of_records[work->path_of[node]] >= 2;
    for (int64_t block = 0; block < page->blocks; block++) found->records[block] = 0;
    if (!count) return 1;
    Record *records = TAKE(&work->memory, Record, count);
    if (!records) return 0;
    count = 0;
    for (int64_t node = 0; node < page->nodes; node++)
        if (work->is_record[node] && work->of_records[work->path_of[node]] >= 2) {
            records[count].like_it = work->of_records[work->path_of[node]];
            records[count++].node = node;
        }
    qsort(records, (size_t)count, sizeof(Record), by_number);
    for (int64_t place = 0; place < count; place++) {
        const int64_t node = records[place].node, path = work->path_of[node];
        const float number = (float)large[work->at_paths + path];
        const float share = (float)(work->record_text[path] / (double)total);
        for (int64_t block = found->starts[node]; block < found->ends[node]; block++) {
            found->records[block] = number;
            work->records_share[block] = share;
        }
    }
    return 1;
}

static void fill_nodes(const Page *page, const Site *site, Work *work, const float *small, const double *large,
                       const double *exact, float total, const Found *found) {
    const int64_t nodes = page->nodes;
    const float *logs = small + 4 * page->blocks, plain_total = larger(1, plain_text(work->inside));
    for (int64_t node = 0; node < nodes; node++) {
        const float *inside = work->inside + node * ALL_SUMS, blocks = larger(inside[BLOCKS], 1e-9f);
        const float weight = larger(inside[WEIGHT], 1e-9f), plain = plain_text(inside);
        const int64_t row = found->rows[node] < 0 ? site->slots.count : found->rows[node];
        const int64_t run = work->run_of[node];
        float *row_of = work->node_table + node * NODE, *at = row_of;
        if (inside[WEIGHT] > 0) {
            *at++ = logs[node];
            *at++ = inside[WEIGHT] / total;
            *at++ = inside[LINKED] / weight;
            *at++ = inside[REPEATED] / weight;
            *at++ = logs[nodes + node];
            *at++ = 100 * inside[ENDS] / weight;
            *at++ = 100 * inside[COMMAS] / weight;
            *at++ = inside[DIGITS] / weight;
            *at++ = inside[UPPERS] / weight;
            *at++ = inside[LINK_BLOCKS] / blocks;
            *at++ = inside[LONG_TEXT] / blocks;
            *at++ = logs[2 * nodes + node];
            *at++ = inside[PICTURES] / blocks;
        }
        at = row_of + SUBTREE;
        memcpy(at, site->of_subtrees + row * SUBTREE, SUBTREE * sizeof(float));
        at += SUBTREE;
        *at++ = work->share[node];
        *at++ = (float)exact[work->at_slots + work->slot_of[node]];
        *at++ = smaller(inside[M_TITLE], 1);
        *at++ = work->best[work->path_of[node]] > inside[M_TITLE] + 0.1f;
        *at++ = logs[3 * nodes + node];
        *at++ = inside[M_DATE] / larger(inside[BLOCKS], 1);
        *at++ = logs[4 * nodes + node];
        *at++ = plain / plain_total;
        *at++ = logs[5 * nodes + node];
        *at++ = inside[M_PRICE] / larger(inside[BLOCKS], 1);
        *at++ = (float)exact[work->at_run_counts + run];
        *at++ = (float)(work->run_plain[run] / (double)plain_total);
        const double count = work->run_count[run], mean = work->run_size[run] / count;
        volatile double square = mean * mean; /* rounded by itself: no fused multiplication */
        const double spread = sqrt(positive(work->run_squares[run] / count - square)) / (mean > 1 ? mean : 1);
        const double dates = work->run_dates[run] / count;
        *at++ = (float)(spread < 3 ? spread : 3);
        *at++ = (float)(dates < 3 ? dates : 3);
        *at++ = (float)large[work->at_runs + run];
    }
}

static void fill_row(const Page *page, const Site *site, const Work *work, const float *small, const double *large,
                     const double *exact, const Found *found, int64_t block, float *at) {
    const int64_t blocks = page->blocks, node = page->node_of[block], *numbers = page->numbers + block * NUMBERS;
    const int64_t heading = found->headings[block], section = work->section_of[block];
    const float *sums = work->sums + block * ALL_SUMS, weight = larger(page->weights[block], 1);
    const float others = (float)(found->others > 1 ? found->others : 1), *on = found->pages_with;
    const float share = (float)(1.0 / (double)(found->others > 1 ? found->others : 1));
    const double text = work->text[section] > 1 ? work->text[section] : 1;
    *at++ = small[block];
    *at++ = sums[LINKED] / weight;
    *at++ = 100 * sums[ENDS] / weight;
    *at++ = small[blocks + block];
    *at++ = 100 * sums[COMMAS] / weight;
    *at++ = small[2 * blocks + block];
    *at++ = sums[DIGITS] / weight;
    *at++ = sums[UPPERS] / weight;
    *at++ = (float)((double)numbers[SYMBOL] / (double)weight);
    *at++ = (float)((double)numbers[SPACE] / (double)weight);
    *at++ = numbers[WIDE] > 0;
    *at++ = numbers[LAST_KIND] == SENTENCE_END;
    *at++ = smaller(sums[PICTURES], 5);
    *at++ = smaller(sums[ANCHORS], 10);
    *at++ = (float)(numbers[CONTROLS] < 3 ? numbers[CONTROLS] : 3);
    *at++ = (float)(numbers[LINES] < 10 ? numbers[LINES] : 10);
    *at++ = work->title[block];
    *at++ = sums[M_DATE];
    *at++ = sums[M_PRICE];
    *at++ = numbers[LAST_KIND] == COMMA;
    *at++ = work->position[block];
    *at++ = work->rivals[block];
    *at++ = (float)exact[work->key_of[block]];
    *at++ = small[3 * blocks + block];
    *at++ = found->records[block];
    *at++ = work->records_share[block];
    *at++ = (float)large[block];
    *at++ = (float)large[blocks + block];
    *at++ = heading < 0 ? -1 : small[heading];
    *at++ = heading < 0 ? -1 : work->title[heading];
    *at++ = heading < 0 ? -1 : on[heading] / others;
    *at++ = (float)large[2 * blocks + block];
    *at++ = (float)large[work->at_sections + section];
    *at++ = (float)(work->linked[section] / text);
    *at++ = (float)large[work->at_section_blocks + section];
    *at++ = block ? on[block - 1] / others : 0;
    *at++ = block + 1 < blocks ? on[block + 1] / others : 0;
    *at++ = block ? small[block - 1] : 0;
    *at++ = block + 1 < blocks ? small[block + 1] : 0;
    for (int tag = 0; tag < TAGS; tag++) *at++ = page->tags[block] == tag;
    *at++ = (float)large[work->at_others];
    *at++ = on[block] * share;
    *at++ = smaller(on[block], 10);
    *at++ = work->keys_in_slots[block] * share;
    *at++ = on[block] > 0;
    *at++ = on[block] > 1;
    const float *of_slot = site->of_slots + (found->rows[node] < 0 ? site->slots.count : found->rows[node]) * OF_SLOT;
    *at++ = work->share[node];
    *at++ = of_slot[0];
    *at++ = (float)exact[work->at_slots + work->slot_of[node]];
    memcpy(at, of_slot + 1, (OF_SLOT - 1) * sizeof(float));
    at += OF_SLOT - 1;
    const int64_t parent = page->parents[node] > 0 ? page->parents[node] : 0;
    const int64_t own = page->hints[node] | page->hints[parent], inherited = found->inherited[node];
    for (int64_t bit = 0; bit < found->groups; bit++) *at++ = (float)(own >> bit & 1);
    for (int64_t bit = 0; bit < found->groups + found->containers; bit++) *at++ = (float)(inherited >> bit & 1);
    for (int level = 0; level < LEVELS; level++, at += NODE)
        memcpy(at, work->node_table + found->levels[block * LEVELS + level] * NODE, NODE * sizeof(float));
}

/* Put the features together, given the logarithms. Returns 0 without memory. */
static int second_half(const Page *page, const Site *site, Work *work, const float *small, const double *large,
                       const double *exact, Found *found) {
    const float total = larger(1, work->inside[WEIGHT]);
    if (!fill_records(page, work, large, total, found)) return 0;
    fill_nodes(page, site, work, small, large, exact, total, found);
    for (int64_t block = 0; block < page->blocks; block++)
        fill_row(page, site, work, small, large, exact, found, block, found->matrix + block * found->width);
    return 1;
}

#endif
