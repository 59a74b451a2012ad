import type {
  CheckoutSession,
  CreateCheckoutSessionBody,
  Payment,
  PaymentStatus,
} from '../../../sdk/typescript/src/index.ts';
import { eventually, reach, type TestGateway } from './gateway.ts';

export const okPhone = '+238 991 23 45';
/** Waits for POST /v1/payments/{id}/confirm. */
export const confirmPhone = '+2389912159';
export const poorPhone = '+2389912049';

export function openSession(
  { zimbo }: TestGateway,
  change: CreateCheckoutSessionBody = {},
): Promise<CheckoutSession> {
  const amount = 'items' in change ? {} : { amount: 100_000 };
  return zimbo.checkout.sessions.create({ ...amount, ...change });
}

export interface Page {
  status: number;
  text: string;
  headers: Headers;
}

/** A customer's browser without JavaScript, which does not follow redirects by itself. */
export function pageOf({ url }: TestGateway, session: CheckoutSession) {
  const address = `${url}${new URL(session.url).pathname}`;
  const send = async (init: RequestInit, query = ''): Promise<Page> => {
    const answer = await fetch(`${address}${query}`, { redirect: 'manual', ...init });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  const look = () => send({});
  /** The number of attempts that the form carries; 0 for a page without a form. */
  const seenAttempts = async () =>
    /name="attempt" value="(\d+)"/.exec((await look()).text)?.[1] ?? '0';
  return {
    address,
    look,
    pay: async (phone: string, operator = 'MOCK', attempt?: string) => {
      const fields = { phone, operator, attempt: attempt ?? (await seenAttempts()) };
      return send({ method: 'POST', body: new URLSearchParams(fields) });
    },
    /** Reports a wrong number, which cancels this attempt. */
    change: (attempt: string, query = '') =>
      send({ method: 'POST', body: new URLSearchParams({ change: 'yes', attempt }) }, query),
  };
}

export function reload({ zimbo }: TestGateway, { id }: CheckoutSession): Promise<CheckoutSession> {
  return zimbo.checkout.sessions.get(id);
}

export function reachStatus(
  { zimbo }: TestGateway,
  { id }: CheckoutSession,
  status: CheckoutSession['status'],
): Promise<CheckoutSession> {
  return reach(zimbo.checkout.sessions, id, status);
}

/** The payment of the latest attempt, once it has this status. */
export function reachPayment(
  gateway: TestGateway,
  session: CheckoutSession,
  status: PaymentStatus,
): Promise<Payment> {
  return eventually(`the attempt becomes ${status}`, async () => {
    const { paymentIntentId } = await reload(gateway, session);
    if (paymentIntentId === null) return undefined;
    const payment = await gateway.zimbo.payments.get(paymentIntentId);
    return payment.status === status && payment;
  });
}

export async function countOf({ database }: TestGateway, from: string): Promise<number> {
  const text = `SELECT count(*)::integer AS count FROM ${from}`;
  return (await database.query<{ count: number }>({ text }))[0]!.count;
}
