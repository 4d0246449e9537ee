/* The network, for one kind of processor: included by network.h with NAME and TARGET defined. */

#ifdef VECTORS
/* Multiply ROWS rows of values with SIZE vectors of a table's columns, and add the products. */
#define TILE(VECTOR, ROWS, SIZE)                                                                         \
    {                                                                                                    \
        VECTOR sum[ROWS][SIZE];                                                                          \
        for (int row = 0; row < ROWS; row++)                                                             \
            for (int part = 0; part < SIZE; part++)                                                      \
                sum[row][part] = ((VECTOR *)(out + row * out_width + column))[part];                     \
        for (int64_t i = 0; i < count; i++) {                                                            \
            const VECTOR *line = (const VECTOR *)(table + LINE(i) * width + column);                     \
            for (int part = 0; part < SIZE; part++)                                                      \
                for (int row = 0; row < ROWS; row++) sum[row][part] += values[row * stride + i] * line[part]; \
        }                                                                                                \
        for (int row = 0; row < ROWS; row++)                                                             \
            for (int part = 0; part < SIZE; part++)                                                      \
                ((VECTOR *)(out + row * out_width + column))[part] = sum[row][part];                     \
        column += SIZE * (int64_t)(sizeof(VECTOR) / sizeof(float));                                      \
    }
#endif

/* Add the products of `count` values with the lines of a table that they stand for. */
TARGET static void NAME(add_products)(float *out, int64_t width, const float *values, const int32_t *which,
                                      int64_t count, const float *table) {
    int64_t column = 0;
#ifdef VECTORS
    const int64_t out_width = 0, stride = 0;
#define LINE(i) which[i]
    while (width - column >= 48) TILE(Eight, 1, 6)
    while (width - column >= 16) TILE(Eight, 1, 2)
    if (width - column >= 8) TILE(Eight, 1, 1)
    if (width - column >= 4) TILE(Four, 1, 1)
#undef LINE
#endif
    if (column < width)
        for (int64_t i = 0; i < count; i++)
            for (int64_t place = column; place < width; place++)
                out[place] += values[i] * table[which[i] * width + place];
}

/* Add the products of rows of `count` values with a table of as many lines. */
TARGET static void NAME(multiply)(float *out, int64_t out_width, int64_t rows, const float *values, int64_t stride,
                                  int64_t count, const float *table, int64_t width) {
    for (int64_t done; rows > 0; rows -= done, out += done * out_width, values += done * stride) {
        int64_t column = 0;
        done = 1;
#ifdef VECTORS
#define LINE(i) i
        if (rows >= 8 && width == 8) { /* fewer sums than eight would wait for each other */
            done = 8;
            TILE(Eight, 8, 1)
        } else if (rows >= 4) {
            done = 4;
            while (width - column >= 24) TILE(Eight, 4, 3)
            while (width - column >= 16) TILE(Eight, 4, 2)
            if (width - column >= 8) TILE(Eight, 4, 1)
            if (width - column >= 4) TILE(Four, 4, 1)
        } else {
            while (width - column >= 24) TILE(Eight, 1, 3)
            while (width - column >= 8) TILE(Eight, 1, 1)
            if (width - column >= 4) TILE(Four, 1, 1)
        }
#undef LINE
#endif
        if (column < width)
            for (int64_t row = 0; row < done; row++)
                for (int64_t i = 0; i < count; i++)
                    for (int64_t place = column; place < width; place++)
                        out[row * out_width + place] += values[row * stride + i] * table[i * width + place];
    }
}

/* Replace values by their hyperbolic tangents: a quotient of polynomials, right to the last few bits. */
TARGET static void NAME(to_tanh)(float *values, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        float x = values[i];
        x = x > 7.90531110763549805f ? 7.90531110763549805f : x;
        x = x < -7.90531110763549805f ? -7.90531110763549805f : x;
        const float x2 = x * x;
        float p = -2.76076847742355e-16f, q = 1.19825839466702e-06f;
        p = p * x2 + 2.00018790482477e-13f;
        p = p * x2 + -8.60467152213735e-11f;
        p = p * x2 + 5.12229709037114e-08f;
        p = p * x2 + 1.48572235717979e-05f;
        p = p * x2 + 6.37261928875436e-04f;
        p = p * x2 + 4.89352455891786e-03f;
        q = q * x2 + 1.18534705686654e-04f;
        q = q * x2 + 2.26843463243900e-03f;
        q = q * x2 + 4.89352518554385e-03f;
        values[i] = x * p / q;
    }
}

