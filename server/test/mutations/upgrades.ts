import type { Mutation } from './list.ts';

const locks = 'server/src/postgres/lock-timeouts.test.ts';
const versions = 'server/src/postgres/newer-database.test.ts';
const restores = 'server/src/backup/restore-older.long.test.ts';
const giveWay = 'server/src/postgres/lock-timeouts.ts';
const migrations = 'server/src/postgres/migrations.ts';
const files = 'server/src/postgres/migration-files.ts';
const comparison = 'server/src/postgres/migration-comparison.ts';
const indexes = 'server/src/postgres/concurrent-indexes.ts';
const indexTest = 'server/src/postgres/concurrent-indexes.test.ts';
const contractions = 'server/src/postgres/contractions.test.ts';
const plan = 'server/src/doctor/upgrade.test.ts';
const processes = 'server/src/doctor/running-processes.ts';

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
    file: comparison,
    find: 'oldest === null || !isAtLeast(programVersion, oldest)',
    replace: 'oldest !== undefined',
    test: versions,
  },
  {
    name: 'upgrades: every program starts on a newer database',
    file: comparison,
    find: '  if (tooNew) throw newerError',
    replace: '  if (tooNew && landed.length === 0) throw newerError',
    test: versions,
  },
  {
    name: 'upgrades: a migration that does not tell its oldest program suits all',
    file: comparison,
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
    file: files,
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
    file: comparison,
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
  {
    name: 'upgrades: who waits to migrate has a snapshot, for which an index waits',
    file: migrations,
    find: 'SELECT pg_try_advisory_lock(${migrationLock}) AS locked',
    replace: 'SELECT true AS locked FROM pg_advisory_lock(${migrationLock})',
    test: indexTest,
    only: 'who waits for a process that makes an index is not what that index waits for',
  },
  {
    name: 'upgrades: an index is made while writers wait',
    file: indexes,
    find: '  await client.query(sql);\n}',
    replace: '  await client.query(inTransaction(sql));\n}',
    test: indexTest,
  },
  {
    name: 'upgrades: an index that was left invalid is taken for a good one',
    file: indexes,
    find: 'i.indisvalid AND i.indisready AS valid',
    replace: 'true AS valid',
    test: indexTest,
  },
  {
    name: 'upgrades: an index that is there is made again',
    file: indexes,
    find: "  if (state === 'valid') return;\n",
    replace: '',
    test: indexTest,
  },
  {
    name: 'upgrades: nobody is told what an index waits for',
    file: indexes,
    find: 'if (progress) tell(',
    replace: 'if (!progress) tell(',
    test: indexTest,
  },
  {
    name: 'upgrades: any statement runs outside a transaction',
    file: indexes,
    find: 'const createShape = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY ',
    replace: 'const createShape = /^[A-Z ]+ ',
    test: indexTest,
  },
  {
    name: 'upgrades: a start contracts',
    file: migrations,
    find: '[...others, ...contracts] : others',
    replace: '[...others, ...contracts] : lacking',
    test: contractions,
  },
  {
    name: 'upgrades: a new database waits for contractions',
    file: migrations,
    find: '  if (isNew) return lacking;\n',
    replace: '',
    test: contractions,
  },
  {
    name: 'upgrades: a contraction asks nobody whether it may',
    file: migrations,
    find: "if (migration.kind === 'CONTRACTS') await",
    replace: "if (migration.kind === 'INDEXES') await",
    test: contractions,
  },
  {
    name: 'upgrades: a contraction does not mind older processes',
    file: processes,
    find: '  if (older.length === 0) return;\n',
    replace: '  if (older.length >= 0) return;\n',
    test: plan,
  },
  {
    name: 'upgrades: a process may begin to run while a contraction looks who does',
    file: processes,
    find: '  await transaction.query({ text: lockText });\n',
    replace: '',
    test: plan,
  },
  {
    name: 'upgrades: a process that was held up does not look again what has landed',
    file: 'server/src/app/timekeeping.ts',
    find: '      await compareMigrations(database);\n',
    replace: '',
    test: plan,
  },
  {
    name: 'upgrades: no version ever needs a stop',
    file: 'server/src/doctor/upgrade.ts',
    find: 'stopNeeded: toStop.length > 0',
    replace: 'stopNeeded: false',
    test: plan,
  },
  {
    name: 'upgrades: what contracts later is said to need a stop now',
    file: 'server/src/doctor/upgrade.ts',
    find: "isNew || kind !== 'CONTRACTS'",
    replace: 'isNew || kind.length > 0',
    test: plan,
  },
  {
    name: 'upgrades: a restore takes the first migrations for those that the backup had',
    file: 'server/src/backup/restore.ts',
    find: 'migrations.filter(({ number }) => had.has(number))',
    replace: 'migrations.slice(0, had.size)',
    test: restores,
    only: 'a backup whose database lacks a contraction is restored',
  },
];
