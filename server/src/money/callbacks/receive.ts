import { createHash } from 'node:crypto';
import type { Told } from '../../integrations/operators/adapter.ts';
import type { CallbackAddress } from '../../integrations/operators/callback-token.ts';
import type { AdapterOf } from '../../integrations/operators/load-adapters.ts';
import { invalid } from '../../platform/errors/errors.ts';
import type { Metrics } from '../../platform/observability/metrics.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { askOnceMore } from './overflow.ts';
import { insertCallback, type OperatorCallback } from './store.ts';

export interface TakeCallbackDependencies {
  database: Database;
  clock: Clock;
  adapterOf: AdapterOf;
  metrics: Pick<Metrics, 'excessCallbacks'>;
  /** Handles callbacks in memory as they are written; its lease keeps others away from them. */
  worker: {
    leaseMs(callback: OperatorCallback): number;
    accept(callback: OperatorCallback): void;
    wake(atMs: number): void;
  };
}

/** A callback to an address of ours, as the operator sent it. */
export interface SentCallback {
  address: CallbackAddress;
  /** It has proved to be the operator's. */
  authenticated: boolean;
  /** Parsed. */
  body: unknown;
}

/**
 * Keeps a callback, so that the operator can be told that it was taken. It is handled afterwards. TOO_MANY: it was not
 * kept, because of the reference enough are; that the operator is to be asked once more is remembered.
 * @throws VALIDATION_ERROR the body is none that the operator sends
 */
export type TakeCallback = (sent: SentCallback) => Promise<'TAKEN' | 'TOO_MANY'>;

export function makeTakeCallback(parts: TakeCallbackDependencies): TakeCallback {
  return async ({ address, authenticated, body }) => {
    const { callbacks } = parts.adapterOf[address.operator];
    const told = callbacks.read(body);
    if (!told) throw invalid('The request body', `must be ${callbacks.rule}`);
    const nowMs = parts.clock.nowMs();
    const callback: OperatorCallback = {
      ...address,
      id: address.reference,
      outcome: digestOf(told.outcome),
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
    parts.worker.wake(await askOnceMore(parts.database, address, nowMs));
    return 'TOO_MANY';
  };
}

/** Hashed, because what an operator writes may be longer than an index takes. */
function digestOf({ kind, values }: Told['outcome']): string {
  const text = JSON.stringify(values.map((value) => (typeof value === 'object' ? null : value)));
  return `${kind} ${createHash('sha256').update(text).digest('base64url')}`;
}
