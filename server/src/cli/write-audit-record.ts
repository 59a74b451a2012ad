import type { AuditRecord } from '../platform/audit/record.ts';
import { whoRuns } from './workspace.ts';

/**
 * Records what a command is about to do with a database that it must not migrate, and that may be a read-only copy. If
 * recording is impossible, a warning on stderr says so.
 */
export async function recordWherePossible(url: string, record: AuditRecord): Promise<void> {
  const [{ openLog }, { openDatabase }, { clockOf }, { randomIds }, { writeAuditRecord }] =
    await Promise.all([
      import('../platform/observability/log.ts'),
      import('../platform/postgres/database.ts'),
      import('../platform/postgres/database-clock.ts'),
      import('../platform/values/ids.ts'),
      import('../platform/audit/record.ts'),
    ]);
  const log = openLog('warn');
  const database = openDatabase({ url, log, maxConnections: 1 });
  const clock = clockOf(database);
  try {
    const text = `SELECT to_regclass('audit_unsealed') IS NOT NULL AND NOT pg_is_in_recovery() AS can`;
    const [row] = await database.query<{ can: boolean }>({ text });
    if (!row?.can) {
      console.error(
        'This was not recorded in the audit log: the database is older than this program, or a read-only copy.',
      );
      return;
    }
    await clock.measure();
    await writeAuditRecord(database, { clock, ids: randomIds(), ...whoRuns() }, record);
  } finally {
    await database.close();
  }
}
