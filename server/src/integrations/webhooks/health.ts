import type { Logger } from 'pino';
import { writeAuditRecord } from '../../platform/audit/record.ts';
import { writeNotices } from '../../platform/notices/write.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { prepare, rowsOf } from '../../platform/postgres/statement.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { formatId, type Ids } from '../../platform/values/ids.ts';
import type { DeliveryAttempt } from './delivery-store.ts';
import { aboutEndpoint } from './endpoint.ts';

/** `GONE`: the receiver answered 410. `FAILING`: nothing but failures for five days. */
export type DisabledReason = 'GONE' | 'FAILING';

export interface DisabledEndpoint {
  endpointId: string;
  reason: DisabledReason;
}

export interface EndpointHealthDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  onDisabled: (disabled: DisabledEndpoint) => void;
}

const failingLimitMs = 5 * 24 * 3_600_000;
/** A success is recorded at most this often; five days are long in comparison. */
const noteIntervalMs = 60_000;
const maxRemembered = 10_000;

interface Note {
  tenantId: string;
  endpointId: string;
  outcome: 'SUCCEEDED' | 'FAILED' | 'GONE';
  atMs: number;
  endpointVersion: number;
}

const noteStatement = prepare({
  name: 'webhook_endpoints.note_health',
  given: {
    notes: rowsOf<Note>({
      tenant_id: ['uuid', ({ tenantId }) => tenantId],
      endpoint_id: ['uuid', ({ endpointId }) => endpointId],
      outcome: ['text', ({ outcome }) => outcome],
      at: ['timestamptz', ({ atMs }) => atMs],
      sent_version: ['integer', ({ endpointVersion }) => endpointVersion],
    }),
    failingSinceMs: 'timestamptz',
  },
  text: (given) => `
UPDATE webhook_endpoints w SET
  failing_since = CASE WHEN outcome = 'SUCCEEDED' THEN NULL ELSE coalesce(failing_since, given.at) END,
  status = CASE WHEN reason IS NULL THEN status ELSE 'DISABLED' END,
  disabled_reason = reason,
  version = CASE WHEN reason IS NULL THEN version ELSE version + 1 END,
  updated_at = CASE WHEN reason IS NULL THEN updated_at ELSE given.at END
FROM (
  SELECT given.*, CASE
    WHEN outcome = 'GONE' THEN 'GONE'
    WHEN outcome = 'FAILED' AND e.failing_since <= ${given.failingSinceMs} THEN 'FAILING'
  END AS reason
  FROM ${given.notes}
  JOIN webhook_endpoints e ON e.tenant_id = given.tenant_id AND e.id = given.endpoint_id
  -- A failure of the endpoint as it was before a change says nothing of how it is now.
  WHERE outcome = 'SUCCEEDED' OR e.version = given.sent_version
) AS given
WHERE w.tenant_id = given.tenant_id AND w.id = given.endpoint_id
  AND w.status = 'ACTIVE' AND w.deleted_at IS NULL
  AND (reason IS NOT NULL OR (outcome = 'SUCCEEDED') = (failing_since IS NOT NULL))
RETURNING w.tenant_id AS "tenantId", w.id AS "endpointId", w.disabled_reason AS reason, w.updated_at AS "atMs"`,
});

/** Records since when an endpoint has only failed, and disables an endpoint that is gone or fails for too long. */
export class EndpointHealth {
  #dependencies: EndpointHealthDependencies;
  #notedMs = new Map<string, number>();

  constructor(dependencies: EndpointHealthDependencies) {
    this.#dependencies = dependencies;
  }

  async note(attempts: readonly DeliveryAttempt[]): Promise<void> {
    const notes = this.#worthNoting(outcomesOf(attempts));
    if (notes.length === 0) return;
    const lastMs = Math.max(...notes.map(({ atMs }) => atMs));
    const given = { notes, failingSinceMs: lastMs - failingLimitMs };
    const disabled = await this.#dependencies.database.transaction(async (transaction) => {
      const rows = (await noteStatement.run<NotedRow>(transaction, given)).filter(isDisabled);
      await writeNotices(transaction, rows.map(noticeOf));
      for (const row of rows) await this.#record(transaction, row);
      return rows;
    });
    for (const { endpointId, reason } of disabled) this.#tell({ endpointId, reason });
  }

  #worthNoting(notes: Note[]): Note[] {
    const worth = notes.filter(({ endpointId, outcome, atMs }) => {
      const notedMs = this.#notedMs.get(endpointId) ?? Number.NEGATIVE_INFINITY;
      return outcome !== 'SUCCEEDED' || atMs - notedMs >= noteIntervalMs;
    });
    if (this.#notedMs.size > maxRemembered) this.#notedMs.clear();
    for (const { endpointId, outcome, atMs } of worth) {
      if (outcome === 'SUCCEEDED') this.#notedMs.set(endpointId, atMs);
      else this.#notedMs.delete(endpointId);
    }
    return worth;
  }

  /** The gateway itself has changed the endpoint, not a person. */
  #record(transaction: Queryable, { tenantId, endpointId, reason }: DisabledRow): Promise<void> {
    return writeAuditRecord(transaction, this.#dependencies, {
      ...aboutEndpoint({ tenantId, id: endpointId }),
      action: 'webhook.changed',
      before: { status: 'ACTIVE' },
      after: { status: 'DISABLED', disabledReason: reason },
    });
  }

  #tell(disabled: DisabledEndpoint): void {
    const why =
      disabled.reason === 'GONE' ? 'it answered 410 Gone' : 'it has only failed for five days';
    const endpoint = formatId('we', disabled.endpointId);
    this.#dependencies.log.warn({ endpoint }, `a webhook endpoint was disabled: ${why}`);
    this.#dependencies.onDisabled(disabled);
  }
}

interface NotedRow {
  tenantId: string;
  endpointId: string;
  reason: DisabledReason | null;
  atMs: number;
}
type DisabledRow = NotedRow & DisabledEndpoint;

const isDisabled = (row: NotedRow): row is DisabledRow => row.reason !== null;

const noticeOf = ({ tenantId, endpointId: subject, reason, atMs }: DisabledRow) =>
  ({ kind: 'ENDPOINT_DISABLED', tenantId, subject, detail: { reason }, atMs }) as const;

/** One outcome for each endpoint: gone takes precedence over succeeded, and that over failed. */
function outcomesOf(attempts: readonly DeliveryAttempt[]): Note[] {
  const notes = new Map<string, Note>();
  for (const { delivery, status, statusCode, atMs, detail } of attempts) {
    if (!detail) continue;
    const { tenantId, endpointId, endpointVersion } = delivery;
    const outcome = statusCode === 410 ? 'GONE' : status === 'SUCCEEDED' ? 'SUCCEEDED' : 'FAILED';
    const earlier = notes.get(endpointId);
    if (earlier && rank[earlier.outcome] <= rank[outcome]) continue;
    notes.set(endpointId, { tenantId, endpointId, outcome, atMs, endpointVersion });
  }
  // In one order, so that two processes cannot deadlock.
  return [...notes.values()].sort((a, b) => (a.endpointId < b.endpointId ? -1 : 1));
}

const rank = { GONE: 0, SUCCEEDED: 1, FAILED: 2 } as const;
