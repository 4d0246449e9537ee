# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The walk over a page's tree and the columns of its blocks: html/walk.py and html/columns.py.

The walk reads the tree at once, without calling Python. The rest works on copies: nothing refers to a node of the tree
when another thread runs, or behind the walk.
"""

from cpython cimport array
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.dict cimport PyDict_GetItemWithError
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int16_t, int32_t, int64_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset
from lxml.includes.etreepublic cimport _Element, elementFactory, import_lxml__etree
from lxml.includes.tree cimport xmlNode

import array

import_lxml__etree()


cdef extern from "growing.h" nogil:
    ctypedef struct Growing:
        void *items
        size_t count, room
    void growing_free(Growing *values)
    int growing_reserve(Growing *values, size_t more, size_t size)


cdef extern from "blake2b.h" nogil:
    int64_t blake2b_64(const unsigned char *data, size_t size)


cdef extern from "block_text.h" nogil:
    enum:
        KINDS
    ctypedef struct BlockText:
        size_t start, end, content_start, content_end
        int content_is_text, is_composed
        int64_t kinds[8]
        int64_t chars, lines
        int last_kind
    int fold_block(const unsigned char *raw, size_t size, int is_pre, const unsigned char *kinds, Growing *texts,
                   Growing *contents, BlockText *text)
    int c_is_composed "is_composed"(uint32_t code)
    enum:
        MOST_TITLE
    void lower_ascii(const char *text, size_t size, char *lowered)
    int contains(const char *text, size_t size, const char *part, size_t part_size)


cdef extern from "tree_walk.h" nogil:
    enum:
        IMAGES, LINKS, SCRIPTS, CONTROLS
        C_IS_CONTROL "IS_CONTROL", C_IS_SCRIPT "IS_SCRIPT", C_IS_BREAK "IS_BREAK"
        C_IS_IMAGE "IS_IMAGE", C_IS_OPTION "IS_OPTION", C_IS_PRE "IS_PRE", C_IS_TITLE "IS_TITLE"
        C_IS_HEADING "IS_HEADING"
        IMAGE
        NO_MEMORY, TOO_DEEP
        TAG_PLACES
    ctypedef struct Tag:
        const char *name
        size_t size
        int kind, flags
    ctypedef struct TagTable:
        Tag *tags
        int count
        int16_t places[1024]
    ctypedef struct Node:
        int32_t ordinal, parent, tag
        size_t step
        uint32_t tag_size, class_size, id_size
    ctypedef struct Run:
        int32_t node
        size_t raw_start, raw_end, piece_start, piece_end
        int64_t link_chars
        int32_t counts[4]
        int has_images
    ctypedef struct Image:
        size_t piece, source, alt
        uint32_t source_size, alt_size
    ctypedef struct Mark:
        int32_t ordinal, attribute
        size_t value
        uint32_t size
    ctypedef struct Walked:
        Growing parents, nodes, pieces, runs, images, texts, names, marks
    ctypedef struct Walk:
        const TagTable *table
        Walked *walked
        Growing open
        size_t image_bytes
    void walked_free(Walked *walked)
    void tag_table_add(TagTable *table, int number)
    void walked_clear(Walked *walked)
    size_t walked_room(const Walked *walked)
    int walk_tree(Walk *walk, const xmlNode *root, size_t most, size_t deepest)
    xmlNode *element_behind(const xmlNode *element, const xmlNode *root)


cdef extern from "ascii_words.h" nogil:
    enum:
        MOST_WORDS
    ctypedef struct Word:
        const char *text
        size_t size
    int agreement(const char *heading, size_t size, const Word *title, int title_words)
    int slug(const char *identifier, size_t size, const char *text, size_t text_size)
    int words_of_image(const char *source, size_t source_size, const char *alt, size_t alt_size, size_t most,
                       const TagTable *jobs, char *out)


# Bytes that a walker keeps for its next page, more than all but the largest pages take.
cdef size_t _MOST_SPARE = 4_000_000
# Characters of an image's attributes that are read at most.
# Bytes of the names of a step that is remembered. Those of hardly a page are longer.
cdef enum:
    MOST_OF_IMAGE = 1000
    LONGEST_STEP = 2000

# Bits of what a tag means besides its kind.
IS_CONTROL, IS_SCRIPT, IS_BREAK = C_IS_CONTROL, C_IS_SCRIPT, C_IS_BREAK
IS_IMAGE, IS_OPTION, IS_PRE, IS_TITLE, IS_HEADING = C_IS_IMAGE, C_IS_OPTION, C_IS_PRE, C_IS_TITLE, C_IS_HEADING

cdef array.array _BYTES_OF_8 = array.array("q")
cdef array.array _BYTES_OF_4 = array.array("i")


def hash64(bytes data not None):
    """Return the hash of ``scrapy_blockfilter.storable.hashing.hash64``."""
    return blake2b_64(<const unsigned char *>PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data))


cdef int64_t _extended(int64_t path, str label) except? -1:
    """Return the hash of a path extended by one step: ``extended_path`` of html/paths.py."""
    cdef bytes joined = f"{path}/{label}".encode("utf-8", "replace")
    return blake2b_64(<const unsigned char *>PyBytes_AS_STRING(joined), PyBytes_GET_SIZE(joined))


def is_composed(uint32_t code):
    """Return whether a text of such characters is in Unicode's composed form, for sure."""
    return bool(c_is_composed(code))


