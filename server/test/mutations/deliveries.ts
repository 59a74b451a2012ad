import type { Mutation } from './list.ts';

const recorder = 'server/src/webhooks/attempt-recorder.test.ts';
const backlog = 'server/src/webhooks/backlog.test.ts';
const burst = 'server/src/webhooks/burst.test.ts';
const queues = 'server/src/webhooks/endpoint-queues.test.ts';
const signature = 'server/src/webhooks/signature.test.ts';

/** Faults of deliveries that are claimed, signed and recorded many at a time. */
export const deliveryMutations: readonly Mutation[] = [
  {
    name: 'deliveries: an endpoint that was passed over waits until the next look',
    file: 'server/src/webhooks/endpoint-queues.ts',
    find: '    this.#listener.ofEndpoint(endpointId);\n',
    replace: '',
    test: backlog,
  },
  {
    name: 'deliveries: what does not fit in memory is kept from others until its lease ends',
    file: 'server/src/webhooks/worker.ts',
    find: 'if (!this.#queues.add(delivery)) this.#releaser.release(delivery);',
    replace: 'this.#queues.add(delivery);',
    test: burst,
  },
  {
    name: 'deliveries: what waits in memory for too long is kept from others until its lease ends',
    file: 'server/src/webhooks/worker.ts',
    find: "      this.#releaser.release(delivery);\n      return 'unsent';\n",
    replace: "      return 'unsent';\n",
    test: burst,
  },
  {
    name: 'deliveries: a tenant that has room again waits until the next look',
    file: 'server/src/memory/want-of-room.ts',
    find: 'if (hasRoom) this.#listener.ofTenant(owner.tenantId);',
    replace: 'if (hasRoom) return;',
    test: burst,
    only: 'too large for the room',
  },
  {
    name: 'jobs: rows that did not fit in memory wait until the next look',
    file: 'server/src/jobs/worker.ts',
    find: '      this.#passedOver.delete(queue);\n      this.wake(clock.nowMs());\n',
    replace: '      this.#passedOver.delete(queue);\n      void clock;\n',
    test: 'server/src/jobs/worker.test.ts',
  },
  {
    name: 'deliveries: an endpoint asks for more although enough waits',
    file: 'server/src/webhooks/endpoint-queues.ts',
    find: '!this.#passedOver.has(endpointId) || waiting.length >= this.#enoughFor(endpointId)',
    replace: '!this.#passedOver.has(endpointId) || waiting.length < 0',
    test: queues,
  },
  {
    name: 'deliveries: more is claimed for a slow endpoint than it is sent at once',
    file: 'server/src/webhooks/endpoint-queues.ts',
    find: 'this.#speeds.isQuick(endpointId) ? allowed * claimedAhead : allowed',
    replace: 'allowed * claimedAhead',
    test: queues,
  },
  {
    name: 'deliveries: what is claimed for one endpoint is of all',
    file: 'server/src/webhooks/delivery-store.ts',
    find: 'cardinality(${given.onlyTenantIds}) = 0',
    replace: 'cardinality(${given.onlyTenantIds}) >= 0',
    test: backlog,
  },
  {
    name: 'deliveries: an attempt is looked for among all that were claimed with it',
    file: 'server/src/jobs/lease.ts',
    find: '${dueAt} IS NOT DISTINCT FROM ${lease}',
    replace: '${dueAt} = ${lease}',
    test: recorder,
  },
  {
    name: 'deliveries: an attempt is recorded although its lease has passed to another',
    file: 'server/src/webhooks/delivery-store.ts',
    find: "${isUnderLease('d.due_at', 'given.lease')} AND ${isAllowed",
    replace: 'given.lease IS NOT NULL AND ${isAllowed',
    test: recorder,
  },
  {
    name: 'deliveries: each attempt is a statement of its own',
    file: 'server/src/webhooks/attempt-recorder.ts',
    find: 'if (this.#gathered.length > 1) return;\n    after(this.#dependencies.clock, gatherMs, () => this.#writeGathered());',
    replace: 'void after;\n    this.#writeGathered();',
    test: recorder,
  },
  {
    name: 'deliveries: what is gathered at the end is not recorded',
    file: 'server/src/webhooks/attempt-recorder.ts',
    find: '  async stop(): Promise<void> {\n    this.#writeGathered();\n',
    replace: '  async stop(): Promise<void> {\n',
    test: recorder,
  },
  {
    name: 'deliveries: a secret longer than a block is cut instead of hashed',
    file: 'server/src/secrets/hmac.ts',
    find: "key.length > blockBytes ? hash('sha256', key, 'buffer') : key",
    replace: 'key',
    test: signature,
  },
  {
    name: 'leases: what becomes of a row is looked for among all that were claimed with it',
    file: 'server/src/jobs/lease.ts',
    find: '${dueAt} IS NOT DISTINCT FROM ${lease}',
    replace: '${dueAt} = ${lease}',
    test: 'server/test/leases.test.ts',
  },
  {
    name: 'redelivery: a request that has sent enough ends in the middle of a millisecond',
    file: 'server/src/webhooks/deliveries/redeliver.ts',
    find: '    if (isShort || (bytesLeft > 0 && count < maxCount)) continue;',
    replace:
      '    if (count >= maxCount) return { count, nextSinceMs: instantOf(first) };\n    if (isShort || bytesLeft > 0) continue;',
    test: 'server/src/webhooks/deliveries/redeliver.test.ts',
  },
];
