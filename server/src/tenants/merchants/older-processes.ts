import { DomainError } from '../../platform/errors/errors.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { rowsQuery } from '../../platform/postgres/query.ts';

/**
 * A process writes down all settings that it knows and that all processes must share, so one that does not name
 * DISBURSEMENTS is of a version before them: it would settle and report amounts that have been paid out.
 */
const olderProcesses = rowsQuery<{ host: string; pid: number; version: string }, []>({
  name: 'disbursements.older_processes',
  text: `
SELECT host, pid, version FROM running_processes
WHERE seen_at > now() - interval '3 minutes' AND NOT settings ? 'DISBURSEMENTS' LIMIT 1`,
});

/**
 * @param refused says what the gateway does not do meanwhile
 * @throws UNAVAILABLE while a process that does not know disbursements runs on this database
 */
export async function refuseBesideOlderProcesses(
  database: Queryable,
  refused = 'disburses nothing',
): Promise<void> {
  const [older] = await olderProcesses(database);
  if (!older) return;
  throw new DomainError(
    'UNAVAILABLE',
    `The gateway is being upgraded, and ${refused} until all of its processes are. Send the same request again after the seconds in Retry-After, with the same Idempotency-Key.`,
  );
}
