# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Write a tree without its stripped blocks, or copy it into a tree of lxml's own: the page's tree itself is only read.

The structs of the nodes that stay are copied first, and share names, attributes and texts with the tree. They are then
written, or lxml copies them. The GIL is held meanwhile, so no other thread can change the tree.
"""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset, strcmp
from lxml.includes.etreepublic cimport _Element, deepcopyNodeToDocument, import_lxml__etree
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE, XML_COMMENT_NODE, XML_ELEMENT_NODE, XML_ENTITY_REF_NODE, XML_PI_NODE, XML_TEXT_NODE,
    XML_XINCLUDE_END, XML_XINCLUDE_START, xmlAttr, xmlChar, xmlNode,
)

from lxml import etree

cdef extern from "growing.h":
    ctypedef struct Growing:
        char* items
        size_t count
    void growing_free(Growing*)

cdef extern from "write_html.h":
    ctypedef struct Html:
        Growing bytes
        size_t script, end_of_script
        bint is_left
    void put_tree(Html*, const xmlNode*)

cdef extern from "noted.h":
    bint is_noted(const xmlNode*)

import_lxml__etree()

# Makes elements in documents of HTML: libxml2 escapes texts there as the standard of HTML says.
cdef object make_element = etree.HTMLParser().makeelement

# Kinds of pieces, as html.page has them, what becomes of an element, and how many structs are taken at a time.
cdef enum:
    TEXT = 0
    TAIL = 1
    KIND_BITS = 2
    WITHOUT_TEXT = 1
    WITHOUT_TAIL = 2
    GONE = 4
    STAYS = 8
    NODES_A_SLAB = 512  # 61 KB: most pages fit into a few slabs

cdef struct Slab:
    Slab* before
    xmlNode nodes[NODES_A_SLAB]


cdef inline bint is_text(xmlNode* node) noexcept nogil:
    return node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE


cdef inline bint is_included(xmlNode* node) noexcept nogil:
    return node.type == XML_XINCLUDE_START or node.type == XML_XINCLUDE_END


cdef inline bint is_element(xmlNode* node) noexcept nogil:
    """Return whether lxml has a proxy for the node: an element, a comment, a processing instruction or an entity."""
    return node.type in (XML_ELEMENT_NODE, XML_COMMENT_NODE, XML_PI_NODE, XML_ENTITY_REF_NODE)


cdef class Tree:
    """A page's tree without its stripped blocks.

    Args:
        root: the root of the page's tree.
        parents: for each element in document order, the place of its parent (-1 for the root).
        pieces: text nodes and images of the blocks, as in ``Page.pieces``.
        ends: for each block, the end of its pieces; they start where those of the block before end.
        stays: for each block, whether it stays.

    Attributes:
        outermost: places of the elements that go as a whole.
    """

    cdef _Element root
    cdef Slab* slab
    cdef int used
    cdef Py_ssize_t size
    cdef unsigned char* fates  # what becomes of each element
    cdef const int[::1] parents
    cdef int* ends  # where the subtree of each element ends
    cdef bint has_namespaces  # among the nodes that stay
    cdef bint detaches  # attributes
    cdef readonly list outermost
    cdef list places  # of the elements that are noted, if they are

    def __cinit__(self, _Element root not None, const int[::1] parents not None, *rest):
        self.root = root
        self.used = NODES_A_SLAB
        self.outermost = []
        self.size = len(parents)
        self.parents = parents
        self.fates = <unsigned char*>calloc(self.size + 1, 1)
        self.ends = <int*>calloc(self.size + 1, sizeof(int))
        if self.fates == NULL or self.ends == NULL:
            raise MemoryError

    def __init__(self, _Element root, parents, pieces not None, ends not None, stays not None):
        cdef Py_ssize_t place
        if not self.size or self.parents[0] != -1:
            raise ValueError("the first element must be the root")
        for place in range(self.size - 1, 0, -1):
            if not 0 <= self.parents[place] < place:
                raise ValueError("an element comes before its parent")
            self.ends[place] = max(self.ends[place], <int>place + 1)
            self.ends[self.parents[place]] = max(self.ends[self.parents[place]], self.ends[place])
        self.decide(pieces, ends, stays)

    def __dealloc__(self):
        cdef Slab* before
        while self.slab != NULL:
            before = self.slab.before
            free(self.slab)
            self.slab = before
        free(self.fates)
        free(self.ends)

    cdef int decide(self, const int[::1] pieces, const int[::1] ends, const unsigned char[::1] stays) except -1:
        """Decide what becomes of each element: it stays if it contains something kept."""
        cdef unsigned char* fates = self.fates
        cdef Py_ssize_t start, piece, block, ordinal, owner, count = len(ends)
        cdef int kind, stay
        if len(stays) != count:
            raise ValueError("some blocks neither stay nor go")
        fates[0] |= STAYS
        for stay in (True, False):
            start = 0
            for block in range(count):
                if not start <= ends[block] <= len(pieces):
                    raise ValueError("the blocks' pieces are not in order")
                for piece in range(start, ends[block] if stays[block] == stay else start):
                    ordinal, kind = pieces[piece] >> KIND_BITS, pieces[piece] & 3
                    if not 0 <= ordinal < self.size or (kind == TAIL and not ordinal):
                        raise ValueError("a piece is in no element")
                    owner = self.parents[ordinal] if kind == TAIL else ordinal
                    if stay:
                        while not fates[owner] & STAYS:
                            fates[owner] |= STAYS
                            owner = self.parents[owner]
                        continue
                    if fates[owner] & STAYS:
                        if kind == TAIL:
                            fates[ordinal] |= WITHOUT_TAIL
                        elif kind == TEXT:
                            fates[ordinal] |= WITHOUT_TEXT
                    while not fates[owner] & (STAYS | GONE):
                        fates[owner] |= GONE
                        if fates[self.parents[owner]] & STAYS:
                            self.outermost.append(owner)
                        owner = self.parents[owner]
                start = ends[block]
        return 0

    cdef xmlNode* take(self) except NULL:
        """Return an empty struct."""
        cdef Slab* slab
        if self.used == NODES_A_SLAB:
            slab = <Slab*>malloc(sizeof(Slab))
            if slab == NULL:
                raise MemoryError
            slab.before = self.slab
            self.slab = slab
            self.used = 0
        cdef xmlNode* node = &self.slab.nodes[self.used]
        self.used += 1
        return node

    cdef xmlNode* named(self, bytes name, xmlNode* parent) except NULL:
        """Return an empty element. The caller holds the name."""
        cdef xmlNode* node = self.take()
        memset(node, 0, sizeof(xmlNode))
        node.type = XML_ELEMENT_NODE
        node.name = <xmlChar*><char*>name
        node.doc = self.root._c_node.doc
        node.parent = parent
        return node

    cdef xmlNode* copied(self, xmlNode* node, xmlNode* parent) except NULL:
        cdef xmlNode* made = self.take()
        made[0] = node[0]
        made._private = NULL
        made.parent = parent
        made.next = NULL
        if node.type == XML_ELEMENT_NODE:
            made.children = NULL
            made.last = NULL
            if self.detaches:
                self.detach_attributes(made)
            self.has_namespaces |= node.ns != NULL or node.nsDef != NULL
        return made

    cdef int detach_attributes(self, xmlNode* made) except -1:
        """Copy the structs of the attributes, without their document: libxml2 would keep a table of its IDs."""
        cdef xmlAttr* attribute = made.properties
        cdef xmlAttr** place = &made.properties
        while attribute != NULL:
            place[0] = <xmlAttr*>self.take()
            memset(place[0], 0, sizeof(xmlAttr))
            place[0].type, place[0].name, place[0].ns = attribute.type, attribute.name, attribute.ns
            place[0].parent, place[0].children, place[0].last = made, attribute.children, attribute.last
            attribute, place = attribute.next, &place[0].next
        return 0

    cdef void append(self, xmlNode* node) noexcept:
        cdef xmlNode* parent = node.parent
        node.prev = parent.last
        if parent.last == NULL:
            parent.children = node
        else:
            parent.last.next = node
        parent.last = node

    def write(self, dict fillers not None):
        """Return the nodes that stay as HTML, with the text behind the root; None if libxml2 must write them.

        Elements that go are filled and errors are raised as for a copy.
        """
        cdef Html html
        memset(&html, 0, sizeof(Html))
        try:
            put_tree(&html, self.staying(fillers))
            script = html.bytes.items[html.script:html.end_of_script]
            # A script with an unclosed comment may have no end.
            if self.has_namespaces or html.is_left or script.rfind(b"<!--") > script.rfind(b"-->"):
                return None
            return PyUnicode_DecodeUTF8(html.bytes.items, html.bytes.count, NULL)
        finally:
            growing_free(&html.bytes)

    def copy(self, dict fillers not None):
        """Return the root of a copy, with the text behind it; None if something in it has a namespace.

        lxml declares namespaces anew in each copy, so only Python gives the prefixes that Python gives.

        Args:
            fillers: for the place of an element that goes, the tag of an empty element to put there, in UTF-8.

        Raises:
            ValueError: the tree is not the one that the blocks are of.
        """
        cdef _Element holder = make_element("holder")
        self.detaches = True
        cdef xmlNode* root = self.staying(fillers)
        return None if self.has_namespaces else deepcopyNodeToDocument(holder._doc, root)

    def noted(self):
        """Return the places of the elements that stay and may be spelled out for the text."""
        self.places = []
        self.staying({})
        return self.places

    cdef xmlNode* staying(self, dict names) except NULL:
        """Copy the structs of the nodes that stay, and return that of the root."""
        cdef xmlNode* opened = self.root._c_node  # the element whose children are copied
        cdef xmlNode* root = self.copied(opened, opened.parent)
        cdef xmlNode* around = root  # the copy of ``opened``
        cdef xmlNode* node = opened.next
        cdef xmlNode* made
        cdef Py_ssize_t outer = 0, ordinal = 0, last = 0  # places: of ``opened``, of the node, of the last element
        cdef bint is_dropped = self.fates[0] & WITHOUT_TEXT
        cdef int fate
        made = root
        while node != NULL and (is_text(node) or is_included(node)):
            made.next = self.copied(node, NULL)
            made, node = made.next, node.next
        node = opened.children
        while True:
            if node == NULL:
                if outer == 0:
                    break
                is_dropped = self.fates[outer] & WITHOUT_TAIL
                node, opened, around, outer = opened.next, opened.parent, around.parent, self.parents[outer]
                continue
            if not is_element(node):
                if not (is_dropped and is_text(node)):
                    self.append(self.copied(node, around))
                is_dropped = is_dropped and (is_text(node) or is_included(node))
                node = node.next
                continue
            ordinal = last + 1
            if ordinal >= self.size or self.parents[ordinal] != outer:
                raise ValueError("the tree has changed")
            fate = self.fates[ordinal]
            if fate & GONE:
                if ordinal in names:
                    self.append(self.named(names[ordinal], around))
                if node.ns == NULL and (not strcmp(<char*>node.name, b"head") or not strcmp(<char*>node.name, b"body")):
                    made = self.copied(node, around)
                    made.properties = NULL
                    self.append(made)
                last = self.ends[ordinal] - 1
            else:
                last = ordinal
                made = self.copied(node, around)
                self.append(made)
                if node.type == XML_ELEMENT_NODE:
                    if self.places is not None and is_noted(node):
                        self.places.append(last)
                    is_dropped = fate & WITHOUT_TEXT
                    opened, around, outer, node = node, made, ordinal, node.children
                    continue
            is_dropped = fate & WITHOUT_TAIL
            node = node.next
        if last + 1 != self.size:
            raise ValueError("the tree has changed")
        return root
