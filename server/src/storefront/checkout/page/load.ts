import { type CheckOperator, offeredOperators } from '../../../integrations/operators/check.ts';
import { readTroubles } from '../../../integrations/operators/read-details.ts';
import { findPayment } from '../../../money/payments/store.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import type { AttemptProofs } from '../attempt-proofs.ts';
import { isSecretOf, type LinkClaims } from '../link.ts';
import type { ReceiptLinks } from '../receipt-link.ts';
import type { SessionHead } from '../session.ts';
import { findSessionHead, findShop } from '../store.ts';
import { pictureOf } from './link-preview.ts';
import { type Asked, visitOf } from './query-parameters.ts';
import type { PaymentPage } from './state.ts';

export interface LoadDependencies {
  database: Database;
  clock: Clock;
  receiptLinks: ReceiptLinks;
  attemptProofs: AttemptProofs;
  checkOperator: CheckOperator;
  publicUrl: string;
}

/** The session of a link; undefined if any part of the link is wrong. */
export async function findLinked(
  database: Database,
  linked: LinkClaims,
): Promise<SessionHead | undefined> {
  const session = await findSessionHead(database, linked.tenantId, linked.id);
  return session && isSecretOf(session, linked.linkSecret) ? session : undefined;
}

/** All data that the page of a session shows. */
export async function loadPage(
  dependencies: LoadDependencies,
  session: SessionHead,
  request: Asked,
): Promise<PaymentPage> {
  const { database, clock, receiptLinks, attemptProofs } = dependencies;
  const { tenantId, latestPaymentId, currency } = session;
  const [shop, payment] = await Promise.all([
    findShop(database, tenantId),
    latestPaymentId === null ? undefined : findPayment(database, tenantId, latestPaymentId),
  ]);
  const operators = offeredOperators(dependencies.checkOperator, shop.mode, currency);
  const troubles = session.status === 'OPEN' ? await readTroubles(database, shop.mode) : {};
  const isPaid = session.status === 'COMPLETED' && payment !== undefined;
  const receiptToken = isPaid ? await receiptLinks.tokenOf(payment) : undefined;
  const { mine: claimed, ...asked } = visitOf(request, shop.pageLanguages);
  const isMine = payment && claimed !== undefined && attemptProofs.isOf(payment, claimed);
  const picture = pictureOf(dependencies, session, shop);
  const choices = { operators, troubles };
  const found = { session, shop, payment, receiptToken, nowMs: clock.nowMs(), picture, ...choices };
  return { ...found, ...asked, mine: isMine ? claimed : undefined };
}
