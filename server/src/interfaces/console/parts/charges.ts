import { isOpen, type Payment } from '../../../money/payments/payment.ts';
import { findPayment } from '../../../money/payments/store.ts';
import {
  findTillCharge,
  type ListedCharge,
  listOpenTillCharges,
  listTillCharges,
  sumTillCharges,
  type TillCharge,
  type TillItem,
  type TillPeriod,
} from '../../../money/payments/till-charges.ts';
import { readTotals } from '../../../money/totals/read.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { maskPhone } from '../../../platform/values/phone.ts';
import { dayStartIn } from '../../../tenants/merchants/time-zone.ts';
import { formIn } from '../authenticate.ts';
import type { MerchantContext } from '../request-context.ts';
import { addDays, today } from './calendar-days.ts';
import { words as allWords } from './charges.words.ts';
import { amount, phone, status } from './format.ts';
import { openSale, quantityName, type Sale } from './sale.ts';

/** A queue longer than this is cut; the list of payments shows the rest. */
const mostQueued = 10;
/** How long the till shows the latest charge. */
const latestMs = 15 * 60_000;

/** A payment at the till, with its products. */
export type Charge = Payment & Pick<TillCharge, 'items'> & { isOwn: boolean };

/** People cancel their own charges; other payments only with the permission for that. */
export const mayCancel = (visit: MerchantContext, { isOwn }: Charge): boolean =>
  isOwn || visit.can('payments.cancel');

/** Whose charges the visitor sees: those of the shop, or the own ones. */
export const seesAllCharges = (visit: MerchantContext): boolean => visit.can('payments.read');

/** Today at the till, for the visitor. */
export const tillToday = (visit: MerchantContext): TillPeriod => tillDay(visit, today(visit));

/** A day at the till, for the visitor. */
export function tillDay(visit: MerchantContext, day: string): TillPeriod {
  return {
    fromMs: dayStartIn(visit.timeZones, day),
    untilMs: dayStartIn(visit.timeZones, addDays(day, 1)),
    personId: seesAllCharges(visit) ? null : visit.person.id,
  };
}

/**
 * A payment that the visitor may see at the till: any of the shop's; for a cashier, an own one of
 * today. Undefined otherwise.
 */
export async function findCharge(
  visit: MerchantContext,
  uuid: string | undefined,
): Promise<Charge | undefined> {
  if (uuid === undefined) return undefined;
  const { database } = visit.services;
  const payment = await findPayment(database, visit.tenantId, uuid);
  if (!payment) return undefined;
  const charge = await findTillCharge(database, visit.tenantId, uuid);
  const { fromMs, personId } = tillToday(visit);
  const isOwn = charge?.personId === visit.person.id;
  if (personId !== null && !(isOwn && payment.createdAtMs >= fromMs)) return undefined;
  return { ...payment, items: charge?.items ?? null, isOwn };
}

/** The charge of the address: `charge/pi_…`. */
export const chargeOfPath = (visit: MerchantContext): Promise<Charge | undefined> =>
  findCharge(visit, parseId('pi', visit.params.id ?? ''));

/** The sale with these products, at their prices of now. */
export function refilledSale(
  visit: MerchantContext,
  { currency }: Sale,
  items: readonly TillItem[],
): Promise<Sale> {
  const fields = new URLSearchParams({ currency });
  for (const { productId, quantity } of items) {
    fields.append('product', productId);
    fields.set(quantityName(productId), String(quantity));
  }
  return openSale(visit, formIn(fields));
}

/**
 * The latest charge of the last minutes, for people who return unsure: over a bad line, from
 * another page, without a script.
 */
export async function latestCharge(visit: MerchantContext): Promise<Html | undefined> {
  const { database } = visit.services;
  const period = { ...tillToday(visit), fromMs: visit.nowMs - latestMs };
  const [latest] = await listTillCharges(database, visit.tenantId, period, 1);
  if (latest === undefined || isOpen(latest.status)) return undefined;
  return html`<p class="latest">${allWords[visit.language].latest}: ${chargeLink(visit, latest)}</p>`;
}

/** Charges of today that wait for their customers. @param except the one that the page is about */
export async function chargeQueue(
  visit: MerchantContext,
  except?: string,
): Promise<Html | undefined> {
  const words = allWords[visit.language];
  const { database } = visit.services;
  const open = await listOpenTillCharges(database, visit.tenantId, tillToday(visit), mostQueued);
  const others = open.filter(({ id }) => id !== except);
  if (others.length === 0) return undefined;
  return html`<section class="queue" aria-labelledby="queue"><h2 id="queue">${words.waiting}</h2>
<ul>${others.map((each) => html`<li>${chargeLink(visit, each)}</li>`)}</ul></section>`;
}

const chargeLink = (visit: MerchantContext, charge: ListedCharge): Html =>
  html`<a href="${visit.to(`charge/${formatId('pi', charge.id)}`)}">${amount(visit, charge.amountMinor, charge.currency)} ${phone(tillPhone(visit, charge.operatorPhone))} ${status(visit, charge.status)}</a>`;

/** The whole phone for people who may read it; a cashier has just typed the number. */
export const tillPhone = (visit: MerchantContext, given: string): string =>
  visit.can('phones.read') || !seesAllCharges(visit) ? given : maskPhone(given);

/** How long a customer still has; undefined once the charge has ended. */
export function timeLeft(visit: MerchantContext, charge: Payment): string | undefined {
  if (!isOpen(charge.status)) return undefined;
  const seconds = Math.max(0, Math.ceil((charge.expiresAtMs - visit.nowMs) / 1_000));
  return allWords[visit.language].left(
    `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`,
  );
}

/** What the visitor's till has been paid today in a currency. */
export async function todaysSales(
  visit: MerchantContext,
  currency: string,
): Promise<{ paid: number; paidMinor: bigint }> {
  const { services, tenantId, timeZone, nowMs } = visit;
  if (seesAllCharges(visit)) {
    const totals = await readTotals(services.database, { tenantId, timeZone, nowMs, days: 1 });
    const today = totals.currencies.find((each) => each.currency === currency)?.current;
    return { paid: today?.succeeded ?? 0, paidMinor: today?.volumeMinor ?? 0n };
  }
  const sums = await sumTillCharges(services.database, tenantId, tillToday(visit));
  const own = sums.filter((each) => each.currency === currency);
  return {
    paid: own.reduce((sum, each) => sum + each.paid, 0),
    paidMinor: own.reduce((sum, each) => sum + each.paidMinor, 0n),
  };
}
