/** Real deliveries of a gateway, and forged ones. */

import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { deliveryHeaders } from '../../src/integrations/webhooks/signature.ts';
import { eventually, testGateway } from './gateway.ts';
import { type Received, testReceiver } from './receiver.ts';

const payment = {
  amount: 10_000,
  operator: 'MOCK',
  operatorPhone: '+2389912159',
  description: 'Café ☕ à "Praça"',
};

/** A delivery as received, and the receiver's secret. */
export interface Case {
  secret: string;
  headers: IncomingHttpHeaders | Record<string, string>;
  body: Buffer | string;
}

/** Real deliveries of a gateway: one before a rotation, and one while both secrets sign. */
export async function capture(context: TestContext) {
  const { api, url, key } = await testGateway(context);
  const receiver = await testReceiver(context);
  const given = { url: receiver.url, events: ['payment.created'] };
  const { body: endpoint } = await api('POST', '/v1/webhooks', given);
  const deliver = async (number: number) => {
    await api('POST', '/v1/payments', payment);
    await eventually('it arrives', () => receiver.received.length === number);
    return receiver.received[number - 1] as Received;
  };
  const before = await deliver(1);
  const { body: rotated } = await api('POST', `/v1/webhooks/${endpoint.id}/rotate-secret`);
  const during = await deliver(2);
  return { url, key, before, during, oldSecret: endpoint.secret, newSecret: rotated.secret };
}

/** The headers of a delivery like the gateway's, signed some seconds ago. */
export function signed(secret: string, body: string, ageSeconds = 0): Record<string, string> {
  const timestampSeconds = Math.floor(Date.now() / 1_000) - ageSeconds;
  const eventId = '019aa5d4-e0fb-7000-8000-000000000001';
  const headers = deliveryHeaders({ eventId, sequence: 1, secret, timestampSeconds, body });
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

export type Captured = Awaited<ReturnType<typeof capture>>;

export function genuineCases({
  before,
  during,
  oldSecret,
  newSecret,
}: Captured): Record<string, Case> {
  return {
    'as it arrived': { secret: oldSecret, headers: before.headers, body: before.raw },
    'in a rotation, old secret': { secret: oldSecret, headers: during.headers, body: during.raw },
    'in a rotation, new secret': { secret: newSecret, headers: during.headers, body: during.raw },
  };
}

export function forgedCases({
  before,
  oldSecret,
  newSecret,
}: Pick<Captured, 'oldSecret' | 'newSecret'> & {
  before: Pick<Received, 'headers' | 'raw'>;
}): Record<string, Case> {
  const { headers, raw } = before;
  const base = { secret: oldSecret, headers, body: raw };
  const seconds = Number(headers['x-service-timestamp']) + 1;
  const signedWith = (signature: string, standard: string) => ({
    ...headers,
    'x-service-signature': signature,
    'webhook-signature': standard,
  });
  return {
    'another body': { ...base, body: raw.toString().replace('10000', '10001') },
    'the body written anew': { ...base, body: JSON.stringify(JSON.parse(raw.toString()), null, 1) },
    'another secret': { ...base, secret: newSecret },
    'another timestamp': {
      ...base,
      headers: {
        ...headers,
        'x-service-timestamp': `${seconds}`,
        'webhook-timestamp': `${seconds}`,
      },
    },
    'no signature': { ...base, headers: signedWith('', '') },
    'half a signature': {
      ...base,
      headers: signedWith(String(headers['x-service-signature']).slice(0, 32), 'v1,AAAA'),
    },
    'an old one': { ...base, headers: signed(oldSecret, raw.toString(), 310) },
    ...Object.fromEntries(
      metacharacters(String(headers['x-service-signature'])).map((forged) => [
        forged,
        { ...base, headers: signedWith(forged, `v1,${forged}`) },
      ]),
    ),
  };
}

export const canary = 'zimbo-recipe-was-run';

/** Texts that a shell, pattern or format could interpret. */
export const metacharacters = (signature: string) => [
  '.*',
  '*',
  '^.*$',
  `[0-9a-f]*`,
  `${signature.slice(0, 63)}?`,
  `${signature.slice(0, 63)}.`,
  `$(touch ${join(tmpdir(), canary)})`,
  `\`touch ${join(tmpdir(), canary)}\``,
  `"; touch ${join(tmpdir(), canary)}; echo genuine; "`,
  `'`,
  '"',
  '%s%n',
  '\\x00',
  '-n',
];
