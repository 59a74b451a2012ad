import type { Mutation } from './list.ts';

const runTest = 'server/src/backup/run.test.ts';
const fullDiskTest = 'server/src/backup/full-disk.test.ts';
const alertTest = 'server/src/alerts/backup-old.test.ts';
const s3Test = 'server/src/backup/s3.test.ts';
const scheduleTest = 'server/src/backup/schedule.test.ts';

/** Faults of backups that are made, kept and removed by themselves. */
export const backupMutations: readonly Mutation[] = [
  {
    name: 'backups: of several processes each makes one',
    file: 'server/src/backup/store.ts',
    find: 'return row?.locked ?? false;',
    replace: 'return row !== undefined;',
    test: runTest,
  },
  {
    name: 'backups: the last good ones are removed too',
    file: 'server/src/backup/store.ts',
    find: 'Math.max(1, keepLast)',
    replace: '0',
    test: runTest,
  },
  {
    name: 'backups: a trial stays in the database',
    file: 'server/src/backup/restore.ts',
    find: "options.inspect ? 'ROLLBACK' : 'COMMIT'",
    replace: "'COMMIT'",
    test: runTest,
  },
  {
    name: 'backups: a wrong ledger is called good',
    file: 'server/src/backup/verify.ts',
    find: 'if (problems.length > 0) throw wrongLedger(problems.length);',
    replace: '',
    test: runTest,
  },
  {
    name: 'backups: what a killed process left stays',
    file: 'server/src/backup/run.ts',
    find: 'if (address === place.address) await place.removePartial(name);',
    replace: '{}',
    test: runTest,
  },
  {
    name: 'backups: an upload that breaks off is left behind',
    file: 'server/src/backup/s3.ts',
    find: ".send(this.#key, { method: 'DELETE', query: `uploadId=${id}` })",
    replace: ".send(this.#key, { method: 'GET' })",
    test: s3Test,
  },
  {
    name: 'backups: what a killed process has uploaded stays',
    file: 'server/src/backup/s3.ts',
    find: 'if (id === undefined || !upload.includes(`<Key>${key}</Key>`)) continue;',
    replace: 'if (id !== undefined) continue;',
    test: s3Test,
  },
  {
    name: 'backups: uploads of other backups are taken back too',
    file: 'server/src/backup/s3.ts',
    find: 'id === undefined || !upload.includes(`<Key>${key}</Key>`)',
    replace: 'id === undefined',
    test: s3Test,
  },
  {
    name: 'backups: a store that breaks off is told without words',
    file: 'server/src/backup/s3.ts',
    find: 'throw new StartError(\n        `The store',
    replace: 'throw error;\n      throw new StartError(\n        `The store',
    test: s3Test,
  },
  {
    name: 'backups: a full disk leaves a part of the file',
    file: 'server/src/backup/file.ts',
    find: 'await rm(partial, { force: true });',
    replace: '',
    test: fullDiskTest,
  },
  {
    name: 'backups: a full disk is told without words',
    file: 'server/src/backup/write.ts',
    find: 'throw ofSink instanceof StartError ? ofSink : error;',
    replace: 'throw error;',
    test: fullDiskTest,
  },
  {
    name: 'backups: a full standard output ends in a stack',
    file: 'server/src/backup/standard.ts',
    find: "process.stdout.removeAllListeners('error');",
    replace: '',
    test: 'server/src/cli/backup.long.test.ts',
    only: 'standard output that takes no more',
  },
  {
    name: 'backups: one that was killed while it was tried is never removed',
    file: 'server/src/backup/store.ts',
    find: "OR error = '${interrupted}'",
    replace: '',
    test: runTest,
  },
  {
    name: 'backups: each try that fails leaves its file',
    file: 'server/src/backup/run.ts',
    find: 'if (bytes !== null) await this.#removeOtherFailures().catch(() => {});',
    replace: '',
    test: runTest,
    only: 'tries that fail hour after hour',
  },
  {
    name: 'backups: one that failed ends the alert of an old one',
    file: 'server/src/alerts/figures.ts',
    find: 'FILTER (WHERE ended_at IS NOT NULL AND error IS NULL)',
    replace: 'FILTER (WHERE ended_at IS NOT NULL)',
    test: alertTest,
  },
  {
    name: 'backups: a schedule that never worked has no alert',
    file: 'server/src/alerts/figures.ts',
    find: 'min(began_at)',
    replace: 'NULL',
    test: alertTest,
  },
  {
    name: 'backups: a store that hangs is waited for',
    file: 'server/src/backup/s3.ts',
    find: '[AbortSignal.timeout(this.limits.requestMs)]',
    replace: '[]',
    test: s3Test,
  },
  {
    name: 'backups: a failure is tried again at once',
    file: 'server/src/backup/schedule.ts',
    find: 'if (failedAtMs !== null && nowMs < failedAtMs + restMs) return false;',
    replace: '',
    test: scheduleTest,
  },
  {
    name: 'backups: a role without rights sees a stack',
    file: 'server/src/postgres/privileges.ts',
    find: 'if (code !== insufficientPrivilege && code !== noSchema) throw error;',
    replace: 'throw error;',
    test: 'server/src/postgres/privileges.test.ts',
  },
  {
    name: 'backups: npx leaves its program behind',
    file: 'server/bin/zimbo.js',
    find: 'if (process.ppid === parent) return;',
    replace: 'return;',
    test: 'server/src/cli/npx.test.ts',
  },
  {
    name: 'backups: npm leaves behind the gateway that the example starts',
    file: 'examples/shop/gateway.js',
    find: "process.on('exit', () => child.kill());",
    replace: '',
    test: 'server/src/cli/npx.test.ts',
    only: 'the example that npm runs',
  },
  {
    name: 'backups: npm leaves the example behind while its gateway starts',
    file: 'examples/shop/main.js',
    find: 'let gateway;',
    replace: 'let gateway = await openGateway();',
    test: 'server/src/cli/npx.test.ts',
    only: 'the example that npm runs',
  },
];