TARGET static void NAME(add)(float *restrict out, const float *restrict values, int64_t count) {
    for (int64_t i = 0; i < count; i++) out[i] += values[i];
}

TARGET static void NAME(cut_below_zero)(float *values, int64_t count) {
    for (int64_t i = 0; i < count; i++) values[i] = values[i] > 0 ? values[i] : 0;
}

/* Collect the features that are not zero within their bounds, with their numbers. */
TARGET static int64_t NAME(collect)(const float *from, const float *least, const float *most, int64_t size,
                                    float *values, int32_t *which) {
    int64_t count = 0;
    for (int64_t start = 0; start < size; start += GROUP) {
        const int64_t end = size - start < GROUP ? size : start + GROUP;
        float bounded[GROUP];
        int any = 0;
        for (int64_t i = start; i < end; i++) {
            const float value = from[i] < least[i] ? least[i] : from[i];
            bounded[i - start] = value > most[i] ? most[i] : value;
            any |= bounded[i - start] != 0;
        }
        if (any)
            for (int64_t i = start; i < end; i++) {
                values[count] = bounded[i - start];
                which[count] = (int32_t)i;
                count += bounded[i - start] != 0;
            }
    }
    return count;
}

/* The first layer. Most features of a block itself are zero, those of its levels are not. */
TARGET static void NAME(fill_hidden)(const Scene *scene, const Layers *layers, Scratch *scratch) {
    const int64_t width = layers->hidden, first = scene->features - LEVELS * NODE;
    memset(scratch->of_pairs, 0, (size_t)(scratch->pairs * width) * sizeof(float));
    for (int64_t pair = 0, rows; pair < scratch->pairs; pair += rows) {
        const int64_t level = scratch->pair_level[pair], column = first + level * NODE;
        float *values = scratch->values;
        for (rows = 0; rows < ROWS && pair + rows < scratch->pairs; rows++) {
            if (scratch->pair_level[pair + rows] != level) break;
            const float *from = scene->matrix + scratch->pair_block[pair + rows] * scene->features + column;
            for (int64_t i = 0; i < NODE; i++, values++) {
                const float value = from[i] < layers->least[column + i] ? layers->least[column + i] : from[i];
                *values = value > layers->most[column + i] ? layers->most[column + i] : value;
            }
        }
        NAME(multiply)(scratch->of_pairs + pair * width, width, rows, scratch->values, NODE, NODE,
                       layers->w1 + column * width, width);
    }
    for (int64_t block = 0; block < scene->blocks; block++) {
        float *out = scratch->hidden + block * width;
        const int64_t count = NAME(collect)(scene->matrix + block * scene->features, layers->least, layers->most,
                                            first, scratch->values, scratch->which);
        memcpy(out, layers->b1, (size_t)width * sizeof(float));
        NAME(add_products)(out, width, scratch->values, scratch->which, count, layers->w1);
        for (int level = 0; level < LEVELS; level++)
            NAME(add)(out, scratch->of_pairs + scratch->pair_of[block * LEVELS + level] * width, width);
        NAME(cut_below_zero)(out, width);
    }
}

/* Write a share of the difference of running sums. */
TARGET static void NAME(put_share)(float *out, int64_t width, const double *last, const double *first, double share) {
    for (int64_t i = 0; i < width; i++) out[i] = (float)((last[i] - first[i]) * share);
}

/* Write the mean impressions of a range of blocks. */
TARGET static void NAME(put_mean)(float *out, int64_t width, const double *running, int64_t start, int64_t end) {
    const double *last = running + end * (width + 1), *first = running + start * (width + 1);
    NAME(put_share)(out, width, last, first, 1 / (last[width] - first[width] + 1));
}

/* What the levels of blocks add: impressions of the subtrees of their nodes, and of the slots of these on the site. */
TARGET static void NAME(look_at_levels)(const Scene *scene, const Look *look, Scratch *scratch) {
    const int64_t width = look->width, next = look->next;
    float *here = scratch->seen, *there = here + ROWS * width;
    memset(scratch->of_pairs, 0, (size_t)(scratch->pairs * next) * sizeof(float));
    for (int64_t pair = 0, rows; pair < scratch->pairs; pair += rows) {
        const int64_t level = scratch->pair_level[pair];
        for (rows = 0; rows < ROWS && pair + rows < scratch->pairs; rows++) {
            if (scratch->pair_level[pair + rows] != level) break;
            const int64_t node = scratch->pair_node[pair + rows], row = scene->rows[node];
            NAME(put_mean)(here + rows * width, width, scratch->running, scene->starts[node], scene->ends[node]);
            put_floats(there + rows * width, width, row < 0 ? NULL : look->of_slots + row * width);
        }
        const float *table = look->w + (look->size + level * width) * next;
        float *out = scratch->of_pairs + pair * next;
        NAME(multiply)(out, next, rows, here, width, width, table, next);
        NAME(multiply)(out, next, rows, there, width, width, table + LEVELS * width * next, next);
    }
}

