/* The walk of html/walk.py over libxml2's nodes, of which it only reads fields: no function of
   libxml2 is called. It copies all that blocks are made from, so that nothing refers to the tree behind it. */
#ifndef BLOCKFILTER_TREE_WALK_H
#define BLOCKFILTER_TREE_WALK_H

#include <libxml/tree.h>

#include "block_text.h"
#include "growing.h"

/* What an element does, as in html/reader.py. */
enum { INLINE, COUNTED, LINK, STRUCTURAL, OPAQUE };
/* What else a tag means. */
enum {
    IS_CONTROL = 2,
    IS_SCRIPT = 4,
    IS_BREAK = 8,
    IS_IMAGE = 16,
    IS_OPTION = 32,
    IS_PRE = 64,
    IS_TITLE = 128,
    IS_HEADING = 256
};
enum { TEXT, TAIL, IMAGE };
enum { IMAGES, LINKS, SCRIPTS, CONTROLS, COUNTS };
enum { WALKED = 0, NO_MEMORY = -1, NOT_KNOWN = -2, TOO_DEEP = 1, TOO_MANY_ELEMENTS = 2 };

/* Ends each part of a step: a byte that is in no text in UTF-8. */
#define STEP_END 0xff

typedef struct {
    const char *name;
    size_t size;
    int kind, flags;
} Tag;

#define TAG_PLACES 1024 /* a power of two, several times the number of tags */

typedef struct {
    Tag *tags;
    int count;
    int16_t places[TAG_PLACES]; /* the number of a tag plus one, by hash */
} TagTable;

typedef struct {
    int32_t ordinal, parent, tag; /* tag: its number, -1 if it is none of the table */
    size_t step;                  /* tag, class and id in `names`, each with STEP_END behind it */
    uint32_t tag_size, class_size, id_size;
} Node;

typedef struct {
    int32_t node;
    size_t raw_start, raw_end, piece_start, piece_end;
    int64_t link_chars;
    int32_t counts[COUNTS];
    int has_images;
} Run;

typedef struct {
    size_t piece, source, alt;
    uint32_t source_size, alt_size;
} Image;

/* An attribute for programs: its number in html/marks.py, and its value in `names`. */
typedef struct {
    int32_t ordinal, attribute;
    size_t value;
    uint32_t size;
} Mark;

/* Arrays of a walk: what they hold, and their name. `parents` has one of each element, `texts` the raw text of runs. */
#define WALKED_ARRAYS(ARRAY)                                                                                  \
    ARRAY(int32_t, parents) ARRAY(Node, nodes) ARRAY(int32_t, pieces) ARRAY(Run, runs) ARRAY(Image, images)   \
    ARRAY(char, texts) ARRAY(char, names) ARRAY(Mark, marks)

typedef struct {
#define DECLARE(type, name) Growing name;
    WALKED_ARRAYS(DECLARE)
#undef DECLARE
} Walked;

typedef struct {
    int32_t outer, node;
    uint8_t kind, in_link;
    const xmlNode *element;
    int16_t tag;
} Open;

#define NAME_PLACES 512

typedef struct {
    const TagTable *table;
    Walked *walked;
    Growing open;
    size_t image_bytes;
    int failed;
    /* the run */
    int has_parts, has_images;
    size_t run_start, first_piece;
    int64_t link_chars;
    int32_t counts[COUNTS];
    int last_is_pre; /* whether the newest node is a PRE */
    /* tags by the address of their name: names of a document are shared */
    const xmlChar *names[NAME_PLACES];
    int16_t numbers[NAME_PLACES];
} Walk;

static inline void walked_free(Walked *walked) {
#define FREE(type, name) growing_free(&walked->name);
    WALKED_ARRAYS(FREE)
#undef FREE
}

static inline void walked_clear(Walked *walked) {
#define CLEAR(type, name) walked->name.count = 0;
    WALKED_ARRAYS(CLEAR)
#undef CLEAR
}

/* Return how many bytes the arrays take. */
static inline size_t walked_room(const Walked *walked) {
#define ADD_ROOM(type, name) +walked->name.room * sizeof(type)
    return 0 WALKED_ARRAYS(ADD_ROOM);
#undef ADD_ROOM
}

static inline uint32_t name_hash(const char *name, size_t size) {
    uint32_t hash = 2166136261u;
    for (size_t place = 0; place < size; place++) hash = (hash ^ (unsigned char)name[place]) * 16777619u;
    return hash;
}

