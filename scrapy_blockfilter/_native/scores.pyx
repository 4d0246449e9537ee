# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Evidence and network in C: arrays in, arrays out, without the GIL.

What is given is checked first, as arrays may come from a store that someone else made: no index is followed that leads
out of an array.
"""

import os

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memset


cdef extern from "learning.h" nogil:
    enum:
        TOTALS, NUMBERS, ALL_SUMS, TAGS, LEVELS, NODE, SUBTREE, OF_SLOT, OWN, REPETITION, CONTEXTS

    ctypedef struct Memory:
        int failed

    ctypedef struct Pages:
        int64_t count
        const int64_t *hashes
        const uint8_t *bits

    ctypedef struct Page:
        int64_t blocks, nodes
        const int64_t *keys, *node_of, *numbers, *tags, *parents, *slots, *tag_paths, *hints
        const float *weights

    ctypedef struct Site:
        int64_t pages, row_bytes, commons
        Pages keys, places, slots
        const int64_t *common, *texts, *telling
        const float *of_slots, *of_subtrees

    ctypedef struct Found:
        int64_t *starts, *ends, *outer, *inherited, *levels, *rows, *style_rows, *tag_rows, *headings
        float *pages_with, *records, *matrix
        int64_t others, width, groups, containers

    ctypedef struct Work:
        Memory memory
        uint64_t key
        float *small
        double *large, *exact
        int64_t small_size, large_size, exact_size

    ctypedef struct Scene:
        int64_t blocks, nodes, features, slots
        const float *matrix, *weights
        const int64_t *levels, *starts, *ends, *rows, *headings

    ctypedef struct Look:
        int64_t size, width, next
        const float *we, *be, *w, *b, *of_slots

    ctypedef struct Layers:
        int64_t hidden, third
        const float *least, *most, *w1, *b1, *w4, *b4
        Look first, second

    int prepare(Work *work, const Page *page, const Site *site)
    void first_half(const Page *page, const Site *site, Work *work, Found *found)
    int second_half(const Page *page, const Site *site, Work *work, const float *small, const double *large,
                    const double *exact, Found *found)
    void free_all(Memory *memory)
    int add_to_slots(int64_t blocks, int64_t nodes, int64_t slots, int64_t width, const float *weighted,
                     const int64_t *starts, const int64_t *ends, const int64_t *style_rows, const int64_t *tag_rows,
                     double *sums)
    int fill_contexts(const Scene *scene, int64_t width, const float *weighted, const float *of_slots,
                      float *contexts)
    int add_to_totals(const Page *page, const Site *site, uint64_t key, int64_t *style_rows, int64_t *tag_rows,
                      double *totals, float *on_pages)
    int score(const Scene *scene, const Layers *layers, float *scores)


# Of the tables of this process. It decides where a value is looked for, never what is found.
cdef uint64_t _KEY = int.from_bytes(os.urandom(8), "little") | 1


cdef const int64_t *integers(const int64_t[::1] array, Py_ssize_t size, str name) except? NULL:
    if array.shape[0] != size:
        raise ValueError(f"{name} has {array.shape[0]} numbers, not {size}")
    return &array[0] if size else NULL


cdef const float *row(const float[::1] array, Py_ssize_t size, str name) except? NULL:
    if array.shape[0] != size:
        raise ValueError(f"{name} has {array.shape[0]} numbers, not {size}")
    return &array[0] if size else NULL


cdef const float *table(const float[:, ::1] array, Py_ssize_t rows, Py_ssize_t columns, str name) except? NULL:
    if array.shape[0] != rows or array.shape[1] != columns:
        raise ValueError(f"{name} has the shape ({array.shape[0]}, {array.shape[1]}), not ({rows}, {columns})")
    return &array[0, 0] if rows and columns else NULL


cdef int check_range(const int64_t *array, Py_ssize_t size, int64_t least, int64_t end, str name) except -1:
    cdef Py_ssize_t place
    cdef bint wrong = False
    for place in range(size):
        wrong |= array[place] < least or array[place] >= end
    if wrong:
        raise ValueError(f"{name} has an index that is not from {least} to {end - 1}")
    return 0


cdef int set_pages(Pages *pages, tuple arrays, Py_ssize_t row_bytes, str name) except -1:
    cdef const int64_t[::1] hashes = arrays[0]
    cdef const uint8_t[:, ::1] bits = arrays[1]
    if bits.shape[0] != hashes.shape[0] + 1 or bits.shape[1] != row_bytes:
        shape = bits.shape[0], bits.shape[1]
        raise ValueError(f"{name} has bits of the shape {shape}, not {(hashes.shape[0] + 1, row_bytes)}")
    pages.count = hashes.shape[0]
    pages.hashes = &hashes[0] if pages.count else NULL
    pages.bits = &bits[0, 0] if row_bytes else NULL
    return 0


cdef int set_site(Site *site, tuple arrays) except -1:
    """Point to a site's arrays, which live as long as the tuple."""
    cdef const int64_t[::1] common
    pages, keys, places, slots, common_hashes, texts, telling, of_slots, of_subtrees = arrays
    site.pages = pages
    if site.pages < 0:
        raise ValueError("a site has less than no pages")
    site.row_bytes = (site.pages + 7) // 8
    set_pages(&site.keys, keys, site.row_bytes, "keys")
    set_pages(&site.places, places, site.row_bytes, "places")
    set_pages(&site.slots, slots, site.row_bytes, "slots")
    common = common_hashes
    site.commons = common.shape[0]
    site.common = &common[0] if site.commons else NULL
    site.texts = integers(texts, site.pages, "texts")
    site.telling = integers(telling, site.pages, "telling")
    site.of_slots = table(of_slots, site.slots.count + 1, OF_SLOT, "of_slots")
    site.of_subtrees = table(of_subtrees, site.slots.count + 1, SUBTREE, "of_subtrees")
    return 0


