# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Tell quickly that the tags of a text are surely light: the check of nearly all pages.

Whatever is not surely light is for :mod:`scrapy_blockfilter.html.guard` to judge. Each bound here is at least as strict
as its bounds, and each text is read a fixed number of times.
"""

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    bint Py_UNICODE_ISSPACE(Py_UCS4 character) nogil
    bint Py_UNICODE_ISALPHA(Py_UCS4 character) nogil

ctypedef fused Character:
    unsigned char
    unsigned short
    Py_UCS4

cdef struct Bounds:
    Py_ssize_t tags  # "<" in the text
    Py_ssize_t open_stretch  # half of the characters of a tag without angle brackets that are not looked at
    Py_ssize_t open_characters  # of a tag without angle brackets, outside of quoted values
    double pairs  # sum of the squared numbers of attributes
    Py_ssize_t hidden_stretch  # half of the characters of a tag with angle brackets that are not looked at
    Py_ssize_t end_tags
    Py_ssize_t space  # characters searched between "=" and a quote


def is_light(
    str text not None,
    Py_ssize_t tags,
    Py_ssize_t open_stretch,
    Py_ssize_t open_characters,
    double pairs,
    Py_ssize_t hidden_stretch,
    Py_ssize_t end_tags,
    Py_ssize_t space,
):
    """Return whether ``check_tags`` surely accepts a text.

    Args:
        tags, end_tags: number of tags and of end tags that it may have.
        open_stretch: tags without angle brackets that cover no whole stretch of so many characters are not looked at.
        open_characters: of a tag without angle brackets, outside of quoted values.
        pairs: sum of the squared numbers of attributes of tags looked at.
        hidden_stretch: tags that cover no whole stretch of so many characters are not looked at.
        space: white space searched between "=" and a quote.
    """
    cdef Bounds bounds
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t size = len(text)
    cdef bint light
    if open_stretch < 1 or hidden_stretch < 1:
        return False
    bounds.tags, bounds.end_tags, bounds.pairs, bounds.space = tags, end_tags, pairs, space
    bounds.open_stretch, bounds.open_characters, bounds.hidden_stretch = open_stretch, open_characters, hidden_stretch
    with nogil:
        if kind == 1:
            light = are_light(<unsigned char*>data, size, bounds)
        elif kind == 2:
            light = are_light(<unsigned short*>data, size, bounds)
        else:
            light = are_light(<Py_UCS4*>data, size, bounds)
    return light


cdef bint are_light(Character* text, Py_ssize_t size, Bounds bounds) noexcept nogil:
    if size > bounds.tags or size > 4 * bounds.end_tags:
        if count(text, size, c"<", 0) > min(bounds.tags, bounds.end_tags):
            if size > bounds.tags and count(text, size, c"<", 0) > bounds.tags:
                return False
            if count(text, size, c"<", c"/") > bounds.end_tags:
                return False
    return has_light_open_tags(text, size, bounds) and has_short_hidden_tags(text, size, bounds)


cdef Py_ssize_t count(Character* text, Py_ssize_t size, Character first, Character second) noexcept nogil:
    """Count a character, or if ``second`` is not 0, two in a row."""
    cdef Py_ssize_t start, end, place, found = 0
    cdef unsigned char few  # a byte, so that the compiler counts many characters at once
    size -= second != 0
    for start in range(0, size, 255):
        end = min(size, start + 255)
        few = 0
        if second:
            for place in range(start, end):
                few += (text[place] == first) & (text[place + 1] == second)
        else:
            for place in range(start, end):
                few += text[place] == first
        found += few
    return found


cdef inline bint is_bracket(Character character) noexcept nogil:
    return character == c"<" or character == c">"


cdef bint has_light_open_tags(Character* text, Py_ssize_t size, Bounds bounds) noexcept nogil:
    """Count the attributes of long tags without angle brackets.

    Such a tag covers at least one whole stretch of the text, cut into stretches.
    """
    cdef Py_ssize_t stretch = bounds.open_stretch, start = 0, place, opening, least
    cdef double pairs = 0, attributes
    while start + stretch < size:
        place = start
        while place < start + stretch and not is_bracket(text[place]):
            place += 1
        if place < start + stretch:
            start += stretch
            continue
        least = max(0, start - stretch)
        opening = start - 1
        while opening >= least and not is_bracket(text[opening]):
            opening -= 1
        while place < size and not is_bracket(text[place]):
            place += 1
        if opening >= least and text[opening] == c"<" and Py_UNICODE_ISALPHA(text[opening + 1]):
            attributes = count_attributes(text + opening + 1, place - opening - 1, bounds.open_characters)
            pairs += attributes * attributes
            if attributes < 0 or pairs > bounds.pairs:
                return False
        start += (place - start) // stretch * stretch  # on to the stretch with the bracket
    return True


cdef Py_ssize_t count_attributes(Character* tag, Py_ssize_t size, Py_ssize_t most) noexcept nogil:
    """Count the attributes of a tag, -1 if it has more than ``most`` characters outside of quoted values."""
    cdef Py_ssize_t place = 0, closing, outside = 0, attributes = 0
    cdef bint is_in = False, is_value = False  # an equals sign was last
    cdef Character character
    while place < size:
        character = tag[place]
        outside += 1
        if is_value and (character == c'"' or character == c"'"):
            closing = place + 1
            while closing < size and tag[closing] != character:
                closing += 1
            if closing < size:
                is_in = is_value = False  # a value counts as a space
                place = closing + 1
                continue
        if Py_UNICODE_ISSPACE(character):
            is_in = False
        else:
            is_value = character == c"="
            if character == c"/":
                is_in = False
            elif not is_in:
                is_in = True
                attributes += 1
        place += 1
    return attributes if outside <= most else -1


cdef bint has_short_hidden_tags(Character* text, Py_ssize_t size, Bounds bounds) noexcept nogil:
    """Tell of each stretch that a tag opened before it has ended in it."""
    cdef Py_ssize_t stretch = bounds.hidden_stretch, start = 0, place, ended, work = size
    cdef Py_ssize_t seen[2]  # the last quote of each kind
    cdef Py_ssize_t searched = 0  # the text before is searched for them
    seen[0] = seen[1] = -1
    while start + stretch <= size:
        if not is_outside(text, start, start + stretch, bounds.space, seen, &searched):
            for place in range(max(0, start - stretch), start + 1):
                if text[place] == c"<" and place <= start - 1 and is_letter(text[place + 1]):
                    ended = end_of_tag(text, place + 2, start + stretch)
                    work -= ended - place
                    if ended == start + stretch or work < 0:
                        return False
        start += stretch
    return True


cdef inline bint is_letter(Character character) noexcept nogil:
    return (c"a" <= character and character <= c"z") or (c"A" <= character and character <= c"Z")


cdef bint is_outside(
    Character* text, Py_ssize_t start, Py_ssize_t end, Py_ssize_t space, Py_ssize_t* seen, Py_ssize_t* searched
) noexcept nogil:
    """Return whether a tag open at ``start`` surely ends before ``end``, be ``start`` inside of a value or not."""
    cdef Py_ssize_t inside = start, way_in, place, before, least
    cdef int kind
    cdef Character character
    cdef Character[2] quotes
    quotes[0], quotes[1] = c'"', c"'"
    while inside < end:
        character = text[inside]
        if character != c'"' and character != c"'" and character != c"=" and not Py_UNICODE_ISSPACE(character):
            break
        inside += 1
    if inside == end:
        return False
    inside += 1
    for kind in range(2):
        place = inside - 1
        while place >= searched[0] and text[place] != quotes[kind]:
            place -= 1
        if place >= searched[0]:
            seen[kind] = place
    searched[0] = inside
    for kind in range(2):
        if seen[kind] < 0:
            continue
        before = seen[kind] - 1
        least = max(0, seen[kind] - space)
        while before >= least and Py_UNICODE_ISSPACE(text[before]):
            before -= 1
        if before >= least and text[before] != c"=":
            continue
        way_in = inside
        while way_in < end and text[way_in] != quotes[kind]:
            way_in += 1
        if way_in == end or end_of_tag(text, way_in + 1, end) == end:
            return False
    return end_of_tag(text, inside, end) < end


cdef Py_ssize_t end_of_tag(Character* text, Py_ssize_t place, Py_ssize_t end) noexcept nogil:
    """Return where a tag ends that is open at a place, outside of its values: ``end`` if not before."""
    cdef Py_ssize_t behind
    cdef Character quote
    while place < end:
        if text[place] == c">":
            return place
        if text[place] == c"=":
            behind = place + 1
            while behind < end and Py_UNICODE_ISSPACE(text[behind]):
                behind += 1
            if behind == end:
                return end
            if text[behind] == c'"' or text[behind] == c"'":
                quote = text[behind]
                place = behind + 1
                while place < end and text[place] != quote:
                    place += 1
        place += 1
    return end
