import { createReconciliations } from '../../backoffice/reconciliations/use-cases.ts';
import { reconciliationWorkers } from '../../backoffice/reconciliations/worker.ts';
import type { Base } from './base.ts';
import type { Disbursements } from './disbursements.ts';
import { openPatientOf } from './long-query-connection.ts';
import type { Work } from './payments.ts';
import type { Refunds } from './refunds.ts';

export type ComposedReconciliations = ReturnType<typeof composeReconciliations>;

/** Composes reconciliations: a worker compares statements, people and programs process the differences. */
export function composeReconciliations(
  base: Base,
  work: Work,
  { refundProcessor, disbursementProcessor }: Refunds & Disbursements,
) {
  const { processor, reversalProcessor } = work;
  const workers = reconciliationWorkers({
    ...base,
    openPatient: openPatientOf(base),
    hints: {
      PAYMENT: (tenantId, reference) => processor.hint(tenantId, reference),
      REFUND: (tenantId, reference) => refundProcessor.hint(tenantId, reference),
      REVERSAL: (tenantId, reference) => reversalProcessor.hint(tenantId, reference),
      DISBURSEMENT: (tenantId, reference) => disbursementProcessor.hint(tenantId, reference),
    },
  });
  const reconciliations = createReconciliations({
    ...base,
    onReview: (kind, { operator }) => base.metrics.reviews.inc({ kind, operator }),
    wakeComparisons: (atMs) => workers.comparisons.wakeAt(atMs),
    wakeQuestions: (atMs) => workers.questions.wakeAt(atMs),
  });
  return { reconciliations, reconciliationWorkers: workers };
}
