/* The network, for one kind of processor: included by network.h with NAME and TARGET defined. */

#ifdef VECTORS
/* Add the products of `count` values with the rows of a table that they stand for: VECTOR * SIZE columns of it. */
#define TILE(VECTOR, SIZE)                                                         \
    {                                                                              \
        VECTOR sum[SIZE];                                                          \
        for (int part = 0; part < SIZE; part++) sum[part] = ((VECTOR *)(out + column))[part]; \
        for (int64_t i = 0; i < count; i++) {                                      \
            const VECTOR *row = (const VECTOR *)(table + which[i] * width + column); \
            for (int part = 0; part < SIZE; part++) sum[part] += values[i] * row[part]; \
        }                                                                          \
        for (int part = 0; part < SIZE; part++) ((VECTOR *)(out + column))[part] = sum[part]; \
        column += SIZE * (int64_t)(sizeof(VECTOR) / sizeof(float));                \
    }
#endif

TARGET static void NAME(add_products)(float *out, int64_t width, const float *values, const int32_t *which,
                                      int64_t count, const float *table) {
    int64_t column = 0;
#ifdef VECTORS
    while (width - column >= 48) TILE(Eight, 6)
    if (width - column >= 40) TILE(Eight, 5)
    if (width - column >= 32) TILE(Eight, 4)
    while (width - column >= 16) TILE(Eight, 2)
    if (width - column >= 8) TILE(Eight, 1)
    if (width - column >= 4) TILE(Four, 1)
#endif
    if (column < width)
        for (int64_t i = 0; i < count; i++)
            for (int64_t place = column; place < width; place++)
                out[place] += values[i] * table[which[i] * width + place];
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

/* Collect the values that are not zero, with the numbers of their rows. */
TARGET static int64_t NAME(collect)(const float *from, int64_t size, int32_t row, float *values, int32_t *which) {
    int64_t count = 0;
    for (int64_t i = 0; i < size; i++) {
        values[count] = from[i];
        which[count] = row + (int32_t)i;
        count += from[i] != 0;
    }
    return count;
}

TARGET static int64_t NAME(collect_bounded)(const float *from, const float *least, const float *most, int64_t size,
                                            float *values, int32_t *which) {
    int64_t count = 0;
    for (int64_t i = 0; i < size; i++) {
        float value = from[i] < least[i] ? least[i] : from[i];
        value = value > most[i] ? most[i] : value;
        values[count] = value;
        which[count] = (int32_t)i;
        count += value != 0;
    }
    return count;
}

/* The first layer. */
TARGET static void NAME(fill_hidden)(const Scene *scene, const Layers *layers, Scratch *scratch) {
    const int64_t width = layers->networks * layers->hidden, first = scene->features - LEVELS * NODE;
    float *hidden = scratch->hidden;
    for (int64_t pair = 0; pair < scratch->pairs; pair++) {
        const int64_t column = first + scratch->pair_level[pair] * NODE;
        const float *from = scene->matrix + scratch->pair_block[pair] * scene->features + column;
        const int64_t count = NAME(collect_bounded)(from, layers->least + column, layers->most + column, NODE,
                                                    scratch->values, scratch->which);
        float *out = scratch->of_pairs + pair * width;
        memset(out, 0, (size_t)width * sizeof(float));
        NAME(add_products)(out, width, scratch->values, scratch->which, count, layers->w1 + column * width);
    }
    for (int64_t block = 0; block < scene->blocks; block++) {
        float *out = hidden + block * width;
        const int64_t count = NAME(collect_bounded)(scene->matrix + block * scene->features, layers->least,
                                                    layers->most, first, scratch->values, scratch->which);
        memcpy(out, layers->b1, (size_t)width * sizeof(float));
        NAME(add_products)(out, width, scratch->values, scratch->which, count, layers->w1);
        for (int level = 0; level < LEVELS; level++)
            NAME(add)(out, scratch->of_pairs + scratch->pair_of[block * LEVELS + level] * width, width);
        NAME(cut_below_zero)(out, width);
    }
}

TARGET static void NAME(to_mean)(float *out, const double *running, int64_t width, int64_t start, int64_t end) {
    const double *last = running + end * (width + 1), *first = running + start * (width + 1);
    const double weight = 1 / (last[width] - first[width] + 1);
    for (int64_t i = 0; i < width; i++) out[i] = (float)((last[i] - first[i]) * weight);
}

/* Add what one context brings to all networks side by side. */
TARGET static void NAME(add_context)(float *out, const Look *look, int64_t networks, int64_t context,
                                     const float *seen, Scratch *scratch) {
    for (int64_t network = 0; network < networks; network++) {
        const int64_t count = NAME(collect)(seen + network * look->width, look->width,
                                            (int32_t)(look->size + context * look->width), scratch->values,
                                            scratch->which);
        NAME(add_products)(out + network * look->next, look->next, scratch->values, scratch->which, count,
                           look->w + network * (look->size + CONTEXTS * look->width) * look->next);
    }
}

/* Compute the next hidden numbers from the current ones and the impressions around each block. */
TARGET static void NAME(take_look)(const Scene *scene, const Look *look, int64_t networks, Scratch *scratch) {
    const int64_t blocks = scene->blocks, width = networks * look->width, size = networks * look->size;
    const int64_t next = networks * look->next, rows = look->size + CONTEXTS * look->width;
    float *impressions = scratch->impressions, *seen = scratch->seen, *whole = scratch->whole;
    double *running = scratch->running;
    for (int64_t block = 0; block < blocks; block++)
        for (int64_t network = 0; network < networks; network++) {
            float *out = impressions + block * width + network * look->width;
            const int64_t count = NAME(collect)(scratch->hidden + block * size + network * look->size, look->size, 0,
                                                scratch->values, scratch->which);
            memcpy(out, look->be + network * look->width, (size_t)look->width * sizeof(float));
            NAME(add_products)(out, look->width, scratch->values, scratch->which, count,
                               look->we + network * look->size * look->width);
        }
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
    const double *all = running + blocks * (width + 1), share = 1 / (all[width] + 1);
    for (int64_t pair = 0; pair < scratch->pairs; pair++) {
        const int64_t node = scratch->pair_node[pair], level = scratch->pair_level[pair], row = scene->rows[node];
        float *out = scratch->of_pairs + pair * next;
        memset(out, 0, (size_t)next * sizeof(float));
        NAME(to_mean)(seen, running, width, scene->starts[node], scene->ends[node]);
        NAME(add_context)(out, look, networks, level, seen, scratch);
        if (row >= 0) NAME(add_context)(out, look, networks, LEVELS + level, look->of_slots + row * width, scratch);
    }
    enum { BEFORE = 2 * LEVELS, BEHIND, WHOLE, PREVIOUS, FOLLOWING, HEADING, WINDOW };
    memcpy(whole, look->b, (size_t)next * sizeof(float));
    for (int64_t i = 0; i < width; i++) seen[i] = (float)(all[i] * share);
    NAME(add_context)(whole, look, networks, WHOLE, seen, scratch);
    for (int64_t block = 0; block < blocks; block++) {
        float *out = scratch->next + block * next;
        const double *before = running + block * (width + 1), *after = before + width + 1;
        memcpy(out, whole, (size_t)next * sizeof(float));
        for (int level = 0; level < LEVELS; level++)
            NAME(add)(out, scratch->of_pairs + scratch->pair_of[block * LEVELS + level] * next, next);
        for (int64_t network = 0; network < networks; network++) {
            const int64_t count = NAME(collect)(scratch->hidden + block * size + network * look->size, look->size, 0,
                                                scratch->values, scratch->which);
            NAME(add_products)(out + network * look->next, look->next, scratch->values, scratch->which, count,
                               look->w + network * rows * look->next);
        }
        for (int64_t i = 0; i < width; i++) seen[i] = (float)(before[i] * share);
        NAME(add_context)(out, look, networks, BEFORE, seen, scratch);
        for (int64_t i = 0; i < width; i++) seen[i] = (float)((all[i] - after[i]) * share);
        NAME(add_context)(out, look, networks, BEHIND, seen, scratch);
        if (block) NAME(add_context)(out, look, networks, PREVIOUS, impressions + (block - 1) * width, scratch);
        if (block + 1 < blocks)
            NAME(add_context)(out, look, networks, FOLLOWING, impressions + (block + 1) * width, scratch);
        if (scene->headings[block] >= 0)
            NAME(add_context)(out, look, networks, HEADING, impressions + scene->headings[block] * width, scratch);
        for (int number = 0; number < WINDOWS; number++) {
            const int64_t start = block - WINDOW_SIZES[number], end = block + 1 + WINDOW_SIZES[number];
            NAME(to_mean)(seen, running, width, start > 0 ? start : 0, block);
            NAME(add_context)(out, look, networks, WINDOW + 2 * number, seen, scratch);
            NAME(to_mean)(seen, running, width, block + 1, end < blocks ? end : blocks);
            NAME(add_context)(out, look, networks, WINDOW + 2 * number + 1, seen, scratch);
        }
        NAME(cut_below_zero)(out, next);
    }
    float *was = scratch->hidden;
    scratch->hidden = scratch->next;
    scratch->next = was;
}

TARGET static void NAME(fill_scores)(const Scene *scene, const Layers *layers, Scratch *scratch, float *scores) {
    NAME(fill_hidden)(scene, layers, scratch);
    NAME(take_look)(scene, &layers->first, layers->networks, scratch);
    NAME(take_look)(scene, &layers->second, layers->networks, scratch);
    const int64_t width = layers->networks * layers->third;
    for (int64_t block = 0; block < scene->blocks; block++) {
        float logit = 0;
        for (int64_t i = 0; i < width; i++) logit += scratch->hidden[block * width + i] * layers->w4[i];
        for (int64_t network = 0; network < layers->networks; network++) logit += layers->b4[network];
        scores[block] = 1 / (1 + expf(-logit / (float)layers->networks));
    }
}

#undef TILE
