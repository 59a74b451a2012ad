import { appendEvents, eventRows, newEvents } from '../../../integrations/events/append.ts';
import { written, writtenRows } from '../../../integrations/events/append-result.ts';
import type { DeliveryDispatcher } from '../../../integrations/events/dispatch.ts';
import { eventOf } from '../../../integrations/events/event.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import { prepare } from '../../../platform/postgres/statement.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import type { Ids } from '../../../platform/values/ids.ts';
import { type CountedBatch, type DisbursementBatch, hasEnded } from './batch.ts';
import { countedBatch, rescheduleBatch } from './store.ts';
import { batchJson } from './view.ts';

export interface CompleteBatchDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  dispatcher: DeliveryDispatcher;
  wake: (atMs: number) => void;
}

/** A batch is looked at again after a quarter of the time since its last row was written, within these limits. */
const waitShare = 0.25;
const shortestWaitMs = 500;
const longestWaitMs = 60_000;

const completeStatement = prepare({
  name: 'disbursement_batches.complete',
  given: {
    deliveriesDueAtMs: 'timestamptz',
    tenantId: 'uuid',
    id: 'uuid',
    version: 'integer',
    nowMs: 'timestamptz',
    events: eventRows,
  },
  text: (given) => `
WITH completed AS (
  UPDATE disbursement_batches
  SET status = 'COMPLETED', version = version + 1, due_at = NULL, updated_at = ${given.nowMs},
    completed_at = ${given.nowMs}
  WHERE tenant_id = ${given.tenantId} AND id = ${given.id} AND version = ${given.version} AND status = 'PROCESSING'
  RETURNING tenant_id, id
),
${newEvents(given.events, 'completed')},
${appendEvents(1)}
${writtenRows('completed')}`,
});

/** Completes a batch whose rows are all written, or looks again later. */
export async function completeIfEnded(
  dependencies: CompleteBatchDependencies,
  batch: DisbursementBatch,
): Promise<void> {
  const { database, clock, wake } = dependencies;
  const counted = await countedBatch(database, batch);
  const nowMs = clock.nowMs();
  if (hasEnded(counted.counts)) {
    await complete(dependencies, counted, nowMs);
    return;
  }
  const waitMs = (nowMs - batch.updatedAtMs) * waitShare;
  const dueAtMs = nowMs + Math.min(Math.max(waitMs, shortestWaitMs), longestWaitMs);
  await rescheduleBatch(database, batch, dueAtMs);
  wake(dueAtMs);
}

/** What has ended stays so: nothing that was counted can change before this is written. */
async function complete(
  { database, ids, dispatcher }: CompleteBatchDependencies,
  batch: CountedBatch,
  nowMs: number,
): Promise<void> {
  const { tenantId, id, version } = batch;
  const next: CountedBatch = {
    ...batch,
    status: 'COMPLETED',
    version: version + 1,
    dueAtMs: null,
    updatedAtMs: nowMs,
    completedAtMs: nowMs,
  };
  const events = [eventOf(ids, 'disbursement_batch.completed', next, nowMs, batchJson(next))];
  const deliveriesDueAtMs = dispatcher.leaseMs(nowMs, events);
  const given = { deliveriesDueAtMs, tenantId, id, version, nowMs, events };
  const done = written(await completeStatement.run(database, given));
  if (done.ids.has(id)) dispatcher.accept(done.subscriptions, events, deliveriesDueAtMs);
}
