/* Find elements that render/spelled.py may change the text of, by their tags, classes and other attributes. */
#ifndef BLOCKFILTER_NOTED_H
#define BLOCKFILTER_NOTED_H

#include "write_html.h"

static const char *const NOTED[] = {"a",  "button", "img", "math",   "ol",  "pre", "rp",
                                    "rt", "script", "sub", "sup", "table", "ul",  NULL};
static const char *const NOTED_OUTSIDE_PRE[] = {"b",    "cite",   "code",  "data", "em",     "i",    "label",
                                                "mark", "option", "small", "span", "strong", "time", NULL};
static const char *const ATTRIBUTES[] = {"data-latex", "data-line-number", "data-math", "data-tex", NULL};
static const char *const IN_CLASSES[] = {"OPY",     "editsection", "gutter", "line-number", "linen", "lipboard",
                                         "ln", "opy", "screen-reader", "sr-only", "visually", NULL};

static int is_noted(const xmlNode *element, int is_in_pre) {
    if (is_among(NOTED, element->name) || (!is_in_pre && is_among(NOTED_OUTSIDE_PRE, element->name))) return 1;
    for (const xmlAttr *attribute = element->properties; attribute; attribute = attribute->next) {
        const char *name = (const char *)attribute->name;
        const char *value = attribute->children ? (const char *)attribute->children->content : NULL;
        if (is_among(ATTRIBUTES, attribute->name)) return 1;
        if (value && !strcmp(name, "style") && (strstr(value, "white-space") || strstr(value, "user-select"))) return 1;
        for (const char *const *part = IN_CLASSES; *part && value && !strcmp(name, "class"); part++)
            if (strstr(value, *part)) return 1;
    }
    return 0;
}

#endif
