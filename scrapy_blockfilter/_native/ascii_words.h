/* What columns.py and image_words.py find in words, for texts of ASCII. Python reads other texts, and long ones. */
#ifndef BLOCKFILTER_ASCII_WORDS_H
#define BLOCKFILTER_ASCII_WORDS_H

#include "tree_walk.h"

enum {
    MOST_WORDS = 32,      /* of a heading and of a TITLE; comparing takes their product */
    MOST_IDENTIFIER = 64, /* bytes of an ID that is compared with a heading */
    LONGEST_SLUG = 800,   /* bytes of the 200 characters that an ID may have to be compared at all */
    MOST_HEADING = 256,   /* bytes of that heading */
    LEAST_GENERATED = 12
};

typedef struct {
    const char *text;
    size_t size;
} Word;

static inline int is_letter(char byte) { return (byte | 32) >= 'a' && (byte | 32) <= 'z'; }
static inline int is_digit(char byte) { return byte >= '0' && byte <= '9'; }
static inline int is_alphanumeric(char byte) { return is_letter(byte) || is_digit(byte); }
static inline int is_hexadecimal(char byte) { return is_digit(byte) || ((byte | 32) >= 'a' && (byte | 32) <= 'f'); }
static inline char in_lower(char byte) { return (char)(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte); }

static int is_ascii(const char *text, size_t size) {
    unsigned char all = 0;
    for (size_t place = 0; place < size; place++) all |= (unsigned char)text[place];
    return all < 0x80;
}

static inline int is_among(const Word *words, int count, const char *text, size_t size) {
    for (int number = 0; number < count; number++)
        if (words[number].size == size && !memcmp(words[number].text, text, size)) return 1;
    return 0;
}

/* Return the agreement of a heading in lower case with the different words of the TITLE; -1 if Python must tell. */
static int agreement(const char *heading, size_t size, const Word *title, int title_words) {
    Word words[MOST_WORDS];
    int count = 0, common = 0;
    for (size_t place = 0; place < size;) {
        size_t start = place;
        while (place < size && (is_alphanumeric(heading[place]) || heading[place] == '_')) place++;
        if (place > start && !is_among(words, count, heading + start, place - start)) {
            if (count == MOST_WORDS) return -1;
            common += is_among(title, title_words, heading + start, place - start);
            words[count++] = (Word){heading + start, place - start};
        }
        place += place == start;
    }
    int all = count + title_words - common;
    return 70 * common / (all > 1 ? all : 1);
}

/* Whether the letters of an ID are words of a text; -1 if Python must tell. */
static int slug(const char *identifier, size_t size, const char *text, size_t text_size) {
    if (size > LONGEST_SLUG) return 0;
    if (size > MOST_IDENTIFIER || text_size > MOST_HEADING || !is_ascii(identifier, size) || !is_ascii(text, text_size))
        return -1;
    int words = 0;
    for (size_t place = 0; place < size;) {
        size_t start = place;
        while (place < size && is_letter(identifier[place])) place++;
        size_t length = place - start;
        if (!length) {
            place++;
            continue;
        }
        words++;
        int found = 0;
        for (size_t at = 0; at < text_size && !found;) {
            size_t first = at;
            while (at < text_size && is_letter(text[at])) at++;
            if (at - first == length) {
                size_t same = 0;
                while (same < length && (text[first + same] | 32) == (identifier[start + same] | 32)) same++;
                found = same == length;
            }
            at += at == first;
        }
        if (!found) return 0;
    }
    return words > 0;
}

/* Whether a word of ASCII, a name of a picture or its ALT, says nothing. */
static int is_worthless(const char *word, size_t size, const TagTable *jobs) {
    size_t end = size, start = 0;
    char name[32];
    while (end && !is_letter(word[end - 1])) end--;
    if (!end) return 1;
    if (end <= sizeof name) {
        for (size_t place = 0; place < end; place++) name[place] = in_lower(word[place]);
        if (table_number(jobs, name, end) >= 0) return 1;
    }
    if (size < LEAST_GENERATED) return 0;
    for (end = size; end && !is_alphanumeric(word[end - 1]);) end--;
    while (start < end && !is_alphanumeric(word[start])) start++;
    word += start;
    size = end - start;
    int dashes = 0;
    for (size_t place = 0; place < size; place++) {
        if (word[place] == '-' && size == 36 && (place == 8 || place == 13 || place == 18 || place == 23)) dashes++;
        else if (!is_hexadecimal(word[place])) return 0;
    }
    return dashes ? dashes == 4 : size >= LEAST_GENERATED;
}

/* Write the words of an image from SRC and ALT, at most `most` characters of each, to `out`. Return how many bytes;
   -1 if Python must tell. `out` has room for both and two spaces. */
static int words_of_image(
    const char *source, size_t source_size, const char *alt, size_t alt_size, size_t most, const TagTable *jobs,
    char *out) {
    if (source_size > most) source_size = most;
    if (alt_size > most) alt_size = most;
    if (!is_ascii(source, source_size) || !is_ascii(alt, alt_size)) return -1;
    size_t size = 0;
    int space = 0;
    for (size_t place = 0; place < alt_size; place++) {
        if (is_ascii_space((unsigned char)alt[place])) {
            space = size > 0;
            continue;
        }
        if (space) out[size++] = ' ';
        space = 0;
        out[size++] = alt[place];
    }
    if (is_worthless(out, size, jobs)) size = 0;
    if (!source_size) return (int)size;
    static const char data[5] = "data:";
    size_t same = 0;
    while (same < 5 && same < source_size && in_lower(source[same]) == data[same]) same++;
    if (same == 5) return (int)size;
    size_t folder = 0, start = 0, end = 0, stop = 0;
    for (; end < source_size && source[end] != '?' && source[end] != '#'; end++)
        if (source[end] == '/') folder = start, start = end + 1;
    size_t named = folder;
    while (named < start && source[named] == '.') named++;
    if (named + 1 == start || (folder > 1 && source[folder - 2] == '/')) folder = start;
    int has_stop = 0;
    for (size_t place = folder; place < end; place++) {
        if (source[place] == '%' || (source[place] >= '\t' && source[place] <= '\r')) return -1;
        if (place >= start && source[place] == '.') {
            stop = place;
            has_stop = 1;
        }
    }
    if (!has_stop || stop == start || (!size && is_worthless(source + start, stop - start, jobs))) return (int)size;
    if (size) out[size++] = ' ';
    memcpy(out + size, source + start, stop - start);
    size += stop - start;
    if (folder == start) return (int)size;
    out[size++] = ' ';
    memcpy(out + size, source + folder, start - 1 - folder);
    return (int)(size + start - 1 - folder);
}

#endif
