import type { Mutation } from './list.ts';

const addresses = 'server/src/public-addresses.test.ts';
const connector = 'server/src/webhooks/connector.test.ts';
const queues = 'server/src/webhooks/endpoint-queues.test.ts';
const limits = 'server/src/webhooks/send-limits.test.ts';
const care = 'server/test/flows/webhook-care.test.ts';
const posts = 'server/test/flows/idempotent-posts.test.ts';
const isolation = 'server/test/flows/webhook-isolation.long.test.ts';
const flow = 'server/test/flows/webhooks.test.ts';
const again = 'server/src/webhooks/deliveries/redeliver.test.ts';

/** Faults of what merchants are sent, and of where it may go. */
export const webhookMutations: Mutation[] = [
  {
    name: 'webhooks: an event is signed once for all attempts',
    file: 'server/src/webhooks/worker.ts',
    find: 'const timestampSeconds = Math.floor(wallClock.nowMs() / 1_000);',
    replace:
      'const timestampSeconds = (globalThis.signedAt ??= Math.floor(wallClock.nowMs() / 1_000));',
    test: flow,
  },
  {
    name: 'webhooks: the body is written anew after it was signed',
    file: 'server/src/webhooks/worker.ts',
    find: 'await sender.send({ tenantId, endpointId, url, mode, headers, body });',
    replace:
      'await sender.send({ tenantId, endpointId, url, mode, headers, body: JSON.stringify(JSON.parse(body), null, 1) });',
    test: flow,
  },
  {
    name: 'webhooks: what is claimed from the table has another body than what was handed over',
    file: 'server/src/webhooks/delivery-store.ts',
    find: 'sequence, body\nFROM claimed',
    replace: `sequence, replace(body, '"type"', ' "type"') AS body\nFROM claimed`,
    test: care,
  },
  {
    name: 'webhooks: a redirect is followed',
    file: 'server/src/webhooks/send.ts',
    find: "import { Agent, type buildConnector } from 'undici';",
    replace: `import { type buildConnector, interceptors, Agent as PlainAgent } from 'undici';
function Agent(options) {
  return new PlainAgent(options).compose(interceptors.redirect({ maxRedirections: 3 }));
}`,
    test: 'server/src/webhooks/send.test.ts',
  },
  {
    name: 'webhooks: only the first address of a name is checked',
    file: 'server/src/webhooks/connector.ts',
    find: '!addresses.every(isAllowed)',
    replace: '!isAllowed(addresses[0]!)',
    test: connector,
  },
  {
    name: 'webhooks: a tenant has as many look-ups as it likes',
    file: 'server/src/webhooks/target-lookups.ts',
    find: '  perTenant: 16,\n',
    replace: '  perTenant: 128,\n',
    test: 'server/src/webhooks/lookup-turns.test.ts',
    only: 'of a tenant, so many names',
  },
  {
    name: 'webhooks: the name is resolved again after it was checked',
    file: 'server/src/webhooks/connector.ts',
    find: 'connect({ ...target, hostname: address }',
    replace: 'connect({ ...target }',
    test: connector,
  },
  {
    name: 'webhooks: an address that carries a private one passes for public',
    file: 'server/src/public-addresses.ts',
    find: "const globalIpv6 = '2000::/3';",
    replace: "const globalIpv6 = '::/0';",
    test: addresses,
  },
  {
    name: 'webhooks: 6to4 addresses pass for public',
    file: 'server/src/public-addresses.ts',
    find: "  '2002::/16', // 6to4: carries any IPv4 address\n",
    replace: '',
    test: addresses,
  },
  {
    name: 'webhooks: what test keys may reach, live keys may',
    file: 'server/src/webhooks/send.ts',
    find: 'allowPrivate[mode] ? open : guarded',
    replace: 'allowPrivate.test ? open : guarded',
    test: 'server/test/flows/hostile-targets.test.ts',
  },
  {
    name: 'webhooks: the time of an attempt ends with the headers of the answer',
    file: 'server/src/webhooks/response-limits.ts',
    find: '    this.#statusCode = statusCode;\n',
    replace: '    this.#statusCode = statusCode;\n    clearTimeout(this.#timer);\n',
    test: limits,
  },
  {
    name: 'webhooks: an answer is read without a limit',
    file: 'server/src/webhooks/response-limits.ts',
    find: 'if (this.#receivedBytes <= this.#options.maxResponseBytes) return;',
    replace: 'if (this.#receivedBytes > 0) return;',
    test: limits,
  },
  {
    name: 'webhooks: an endpoint has no limit of its own',
    file: 'server/src/webhooks/endpoint-queues.ts',
    find: 'if (running >= this.#speeds.allowed(endpointId)) return false;',
    replace: '',
    test: isolation,
  },
  {
    name: 'webhooks: endpoints that hang may take all the room',
    file: 'server/src/webhooks/endpoint-queues.ts',
    find: 'if (this.#speeds.isQuick(endpointId)) return true;',
    replace: 'if (this.#limits.overall > 0) return true;',
    test: queues,
  },
  {
    name: 'webhooks: what could not be sent counts as an answer',
    file: 'server/src/webhooks/slow-endpoints.ts',
    find: "if (outcome === 'unsent') return;",
    replace: '',
    test: isolation,
  },
  {
    name: 'webhooks: an endpoint may be at an address that nothing is delivered to',
    file: 'server/src/webhooks/target.ts',
    find: 'address === undefined || isPublicAddress(address)',
    replace: 'address !== mode',
    test: 'server/src/webhooks/target.test.ts',
  },
  {
    name: 'acts: a key is unknown once the key of digests was replaced',
    file: 'server/src/idempotency.ts',
    find: 'keys.map(({ hash }) => hash(meaning))',
    replace: '[current.hash(meaning)]',
    test: 'server/src/act-keys/run-act.test.ts',
    only: 'the key of digests was replaced',
  },
  {
    name: 'acts: two at once under one key are both carried out',
    file: 'server/src/act-keys/run-act.ts',
    find: 'throw new KeyTaken();',
    replace: 'return;',
    test: posts,
  },
  {
    name: 'acts: a key is written outside the transaction of its act',
    file: 'server/src/payments/cancel.ts',
    find: 'await keep(transaction, keptOf(next));',
    replace: 'await keep(dependencies.database, keptOf(next)).catch(() => {});',
    test: posts,
  },
  {
    name: 'acts: a repeated rotation shows a secret that was replaced',
    file: 'server/src/webhooks/rotate-secret.ts',
    find: "      await forgetField(transaction, { tenantId, id }, 'isCurrent' satisfies keyof Kept);\n",
    replace: '      void forgetField;\n',
    test: posts,
  },
  {
    name: 'acts: a rotation cuts off receivers that know the secret before the last only',
    file: 'server/src/webhooks/rotate-secret.ts',
    find: 'AND ($8 OR next_secret_from IS NULL OR next_secret_from <= $6)',
    replace: 'AND ($8 OR true)',
    test: posts,
  },
  {
    name: 'webhooks: from a rotation on only the new secret signs',
    file: 'server/src/webhooks/rotate-secret.ts',
    find: 'THEN coalesce(next_secret_box, secret_box)',
    replace: 'THEN $3::bytea',
    test: care,
  },
  {
    name: 'webhooks: the signature of Standard Webhooks is under the text of the secret',
    file: 'server/src/webhooks/signature.ts',
    find: "Buffer.from(secret.slice('whsec_'.length), 'base64')",
    replace: 'Buffer.from(secret)',
    test: 'server/test/recipes.long.test.ts',
  },
  {
    name: 'webhooks: 410 is a failure like any other',
    file: 'server/src/webhooks/health.ts',
    find: "statusCode === 410 ? 'GONE' : ",
    replace: '',
    test: care,
  },
  {
    name: 'webhooks: a 410 of the former url disables the endpoint',
    file: 'server/src/webhooks/health.ts',
    find: "WHERE outcome = 'SUCCEEDED' OR e.version = given.sent_version",
    replace: 'WHERE e.version > given.sent_version - 1000',
    test: 'server/src/webhooks/health.test.ts',
  },
  {
    name: 'webhooks: Retry-After shortens a interval',
    file: 'server/src/webhooks/retry.ts',
    find: 'Math.max(spreadMs, Math.min(retryAfterMs ?? 0, maxRetryAfterMs))',
    replace: 'Math.min(retryAfterMs ?? spreadMs, maxRetryAfterMs)',
    test: 'server/src/webhooks/retry.test.ts',
  },
  {
    name: 'webhooks: an attempt is not recorded',
    file: 'server/src/webhooks/delivery-store.ts',
    find: 'WHEN given.detail IS NULL THEN attempts',
    replace: 'WHEN given.lease IS NOT NULL THEN attempts',
    test: care,
  },
  {
    name: 'webhooks: events that were never sent are left out when a time is delivered again',
    file: 'server/src/webhooks/deliveries/redeliver.ts',
    find: '  LEFT JOIN LATERAL (',
    replace: '  JOIN LATERAL (',
    test: care,
  },
  {
    name: 'webhooks: to send a time again, each event is compared with all deliveries',
    file: 'server/src/webhooks/deliveries/redeliver.ts',
    find: '    OFFSET 0',
    replace: '',
    test: again,
  },
  {
    name: 'webhooks: sending a time again is planned once for each connection',
    file: 'server/src/webhooks/deliveries/redeliver.ts',
    find: 'const rangeStatement = {',
    replace: "const rangeStatement = {\n  name: 'deliveries.again_since',",
    test: again,
  },
];
