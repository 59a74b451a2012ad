import type { Clock } from '../../clock.ts';
import { type CheckOperator, offeredOperators } from '../../operators/check.ts';
import { findPayment } from '../../payments/store.ts';
import type { Database } from '../../postgres/database.ts';
import { isSecretOf, type Linked } from '../link.ts';
import type { ReceiptLinks } from '../receipt-link.ts';
import type { SessionHead } from '../session.ts';
import { findSessionHead, findShop } from '../store.ts';
import type { Locale } from './locale.ts';
import type { PaymentPage } from './state.ts';

export interface LoadDependencies {
  database: Database;
  clock: Clock;
  receiptLinks: ReceiptLinks;
  checkOperator: CheckOperator;
}

/** The session of a link; undefined if the link is wrong in any part. */
export async function findLinked(
  database: Database,
  linked: Linked,
): Promise<SessionHead | undefined> {
  const session = await findSessionHead(database, linked.tenantId, linked.id);
  return session && isSecretOf(session, linked.linkSecret) ? session : undefined;
}

/** Everything that the page of a session shows. */
export async function loadPage(
  dependencies: LoadDependencies,
  session: SessionHead,
  words: Locale,
): Promise<PaymentPage> {
  const { database, clock, receiptLinks } = dependencies;
  const { tenantId, latestPaymentId, currency } = session;
  const [shop, payment] = await Promise.all([
    findShop(database, tenantId),
    latestPaymentId === null ? undefined : findPayment(database, tenantId, latestPaymentId),
  ]);
  const operators = offeredOperators(dependencies.checkOperator, shop.mode, currency);
  const isPaid = session.status === 'COMPLETED' && payment !== undefined;
  const receiptToken = isPaid ? await receiptLinks.tokenOf(payment) : undefined;
  return { session, shop, payment, receiptToken, operators, nowMs: clock.nowMs(), words };
}
