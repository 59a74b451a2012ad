import { makeRunAct } from '../../act-keys/run-act.ts';
import { createTurns } from '../../jobs/turns.ts';
import { makeChangeLink } from '../../payment-links/change.ts';
import { makeCreateLink } from '../../payment-links/create.ts';
import { createLinkUrls } from '../../payment-links/link-urls.ts';
import { makeUseLink } from '../../payment-links/use.ts';
import { makeCancelPayment } from '../../payments/cancel.ts';
import { makeConfirmPayment } from '../../payments/confirm.ts';
import { makeExportPayments } from '../../payments/export.ts';
import { makeChangeProduct } from '../../products/change.ts';
import { makeCreateProduct } from '../../products/create.ts';
import { type CreateEndpointInput, makeCreateEndpoint } from '../../webhooks/create-endpoint.ts';
import { makeDeleteEndpoint } from '../../webhooks/delete-endpoint.ts';
import { makeRedeliver } from '../../webhooks/deliveries/redeliver.ts';
import { makeSendTestEvent } from '../../webhooks/deliveries/test-event.ts';
import { makeRotateSecret, makeRotationThen } from '../../webhooks/rotate-secret.ts';
import { makeUpdateEndpoint, type UpdateEndpoint } from '../../webhooks/update-endpoint.ts';
import type { WebhookWorker } from '../../webhooks/worker.ts';
import type { Approvals } from './approvals.ts';
import type { Base } from './base.ts';
import type { Checkout } from './checkout.ts';
import type { Work } from './payments.ts';
import type { ComposedReconciliations } from './reconciliations.ts';
import type { Refunds } from './refunds.ts';
import type { Settlements } from './settlements.ts';

export type UseCases = ReturnType<typeof composeUseCases>;

/** What people and programs ask for: the API and the console call the same. */
export function composeUseCases(
  base: Base,
  dispatcher: WebhookWorker,
  work: Work &
    Refunds &
    Settlements &
    Checkout &
    Approvals &
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
    askApproval: work.askApproval,
    decideApproval: work.decideApproval,
    reconciliations: work.reconciliations,
    createSession,
    expireSession,
    createProduct: makeCreateProduct(base),
    changeProduct: makeChangeProduct(base),
    ...composeLinks(base),
    processSettlement,
    ...composeEndpoints(base, endpointChanged),
    redeliver: makeRedeliver({ ...base, endpointChanged }),
    sendTestEvent: makeSendTestEvent({ ...base, endpointChanged }),
  };
}

/** Links that are paid again and again. */
function composeLinks(base: Base) {
  const linkUrls = createLinkUrls(base.paymentLinks);
  return {
    linkUrls,
    createLink: makeCreateLink({ ...base, linkUrls }),
    changeLink: makeChangeLink({ ...base, linkUrls }),
    useLink: makeUseLink(base),
  };
}

/** Endpoints of a tenant are counted under a lock, so that they wait for one another anyway. */
function composeEndpoints(base: Base, endpointChanged: (id: string) => void) {
  const turns = createTurns();
  const dependencies = { ...base, endpointLimits: base.config.endpointLimits, endpointChanged };
  const createEndpoint = makeCreateEndpoint(dependencies);
  const updateEndpoint = makeUpdateEndpoint(dependencies);
  return {
    endpointChanged,
    createEndpoint: (input: CreateEndpointInput) =>
      turns(input.tenantId, () => createEndpoint(input)),
    deleteEndpoint: makeDeleteEndpoint(dependencies),
    rotateSecret: makeRotateSecret(dependencies),
    rotationThen: makeRotationThen(dependencies),
    updateEndpoint: (...change: Parameters<UpdateEndpoint>) =>
      turns(change[0].tenantId, () => updateEndpoint(...change)),
  };
}