def elements_at(_Element root not None, places not None):
    """Return the elements at some places of a tree, which are in the order of the page.

    Raises:
        IndexError: the tree has fewer elements.
    """
    cdef xmlNode *element = root._c_node
    cdef Py_ssize_t at = 0, place
    cdef list found = []
    for place in places:
        while element != NULL and at < place:
            element = element_behind(element, root._c_node)
            at += 1
        if element == NULL or at > place:
            raise IndexError(place)
        found.append(elementFactory(root._doc, element))  # which keeps the node, whatever Python code makes it
    return found


cdef class Tags:
    """What the tags of a page mean.

    Args:
        kinds: number of what an element does, by tag.
        flags: bits of what else a tag means, by tag.
    """

    cdef TagTable table
    cdef readonly list names
    cdef readonly dict numbers
    cdef list _encoded

    def __cinit__(self, dict kinds, dict flags):
        self.names = list(kinds)
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self._encoded = [name.encode() for name in self.names]
        if 2 * len(self.names) > TAG_PLACES:
            raise ValueError("too many tags")
        self.table.tags = <Tag *>calloc(max(1, len(self.names)), sizeof(Tag))
        if self.table.tags == NULL:
            raise MemoryError
        self.table.count = len(self.names)
        for number, name in enumerate(self.names):
            encoded = self._encoded[number]
            self.table.tags[number].name = PyBytes_AS_STRING(encoded)
            self.table.tags[number].size = PyBytes_GET_SIZE(encoded)
            self.table.tags[number].kind = kinds[name]
            self.table.tags[number].flags = flags.get(name, 0)
            tag_table_add(&self.table, number)

    def __dealloc__(self):
        free(self.table.tags)


