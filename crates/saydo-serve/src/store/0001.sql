CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE api_token (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, created INTEGER NOT NULL
) STRICT;

CREATE TABLE task (name TEXT PRIMARY KEY, toml TEXT NOT NULL, changed INTEGER NOT NULL) STRICT;

CREATE TABLE project (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('zest', 'judge', 'survey')),
  name TEXT NOT NULL,
  settings TEXT NOT NULL,
  created INTEGER NOT NULL
) STRICT;

CREATE TABLE annotator (
  id INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  seat INTEGER,
  active INTEGER NOT NULL DEFAULT 1,
  created INTEGER NOT NULL,
  UNIQUE (project, name)
) STRICT;

CREATE TABLE session (
  hash TEXT PRIMARY KEY,
  annotator INTEGER REFERENCES annotator(id) ON DELETE CASCADE,
  csrf TEXT NOT NULL,
  expires INTEGER NOT NULL
) STRICT;

CREATE TABLE document (
  id INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
  entity TEXT NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (project, entity)
) STRICT;

CREATE TABLE question (
  id INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
  generalization TEXT NOT NULL,
  domain TEXT NOT NULL,
  text TEXT NOT NULL,
  kind TEXT NOT NULL,
  fields TEXT NOT NULL DEFAULT '[]',
  derives_from TEXT NOT NULL DEFAULT '[]',
  author TEXT NOT NULL,
  dropped INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL
) STRICT;
CREATE INDEX question_project ON question (project);

-- One piece of work. `wanted` people do it, each once; `seat` reserves it for the judge who sits there; `gold` marks a
-- qualification, whose answer is known.
CREATE TABLE item (
  id INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
  step TEXT NOT NULL,
  question INTEGER REFERENCES question(id) ON DELETE CASCADE,
  payload TEXT NOT NULL,
  wanted INTEGER NOT NULL,
  answers INTEGER NOT NULL DEFAULT 0,
  seat INTEGER,
  gold TEXT,
  decided TEXT,
  created INTEGER NOT NULL
) STRICT;
CREATE INDEX item_project ON item (project, step);
CREATE INDEX item_open ON item (project, id) WHERE answers < wanted;

CREATE TABLE lease (
  item INTEGER NOT NULL REFERENCES item(id) ON DELETE CASCADE,
  annotator INTEGER NOT NULL REFERENCES annotator(id) ON DELETE CASCADE,
  begun INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  PRIMARY KEY (item, annotator)
) STRICT;
CREATE INDEX lease_annotator ON lease (annotator);

CREATE TABLE answer (
  id INTEGER PRIMARY KEY,
  item INTEGER NOT NULL REFERENCES item(id) ON DELETE CASCADE,
  annotator INTEGER NOT NULL REFERENCES annotator(id) ON DELETE CASCADE,
  value TEXT NOT NULL,
  seconds INTEGER NOT NULL,
  created INTEGER NOT NULL,
  UNIQUE (item, annotator)
) STRICT;
CREATE INDEX answer_annotator ON answer (annotator);
