import { createHash } from 'node:crypto';
import type { CallbackContent } from '../../integrations/operators/adapter.ts';
import type { CallbackAddress } from '../../integrations/operators/callback-token.ts';
import type { AdapterOf } from '../../integrations/operators/load-adapters.ts';
import { invalid } from '../../platform/errors/errors.ts';
import type { Metrics } from '../../platform/observability/metrics.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { requestExtraQuery } from './overflow.ts';
import { insertCallback, type OperatorCallback } from './store.ts';

export interface TakeCallbackDependencies {
  database: Database;
  clock: Clock;
  adapterOf: AdapterOf;
  metrics: Pick<Metrics, 'excessCallbacks'>;
  /** Handles callbacks in memory as they are written; its lease keeps other workers away from them. */
  worker: {
    leaseMs(callback: OperatorCallback): number;
    accept(callback: OperatorCallback): void;
    wake(atMs: number): void;
  };
}

/** A callback to one of our addresses, as the operator sent it. */
export interface SentCallback {
  address: CallbackAddress;
  /** Whether the callback was authenticated. */
  authenticated: boolean;
  /** Parsed. */
  body: unknown;
}

/**
 * Stores a callback, so that the operator can be told that we received it. A worker handles it afterwards. TOO_MANY:
 * the callback was not stored, because this reference has enough of them; the gateway only records that it must query
 * the operator again.
 * @throws VALIDATION_ERROR the operator would not send such a body
 */
export type TakeCallback = (sent: SentCallback) => Promise<'TAKEN' | 'TOO_MANY'>;

export function makeTakeCallback(parts: TakeCallbackDependencies): TakeCallback {
  return async ({ address, authenticated, body }) => {
    const { callbacks } = parts.adapterOf[address.operator];
    const report = callbacks.read(body);
    if (!report) throw invalid('The request body', `must be ${callbacks.rule}`);
    const nowMs = parts.clock.nowMs();
    const callback: OperatorCallback = {
      ...address,
      id: address.reference,
      outcome: digestOf(report.outcome),
      body: JSON.stringify(body),
      lookCount: 0,
      authenticated,
      dueAtMs: nowMs,
      createdAtMs: nowMs,
    };
    callback.dueAtMs = parts.worker.leaseMs(callback);
    const kept = await insertCallback(parts.database, callback);
    if (kept === 'KEPT') parts.worker.accept(callback);
    if (kept !== 'TOO_MANY') return 'TAKEN';
    parts.metrics.excessCallbacks.inc({ operator: address.operator });
    parts.worker.wake(await requestExtraQuery(parts.database, address, nowMs));
    return 'TOO_MANY';
  };
}

/** Hashed, because an operator may write more than an index entry can hold. */
function digestOf({ kind, values }: CallbackContent['outcome']): string {
  const text = JSON.stringify(values.map((value) => (typeof value === 'object' ? null : value)));
  return `${kind} ${createHash('sha256').update(text).digest('base64url')}`;
}
