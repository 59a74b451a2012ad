import type { Mutation } from './list.ts';

const audit = 'server/src/audit/audit.test.ts';
const commands = 'server/src/cli/audit.long.test.ts';
const verify = 'server/src/audit/verify.ts';
const seal = 'server/src/audit/seal.ts';
const store = 'server/src/audit/store.ts';
const migration = 'server/migrations/0016-sealed-audit.sql';

/** Faults of the audit log, and of what proves it. */
export const auditMutations: Mutation[] = [
  {
    name: 'audit: of many problems those beyond the first are not counted',
    file: verify,
    find: 'this.count += problems.length;',
    replace: 'this.count = this.first.length;',
    test: audit,
    only: 'of many problems',
  },
  {
    name: 'audit: a phone that a person wrote is sealed for ever',
    file: 'server/src/audit/record.ts',
    find: 'freeTexts.has(field) ? withoutPhones(value) : value',
    replace: 'freeTexts.has(field) ? value : value',
    test: 'server/src/cli/phones.test.ts',
    only: 'a reason that names the phone is recorded without it',
  },
  {
    name: 'audit: only phones with a plus are taken out of a record',
    file: 'server/src/audit/mask.ts',
    find: '])00(?:',
    replace: '])000(?:',
    test: 'server/src/audit/mask.test.ts',
  },
  {
    name: 'audit: a record that was removed is not missed',
    file: verify,
    find: '    if (!record) return `',
    replace: '    if (!record) return [];\n    if (!record) return `',
    test: audit,
  },
  {
    name: 'audit: who did it is not in the digest',
    file: 'server/src/audit/digest.ts',
    find: 'canonicalJson({ ...record, at })',
    replace: "canonicalJson({ ...record, at, actor: '' })",
    test: audit,
  },
  {
    name: 'audit: seals do not follow each other',
    file: verify,
    find: '!seal.previousHash.equals(last?.hash ?? noHash)',
    replace: 'noHash.length === 0 && last === undefined',
    test: audit,
  },
  {
    name: 'audit: a head is taken for whatever stands here',
    file: verify,
    find: 'known && !known.equals(seal.hash)',
    replace: 'known && !seal.hash.equals(seal.hash)',
    test: audit,
  },
  {
    name: 'audit: an end that was cut off is the end',
    file: verify,
    find: 'head.number > end',
    replace: 'head.number < 0n',
    test: audit,
  },
  {
    name: 'audit: the role of the gateway may remove records',
    file: migration,
    find: 'CREATE TRIGGER audit_records_append_only BEFORE UPDATE OR DELETE OR TRUNCATE',
    replace: 'CREATE TRIGGER audit_records_append_only BEFORE UPDATE OR TRUNCATE',
    test: audit,
  },
  {
    name: 'audit: what commits late is never sealed',
    file: store,
    find: 'ON r.id = u.record_id\nORDER BY r.id LIMIT $1',
    replace:
      'ON r.id = u.record_id\nWHERE r.id > ALL (SELECT unnest(record_ids) FROM audit_seals)\nORDER BY r.id LIMIT $1',
    test: audit,
  },
  {
    name: 'audit: two processes seal at once',
    file: seal,
    find: '    if (!(await lockSeals(transaction))) return undefined;\n',
    replace: '',
    test: audit,
  },
  {
    name: 'audit: what is sealed is sealed again',
    file: store,
    find: `DELETE FROM audit_unsealed WHERE record_id = ANY (\${given.recordIds})`,
    replace: `DELETE FROM audit_unsealed WHERE record_id = ANY (\${given.recordIds}) AND false`,
    test: audit,
    only: 'a written record is sealed, and can be proved unchanged',
  },
  {
    name: 'audit: heads stay within the database',
    file: 'server/src/audit/worker.ts',
    find: 'log.info(',
    replace: 'log.debug(',
    test: audit,
    only: 'the worker seals by itself, and logs each head',
  },
  {
    name: 'audit: a backup leaves no record',
    file: 'server/src/cli/make-backup.ts',
    find: '      await recordWherePossible(url, backupRecord(file));\n',
    replace: '',
    test: commands,
  },
  {
    name: 'audit: a restore leaves no record',
    file: 'server/src/backup/restore.ts',
    find: '    await options.record?.(queryableOf(client));\n',
    replace: '',
    test: commands,
  },
  {
    name: 'audit: an export of the ledger leaves no record',
    file: 'server/src/cli/cells/export.ts',
    find: '    await writeAuditRecord(workspace.database, workspace, record);\n',
    replace: '',
    test: commands,
  },
  {
    name: 'audit: a cancel leaves no record',
    file: 'server/src/payments/cancel.ts',
    find: 'change, undefined, record)',
    replace: 'change)',
    test: 'server/test/flows/authorization.test.ts',
  },
  {
    name: 'audit: a change is made although its record fails',
    file: 'server/src/checkout/expire.ts',
    find: '    const expired = await expireSessions(transaction, expiries, nowMs);',
    replace: '    const expired = await expireSessions(dependencies.database, expiries, nowMs);',
    test: 'server/test/flows/audit.test.ts',
    only: 'a change whose record cannot be written is not made',
  },
  {
    name: 'audit: a URL with its secret is recorded',
    file: 'server/src/audit/mask.ts',
    find: "URL.parse(url)?.origin ?? ''",
    replace: 'url',
    test: 'server/test/flows/audit.test.ts',
  },
];
