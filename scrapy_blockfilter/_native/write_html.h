/* Write a tree as libxml2 2.14 writes HTML, but raw text as it is. A tree with anything rare is left to libxml2. */
#ifndef BLOCKFILTER_WRITE_HTML_H
#define BLOCKFILTER_WRITE_HTML_H

#include <libxml/tree.h>

#include "growing.h"

typedef struct {
    Growing bytes;
    size_t script, end_of_script; /* the text of the last SCRIPT */
    int is_left;                  /* to libxml2, or there is no memory */
} Html;

static const char *const EMPTY[] = {"area",  "base",    "basefont", "br",   "col",   "frame", "hr", "img",
                                    "input", "isindex", "link",     "meta", "param", NULL};
static const char *const RAW[] = {"script", "style", "iframe", "noembed", "noframes", "xmp", NULL};
static const char *const BOOLEAN[] = {"checked",  "compact", "declare",  "defer",   "disabled", "ismap",    "multiple",
                                      "nohref",   "noresize", "noshade", "nowrap",  "readonly", "selected", NULL};
static const char BLANKS[] = " \t\n\r";
static const char *const ADDRESSES[] = {"href", "src", "action", NULL};

static int is_among(const char *const *names, const xmlChar *name) {
    while (*names && (**names != *(const char *)name || strcmp(*names, (const char *)name))) names++;
    return *names != NULL;
}

static void put(Html *html, const void *text, size_t size) {
    int has_room = growing_reserve(&html->bytes, size, 1);
    html->is_left |= !has_room;
    if (!has_room) return;
    memcpy((char *)html->bytes.items + html->bytes.count, text, size);
    html->bytes.count += size;
}

static void put_string(Html *html, const void *text) {
    if (text) put(html, text, strlen(text));
}

/* Leave names in upper case to libxml2, which compares names without case. No parser of HTML makes them. */
static void put_name(Html *html, const char *before, const xmlChar *name) {
    size_t size = 0;
    for (; name[size]; size++) html->is_left |= name[size] >= 'A' && name[size] <= 'Z';
    put_string(html, before);
    put(html, name, size);
}

static inline int is_plain_in_address(unsigned char byte) {
    return byte > ' ' && byte < 127 && byte != '&' && byte != '<' && byte != '>' && byte != '"';
}

/* Write a text, or the value of an attribute. Escape a set of bytes, and in addresses also those that no URI has, but
   for the white space that browsers pass over. */
static void put_escaped(Html *html, const char *text, const char *escaped, int is_value, int is_address) {
    const char *end = is_address ? text + strlen(text) : NULL;
    while (end > text && strchr(BLANKS, end[-1])) end--;
    for (;; text++) {
        size_t size = is_address ? 0 : strcspn(text, escaped);
        while (is_address && is_plain_in_address((unsigned char)text[size])) size++;
        put(html, text, size);
        text += size;
        if (!*text || text == end) return;
        if (is_address && *text != ' ' && strchr(BLANKS, *text)) continue;
        /* libxml2 does not escape what may be a script of the browser or server in a value. */
        html->is_left |= is_value && (!strncmp(text, "&{", 2) || !strncmp(text, "<!--", 4));
        unsigned char byte = (unsigned char)*text;
        char code[] = {'%', "0123456789ABCDEF"[byte >> 4], "0123456789ABCDEF"[byte & 15], 0};
        const char *quote = byte != '"' ? code : strchr(escaped, '"') ? "&quot;" : "\"";
        put_string(html, byte == '&' ? "&amp;" : byte == '<' ? "&lt;" : byte == '>' ? "&gt;" : quote);
    }
}

static void put_attribute(Html *html, const xmlAttr *attribute) {
    const xmlNode *text = attribute->children;
    const char *name = (const char *)attribute->name, *tag = (const char *)attribute->parent->name;
    put_name(html, " ", attribute->name);
    html->is_left |= attribute->ns || (text && (text->type != XML_TEXT_NODE || text->next || !text->content));
    if (!text || html->is_left || is_among(BOOLEAN, attribute->name)) return;
    const char *value = (const char *)text->content;
    int has_double = strchr(value, '"') != NULL, is_single = has_double && !strchr(value, '\'');
    int is_address = is_among(ADDRESSES, attribute->name) || (!strcmp(name, "name") && !strcmp(tag, "a"));
    put(html, is_single ? "='" : "=\"", 2);
    if (is_address) value += strspn(value, BLANKS);
    put_escaped(html, value, has_double && !is_single ? "&<>\"" : "&<>", 1, is_address);
    put(html, is_single ? "'" : "\"", 1);
}

static void put_end(Html *html, const xmlNode *element) {
    put_name(html, "</", element->name);
    put(html, ">", 1);
}

/* Write an element up to its children, or whole if there is none. Return whether its children follow. */
static int put_element(Html *html, const xmlNode *node) {
    int is_raw = is_among(RAW, node->name), is_empty = is_among(EMPTY, node->name);
    put_name(html, "<", node->name);
    for (const xmlAttr *attribute = node->properties; attribute; attribute = attribute->next)
        put_attribute(html, attribute);
    put(html, ">", 1);
    size_t start = html->bytes.count;
    for (const xmlNode *text = is_raw ? node->children : NULL; text; text = text->next) {
        html->is_left |= text->type != XML_TEXT_NODE && text->type != XML_CDATA_SECTION_NODE;
        put_string(html, text->content);
    }
    if (!strcmp((const char *)node->name, "script")) {
        html->script = start;
        html->end_of_script = html->bytes.count;
    }
    /* libxml2 drops children of an empty element. A browser reads all behind PLAINTEXT as part of it. */
    html->is_left |= (is_empty && node->children) || !strcmp((const char *)node->name, "plaintext");
    if (node->children && !is_raw && !is_empty) return 1;
    if (!is_empty) put_end(html, node);
    return 0;
}

/* Write a tree with the text behind it. */
static void put_tree(Html *html, const xmlNode *root) {
    const xmlNode *node = root;
    while (node) {
        if (node->type == XML_ELEMENT_NODE && put_element(html, node)) {
            node = node->children;
            continue;
        }
        if (node->type == XML_TEXT_NODE && node->content && !node->name[4]) { /* "textnoenc" is not escaped */
            put_escaped(html, (const char *)node->content, "&<>", 0, 0);
        } else if (node->type == XML_COMMENT_NODE && node->content) {
            put(html, "<!--", 4);
            put_string(html, node->content);
            put(html, "-->", 3);
        } else {
            html->is_left |= node->type != XML_ELEMENT_NODE;
        }
        for (; node != root && node->parent && !node->next; put_end(html, node)) node = node->parent;
        node = node->next;
    }
}

#endif
