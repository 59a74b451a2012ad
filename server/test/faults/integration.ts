import type { Fault } from './list.ts';

const ofSessions = 'server/test/flows/payments-of-sessions.test.ts';
const idempotency = 'server/test/flows/idempotency.test.ts';

/** Faults of what those who integrate rely on. */
export const integrationFaults: Fault[] = [
  {
    name: 'integration: a payment of a session loses its metadata',
    file: 'server/src/checkout/attempt.ts',
    find: 'metadata: session.metadata,',
    replace: 'metadata: null,',
    test: ofSessions,
  },
  {
    name: 'integration: a payment does not say which session it is of',
    file: 'server/src/payments/view.ts',
    find: 'payment.checkoutSessionId === null ? null',
    replace: 'payment.checkoutSessionId !== undefined ? null',
    test: ofSessions,
  },
  {
    name: 'integration: a session is found by its latest payment only',
    file: 'server/src/checkout/list.ts',
    find: 'const sessionOfPayment = `id = (\n  SELECT checkout_session_id FROM payments WHERE payments.tenant_id = $1 AND payments.id = ?\n)`;',
    replace: "const sessionOfPayment = 'latest_payment_id = ?';",
    test: ofSessions,
  },
  {
    name: 'integration: a session takes a customer that its payments cannot have',
    file: 'server/src/checkout/schemas.ts',
    find: '    customerId: optional(reference),',
    replace: '    customerId: optional(text),',
    test: 'server/test/flows/checkout-sessions.test.ts',
  },
  {
    name: 'integration: a session takes a product of another currency',
    file: 'server/src/checkout/create.ts',
    find: 'if (product.currency !== input.currency) {',
    replace: "if (product.currency === 'none') {",
    test: 'server/test/flows/checkout-sessions.test.ts',
  },
  {
    name: 'integration: a session takes a phone of another currency',
    file: 'server/src/checkout/page/routes.ts',
    find: 'else if (currencyOfPhone(phone) !== session.currency) {',
    replace: "else if (currencyOfPhone(phone) === 'none' as never) {",
    test: ofSessions,
  },
  {
    name: 'integration: the page leaves out what an item is',
    file: 'server/src/checkout/page/page.ts',
    find: 'const small = about ?',
    replace: 'const small = about === 0 as never ?',
    test: ofSessions,
  },
  {
    name: 'integration: after its last attempt a session stays OPEN',
    file: 'server/src/checkout/slot.ts',
    find: "THEN 'EXPIRED'",
    replace: "THEN 'OPEN'",
    test: 'server/test/flows/payment-page.test.ts',
    only: 'when the tenth attempt has failed',
  },
  {
    name: 'integration: nobody is told of a session that its last attempt ended',
    file: 'server/src/checkout/event.ts',
    find: 'if (hasAttemptsLeft(session)) return undefined;',
    replace: 'if (session) return undefined;',
    test: 'server/test/flows/payment-page.test.ts',
    only: 'when the tenth attempt has failed',
  },
  {
    name: 'integration: idempotency compares how a phone is written',
    file: 'server/src/payments/routes.ts',
    find: 'const operatorPhone = normalizePhone(body.operatorPhone) ?? body.operatorPhone;',
    replace: 'const { operatorPhone } = body;',
    test: idempotency,
  },
  {
    name: 'integration: a null is another request than a field left out',
    file: 'server/src/platform/idempotency.ts',
    find: 'value !== null && value !== undefined',
    replace: 'value !== undefined',
    test: idempotency,
  },
  {
    name: 'integration: keys of an older release are compared by what they mean',
    file: 'server/src/platform/idempotency.ts',
    find: 'stored.length === firstVersionLength ?',
    replace: 'stored.length === 0 ?',
    test: idempotency,
  },
  {
    name: 'integration: a replay shows fields that came later',
    file: 'server/src/platform/rendering.ts',
    find: '(since[field as keyof View] ?? 1) <= rendering',
    replace: '(since[field as keyof View] ?? 1) <= rendering + 1',
    test: idempotency,
  },
];