cdef int set_page(Page *page, tuple arrays) except -1:
    """Point to a page's arrays, which live as long as the tuple."""
    cdef const int64_t[:, ::1] numbers
    cdef Py_ssize_t node
    keys, nodes, of_blocks, weights, tags, parents, slots, tag_paths, hints = arrays
    page.blocks = len(keys)
    page.nodes = len(parents)
    if not page.nodes:
        raise ValueError("a page has no nodes")
    numbers = of_blocks
    if numbers.shape[0] != page.blocks or numbers.shape[1] != NUMBERS:
        shape = numbers.shape[0], numbers.shape[1]
        raise ValueError(f"numbers has the shape {shape}, not {(page.blocks, NUMBERS)}")
    page.numbers = &numbers[0, 0] if page.blocks else NULL
    page.keys = integers(keys, page.blocks, "keys")
    page.node_of = integers(nodes, page.blocks, "nodes")
    check_range(page.node_of, page.blocks, 0, page.nodes, "nodes")
    page.tags = integers(tags, page.blocks, "tags")
    page.weights = row(weights, page.blocks, "weights")
    page.parents = integers(parents, page.nodes, "parents")
    page.slots = integers(slots, page.nodes, "slots")
    page.tag_paths = integers(tag_paths, page.nodes, "tag_paths")
    page.hints = integers(hints, page.nodes, "hints")
    check_range(page.parents, 1, -1, 1, "parents")
    cdef bint wrong = False
    for node in range(1, page.nodes):
        wrong |= page.parents[node] < 0 or page.parents[node] >= node
    if wrong:
        raise ValueError("a node comes before its parent")
    return 0


