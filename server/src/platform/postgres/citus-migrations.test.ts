import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMigrations } from './migration-files.ts';
import { statementsOf } from './split-statements.ts';

/** The last migration before cells existed: Citus receives a schema after all of these. */
const lastBefore = 42;

/** Changes that Citus refuses on distributed tables; each was observed on 13.2.2. */
const refused: [RegExp, string][] = [
  [/\bADD COLUMN\b[^,]*\b(?:CHECK|REFERENCES|UNIQUE|PRIMARY KEY)\b/, 'a constraint in ADD COLUMN'],
  [/^ALTER TABLE.*(?:,\s*ADD CONSTRAINT|ADD CONSTRAINT.*,\s*(?:ADD|DROP|ALTER)\b)/, 'not alone'],
  [/^ALTER TABLE \S+ ADD (?:CHECK|UNIQUE|PRIMARY|FOREIGN)\b/, 'a constraint without a name'],
  [/\bSET STORAGE\b/, 'SET STORAGE'],
  [/^CREATE (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER\b/, 'a trigger'],
  [/^INSERT\b.*\bSELECT\b.*\bFROM\b/, 'INSERT … SELECT'],
];

function refusalsOf(sql: string): string[] {
  const statements = statementsOf(sql).map((statement) =>
    statement
      .replaceAll(/--[^\n]*/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  return statements.flatMap((statement) =>
    refused.filter(([shape]) => shape.test(statement)).map(([, why]) => why),
  );
}

test('later migrations contain nothing that Citus refuses', async () => {
  const later = (await readMigrations()).filter(({ number }) => number > lastBefore);
  assert.ok(later.length > 0);
  for (const { name, sql } of later) assert.deepEqual(refusalsOf(sql), [], name);
});

test('detects each kind of refused change', () => {
  const add = 'ALTER TABLE shops ADD COLUMN phone text';
  assert.deepEqual(
    refusalsOf(`${add}, ADD COLUMN city text; CREATE TABLE a (id int CHECK (id > 0))`),
    [],
  );
  assert.deepEqual(
    refusalsOf('ALTER TABLE shops ADD CONSTRAINT shops_city CHECK (city IN (1, 2))'),
    [],
  );
  for (const sql of [
    `${add}\n  CHECK (phone <> '')`,
    `${add}, ADD CONSTRAINT shops_phone CHECK (phone <> '')`,
    `ALTER TABLE shops ADD CONSTRAINT shops_phone CHECK (true), DROP COLUMN city`,
    `ALTER TABLE shops ADD CHECK (phone <> '')`,
    'ALTER TABLE shops ALTER COLUMN phone SET STORAGE EXTERNAL',
    'CREATE TRIGGER kept BEFORE DELETE ON shops FOR EACH ROW EXECUTE FUNCTION refuse_change()',
    'INSERT INTO towns (name)\nSELECT city FROM shops',
  ])
    assert.equal(refusalsOf(sql).length, 1, sql);
});
