# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Tell whether a tree is as it was: 64 bits of all its nodes, in the memory of one process.

Names of elements and attributes count by their address, as a thread stores each name once.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy, strlen
from lxml.includes.etreepublic cimport _Element, import_lxml__etree
from lxml.includes.tree cimport XML_COMMENT_NODE, XML_ELEMENT_NODE, XML_ENTITY_REF_NODE, XML_PI_NODE, xmlAttr, xmlChar, xmlNode

import_lxml__etree()

cdef enum:  # added to the state with the type of the next node, which is less
    DOWN = 0x100
    UP = 0x10000


cdef inline uint64_t mixed(uint64_t state, uint64_t value) noexcept nogil:
    state = (state ^ value) * <uint64_t>0x9E3779B97F4A7C15
    return state ^ (state >> 29)


cdef inline uint64_t with_text(uint64_t state, const xmlChar* text) noexcept nogil:
    cdef size_t size, place
    cdef uint64_t word = 0
    if text == NULL:
        return mixed(state, 0)
    size = strlen(<const char*>text)
    state = mixed(state, size + 1)
    if size < 8:
        for place in range(size):
            word = word << 8 | text[place]
        return mixed(state, word)
    for place in range(0, size - 7, 8):
        memcpy(&word, text + place, 8)
        state = mixed(state, word)
    memcpy(&word, text + size - 8, 8)  # a part of known size: a call of memcpy for each text would take longer
    return mixed(state, word)


cdef inline uint64_t named(uint64_t state, uint64_t name, uint64_t space) noexcept nogil:
    return mixed(state, name ^ (space << 24 | space >> 40))


cdef uint64_t with_attributes(uint64_t state, xmlAttr* attribute) noexcept nogil:
    cdef xmlNode* value
    while attribute != NULL:
        state = named(state, <uint64_t>attribute.name, <uint64_t>attribute.ns)
        value = attribute.children
        while value != NULL:
            state = with_text(state + value.type, value.content)
            value = value.next
        attribute = attribute.next
    return state


def fingerprint(_Element root not None):
    """Return 64 bits of a tree and what stands beside its root."""
    cdef uint64_t state = 0
    cdef xmlNode* top = root._c_node.parent
    cdef xmlNode* node = root._c_node
    while node.prev != NULL:
        node = node.prev
    while True:
        state += node.type
        if node.type == XML_ELEMENT_NODE:
            state = named(state, <uint64_t>node.name, <uint64_t>node.ns)
            state = with_attributes(state, node.properties)
            if node.children != NULL:
                state += DOWN
                node = node.children
                continue
        elif node.type <= XML_COMMENT_NODE:
            if node.type == XML_PI_NODE or node.type == XML_ENTITY_REF_NODE:
                state = with_text(state, node.name)
            if node.type != XML_ENTITY_REF_NODE:
                state = with_text(state, node.content)
        while node.next == NULL:
            node = node.parent
            if node == top:
                return state
            state += UP
        node = node.next