cdef class WalkedPage:
    """A walked page: arrays of its elements, nodes, blocks and pieces. As a sequence, it is the texts of its blocks.

    Attributes:
        error: "" or the limit that the page exceeds, "too_deep", "too_many_elements" or "too_many_blocks". The rest is
            missing then.
        blocks: number of blocks.
        element_parents, element_ends, pieces, ordinals: as those of a page.
        tags, parents, slots, tag_paths, hints: of the nodes.
        path_hints: hints of the nodes with those of IDs that are slugs of headings.
        marked: places of elements with attributes that mark them.
        tag_numbers: place of each node's tag among the tags that are listed; -1 for others.
        keys, nodes, scripts, piece_ends: of the blocks.
        numbers: of the blocks, a row for each.
        images: words of images, by block.
    """

    cdef Walked walked
    cdef Growing folded, contents
    cdef readonly str error
    cdef readonly Py_ssize_t blocks
    cdef readonly array.array element_parents, element_ends, pieces, ordinals
    cdef readonly tuple tags
    cdef readonly array.array parents, slots, tag_paths, hints, path_hints, tag_numbers
    cdef readonly array.array keys, nodes, numbers, scripts, piece_ends
    cdef readonly dict images
    cdef readonly list marked
    cdef array.array starts, ends
    cdef Tags listed

    def __dealloc__(self):
        walked_free(&self.walked)
        growing_free(&self.folded)
        growing_free(&self.contents)

    cdef str text_of(self, Py_ssize_t block):
        cdef int64_t start = self.starts.data.as_longlongs[block]
        cdef int64_t end = self.ends.data.as_longlongs[block]
        return PyUnicode_DecodeUTF8(<const char *>self.folded.items + start, end - start, NULL)

    def __len__(self):
        return self.blocks

    def __getitem__(self, Py_ssize_t block):
        """Return the text of a block."""
        if not 0 <= block < self.blocks:
            raise IndexError(block)
        return self.text_of(block)

    def sizes(self):
        """Return the bytes of each block's text, in UTF-8."""
        cdef int64_t *starts = <int64_t *>self.starts.data.as_longlongs
        cdef int64_t *ends = <int64_t *>self.ends.data.as_longlongs
        return [ends[block] - starts[block] for block in range(self.blocks)]

    def nearest(self, frozenset tags not None):
        """For each node, return itself or its nearest ancestor with a tag in ``tags``, or -1."""
        cdef Py_ssize_t node, count = len(self.tags)
        cdef array.array found = array.clone(_BYTES_OF_4, count, False)
        cdef int *nearest = found.data.as_ints
        cdef int *numbers = self.tag_numbers.data.as_ints
        cdef int64_t *parents = <int64_t *>self.parents.data.as_longlongs
        cdef char wanted[TAG_PLACES]
        cdef bint unlisted = not tags.issubset(self.listed.numbers)
        memset(wanted, 0, sizeof(wanted))
        for tag in tags:
            node = self.listed.numbers.get(tag, -1)
            if node >= 0:
                wanted[node] = 1
        for node in range(count):
            if wanted[numbers[node]] if numbers[node] >= 0 else unlisted and self.tags[node] in tags:
                nearest[node] = node
            else:
                nearest[node] = nearest[parents[node]] if node else -1
        return found

    cdef str name(self, size_t start, size_t size):
        return PyUnicode_DecodeUTF8(<const char *>self.walked.names.items + start, size, NULL)


cdef array.array _ints(Growing *values):
    cdef array.array made = array.clone(_BYTES_OF_4, values.count, False)
    if values.count:
        memcpy(made.data.as_voidptr, values.items, values.count * sizeof(int32_t))
    return made


cdef list _arrays(int number, array.array like, Py_ssize_t count):
    return [array.clone(like, count, False) for _ in range(number)]


cdef array.array _ends(array.array parents):
    """Return the place behind the last element in each element."""
    cdef Py_ssize_t place, count = len(parents)
    cdef array.array made = array.clone(_BYTES_OF_4, count, True)
    cdef int *ends = made.data.as_ints
    cdef int *around = parents.data.as_ints
    for place in range(count - 1, -1, -1):
        ends[place] = max(ends[place], <int>place + 1)
        if place:
            ends[around[place]] = max(ends[around[place]], ends[place])
    return made


