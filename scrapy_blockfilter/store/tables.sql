-- The tables of release 0.3, word for word, but for that of corrections. Tables WITHOUT ROWID and with integer keys take a
-- quarter of the space of text keys with an index.

CREATE TABLE sites (
        id INTEGER PRIMARY KEY,
        site TEXT NOT NULL UNIQUE,
        first_seen TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
        last_seen TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
    ) STRICT;
CREATE TABLE pages (
        site_id INTEGER NOT NULL REFERENCES sites(id) ON DELETE CASCADE,
        page INTEGER NOT NULL,
        blocks BLOB NOT NULL,
        record BLOB NOT NULL,
        PRIMARY KEY (site_id, page)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE models (
        site_id INTEGER NOT NULL REFERENCES sites(id) ON DELETE CASCADE,
        version INTEGER NOT NULL,
        method TEXT NOT NULL,
        pages INTEGER NOT NULL,
        digest TEXT NOT NULL,
        templates INTEGER NOT NULL,
        usual_kept REAL NOT NULL,
        fitted TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
        PRIMARY KEY (site_id, version)
    ) STRICT, WITHOUT ROWID;
-- Items that crawls of 0.3 have left, which this release counts.
CREATE TABLE spooled_pages (
        id INTEGER PRIMARY KEY,
        job TEXT NOT NULL,
        owner TEXT NOT NULL,
        key TEXT NOT NULL,
        response TEXT NOT NULL,
        body BLOB NOT NULL
    ) STRICT;
CREATE TABLE spooled_items (
        id INTEGER PRIMARY KEY,
        page_id INTEGER NOT NULL REFERENCES spooled_pages(id) ON DELETE CASCADE,
        item TEXT NOT NULL
    ) STRICT;
CREATE INDEX spooled_items_by_page ON spooled_items (page_id);
CREATE TABLE slots (
        site_id INTEGER NOT NULL REFERENCES sites(id) ON DELETE CASCADE,
        slot INTEGER NOT NULL,
        parent INTEGER NOT NULL,
        label TEXT NOT NULL,
        PRIMARY KEY (site_id, slot)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE suspicious_pages (
        id INTEGER PRIMARY KEY,
        site_id INTEGER NOT NULL REFERENCES sites(id) ON DELETE CASCADE,
        url TEXT NOT NULL,
        reason TEXT NOT NULL,
        noted TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
        UNIQUE (site_id, url)
    ) STRICT;
-- The newest rows have the largest ids.
CREATE TABLE fitted_models (
        id INTEGER PRIMARY KEY,
        site_id INTEGER NOT NULL REFERENCES sites(id) ON DELETE CASCADE,
        conditions TEXT NOT NULL,
        sample TEXT NOT NULL,
        model BLOB NOT NULL,
        UNIQUE (site_id, conditions)
    ) STRICT;
