import type { Mutation } from './list.ts';

const locks = 'server/src/postgres/lock-timeouts.test.ts';
const versions = 'server/src/postgres/newer-database.test.ts';
const restores = 'server/src/backup/restore.long.test.ts';
const giveWay = 'server/src/postgres/lock-timeouts.ts';
const migrations = 'server/src/postgres/migrations.ts';

/** Faults of migrations, and of two versions beside each other. */
export const upgradeMutations: Mutation[] = [
  {
    name: 'upgrades: all requests wait with a migration that waits for a lock',
    file: giveWay,
    find: 'SET LOCAL lock_timeout = ',
    replace: 'SET LOCAL lock_timeout = 0 -- ',
    test: locks,
    only: 'a migration that must wait for a long transaction lets requests through, and is done after it',
  },
  {
    name: 'upgrades: a migration that gave way is not tried again',
    file: giveWay,
    find: 'if (intervalMs === undefined) throw',
    replace: 'if (intervalMs !== undefined) throw',
    test: locks,
  },
  {
    name: 'upgrades: a deadlock ends a migration',
    file: giveWay,
    find: ' || code === deadlockDetected',
    replace: '',
    test: locks,
  },
  {
    name: 'upgrades: a try that gave way leaves its transaction open',
    file: giveWay,
    find: "await client.query('ROLLBACK').catch(() => {});",
    replace: '',
    test: locks,
  },
  {
    name: 'upgrades: each start waits for a backup',
    file: migrations,
    find: '  if (rows.length > 0) return;\n',
    replace: '',
    test: locks,
  },
  {
    name: 'upgrades: no older program starts on a newer database',
    file: migrations,
    find: 'oldest === null || !isAtLeast(programVersion, oldest)',
    replace: 'oldest !== undefined',
    test: versions,
  },
  {
    name: 'upgrades: every program starts on a newer database',
    file: migrations,
    find: '  if (tooNew) throw newerError',
    replace: '  if (tooNew && landed.length === 0) throw newerError',
    test: versions,
  },
  {
    name: 'upgrades: a migration that does not tell its oldest program suits all',
    file: migrations,
    find: 'oldest === null || !isAtLeast',
    replace: 'oldest !== null && !isAtLeast',
    test: versions,
  },
  {
    name: 'upgrades: the oldest program is not recorded',
    file: migrations,
    find: 'by.programVersion, by.now, oldestProgram]',
    replace: 'by.programVersion, by.now, null]',
    test: versions,
  },
  {
    name: 'upgrades: a migration need not tell its oldest program',
    file: migrations,
    find: 'if (number <= lastWithoutHeader) return',
    replace: 'if (number > 0) return',
    test: versions,
  },
  {
    name: 'upgrades: versions are compared as text',
    file: 'server/src/postgres/program-version.ts',
    find: 'compare(left, right) >= 0',
    replace: 'program >= oldest',
    test: 'server/src/postgres/program-version.test.ts',
  },
  {
    name: 'upgrades: a database without the record of oldest programs cannot be backed up',
    file: migrations,
    find: "to_jsonb(schema_migrations) ->> 'oldest_program' AS oldest_program",
    replace: 'oldest_program',
    test: restores,
    only: 'an older backup is brought up to date, and its history kept',
  },
  {
    name: 'upgrades: a request reads whatever columns there are',
    file: 'server/src/events/list.ts',
    find: "name: 'events.find',\n  text: 'SELECT body FROM",
    replace: "name: 'events.find',\n  text: 'SELECT * FROM",
    test: 'server/test/flows/upgrade.test.ts',
  },
];
