-- Kinds of projects are checked by the server; a list here would need a new table for each new kind.
CREATE TABLE project_new (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  settings TEXT NOT NULL,
  created INTEGER NOT NULL
) STRICT;
INSERT INTO project_new SELECT id, kind, name, settings, created FROM project;
DROP TABLE project;
ALTER TABLE project_new RENAME TO project;

-- train, dev or test: base questions are split before anything is made of them.
ALTER TABLE question ADD COLUMN part TEXT;

-- Whether the owner keeps the worker in the pool that is given work.
ALTER TABLE annotator ADD COLUMN pooled INTEGER NOT NULL DEFAULT 1;

-- Who wrote what an item starts from: it is given to others.
CREATE TABLE item_author (
  item INTEGER NOT NULL REFERENCES item(id) ON DELETE CASCADE,
  annotator INTEGER NOT NULL REFERENCES annotator(id) ON DELETE CASCADE,
  PRIMARY KEY (item, annotator)
) STRICT;

-- What a project is about: a leaderboard's tasks with their answers, which never leave the server; the tasks that people
-- answer; a raw instruction.
CREATE TABLE task_set (
  project INTEGER PRIMARY KEY REFERENCES project(id) ON DELETE CASCADE,
  gold TEXT NOT NULL
) STRICT;

-- Predictions for a leaderboard; without an annotator they are the owner's, such as those of people.
CREATE TABLE submission (
  id INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
  annotator INTEGER REFERENCES annotator(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  predictions TEXT NOT NULL,
  scores TEXT NOT NULL,
  created INTEGER NOT NULL
) STRICT;
CREATE INDEX submission_project ON submission (project, annotator, created);

-- The tree of a raw instruction's subtasks, by lines of its template.
CREATE TABLE subtask (
  id INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
  parent INTEGER REFERENCES subtask(id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  draft TEXT,
  round INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL DEFAULT 'open'
) STRICT;
CREATE INDEX subtask_project ON subtask (project);