static void tag_table_add(TagTable *table, int number) {
    uint32_t place = name_hash(table->tags[number].name, table->tags[number].size);
    while (table->places[place &= TAG_PLACES - 1]) place++;
    table->places[place] = (int16_t)(number + 1);
}

/* Return the number of a name in a table, or -1. */
static int table_number(const TagTable *table, const char *name, size_t size) {
    uint32_t place = name_hash(name, size);
    int number;
    while ((number = table->places[place &= TAG_PLACES - 1] - 1) >= 0) {
        const Tag *tag = &table->tags[number];
        if (tag->size == size && !memcmp(tag->name, name, size)) break;
        place++;
    }
    return number;
}

static int tag_number(Walk *walk, const xmlChar *name) {
    size_t slot = ((uintptr_t)name >> 2 ^ (uintptr_t)name >> 11) & (NAME_PLACES - 1);
    if (walk->names[slot] == name) return walk->numbers[slot];
    int number = table_number(walk->table, (const char *)name, strlen((const char *)name));
    walk->names[slot] = name;
    walk->numbers[slot] = (int16_t)number;
    return number;
}

/* Return the value of an attribute, "" for one without value, as lxml's get() does. */
static const char *value_of(Walk *walk, const xmlAttr *attribute) {
    const xmlNode *value = attribute->children;
    if (!value) return "";
    if (value->next || (value->type != XML_TEXT_NODE && value->type != XML_CDATA_SECTION_NODE)) {
        walk->failed = NOT_KNOWN;
        return "";
    }
    return value->content ? (const char *)value->content : "";
}

/* Return the value of an element's attribute, NULL if there is none. */
static const char *attribute(Walk *walk, const xmlNode *element, const char *name) {
    for (const xmlAttr *found = element->properties; found; found = found->next)
        if (found->name[0] == (xmlChar)name[0] && !found->ns && !strcmp((const char *)found->name, name))
            return value_of(walk, found);
    return NULL;
}

/* Make room for `more` further items; without memory, the walk has failed. */
static inline int has_room(Walk *walk, Growing *array, size_t more, size_t size) {
    int is_enough = growing_reserve(array, more, size);
    if (!is_enough) walk->failed = NO_MEMORY;
    return is_enough;
}

static int add_int(Walk *walk, Growing *array, size_t value) {
    if (value > INT32_MAX) walk->failed = NO_MEMORY;
    else if (has_room(walk, array, 1, sizeof(int32_t))) GROWING_AT(array, int32_t, array->count++) = (int32_t)value;
    return !walk->failed;
}

/* Append bytes to the names, and return where; at most UINT32_MAX of them. */
static size_t add_name(Walk *walk, const char *name, size_t size, uint32_t *stored, int with_end) {
    Growing *names = &walk->walked->names;
    size_t start = names->count;
    if (size >= UINT32_MAX || !growing_reserve(names, size + 1, 1)) {
        walk->failed = NO_MEMORY;
        return 0;
    }
    if (size) memcpy((char *)names->items + start, name, size);
    names->count += size;
    if (with_end) GROWING_AT(names, unsigned char, names->count++) = STEP_END;
    *stored = (uint32_t)size;
    return start;
}

static void add_mark(Walk *walk, int32_t ordinal, int32_t attribute, const char *value) {
    Growing *marks = &walk->walked->marks;
    if (!has_room(walk, marks, 1, sizeof(Mark))) return;
    Mark *mark = &GROWING_AT(marks, Mark, marks->count++);
    *mark = (Mark){.ordinal = ordinal, .attribute = attribute};
    mark->value = add_name(walk, value, strlen(value), &mark->size, 0);
}

/* Note the attributes of an element that html/marks.py reads. A DIALOG is looked at as a hidden element is. */
static void add_marks(Walk *walk, const xmlNode *element, int32_t ordinal) {
    enum { HIDDEN = 1, CLASS = 5, MARKS };
    static const char *const names[MARKS] = {"role", "hidden", "aria-hidden", "style", "aria-modal", "class"};
    /* Letters one of which each value has that marks an element. */
    static const char *const letters[MARKS] = {"gG", "", "uU", "nNvVxX", "uU", "x"};
    if (!strcmp((const char *)element->name, "dialog")) add_mark(walk, ordinal, HIDDEN, "");
    for (const xmlAttr *found = element->properties; found; found = found->next) {
        if (found->ns || !strchr("rhasc", found->name[0])) continue;
        for (int32_t number = 0; number < MARKS; number++) {
            if (strcmp((const char *)found->name, names[number])) continue;
            const char *value = value_of(walk, found);
            if (number == HIDDEN || (strpbrk(value, letters[number]) && (number != CLASS || strstr(value, "fixed"))))
                add_mark(walk, ordinal, number, value);
            break;
        }
    }
}