def evidence(tuple page_arrays, tuple site_arrays, int groups, int containers):
    """Return the arrays of the evidence of a page.

    Args:
        page_arrays: keys, nodes, numbers, weights, tag numbers of blocks; parents, slots, tag paths, hints of nodes.
        site_arrays: number of pages; hashes and bits of keys, of keys in slots and of slots; hashes of common keys;
            numbers of texts and telling texts of pages; the tables of slots.

    Returns:
        Features; starts, ends, outer, inherited and levels of the tree; rows, rows of style paths and of tag paths;
        number of other pages; pages with each block and with each block's slot; records; headings.

    Raises:
        ValueError: an array has another type or shape, or an index that leads out of another.
    """
    cdef Page page
    cdef Site site
    cdef Found found
    cdef Work work
    cdef int enough
    memset(&work, 0, sizeof(Work))
    work.key = _KEY
    set_page(&page, page_arrays)
    set_site(&site, site_arrays)
    if not 0 <= groups + containers < 64 or groups < 0 or containers < 0:
        raise ValueError("hints have at most 63 bits")
    found.groups, found.containers = groups, containers
    found.width = OWN + TAGS + REPETITION + 2 + OF_SLOT + 2 * groups + containers + LEVELS * NODE
    matrix = np.empty((page.blocks, found.width), np.float32)
    of_nodes = np.empty((7, page.nodes), np.int64)
    of_blocks = np.empty((2, page.blocks), np.float32)
    levels = np.empty((page.blocks, LEVELS), np.int64)
    headings = np.empty(page.blocks, np.int64)
    cdef float[:, ::1] matrix_view = matrix
    cdef int64_t[:, ::1] nodes_view = of_nodes
    cdef float[:, ::1] blocks_view = of_blocks
    cdef int64_t[:, ::1] levels_view = levels
    cdef int64_t[::1] headings_view = headings
    found.starts, found.ends, found.outer = &nodes_view[0, 0], &nodes_view[1, 0], &nodes_view[2, 0]
    found.inherited, found.rows = &nodes_view[3, 0], &nodes_view[4, 0]
    found.style_rows, found.tag_rows = &nodes_view[5, 0], &nodes_view[6, 0]
    found.matrix = found.pages_with = found.records = NULL
    found.levels = found.headings = NULL
    if page.blocks:
        found.matrix = &matrix_view[0, 0]
        found.pages_with, found.records = &blocks_view[0, 0], &blocks_view[1, 0]
        found.levels, found.headings = &levels_view[0, 0], &headings_view[0]
    small = np.empty(4 * page.blocks + 6 * page.nodes, np.float32)
    large = np.empty(5 * page.blocks + 2 * page.nodes + 3, np.float64)
    exact = np.empty(page.blocks + 2 * page.nodes, np.float64)
    cdef float[::1] small_view = small
    cdef double[::1] large_view = large
    cdef double[::1] exact_view = exact
    cdef const float[::1] small_logs
    cdef const double[::1] large_logs
    cdef const double[::1] exact_logs
    try:
        work.small, work.large, work.exact = &small_view[0], &large_view[0], &exact_view[0]
        with nogil:
            enough = prepare(&work, &page, &site)
            if enough:
                first_half(&page, &site, &work, &found)
        if not enough:
            raise MemoryError
        small_logs = np.log1p(small[:work.small_size])
        large_logs = np.log1p(large[:work.large_size])
        exact_logs = np.log(exact[:work.exact_size])
        with nogil:
            enough = second_half(&page, &site, &work, &small_logs[0], &large_logs[0], &exact_logs[0], &found)
        if not enough:
            raise MemoryError
    finally:
        free_all(&work.memory)
    starts, ends, outer, inherited, rows, style_rows, tag_rows = of_nodes
    pages_with, records = of_blocks
    return (matrix, (starts, ends, outer, inherited, levels), rows, (style_rows, tag_rows), found.others,
            pages_with, records, headings)


cdef int set_look(Look *look, tuple arrays, int64_t size, int64_t slots, str name) except -1:
    cdef const float[::1] to_impressions
    cdef const float[::1] to_next
    we, be, w, b, of_slots = arrays
    to_impressions, to_next = be, b
    look.size, look.width, look.next = size, to_impressions.shape[0], to_next.shape[0]
    look.we = table(we, size, look.width, f"the {name} weights of impressions")
    look.be = row(be, look.width, f"the {name} biases of impressions")
    look.w = table(w, size + CONTEXTS * look.width, look.next, f"the {name} weights")
    look.b = row(b, look.next, f"the {name} biases")
    look.of_slots = table(of_slots, slots, look.width, f"the {name} impressions of slots")
    return 0


