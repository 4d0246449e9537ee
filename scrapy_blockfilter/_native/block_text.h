/* The text of a block in UTF-8: white space folded, characters counted by kind, as text/block_text.py and
   text/characters.py do it. */
#ifndef BLOCKFILTER_BLOCK_TEXT_H
#define BLOCKFILTER_BLOCK_TEXT_H

#include "growing.h"

enum { TEXT_NO_MEMORY = -1, TEXT_NOT_UTF8 = -2 };

/* Return how many bytes the character at `at` has, and set its code; 0 if there is no valid one. */
static inline int read_character(const unsigned char *at, const unsigned char *end, uint32_t *code) {
    unsigned char first = at[0];
    size_t left = (size_t)(end - at);
    if (first < 0x80) {
        *code = first;
        return 1;
    }
    if (first < 0xc2) return 0;
    if (first < 0xe0) {
        if (left < 2 || (at[1] & 0xc0) != 0x80) return 0;
        *code = (uint32_t)(first & 0x1f) << 6 | (at[1] & 0x3f);
        return 2;
    }
    if (first < 0xf0) {
        if (left < 3 || (at[1] & 0xc0) != 0x80 || (at[2] & 0xc0) != 0x80) return 0;
        *code = (uint32_t)(first & 0x0f) << 12 | (uint32_t)(at[1] & 0x3f) << 6 | (at[2] & 0x3f);
        return *code < 0x800 || (*code >= 0xd800 && *code < 0xe000) ? 0 : 3;
    }
    if (left < 4 || first > 0xf4 || (at[1] & 0xc0) != 0x80 || (at[2] & 0xc0) != 0x80 || (at[3] & 0xc0) != 0x80)
        return 0;
    *code = (uint32_t)(first & 0x07) << 18 | (uint32_t)(at[1] & 0x3f) << 12 | (uint32_t)(at[2] & 0x3f) << 6
        | (at[3] & 0x3f);
    return *code < 0x10000 || *code > 0x10ffff ? 0 : 4;
}

/* Whether str.isspace() is true of a character of the first 128: its bit. */
#define ASCII_SPACES_LOW 0x1f0003e00ULL /* tab to carriage return, 1C to 1F, the space */

static inline int is_ascii_space(unsigned char byte) { return byte <= 32 && (ASCII_SPACES_LOW >> byte & 1); }

static inline int is_wide_space(uint32_t code) {
    return code == 0x85 || code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028
        || code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
}

/* Whether all of a text is white space; a byte that is no UTF-8 is none. */
static inline int is_space(const unsigned char *at, const unsigned char *end) {
    uint32_t code;
    while (at < end) {
        if (*at < 0x80) {
            if (!is_ascii_space(*at)) return 0;
            at++;
        } else {
            int size = read_character(at, end, &code);
            if (!size || !is_wide_space(code)) return 0;
            at += size;
        }
    }
    return 1;
}

/* Characters that stand in composed texts (Unicode's form NFC) as they are, whatever is beside them. Others are left to
   unicodedata. tests/native/test_block_text.py compares the ranges with it. */
static inline int is_composed(uint32_t code) {
    if (code < 0x300) return 1;
    if (code >= 0x3400)
        return code <= 0x9fff || (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xff01 && code <= 0xffee);
    if (code < 0x530) return (code >= 0x388 && code <= 0x482) || code >= 0x48a;
    if (code < 0x2000) return (code >= 0x5d0 && code <= 0x5ea) || (code >= 0x621 && code <= 0x64a)
        || (code >= 0x671 && code <= 0x6d3) || (code >= 0xe01 && code <= 0xe33) || (code >= 0x1ea0 && code <= 0x1ef9);
    if (code < 0x3000) return (code >= 0x2010 && code <= 0x205e) || (code >= 0x20a0 && code <= 0x20bf)
        || (code >= 0x2190 && code <= 0x2328) || (code >= 0x2460 && code <= 0x27ff);
    return code <= 0x3029 || (code >= 0x3030 && code <= 0x3098) || (code >= 0x309b && code <= 0x30ff);
}

enum { MOST_TITLE = 1024 }; /* bytes of the longest text that is compared with a TITLE */

static inline void lower_ascii(const char *text, size_t size, char *lowered) {
    for (size_t place = 0; place < size; place++)
        lowered[place] = (char)(text[place] >= 'A' && text[place] <= 'Z' ? text[place] + 32 : text[place]);
}

/* Whether a text contains another, which is not empty. */
static inline int contains(const char *text, size_t size, const char *part, size_t part_size) {
    const char *at = text, *end = text + size;
    while ((size_t)(end - at) >= part_size) {
        at = memchr(at, part[0], (size_t)(end - at) - part_size + 1);
        if (!at) return 0;
        if (!memcmp(at, part, part_size)) return 1;
        at++;
    }
    return 0;
}

enum { KINDS = 8, KIND_SPACE = 1, LAST_OF_PLANE = 0xffff };

typedef struct {
    size_t start, end;          /* of the folded text in `texts` */
    size_t content_start, content_end; /* of the content that the key is made of, in `contents` or in `texts` */
    int content_is_text, is_composed;
    int64_t kinds[KINDS];
    int64_t chars, lines;
    int last_kind;
} BlockText;

/* Characters by kind, in two tables, so that equal kinds in a row do not wait for each other. */
typedef struct {
    uint32_t kinds[2][KINDS];
    unsigned turn;
    int last;
} Counts;

static inline void count_one(Counts *counts, const unsigned char *kinds, uint32_t code) {
    counts->last = kinds[code > LAST_OF_PLANE ? LAST_OF_PLANE : code] & (KINDS - 1);
    counts->kinds[counts->turn++ & 1][counts->last]++;
}

