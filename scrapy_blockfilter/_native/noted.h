/* Find elements that render/spelled.py may change the text of, by their names, attributes and texts beside them. */
#ifndef BLOCKFILTER_NOTED_H
#define BLOCKFILTER_NOTED_H

#include "write_html.h"

static const char *const NOTED[] = {"button", "img", "math", "pre", "q", "rp", "rt", "sub", "sup", "table", NULL};
/* Parts of attributes. The type of a SCRIPT with a formula has an H, which those of most others have not. */
static const char *const NOTED_PARTS[][2] = {
    {"class", "OPY"}, {"class", "opy"}, {"class", "cents"}, {"class", "centimes"}, {"class", "decimal"},
    {"class", "Decimal"}, {"class", "Cents"}, {"class", "raction"}, {"class", "editsection"}, {"class", "gutter"}, {"class", "line-number"},
    {"class", "linen"}, {"class", "lipboard"}, {"class", "ln"}, {"class", "screen-reader"}, {"class", "sr-only"},
    {"class", "visually"}, {"style", "white-space"}, {"style", "user-select"}, {"href", "#"}, {"type", "h"},
    {"type", "H"}, {"data-latex", ""}, {"data-line-number", ""}, {"data-math", ""}, {"data-tex", ""}, {NULL, NULL}};
/* As in render/side_by_side.py: inline elements and drawings, and code. */
static const char *const BESIDE[] = {"a", "b", "button", "cite", "data", "del", "em", "i", "img", "input", "ins", "kbd", "label",
                                     "mark", "option", "s", "small", "span", "strike", "strong", "svg", "time", "u", NULL};
static const char *const CODE[] = {"pre", "code", "samp", "kbd", NULL};
enum { LEVELS_OF_CODE = 6 };

static int is_at_edge(unsigned char byte, const char *signs) {
    int is_letter = (byte | 32) >= 'a' && (byte | 32) <= 'z';
    return is_letter || byte >= 128 || (byte >= '0' && byte <= '9') || strchr(signs, byte);
}

/* Return whether a space may be put before or behind an inline element. */
static int may_touch(const xmlNode *element) {
    const xmlNode *before = element->prev, *behind = element->next, *around = element->parent;
    while (before && before->type == XML_ELEMENT_NODE && !before->children) before = before->prev;
    const char *text = before && before->content ? (const char *)before->content : "";
    int may = behind && (behind->type != XML_ELEMENT_NODE || is_among(BESIDE, behind->name));
    if (behind && behind->type == XML_TEXT_NODE && behind->content) may = is_at_edge(*behind->content, "#@([{$");
    if (before && before->type != XML_ELEMENT_NODE) may |= is_at_edge(*text ? text[strlen(text) - 1] : 0, ".!?:;,%)]}");
    for (int left = LEVELS_OF_CODE; may && left && around->type == XML_ELEMENT_NODE; left--, around = around->parent)
        may = !is_among(CODE, around->name);
    return may;
}

static int is_noted(const xmlNode *element) {
    const xmlNode *text = element->children;
    if (is_among(NOTED, element->name)) return 1;
    if (!strcmp((const char *)element->name, "code") && text && (text->next || text->type != XML_TEXT_NODE)
        && strcmp((const char *)element->parent->name, "pre"))
        return 1;
    for (const xmlAttr *attribute = element->properties; attribute; attribute = attribute->next) {
        text = attribute->children;
        const char *value = text && text->content ? (const char *)text->content : "";
        for (const char *const(*part)[2] = NOTED_PARTS; **part; part++)
            if (!strcmp((const char *)attribute->name, (*part)[0]) && strstr(value, (*part)[1])) return 1;
    }
    return is_among(BESIDE, element->name) && may_touch(element);
}

#endif
