import assert from 'node:assert/strict';
import { eventually, type TestGateway } from './gateway.ts';

export const okPhone = '+238 991 23 45';
/** Waits for POST /v1/payments/{id}/confirm. */
export const confirmPhone = '+2389912159';
export const poorPhone = '+2389912049';

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of all shapes.
export type Session = any;

export async function openSession({ api }: TestGateway, change: object = {}): Promise<Session> {
  const { status, body, text } = await api('POST', '/v1/checkout/sessions', {
    ...('items' in change ? {} : { amount: 100_000 }),
    ...change,
  });
  assert.equal(status, 200, text);
  return body;
}

export interface Page {
  status: number;
  text: string;
  headers: Headers;
}

/** A customer's browser without JavaScript, which does not follow redirects by itself. */
export function pageOf({ url }: TestGateway, session: Session) {
  const address = `${url}${new URL(session.url).pathname}`;
  const send = async (init: RequestInit): Promise<Page> => {
    const answer = await fetch(address, { redirect: 'manual', ...init });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  return {
    address,
    look: () => send({}),
    pay: (phone: string, operator = 'MOCK') =>
      send({ method: 'POST', body: new URLSearchParams({ phone, operator }) }),
  };
}

export async function reload({ api }: TestGateway, { id }: Session): Promise<Session> {
  return (await api('GET', `/v1/checkout/sessions/${id}`)).body;
}

export function reachStatus(gateway: TestGateway, session: Session, status: string) {
  return eventually(`${session.id} becomes ${status}`, async () => {
    const now = await reload(gateway, session);
    return now.status === status && now;
  });
}

/** The payment of the latest attempt, as soon as it has this status. */
export function reachPayment(gateway: TestGateway, session: Session, status: string) {
  return eventually(`the attempt becomes ${status}`, async () => {
    const { paymentIntentId } = await reload(gateway, session);
    const { body } = await gateway.api('GET', `/v1/payments/${paymentIntentId}`);
    return body.status === status && body;
  });
}

export async function countOf({ database }: TestGateway, from: string): Promise<number> {
  const text = `SELECT count(*)::integer AS count FROM ${from}`;
  return (await database.query<{ count: number }>({ text }))[0]!.count;
}