static int32_t add_node(Walk *walk, const xmlNode *element, int tag, int32_t parent, int32_t ordinal) {
    Walked *walked = walk->walked;
    if (!has_room(walk, &walked->nodes, 1, sizeof(Node))) return 0;
    Node *node = &GROWING_AT(&walked->nodes, Node, walked->nodes.count);
    const char *classes = attribute(walk, element, "class"), *identifier = attribute(walk, element, "id");
    *node = (Node){.ordinal = ordinal, .parent = parent, .tag = tag};
    node->step = add_name(walk, (const char *)element->name, strlen((const char *)element->name), &node->tag_size, 1);
    add_name(walk, classes, classes ? strlen(classes) : 0, &node->class_size, 1);
    add_name(walk, identifier, identifier ? strlen(identifier) : 0, &node->id_size, 1);
    walk->last_is_pre = tag >= 0 && walk->table->tags[tag].flags & IS_PRE;
    return (int32_t)walked->nodes.count++;
}

static void append_part(Walk *walk, const void *text, size_t size) {
    Growing *texts = &walk->walked->texts;
    if (!has_room(walk, texts, size, 1)) return;
    memcpy((char *)texts->items + texts->count, text, size);
    texts->count += size;
    walk->has_parts = 1;
}

/* Return the text node at `node` or behind ignorable nodes, NULL where another node ends the text. */
static inline const xmlNode *text_node(const xmlNode *node) {
    return node && (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) ? node : NULL;
}

/* Add the text from `node` on, adjacent text nodes as one. White space counts only within the run or in PRE. */
static void add_text(Walk *walk, const xmlNode *node, size_t piece, int in_link) {
    int blank = 1;
    size_t size = 0;
    const xmlNode *first = node = text_node(node);
    for (; node; node = text_node(node->next)) {
        if (!node->content) continue;
        size_t length = strlen((const char *)node->content);
        size += length;
        /* Whether a text is blank can only be told of whole characters; libxml2 divides texts between them. */
        if (blank) blank = is_space(node->content, node->content + length);
    }
    if (!size || (blank && !walk->has_parts && !walk->last_is_pre)) return;
    size_t start = walk->walked->texts.count;
    for (node = first; node; node = text_node(node->next))
        if (node->content) append_part(walk, node->content, strlen((const char *)node->content));
    if (walk->failed || blank) return;
    add_int(walk, &walk->walked->pieces, piece);
    if (in_link) {
        const unsigned char *text = walk->walked->texts.items;
        for (size_t place = start; place < walk->walked->texts.count; place++)
            walk->link_chars += (text[place] & 0xc0) != 0x80;
    }
}

static void count_element(Walk *walk, const xmlNode *element, int flags, size_t ordinal) {
    if (flags & IS_BREAK) {
        append_part(walk, "\0", 1);
    } else if (flags & IS_OPTION) {
        append_part(walk, " ", 1);
    } else if (flags & IS_IMAGE) {
        Walked *walked = walk->walked;
        walk->counts[IMAGES]++;
        walk->has_parts = 1;
        static const char *const names[] = {"data-src", "data-lazy-src", "data-original", "data-srcset", "src"};
        const char *source = NULL, *alt = attribute(walk, element, "alt"); /* as image_source of html/walk.py */
        for (int place = 0; place < 5 && !(source && *source); place++) source = attribute(walk, element, names[place]);
        if ((!source || !*source) && (!alt || !*alt)) return;
        if (!has_room(walk, &walked->images, 1, sizeof(Image))) return;
        Image *image = &GROWING_AT(&walked->images, Image, walked->images.count++);
        const char *values[2] = {source ? source : "", alt ? alt : ""};
        size_t sizes[2];
        for (int place = 0; place < 2; place++) { /* only the start of a value is read; a whole number of characters */
            sizes[place] = strnlen(values[place], walk->image_bytes + 1);
            if (sizes[place] > walk->image_bytes) {
                sizes[place] = walk->image_bytes;
                while (sizes[place] && ((unsigned char)values[place][sizes[place]] & 0xc0) == 0x80) sizes[place]--;
            }
        }
        image->piece = walked->pieces.count;
        image->source = add_name(walk, values[0], sizes[0], &image->source_size, 0);
        image->alt = add_name(walk, values[1], sizes[1], &image->alt_size, 0);
        add_int(walk, &walked->pieces, ordinal << 2 | IMAGE);
        walk->has_images = 1;
    } else {
        walk->counts[CONTROLS]++;
        walk->has_parts = 1;
    }
}

