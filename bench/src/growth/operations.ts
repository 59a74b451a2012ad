import type { BenchGateway } from '../gateway/gateway.ts';
import { createRequest, getRequest, realRequests, refundRequest } from '../gateway/load.ts';
import { paymentIds } from '../gateway/rows.ts';
import type { LoadRequest } from '../load/job.ts';
import { bodyOf, customerId, idempotencyKey } from './payments.ts';

/** A request whose cost should not depend on the number of payments. */
export interface Operation {
  name: string;
  requests: (gateway: BenchGateway, count: number) => LoadRequest[] | Promise<LoadRequest[]>;
}

/** How many payments, customers and keys an operation cycles through. */
const varied = 2_000;
const list = '/v1/payments?limit=20';

const listed = (name: string, query: string): Operation => ({
  name,
  requests: ({ key }) => [getRequest(key, query)],
});

export const operations: Operation[] = [
  { name: 'create', requests: ({ key }) => [createRequest(key)] },
  {
    name: 'get',
    requests: async ({ database, key }) =>
      (await paymentIds(database, varied)).map((id) => getRequest(key, `/v1/payments/${id}`)),
  },
  { name: 'real create', requests: ({ key }) => realRequests(key) },
  {
    name: 'refund',
    requests: async ({ database, key }) => {
      const ids = await paymentIds(database, varied, `status IN ('DEBITED', 'SETTLED')`);
      return ids.map((id) => refundRequest(key, id));
    },
  },
  listed('first page', list),
  {
    name: 'deep page',
    requests: async ({ database, key }, count) => {
      // In the older half.
      const condition = `created_at < (SELECT created_at FROM payments ORDER BY id OFFSET ${count / 2} LIMIT 1)`;
      const ids = await paymentIds(database, varied, condition);
      return ids.map((id) => getRequest(key, `${list}&starting_after=${id}`));
    },
  },
  listed('page of status FAILED', `${list}&status=FAILED`),
  listed('page of status SETTLED', `${list}&status=SETTLED`),
  {
    name: 'page of a customer',
    requests: ({ key }, count) =>
      some(count).map((index) =>
        getRequest(key, `${list}&customer_id=${customerId(index, count)}`),
      ),
  },
  listed('events of type payment.failed', '/v1/events?limit=20&type=payment.failed'),
  listed('events of type payment.debited', '/v1/events?limit=20&type=payment.debited'),
  {
    name: 'replay',
    requests: ({ key }, count) =>
      some(count).map((index) => ({
        ...createRequest(key),
        body: JSON.stringify(bodyOf(index, count)),
        idempotencyKey: idempotencyKey(index),
      })),
  },
];

/** Positions all over a history; a prime step avoids any order that suits the disk. */
function some(count: number): number[] {
  return Array.from({ length: varied }, (_, turn) => (turn * 104_729) % count);
}
