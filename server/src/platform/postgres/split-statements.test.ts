import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMigrations } from './migration-files.ts';
import { statementsOf } from './split-statements.ts';

test('ends a statement at a semicolon, unless in a string, a name, a comment or a function body', () => {
  const one = `-- First; of all.\nINSERT INTO a VALUES ('it''s; fine', 3 - 1);`;
  const two = `\nCREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n  RAISE 'no;';\nEND\n$$;`;
  const three = `\nCOMMENT ON TABLE "odd;name" IS $words$a;b$words$`;
  assert.deepEqual(statementsOf(`${one}${two}${three}`), [one, two, three]);
  assert.deepEqual(statementsOf(`${one}\n-- Nothing more.\n`), [one]);
});

test('splits each migration into statements that add up to its text', async () => {
  for (const { name, sql } of await readMigrations()) {
    const statements = statementsOf(sql);
    assert.equal(statements.join(''), sql.slice(0, statements.join('').length), name);
    for (const statement of statements) {
      const words = statement.replaceAll(/^\s*--.*$/gm, '').trim();
      assert.match(
        words,
        /^(ALTER|CREATE|DROP|INSERT|UPDATE|DELETE|REVOKE|GRANT|LOCK|WITH|DO)\b/,
        name,
      );
    }
  }
});