cdef class Walker:
    """Walks pages.

    Args:
        tags: what tags mean.
        kinds: kind of each character of the basic plane.
        width: number of columns of ``numbers``. The kinds come first, then length, linked characters, images, links,
            controls, the kind of the last character, lines, agreement with the TITLE, and meaning of figures.
        digit: the kind of digits.
        image_characters: as many characters of an image's attributes are read.
        image_jobs: names of images that say nothing.
        title_sizes: length of the shortest and longest blocks that are compared with the TITLE, and as many characters
            of it are read.
        figures_below: length from which on figures of a block mean nothing.

    The rest are functions of the reference in Python.
    """

    cdef Tags tags
    cdef bytes kinds
    cdef int width, digit
    cdef size_t image_characters
    cdef Tags image_jobs
    cdef Walked spare
    cdef int64_t least_title, most_title, longest_title, figures_below
    cdef object image_words, block_key, words_of, agreement_of_words, meaning_of_figures, is_slug, hints_of_classes, named
    cdef object is_marked

    def __init__(
        self, Tags tags not None, *, bytes kinds not None, int width, int digit,
        size_t image_characters, Tags image_jobs not None, tuple title_sizes, int64_t figures_below,
        image_words, block_key, words_of, agreement_of_words, meaning_of_figures, is_slug,
        hints_of_classes, named, is_marked,
    ):
        if len(kinds) != 65536 or width != KINDS + 9 or not 0 <= digit < KINDS:
            raise ValueError("there are other kinds of characters, or columns")
        self.tags, self.kinds, self.width, self.digit = tags, kinds, width, digit
        if image_characters > MOST_OF_IMAGE:
            raise ValueError("too many characters of images")
        self.image_characters, self.image_jobs = image_characters, image_jobs
        self.least_title, self.most_title, self.longest_title = title_sizes
        if self.most_title > MOST_TITLE:
            raise ValueError("blocks that are compared with the TITLE are too long")
        self.figures_below = figures_below
        self.image_words, self.block_key, self.words_of = image_words, block_key, words_of
        self.agreement_of_words, self.meaning_of_figures = agreement_of_words, meaning_of_figures
        self.is_slug, self.hints_of_classes, self.named, self.is_marked = is_slug, hints_of_classes, named, is_marked

    def walk(self, _Element root not None, table, size_t elements, size_t depth, size_t blocks):
        """Walk the tree under ``root``.

        Args:
            table: the table of paths.
            elements, depth, blocks: number of elements, levels and blocks that the page may have.

        Returns:
            The page, or None if the tree has something that no HTML parser makes. Python must then walk it.
        """
        cdef WalkedPage page = WalkedPage()
        page.listed = self.tags
        cdef Walk walk
        cdef int failed
        if root._c_node == NULL:
            return None
        memset(&walk, 0, sizeof(walk))
        walk.table = &self.tags.table
        page.walked = self.spare  # its arrays need not grow anew
        memset(&self.spare, 0, sizeof(Walked))
        walked_clear(&page.walked)
        walk.walked = &page.walked
        walk.image_bytes = 4 * self.image_characters  # the most that they take in UTF-8
        failed = walk_tree(&walk, root._c_node, elements, depth)
        growing_free(&walk.open)
        if failed == NO_MEMORY:
            raise MemoryError
        if failed < 0:
            return None
        self._resolve_images(page)
        page.blocks = page.walked.runs.count
        page.error = (
            "too_many_blocks" if <size_t>page.blocks > blocks
            else "too_deep" if failed == TOO_DEEP
            else "too_many_elements" if failed
            else ""
        )
        if page.error:
            return page
        self._find_paths(page, table)
        self._find_marked(page)
        if not self._read_texts(page):
            return None
        self._compare_with_title(page)
        self._read_figures(page)
        if not self._drop_slugs(page):
            return None
        page.element_parents = _ints(&page.walked.parents)
        page.element_ends = _ends(page.element_parents)
        page.pieces = _ints(&page.walked.pieces)
        if walked_room(&page.walked) <= _MOST_SPARE:
            walked_free(&self.spare)  # another thread's, perhaps
            self.spare = page.walked
            memset(&page.walked, 0, sizeof(Walked))
        else:
            walked_free(&page.walked)
        return page

    def __dealloc__(self):
        walked_free(&self.spare)

    cdef int flags_of(self, WalkedPage page, int64_t node) noexcept:
        """Return what else a node's tag means."""
        cdef int number = page.tag_numbers.data.as_ints[node]
        return self.tags.table.tags[number].flags if number >= 0 else 0

    cdef _compare_with_title(self, WalkedPage page):
        """Fill the column of agreement with the TITLE."""
        cdef Py_ssize_t block
        cdef int64_t *nodes = <int64_t *>page.nodes.data.as_longlongs
        cdef int64_t *row
        cdef int64_t size, longest, title_size, start
        cdef const char *folded = <const char *>page.folded.items
        cdef const char *title_bytes
        cdef size_t title_length
        cdef char lowered[MOST_TITLE]
        cdef bint is_heading
        cdef list titles = [
            page.text_of(block) for block in range(page.blocks) if self.flags_of(page, nodes[block]) & C_IS_TITLE
        ]
        cdef str title, lower
        if not titles:
            return
        title = " ".join(titles)[:self.longest_title].lower()
        if not title:
            return
        encoded = title.encode()
        title_bytes = PyBytes_AS_STRING(encoded)
        title_length = PyBytes_GET_SIZE(encoded)
        title_size = len(title)
        longest = min(title_size, self.most_title)
        title_words = self.words_of(title)
        encoded_words = [word.encode() for word in title_words]
        cdef Word words[MOST_WORDS]
        cdef int count = len(title_words), agreed
        if count <= MOST_WORDS:
            for number in range(count):
                words[number].text = PyBytes_AS_STRING(encoded_words[number])
                words[number].size = PyBytes_GET_SIZE(encoded_words[number])
        for block in range(page.blocks):
            row = <int64_t *>page.numbers.data.as_longlongs + block * self.width
            size = row[KINDS]
            if not self.least_title <= size <= self.most_title:
                continue
            is_heading = self.flags_of(page, nodes[block]) & C_IS_HEADING
            if size > longest and not is_heading:
                continue
            start = page.starts.data.as_longlongs[block]
            if page.ends.data.as_longlongs[block] - start == size:  # all ASCII
                lower_ascii(folded + start, size, lowered)
                if contains(title_bytes, title_length, lowered, size):
                    row[KINDS + 7] = 100 * size // title_size
                    continue
                if not is_heading:
                    continue
                agreed = agreement(lowered, size, words, count) if count <= MOST_WORDS else -1
                if agreed >= 0:
                    row[KINDS + 7] = agreed
                    continue
            lower = page.text_of(block).lower()
            if lower in title:
                row[KINDS + 7] = 100 * <int64_t>len(lower) // title_size
            elif is_heading:
                row[KINDS + 7] = self.agreement_of_words(lower, title_words)

    cdef _read_figures(self, WalkedPage page):
        """Fill the column of the meaning of figures."""
        cdef Py_ssize_t block
        cdef int64_t *row
        for block in range(page.blocks):
            row = <int64_t *>page.numbers.data.as_longlongs + block * self.width
            if row[self.digit] > 0 and row[KINDS] < self.figures_below:
                row[KINDS + 8] = self.meaning_of_figures(page.text_of(block))

    cdef _find_marked(self, WalkedPage page):
        """Find the elements with attributes that mark them."""
        cdef Growing *found = &page.walked.marks
        cdef Mark *mark
        cdef size_t number
        cdef int32_t last = -1
        page.marked = []
        for number in range(found.count):
            mark = <Mark *>found.items + number
            if mark.ordinal != last and self.is_marked(mark.attribute, page.name(mark.value, mark.size)):
                last = mark.ordinal
                page.marked.append(last)

    cdef bint _drop_slugs(self, WalkedPage page) except -1:
        """Drop the hints of IDs that are slugs of a heading in their node. Return False if Python must do it."""
        cdef Py_ssize_t block
        cdef int64_t *nodes = <int64_t *>page.nodes.data.as_longlongs
        cdef int64_t *hints
        cdef int64_t node, level
        cdef Node *of_node
        cdef int answer
        cdef size_t start
        cdef set known = set()  # nodes whose IDs are slugs
        page.hints = page.path_hints
        if self.flags_of(page, 0) & C_IS_HEADING:  # a root has no parent
            return False
        for block in range(page.blocks):
            node = nodes[block]
            if not self.flags_of(page, node) & C_IS_HEADING:
                continue
            for level in range(2):
                node = page.parents.data.as_longlongs[node]
                if node <= 0:
                    break
                of_node = <Node *>page.walked.nodes.items + node
                hints = <int64_t *>page.hints.data.as_longlongs
                if not hints[node] or not of_node.id_size or node in known:
                    continue
                start = of_node.step + of_node.tag_size + <size_t>of_node.class_size + 2
                answer = slug(
                    <const char *>page.walked.names.items + start, of_node.id_size,
                    <const char *>page.folded.items + page.starts.data.as_longlongs[block],
                    page.ends.data.as_longlongs[block] - page.starts.data.as_longlongs[block])
                if self.is_slug(page.name(start, of_node.id_size), page.text_of(block)) if answer < 0 else answer:
                    if page.hints is page.path_hints:
                        page.hints = array.copy(page.path_hints)
                        hints = <int64_t *>page.hints.data.as_longlongs
                    classes = page.name(of_node.step + of_node.tag_size + 1, of_node.class_size)
                    hints[node] = <int64_t>self.hints_of_classes(page.tags[node], classes)
                    known.add(node)
        return True

    cdef _resolve_images(self, WalkedPage page):
        """Find the words of images, and drop images without."""
        cdef Walked *walked = &page.walked
        cdef Image *images = <Image *>walked.images.items
        cdef Run *runs = <Run *>walked.runs.items
        cdef int32_t *pieces = <int32_t *>walked.pieces.items
        cdef size_t image, kept_runs = 0, kept_pieces = 0, piece, run, first, at = 0
        page.images = {}
        if not walked.images.count:
            return
        cdef char found[2 * MOST_OF_IMAGE + 2]
        cdef const char *names = <const char *>walked.names.items
        cdef int size
        words = []
        for image in range(walked.images.count):
            size = words_of_image(
                names + images[image].source, images[image].source_size, names + images[image].alt,
                images[image].alt_size, self.image_characters, &self.image_jobs.table, found)
            words.append(
                PyUnicode_DecodeUTF8(found, size, NULL) if size >= 0
                else self.image_words(page.name(images[image].source, images[image].source_size),
                                      page.name(images[image].alt, images[image].alt_size)))
        for run in range(walked.runs.count):
            of_run = []
            first = kept_pieces
            for piece in range(runs[run].piece_start, runs[run].piece_end):
                if pieces[piece] & 3 == IMAGE:
                    while images[at].piece != piece:
                        at += 1
                    if not words[at]:
                        continue
                    of_run.append(words[at])
                pieces[kept_pieces] = pieces[piece]
                kept_pieces += 1
            if kept_pieces > first:
                if of_run:
                    page.images[kept_runs] = tuple(of_run)
                runs[kept_runs] = runs[run]
                runs[kept_runs].piece_start = first
                runs[kept_runs].piece_end = kept_pieces
                runs[kept_runs].has_images = len(of_run) > 0
                kept_runs += 1
        walked.runs.count = kept_runs
        walked.pieces.count = kept_pieces

    cdef _find_paths(self, WalkedPage page, table):
        """Fill the columns of the nodes."""
        cdef size_t count = page.walked.nodes.count, number, size
        cdef Node *node
        cdef int32_t parent
        cdef int path
        cdef const char *names
        cdef dict steps = table.native_steps
        cdef array.array styles, tag_paths, hints
        cdef PyObject *known
        cdef bytes name
        cdef array.array paths = array.clone(_BYTES_OF_4, count, False)
        cdef str tag
        page.ordinals, page.tag_numbers = _arrays(2, _BYTES_OF_4, count)
        page.parents, page.slots, page.tag_paths, page.path_hints = _arrays(4, _BYTES_OF_8, count)
        cdef list tags = []
        cdef dict unlisted = {}
        styles, tag_paths, hints = table.columns
        for number in range(count):
            node = <Node *>page.walked.nodes.items + number
            if node.tag >= 0:
                tag = self.tags.names[node.tag]
            else:
                tag = page.name(node.step, node.tag_size)
                tag = unlisted.setdefault(tag, tag)
            tags.append(tag)
            page.ordinals.data.as_ints[number] = node.ordinal
            page.parents.data.as_longlongs[number] = node.parent
            page.tag_numbers.data.as_ints[number] = node.tag
            parent = paths.data.as_ints[node.parent] if node.parent >= 0 else -1
            names = <const char *>page.walked.names.items + node.step
            size = node.tag_size + <size_t>node.class_size + node.id_size + 3
            name = PyBytes_FromStringAndSize(NULL, sizeof(parent) + size)
            memcpy(PyBytes_AS_STRING(name), &parent, sizeof(parent))
            memcpy(PyBytes_AS_STRING(name) + sizeof(parent), names, size)
            known = PyDict_GetItemWithError(steps, name)
            if known != NULL:
                path = <object>known
            else:
                path = self._learn(table, parent, name, tag, page, node)
            # The columns may have grown meanwhile, and moved.
            paths.data.as_ints[number] = path
            page.slots.data.as_longlongs[number] = styles.data.as_longlongs[path]
            page.tag_paths.data.as_longlongs[number] = tag_paths.data.as_longlongs[path]
            page.path_hints.data.as_longlongs[number] = hints.data.as_longlongs[path]
        page.tags = tuple(tags)

    cdef int _learn(self, table, int parent, bytes step, str tag, WalkedPage page, Node *node) except -1:
        """Add a step as ``PathTable.learn`` does, and return the number of its path."""
        cdef bytes names = step[sizeof(parent):]
        cdef int path
        cdef tuple known = table.native_names.get(names)
        if known is None:
            classes = page.name(node.step + node.tag_size + 1, node.class_size)
            identifier = page.name(node.step + node.tag_size + <size_t>node.class_size + 2, node.id_size)
            known = self.named(tag, classes, identifier)
        with table.learning:
            path = self._path_of(table, parent, known)
        if PyBytes_GET_SIZE(names) <= LONGEST_STEP:
            table.native_steps[step] = path
            table.native_names[names] = known
        return path

    cdef int _path_of(self, table, int parent, tuple known) except -1:
        cdef array.array styles, tags, hints
        cdef int64_t above = 0, extended
        cdef dict of_labels = table.of_labels, of_tags = table.of_tags
        tag, label, hint = known
        step = parent, tag, label
        found = of_labels.get(step)
        if found is not None:
            return found
        of_labels[step] = found = len(of_labels)
        styles, tags, hints = table.columns
        if parent >= 0:
            above = styles.data.as_longlongs[parent]
        extended = _extended(above, label)
        table.last_steps[extended] = above, label
        styles.append(extended)
        above = tags.data.as_longlongs[parent] if parent >= 0 else 0
        tag_path = of_tags.get((above, tag))
        if tag_path is None:
            of_tags[above, tag] = tag_path = _extended(above, tag)
        tags.append(tag_path)
        hints.append(hint)
        return found

    cdef bint _read_texts(self, WalkedPage page) except -1:
        """Fill the columns of the blocks. Return whether their texts are valid."""
        cdef Py_ssize_t count = page.blocks, block
        cdef Run *run
        cdef Node *nodes = <Node *>page.walked.nodes.items
        cdef BlockText text
        cdef int width = self.width, failed = 0, kind
        cdef int64_t *row
        cdef const unsigned char *kinds = <const unsigned char *>PyBytes_AS_STRING(self.kinds)
        cdef const unsigned char *content
        page.numbers = array.clone(_BYTES_OF_8, count * width, True)
        page.scripts, page.piece_ends = _arrays(2, _BYTES_OF_4, count)
        page.keys, page.nodes, page.starts, page.ends = _arrays(4, _BYTES_OF_8, count)
        cdef int64_t *keys = <int64_t *>page.keys.data.as_longlongs
        cdef int64_t *of_nodes = <int64_t *>page.nodes.data.as_longlongs
        cdef int64_t *numbers = <int64_t *>page.numbers.data.as_longlongs
        cdef int64_t *starts = <int64_t *>page.starts.data.as_longlongs
        cdef int64_t *ends = <int64_t *>page.ends.data.as_longlongs
        cdef int *scripts = page.scripts.data.as_ints
        cdef int *piece_ends = page.piece_ends.data.as_ints
        cdef list left = []
        if not growing_reserve(&page.folded, page.walked.texts.count + 1, 1):
            raise MemoryError
        with nogil:
            for block in range(count):
                run = <Run *>page.walked.runs.items + block
                failed = fold_block(
                    <const unsigned char *>page.walked.texts.items + run.raw_start, run.raw_end - run.raw_start,
                    nodes[run.node].tag >= 0 and self.tags.table.tags[nodes[run.node].tag].flags & C_IS_PRE, kinds,
                    &page.folded, &page.contents, &text)
                if failed:
                    break
                starts[block] = text.start
                ends[block] = text.end
                of_nodes[block] = run.node
                piece_ends[block] = run.piece_end
                scripts[block] = run.counts[SCRIPTS]
                row = numbers + block * width
                for kind in range(KINDS):
                    row[kind] = text.kinds[kind]
                row[KINDS] = text.chars
                row[KINDS + 1] = run.link_chars if run.link_chars < text.chars else text.chars
                row[KINDS + 2] = run.counts[IMAGES]
                row[KINDS + 3] = run.counts[LINKS]
                row[KINDS + 4] = run.counts[CONTROLS]
                row[KINDS + 5] = text.last_kind
                row[KINDS + 6] = text.lines
                content = <const unsigned char *>(
                    page.folded.items if text.content_is_text else page.contents.items) + text.content_start
                if text.is_composed and not run.has_images:
                    keys[block] = blake2b_64(content, text.content_end - text.content_start)
                else:
                    with gil:
                        left.append((block, PyBytes_FromStringAndSize(
                            <const char *>content, text.content_end - text.content_start), text.is_composed))
        if failed:
            if failed == -1:
                raise MemoryError
            return False
        for block, folded, composed in left:
            images = page.images.get(block, ())
            words = "\x1f".join(images)
            if composed and all(c_is_composed(code) for code in words):
                keys[block] = hash64(folded + b"\x1f" + words.encode() if images else folded)
            else:
                keys[block] = self.block_key(folded.decode(), images)
        growing_free(&page.contents)
        return True
