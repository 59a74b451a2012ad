import { createRequestTidier } from '../../integrations/api-requests/worker.ts';
import { oldEvents } from '../../integrations/events/retention-store.ts';
import { measurementSweep } from '../../integrations/operators/measurements/sweep.ts';
import { oldOperatorRows } from '../../integrations/operators/retention-store.ts';
import { disbursementDaySweep } from '../../money/disbursements/sweep.ts';
import { promptSweep } from '../../money/phones/sweep.ts';
import { actKeySweep } from '../../platform/idempotency/sweep.ts';
import { Retention } from '../../platform/jobs/retention.ts';
import type { Base } from './base.ts';

/** Composes the removal of old rows. */
export function composeRetention(base: Base) {
  const { retentionMs } = base.config;
  const onRemoved = (kind: string, count: number) => base.metrics.removedRows.inc({ kind }, count);
  const oldRows = [oldEvents, oldOperatorRows];
  return [
    new Retention({ ...base, retentionMs, oldRows, onRemoved }),
    promptSweep(base),
    disbursementDaySweep(base),
    actKeySweep(base),
    measurementSweep(base),
    createRequestTidier(base),
  ];
}