/* Note the run if it has text or an image, and start a new one. */
static void end_run(Walk *walk, int32_t node) {
    Walked *walked = walk->walked;
    if (walk->first_piece < walked->pieces.count) {
        if (!has_room(walk, &walked->runs, 1, sizeof(Run))) return;
        Run *run = &GROWING_AT(&walked->runs, Run, walked->runs.count++);
        *run = (Run){
            .node = node, .raw_start = walk->run_start, .raw_end = walked->texts.count,
            .piece_start = walk->first_piece, .piece_end = walked->pieces.count, .link_chars = walk->link_chars,
            .has_images = walk->has_images,
        };
        memcpy(run->counts, walk->counts, sizeof run->counts);
        walk->link_chars = walk->has_images = 0;
        walk->first_piece = walked->pieces.count;
        walk->run_start = walked->texts.count;
    } else {
        walked->texts.count = walk->run_start;
    }
    walk->has_parts = 0;
    memset(walk->counts, 0, sizeof walk->counts);
}

/* Make all open inline elements structural, because they have a structural child. Return the innermost one's node. */
static int32_t promote(Walk *walk) {
    Open *open = walk->open.items;
    size_t first = walk->open.count - 1;
    while (open[first].kind != STRUCTURAL) first--;
    int32_t node = open[first].node;
    for (first++; first < walk->open.count; first++) {
        node = add_node(walk, open[first].element, open[first].tag, node, open[first].outer);
        open[first].kind = STRUCTURAL;
        open[first].node = node;
    }
    return node;
}

/* Have the processor read what is needed soon: a tree is larger than its nearest cache. */
#if defined(__GNUC__)
#define FETCH(address) __builtin_prefetch(address)
#else
#define FETCH(address) ((void)0)
#endif

/* Return the element, comment or instruction at `node` or behind the text there; NULL at the end. */
static inline const xmlNode *element_at(Walk *walk, const xmlNode *node) {
    for (; node; node = node->next) {
        switch (node->type) {
            case XML_TEXT_NODE:
            case XML_CDATA_SECTION_NODE: continue;
            case XML_ELEMENT_NODE:
                FETCH(node->next);
                FETCH(node->children);
                FETCH(node->properties);
                if (node->ns) walk->failed = NOT_KNOWN;
                return node;
            case XML_COMMENT_NODE:
            case XML_PI_NODE: return node;
            default: walk->failed = NOT_KNOWN; return NULL;
        }
    }
    return NULL;
}

/* Return the next element, comment or instruction in document order; NULL behind the last one below the root. */
static inline xmlNode *element_behind(const xmlNode *element, const xmlNode *root) {
    xmlNode *next = element->type == XML_ELEMENT_NODE ? element->children : NULL;
    for (;;) {
        for (; next; next = next->next)
            if (next->type == XML_ELEMENT_NODE || next->type == XML_COMMENT_NODE || next->type == XML_PI_NODE) return next;
        if (!element || element == root) return NULL;
        next = element->next;
        element = element->parent;
    }
}

/* Walk the elements in document order, without recursion. Return WALKED; TOO_DEEP or TOO_MANY_ELEMENTS, with all that
   is before the place where the page exceeds the limit; or less than 0 for a tree that Python must walk. */
