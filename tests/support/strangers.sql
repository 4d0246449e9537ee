-- trigger on pages
CREATE TRIGGER t AFTER INSERT ON pages BEGIN DELETE FROM sites; END

-- trigger on the notes of migrations
CREATE TRIGGER t AFTER INSERT ON _sqlite_migrations BEGIN DELETE FROM pages; END

-- endless view in place of a table
DROP TABLE slots;
CREATE VIEW slots AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 1 AS site_id, i AS slot, 0 AS parent, '' AS label FROM n

-- view with triggers in place of a table
DROP TABLE slots;
CREATE VIEW slots AS SELECT 1 AS site_id, 1 AS slot, 0 AS parent, '' AS label;
CREATE TRIGGER t INSTEAD OF INSERT ON slots BEGIN DELETE FROM sites; END

-- virtual table in place of a table
DROP TABLE slots;
CREATE VIRTUAL TABLE slots USING fts5(site_id, slot, parent, label)

-- generated column
ALTER TABLE slots ADD COLUMN length INTEGER AS (length(label))

-- column with an expression as default
DROP TABLE models;
CREATE TABLE models (site_id, version, x TEXT DEFAULT (hex(zeroblob(100000000))))

-- column more
ALTER TABLE pages ADD COLUMN more TEXT

-- index over an expression
CREATE INDEX i ON slots (hex(label))

-- table less
DROP TABLE slots;


-- table with a check
DROP TABLE slots;
CREATE TABLE slots (site_id, slot, parent, label CHECK (length(zeroblob(100000000)) > 0))

-- collation that is not there
PRAGMA writable_schema = ON;
UPDATE sqlite_master SET sql = replace(sql, 'site TEXT', 'site TEXT COLLATE evil') WHERE name = 'sites'

-- two tables in one place
PRAGMA writable_schema = ON;
UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'pages') WHERE name = 'slots'

-- table in the place of the schema
PRAGMA writable_schema = ON;
UPDATE sqlite_master SET rootpage = 1 WHERE name = 'slots'

-- statistics of the planner
ANALYZE

-- generated column among the notes
ALTER TABLE _sqlite_migrations ADD COLUMN x AS (length(name))

-- no notes of migrations
DROP TABLE _sqlite_migrations

-- no version
PRAGMA user_version = 0

-- older version with a table of a newer
DROP TABLE slots;
DROP TABLE corrections;
DROP TABLE spooled_items;
DROP TABLE spooled_pages;
PRAGMA user_version = 3;
DELETE FROM _sqlite_migrations WHERE name >= 'm004'

-- negative version
PRAGMA user_version = -1

-- newer version
PRAGMA user_version = 1000

-- no application id
PRAGMA application_id = 0