cdef int set_indices(Scene *scene, tuple arrays) except -1:
    """Point to a page's indices, which live as long as the tuple."""
    cdef const int64_t[:, ::1] levels
    levels_of, headings, starts, ends, rows = arrays
    levels = levels_of
    scene.nodes = len(starts)
    if levels.shape[0] != scene.blocks or levels.shape[1] != LEVELS:
        raise ValueError(f"levels has the shape ({levels.shape[0]}, {levels.shape[1]}), not ({scene.blocks}, {LEVELS})")
    scene.levels = &levels[0, 0] if scene.blocks else NULL
    scene.headings = integers(headings, scene.blocks, "headings")
    scene.starts = integers(starts, scene.nodes, "starts")
    scene.ends = integers(ends, scene.nodes, "ends")
    scene.rows = integers(rows, scene.nodes, "rows")
    check_range(scene.levels, scene.blocks * LEVELS, 0, scene.nodes, "levels")
    check_range(scene.headings, scene.blocks, -1, scene.blocks, "headings")
    check_range(scene.starts, scene.nodes, 0, scene.blocks + 1, "starts")
    check_range(scene.ends, scene.nodes, 0, scene.blocks + 1, "ends")
    check_range(scene.rows, scene.nodes, -1, scene.slots, "rows")
    return 0


def scores(tuple scene_arrays, tuple layers_arrays, Py_ssize_t slots):
    """Return the scores of a page's blocks.

    Args:
        scene_arrays: features, weights, levels, headings of blocks; starts, ends, rows of nodes.
        layers_arrays: least and most of features, w1, b1; two looks (we, be, w, b, impressions of slots); w4, b4.
        slots: number of slots of the site.

    Raises:
        ValueError: an array has another type or shape, or an index that leads out of another.
    """
    cdef Scene scene
    cdef Layers layers
    cdef int enough
    cdef const float[:, ::1] features
    cdef const float[:, ::1] to_impressions
    matrix, weights, levels_of, headings, starts, ends, rows = scene_arrays
    least, most, w1, b1, first, second, w4, b4 = layers_arrays
    features = matrix
    scene.blocks, scene.features, scene.slots = features.shape[0], features.shape[1], slots
    if scene.features < LEVELS * NODE:
        raise ValueError(f"there are {scene.features} features, less than those of the levels")
    scene.matrix = &features[0, 0] if scene.blocks else NULL
    scene.weights = row(weights, scene.blocks, "weights")
    set_indices(&scene, (levels_of, headings, starts, ends, rows))
    to_impressions = first[0]
    layers.hidden = to_impressions.shape[0]
    layers.least = row(least, scene.features, "least")
    layers.most = row(most, scene.features, "most")
    layers.w1 = table(w1, scene.features, layers.hidden, "w1")
    layers.b1 = row(b1, layers.hidden, "b1")
    set_look(&layers.first, first, layers.hidden, slots, "first")
    set_look(&layers.second, second, layers.first.next, slots, "second")
    layers.third = layers.second.next
    layers.w4 = table(w4, layers.third, 1, "w4")
    layers.b4 = row(b4, 1, "b4")
    if not (layers.hidden and layers.first.width and layers.first.next and layers.second.width and layers.third):
        raise ValueError("a layer is empty")
    found = np.empty(scene.blocks, np.float32)
    cdef float[::1] found_view = found
    if scene.blocks:
        with nogil:
            enough = score(&scene, &layers, &found_view[0])
        if not enough:
            raise MemoryError
    return found