/* Compute the next hidden numbers from the current ones and the impressions around each block. */
TARGET static void NAME(take_look)(const Scene *scene, const Look *look, Scratch *scratch) {
    const int64_t blocks = scene->blocks, width = look->width, size = look->size, next = look->next;
    float *impressions = scratch->impressions, *seen = scratch->seen;
    double *running = scratch->running;
    for (int64_t block = 0; block < blocks; block++)
        memcpy(impressions + block * width, look->be, (size_t)width * sizeof(float));
    NAME(multiply)(impressions, width, blocks, scratch->hidden, size, size, look->we, width);
    NAME(to_tanh)(impressions, blocks * width);
    memset(running, 0, (size_t)(width + 1) * sizeof(double));
    for (int64_t block = 0; block < blocks; block++) {
        const float weight = scene->weights[block] + 1;
        const double *before = running + block * (width + 1);
        double *after = running + (block + 1) * (width + 1);
        for (int64_t i = 0; i < width; i++)
            after[i] = before[i] + (double)(impressions[block * width + i] * weight);
        after[width] = before[width] + (double)weight;
    }
    NAME(look_at_levels)(scene, look, scratch);
    enum { BEFORE, BEHIND, WHOLE, PREVIOUS, FOLLOWING, HEADING, WINDOW, BESIDE = WINDOW + 2 * WINDOWS };
    const double *none = running, *all = running + blocks * (width + 1), share = 1 / (all[width] + 1);
    const int64_t row_size = BESIDE * width;
    for (int64_t first = 0, rows; first < blocks; first += rows) {
        rows = blocks - first < ROWS ? blocks - first : ROWS;
        for (int64_t block = first; block < first + rows; block++) {
            float *of_block = seen + (block - first) * row_size;
            const double *before = running + block * (width + 1), *after = before + width + 1;
            const float *own = impressions + block * width;
            NAME(put_share)(of_block + BEFORE * width, width, before, none, share);
            NAME(put_share)(of_block + BEHIND * width, width, all, after, share);
            NAME(put_share)(of_block + WHOLE * width, width, all, none, share);
            put_floats(of_block + PREVIOUS * width, width, block ? own - width : NULL);
            put_floats(of_block + FOLLOWING * width, width, block + 1 < blocks ? own + width : NULL);
            put_floats(of_block + HEADING * width, width,
                       scene->headings[block] < 0 ? NULL : impressions + scene->headings[block] * width);
            for (int number = 0; number < WINDOWS; number++) {
                const int64_t start = block - WINDOW_SIZES[number], end = block + 1 + WINDOW_SIZES[number];
                float *window = of_block + (WINDOW + 2 * number) * width;
                NAME(put_mean)(window, width, running, start > 0 ? start : 0, block);
                NAME(put_mean)(window + width, width, running, block + 1, end < blocks ? end : blocks);
            }
            float *out = scratch->next + block * next;
            memcpy(out, look->b, (size_t)next * sizeof(float));
            for (int level = 0; level < LEVELS; level++)
                NAME(add)(out, scratch->of_pairs + scratch->pair_of[block * LEVELS + level] * next, next);
        }
        float *out = scratch->next + first * next;
        NAME(multiply)(out, next, rows, scratch->hidden + first * size, size, size, look->w, next);
        NAME(multiply)(out, next, rows, seen, row_size, row_size, look->w + (size + 2 * LEVELS * width) * next, next);
        NAME(cut_below_zero)(out, rows * next);
    }
    float *was = scratch->hidden;
    scratch->hidden = scratch->next;
    scratch->next = was;
}

TARGET static void NAME(fill_scores)(const Scene *scene, const Layers *layers, Scratch *scratch, float *scores) {
    NAME(fill_hidden)(scene, layers, scratch);
    NAME(take_look)(scene, &layers->first, scratch);
    NAME(take_look)(scene, &layers->second, scratch);
    for (int64_t block = 0; block < scene->blocks; block++) {
        float logit = *layers->b4;
        for (int64_t i = 0; i < layers->third; i++)
            logit += scratch->hidden[block * layers->third + i] * layers->w4[i];
        scores[block] = 1 / (1 + expf(-logit));
    }
}

#undef TILE
