/* BLAKE2b (RFC 7693) without a key, with digests of 8 bytes: hash64 of scrapy_blockfilter.storable.hashing. */
#ifndef BLOCKFILTER_BLAKE2B_H
#define BLOCKFILTER_BLAKE2B_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const uint64_t BLAKE2B_IV[8] = {
    0x6a09e667f3bcc908ULL, 0xbb67ae8584caa73bULL, 0x3c6ef372fe94f82bULL, 0xa54ff53a5f1d36f1ULL,
    0x510e527fade682d1ULL, 0x9b05688c2b3e6c1fULL, 0x1f83d9abfb41bd6bULL, 0x5be0cd19137e2179ULL,
};

static inline uint64_t blake2b_load(const unsigned char *from) {
    uint64_t word = 0;
    for (int place = 7; place >= 0; place--) word = word << 8 | from[place];
    return word;
}

static inline uint64_t blake2b_rotate(uint64_t word, int by) { return word >> by | word << (64 - by); }

#define BLAKE2B_G(a, b, c, d, x, y)           \
    do {                                      \
        a += b + (x);                         \
        d = blake2b_rotate(d ^ a, 32);        \
        c += d;                               \
        b = blake2b_rotate(b ^ c, 24);        \
        a += b + (y);                         \
        d = blake2b_rotate(d ^ a, 16);        \
        c += d;                               \
        b = blake2b_rotate(b ^ c, 63);        \
    } while (0)

#define BLAKE2B_ROUND(s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15) \
    do {                                                                                    \
        BLAKE2B_G(v[0], v[4], v[8], v[12], m[s0], m[s1]);                                   \
        BLAKE2B_G(v[1], v[5], v[9], v[13], m[s2], m[s3]);                                   \
        BLAKE2B_G(v[2], v[6], v[10], v[14], m[s4], m[s5]);                                  \
        BLAKE2B_G(v[3], v[7], v[11], v[15], m[s6], m[s7]);                                  \
        BLAKE2B_G(v[0], v[5], v[10], v[15], m[s8], m[s9]);                                  \
        BLAKE2B_G(v[1], v[6], v[11], v[12], m[s10], m[s11]);                                \
        BLAKE2B_G(v[2], v[7], v[8], v[13], m[s12], m[s13]);                                 \
        BLAKE2B_G(v[3], v[4], v[9], v[14], m[s14], m[s15]);                                 \
    } while (0)

static inline void blake2b_compress(uint64_t h[8], const unsigned char *block, uint64_t so_far, int is_last) {
    uint64_t v[16], m[16];
    for (int place = 0; place < 16; place++) m[place] = blake2b_load(block + 8 * place);
    for (int place = 0; place < 8; place++) {
        v[place] = h[place];
        v[place + 8] = BLAKE2B_IV[place];
    }
    v[12] ^= so_far;
    if (is_last) v[14] = ~v[14];
    BLAKE2B_ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    BLAKE2B_ROUND(14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3);
    BLAKE2B_ROUND(11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4);
    BLAKE2B_ROUND(7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8);
    BLAKE2B_ROUND(9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13);
    BLAKE2B_ROUND(2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9);
    BLAKE2B_ROUND(12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11);
    BLAKE2B_ROUND(13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10);
    BLAKE2B_ROUND(6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5);
    BLAKE2B_ROUND(10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0);
    BLAKE2B_ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    BLAKE2B_ROUND(14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3);
    for (int place = 0; place < 8; place++) h[place] ^= v[place] ^ v[place + 8];
}

/* Return the digest of 8 bytes, read as a signed big-endian number. */
static inline int64_t blake2b_64(const unsigned char *data, size_t size) {
    uint64_t h[8];
    unsigned char last[128] = {0};
    size_t done = 0;
    memcpy(h, BLAKE2B_IV, sizeof h);
    h[0] ^= 0x01010000 ^ 8;
    while (size - done > 128) {
        done += 128;
        blake2b_compress(h, data + done - 128, done, 0);
    }
    if (size > done) memcpy(last, data + done, size - done);
    blake2b_compress(h, last, size, 1);
    uint64_t digest = 0;
    for (int place = 0; place < 8; place++) digest = digest << 8 | (h[0] >> 8 * place & 0xff);
    int64_t hashed;
    memcpy(&hashed, &digest, sizeof hashed);
    return hashed;
}

#endif