static int walk_tree(Walk *walk, const xmlNode *root, size_t most, size_t deepest) {
    Walked *walked = walk->walked;
    Growing *stack = &walk->open;
    const TagTable *table = walk->table;
    if (root->type != XML_ELEMENT_NODE || root->ns || !root->doc
        || (root->doc->type != XML_HTML_DOCUMENT_NODE && (root->doc->intSubset || root->doc->extSubset)))
        return NOT_KNOWN;
    if (most > INT32_MAX / 4 - 1) most = INT32_MAX / 4 - 1;
    int tag = tag_number(walk, root->name);
    if (!growing_reserve(stack, 1, sizeof(Open)) || !growing_reserve(&walked->parents, 1, sizeof(int32_t)))
        return NO_MEMORY;
    GROWING_AT(&walked->parents, int32_t, walked->parents.count++) = -1;
    add_node(walk, root, tag, -1, 0);
    Open *top = &GROWING_AT(stack, Open, stack->count++);
    *top = (Open){.outer = 0, .node = 0, .kind = STRUCTURAL, .in_link = 0, .element = root, .tag = (int16_t)tag};
    {
        int has_text = 0; /* a root without text counts as one with a space */
        for (const xmlNode *node = text_node(root->children); node; node = text_node(node->next))
            has_text |= node->content && *node->content;
        if (has_text) add_text(walk, root->children, TEXT, 0);
        else if (walk->last_is_pre) append_part(walk, " ", 1);
    }
    if (!most) return walk->failed ? walk->failed : TOO_MANY_ELEMENTS;
    const xmlNode *element = element_at(walk, root->children);
    size_t ordinal = 0;
    while (!walk->failed) {
        if (!element) { /* close the innermost open element */
            if (top->kind == STRUCTURAL && walk->has_parts) end_run(walk, top->node);
            const Open closed = *top;
            if (--stack->count == 0) break;
            top--;
            if (top->kind != OPAQUE)
                add_text(walk, closed.element->next, (size_t)closed.outer << 2 | TAIL, top->in_link);
            element = element_at(walk, closed.element->next);
            continue;
        }
        ordinal++;
        if (!add_int(walk, &walked->parents, (size_t)top->outer)) break;
        int kind = OPAQUE, flags = 0, is_link = top->in_link;
        int32_t node = top->node;
        tag = -1;
        if (element->type == XML_ELEMENT_NODE) {
            tag = tag_number(walk, element->name);
            if (tag >= 0) flags = table->tags[tag].flags;
            if (top->kind != OPAQUE) {
                kind = tag >= 0 ? table->tags[tag].kind
                    : strchr((const char *)element->name, '-') ? STRUCTURAL : INLINE;
                switch (kind) {
                    case STRUCTURAL:
                        if (walk->has_parts) end_run(walk, node);
                        if (top->kind != STRUCTURAL) promote(walk);
                        node = add_node(walk, element, tag, top->node, (int32_t)ordinal);
                        if (flags & IS_CONTROL) count_element(walk, element, flags, ordinal);
                        break;
                    case LINK:
                        const char *href = element->properties ? attribute(walk, element, "href") : NULL;
                        if (href && strncmp(href, "tel:", 4)) { /* a telephone number is text */
                            is_link = 1;
                            walk->counts[LINKS]++;
                            walk->has_parts = 1;
                        }
                        break;
                    case COUNTED: count_element(walk, element, flags, ordinal); break;
                    case OPAQUE:
                        if (flags & IS_SCRIPT) {
                            walk->counts[SCRIPTS]++;
                            walk->has_parts = 1;
                        }
                        break;
                    default: break;
                }
            }
        }
        const xmlNode *child = NULL;
        if (element->type == XML_ELEMENT_NODE && element->children) {
            if (kind != OPAQUE) {
                add_marks(walk, element, (int32_t)ordinal);
                add_text(walk, element->children, ordinal << 2 | TEXT, is_link);
            }
            child = element_at(walk, element->children);
        }
        if (walk->failed) break;
        if (child) {
            if (!growing_reserve(stack, 1, sizeof(Open))) return NO_MEMORY;
            top = &GROWING_AT(stack, Open, stack->count++);
            *top = (Open){
                .outer = (int32_t)ordinal, .node = node, .kind = (uint8_t)kind, .in_link = (uint8_t)is_link,
                .element = element, .tag = (int16_t)tag,
            };
            if (stack->count > deepest) return TOO_DEEP;
            element = child;
        } else {
            if (kind == STRUCTURAL && walk->has_parts) end_run(walk, node);
            if (top->kind != OPAQUE) add_text(walk, element->next, ordinal << 2 | TAIL, top->in_link);
            element = element_at(walk, element->next);
        }
        if (ordinal >= most) return walk->failed ? walk->failed : TOO_MANY_ELEMENTS;
    }
    if (walk->failed) return walk->failed;
    end_run(walk, 0);
    return walk->failed;
}

#endif