/* Append `raw` with each run of white space as one space, without those at the ends, and count its characters. NUL
   stays. */
static int append_folded(
    Growing *to, const unsigned char *at, const unsigned char *end, const unsigned char *kinds, Counts *counts,
    int *composed, int *has_break) {
    if (!growing_reserve(to, (size_t)(end - at) + 1, 1)) return TEXT_NO_MEMORY;
    unsigned char *out = (unsigned char *)to->items + to->count, *first = out;
    int pending = 0, all_composed = 1, breaks = 0;
    Counts local = {{{0}}, 0, KIND_SPACE};
    while (at < end) {
        uint32_t code;
        int size = read_character(at, end, &code);
        if (!size) return TEXT_NOT_UTF8;
        if (code < 0x80 ? is_ascii_space((unsigned char)code) : is_wide_space(code)) {
            pending = out != first;
            at += size;
            continue;
        }
        if (pending) {
            *out++ = ' ';
            count_one(&local, kinds, ' ');
            pending = 0;
        }
        breaks |= !code;
        all_composed &= is_composed(code);
        count_one(&local, kinds, code);
        for (; size; size--) *out++ = *at++;
        for (; at < end && *at > 32 && *at < 0x80; at++) {
            *out++ = *at;
            count_one(&local, kinds, *at);
        }
    }
    to->count = (size_t)(out - (unsigned char *)to->items);
    *counts = local;
    *composed = all_composed;
    *has_break = breaks;
    return 0;
}

/* Write what a folded text with NULs reads with a line break for each, over itself. Return its end. */
static unsigned char *with_line_breaks(unsigned char *start, unsigned char *end) {
    unsigned char *at = start, *out = start;
    while (at < end) {
        if (*at == 0) {
            if (out > start && out[-1] == ' ') out--;
            *out++ = '\n';
            at++;
            if (at < end && *at == ' ' ) at++;
        } else {
            *out++ = *at++;
        }
    }
    return out;
}

/* Move a text to `to` without line breaks at its ends, nor spaces if asked to. Return its end. */
static unsigned char *stripped(unsigned char *to, unsigned char *end, int of_spaces) {
    const unsigned char *first = to;
    while (end > to && (end[-1] == '\n' || (of_spaces && end[-1] == ' '))) end--;
    while (first < end && (*first == '\n' || (of_spaces && *first == ' '))) first++;
    memmove(to, first, (size_t)(end - first));
    return to + (end - first);
}

/* Count the characters of a text that is in UTF-8, and its lines but the last. */
static int64_t count_characters(
    const unsigned char *at, const unsigned char *end, const unsigned char *kinds, Counts *counts) {
    int64_t lines = 0;
    *counts = (Counts){{{0}}, 0, KIND_SPACE};
    while (at < end) {
        uint32_t code = 0;
        int size = read_character(at, end, &code);
        if (!size) break; /* cannot be: the text has been read before */
        lines += code == '\n';
        count_one(counts, kinds, code);
        at += size;
    }
    return lines;
}

/* Fold the raw text of a block. Append the text to `texts` and, where the content of its key differs, that to
   `contents`. Return 0, or TEXT_NO_MEMORY or TEXT_NOT_UTF8. */
static int fold_block(
    const unsigned char *raw, size_t size, int is_pre, const unsigned char *kinds, Growing *texts, Growing *contents,
    BlockText *text) {
    const unsigned char *end = raw + size;
    int has_break, failed;
    Counts counts;
    text->start = texts->count;
    text->lines = 0;
    if ((failed = append_folded(texts, raw, end, kinds, &counts, &text->is_composed, &has_break))) return failed;
    text->content_is_text = !has_break && !is_pre;
    text->content_start = text->start;
    text->content_end = texts->count;
    if (!text->content_is_text) {
        size_t length = texts->count - text->start;
        if (!growing_reserve(contents, length + 1, 1)) return TEXT_NO_MEMORY;
        unsigned char *folded = (unsigned char *)texts->items + text->start;
        unsigned char *content = (unsigned char *)contents->items + contents->count, *out = content;
        for (size_t place = 0; place < length; place++) {
            unsigned char byte = folded[place] ? folded[place] : ' ';
            if (byte == ' ' && (out == content || out[-1] == ' ')) continue;
            *out++ = byte;
        }
        if (out > content && out[-1] == ' ') out--;
        text->content_start = contents->count;
        contents->count = text->content_end = (size_t)(out - (unsigned char *)contents->items);
        unsigned char *start = folded, *stop;
        if (is_pre) {
            texts->count = text->start;
            if (!growing_reserve(texts, size + 1, 1)) return TEXT_NO_MEMORY;
            start = (unsigned char *)texts->items + text->start;
            for (size_t place = 0; place < size; place++) start[place] = raw[place] ? raw[place] : '\n';
            stop = start + size;
        } else {
            stop = with_line_breaks(start, start + length);
        }
        stop = stripped(start, stop, !is_pre);
        texts->count = (size_t)(stop - (unsigned char *)texts->items);
        text->lines = count_characters((unsigned char *)texts->items + text->start, stop, kinds, &counts);
    }
    text->end = texts->count;
    text->chars = 0;
    text->last_kind = counts.last;
    for (int kind = 0; kind < KINDS; kind++) {
        text->kinds[kind] = (int64_t)counts.kinds[0][kind] + counts.kinds[1][kind];
        text->chars += text->kinds[kind];
    }
    return 0;
}

#endif
