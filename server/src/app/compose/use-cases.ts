import { makeCreateEndpoint } from '../../integrations/webhooks/create-endpoint.ts';
import { makeDeleteEndpoint } from '../../integrations/webhooks/delete-endpoint.ts';
import { makeRedeliver, type Redeliver } from '../../integrations/webhooks/deliveries/redeliver.ts';
import { makeSendTestEvent } from '../../integrations/webhooks/deliveries/send-test-event.ts';
import { makeRotateSecret, makeRotationThen } from '../../integrations/webhooks/rotate-secret.ts';
import { makeUpdateEndpoint } from '../../integrations/webhooks/update-endpoint.ts';
import type { WebhookWorker } from '../../integrations/webhooks/worker.ts';
import { makeCancelPayment } from '../../money/payments/cancel.ts';
import { makeConfirmPayment } from '../../money/payments/confirm.ts';
import { makeExportPayments } from '../../money/payments/export.ts';
import { makeRunAct } from '../../platform/idempotency/run-once.ts';
import { createTurns } from '../../platform/process/keyed-queue.ts';
import { makeChangeCheckoutSettings } from '../../storefront/checkout/settings/change.ts';
import { makeChangeLink } from '../../storefront/payment-links/change.ts';
import { makeCreateLink } from '../../storefront/payment-links/create.ts';
import { makeUseLink, type UseLink } from '../../storefront/payment-links/create-session.ts';
import { createLinkUrls } from '../../storefront/payment-links/link-urls.ts';
import { makeChangeProduct } from '../../storefront/products/change.ts';
import { makeCreateProduct } from '../../storefront/products/create.ts';
import type { Approvals } from './approvals.ts';
import type { Base } from './base.ts';
import type { Checkout } from './checkout.ts';
import type { Disbursements } from './disbursements.ts';
import type { Work } from './payments.ts';
import type { ComposedReconciliations } from './reconciliations.ts';
import type { Refunds } from './refunds.ts';
import type { Settlements } from './settlements.ts';

export type UseCases = ReturnType<typeof composeUseCases>;

/** The use cases that the API and the console share. */
export function composeUseCases(
  base: Base,
  dispatcher: WebhookWorker,
  work: Work &
    Refunds &
    Settlements &
    Checkout &
    Approvals &
    Disbursements &
    Pick<ComposedReconciliations, 'reconciliations'>,
) {
  const { applyTransition, processor, simulator } = work;
  const { createPayment, createSession, expireSession, createRefund, processSettlement } = work;
  const endpointChanged = (id: string) => dispatcher.endpointChanged(id);
  const wake = (atMs: number) => work.payments.wake(atMs);
  return {
    runAct: makeRunAct(base),
    createPayment,
    readPayment: work.readPayment,
    cancelPayment: makeCancelPayment({ ...base, applyTransition, wake }),
    confirmPayment: makeConfirmPayment({ ...base, applyTransition, processor, simulator }),
    exportPayments: makeExportPayments(base),
    createRefund,
    createDisbursement: work.createDisbursement,
    walletNames: work.walletNames,
    lookUpName: work.lookUpName,
    cancelDisbursement: work.cancelDisbursement,
    createBatch: work.createBatch,
    previewBatch: work.previewBatch,
    retryBatch: work.retryBatch,
    cancelBatch: work.cancelBatch,
    askApproval: work.askApproval,
    decideApproval: work.decideApproval,
    reconciliations: work.reconciliations,
    createSession,
    expireSession,
    changeCheckoutSettings: makeChangeCheckoutSettings(base),
    createProduct: makeCreateProduct(base),
    changeProduct: makeChangeProduct(base),
    ...composeLinks(base),
    processSettlement,
    ...composeEndpoints(base, endpointChanged),
    redeliver: boundRedeliver(makeRedeliver({ ...base, endpointChanged })),
    sendTestEvent: makeSendTestEvent({ ...base, endpointChanged }),
  };
}

/** Reusable payment links. */
function composeLinks(base: Base) {
  const linkUrls = createLinkUrls({ ...base, publicUrl: base.config.publicUrl });
  const turns = createTurns();
  const useLink = makeUseLink(base);
  return {
    linkUrls,
    createLink: makeCreateLink({ ...base, linkUrls }),
    changeLink: makeChangeLink({ ...base, linkUrls }),
    // Each use counts on the link's row.
    useLink: ((link, ...use) => turns(link.id, () => useLink(link, ...use))) satisfies UseLink,
  };
}

function composeEndpoints(base: Base, endpointChanged: (id: string) => void) {
  const dependencies = { ...base, endpointLimits: base.config.endpointLimits, endpointChanged };
  return {
    endpointChanged,
    createEndpoint: makeCreateEndpoint(dependencies),
    deleteEndpoint: makeDeleteEndpoint(dependencies),
    rotateSecret: makeRotateSecret(dependencies),
    rotationThen: makeRotationThen(dependencies),
    updateEndpoint: makeUpdateEndpoint(dependencies),
  };
}

/**
 * A redelivery of a period may take seconds, and locks up to 10,000 deliveries: at most one per tenant runs at a time,
 * and two in total.
 */
function boundRedeliver(redeliver: Redeliver): Redeliver {
  const ofTenant = createTurns({ waiting: 4 });
  const ofAll = createTurns({ running: 2, waiting: 100 });
  return {
    ...redeliver,
    range: (endpoint, ...order) =>
      ofTenant(endpoint.tenantId, () => ofAll('all', () => redeliver.range(endpoint, ...order))),
  };
}