def contexts(tuple index_arrays, weighted, of_slots):
    """Return the impressions that each block sees, as Python does.

    Args:
        index_arrays: levels, headings of blocks; starts, ends, rows of nodes.
        weighted: impressions times weight, with the weight as last column.

    Raises:
        ValueError: an array has another type or shape, or an index that leads out of another.
    """
    cdef Scene scene
    cdef int enough
    cdef const float[:, ::1] impressions = weighted
    cdef const float[:, ::1] slots = of_slots
    cdef Py_ssize_t width
    scene.blocks, scene.slots, scene.features = impressions.shape[0], len(of_slots), 0
    scene.matrix, scene.weights = NULL, NULL
    if impressions.shape[1] < 1:
        raise ValueError("weighted has no column of weights")
    width = impressions.shape[1] - 1
    cdef const float *from_slots = table(slots, scene.slots, width, "of_slots")
    set_indices(&scene, index_arrays)
    found = np.empty((scene.blocks, CONTEXTS * width), np.float32)
    cdef float[:, ::1] found_view = found
    if scene.blocks and width:
        with nogil:
            enough = fill_contexts(&scene, width, &impressions[0, 0], from_slots, &found_view[0, 0])
        if not enough:
            raise MemoryError
    return found


def slot_sums(tuple node_arrays, weighted, double[:, ::1] sums not None):
    """Add the weighted impressions in each node's subtree to the sums of its two slots, as Python does.

    Args:
        node_arrays: starts, ends, rows of style paths and of tag paths of nodes.

    Raises:
        ValueError: an array has another type or shape, or an index that leads out of another.
    """
    cdef const float[:, ::1] impressions = weighted
    cdef Py_ssize_t blocks = impressions.shape[0], slots = sums.shape[0], width = impressions.shape[1], nodes
    cdef int enough
    starts, ends, style_rows, tag_rows = node_arrays
    nodes = len(starts)
    if sums.shape[1] != width:
        raise ValueError(f"sums has {sums.shape[1]} columns, not {width}")
    cdef const int64_t *first = integers(starts, nodes, "starts")
    cdef const int64_t *last = integers(ends, nodes, "ends")
    cdef const int64_t *by_style = integers(style_rows, nodes, "style_rows")
    cdef const int64_t *by_tag = integers(tag_rows, nodes, "tag_rows")
    check_range(first, nodes, 0, blocks + 1, "starts")
    check_range(last, nodes, 0, blocks + 1, "ends")
    check_range(by_style, nodes, 0, slots, "style_rows")
    check_range(by_tag, nodes, 0, slots, "tag_rows")
    cdef const float *values = &impressions[0, 0] if blocks and width else NULL
    cdef double *into = &sums[0, 0] if slots and width else NULL
    if into != NULL:
        with nogil:
            enough = add_to_slots(blocks, nodes, slots, width, values, first, last, by_style, by_tag, into)
        if not enough:
            raise MemoryError


def add_page(tuple page_arrays, tuple site_arrays, double[:, ::1] totals not None, float[::1] on_pages not None):
    """Add a page to the totals of a site's slots, and count the slots that it has, as Python does.

    Args:
        page_arrays, site_arrays: as for :func:`evidence`; the tables of slots are not read.

    Returns:
        The rows of the style paths of all nodes, then of their tag paths.

    Raises:
        ValueError: an array has another type or shape, or an index that leads out of another.
    """
    cdef Page page
    cdef Site site
    cdef int done
    set_page(&page, page_arrays)
    set_site(&site, site_arrays)
    if totals.shape[0] != site.slots.count or totals.shape[1] != TOTALS or on_pages.shape[0] != site.slots.count:
        shape = totals.shape[0], totals.shape[1], on_pages.shape[0]
        raise ValueError(f"totals and slots have the shape {shape}, not {(site.slots.count, TOTALS, site.slots.count)}")
    rows = np.empty(2 * page.nodes, np.int64)
    cdef int64_t[::1] both = rows
    with nogil:
        done = add_to_totals(&page, &site, _KEY, &both[0], &both[page.nodes], &totals[0, 0], &on_pages[0])
    if not done:
        raise MemoryError
    if done < 0:
        raise ValueError("a page has a slot that its site lacks")
    return rows
