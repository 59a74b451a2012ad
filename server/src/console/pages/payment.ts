import { operatorLabels } from '../../config/operator-catalogue.ts';
import { notFound } from '../../errors.ts';
import { html } from '../../html.ts';
import { parseId } from '../../ids.ts';
import { isOpen } from '../../payments/payment.ts';
import { findPayment } from '../../payments/store.ts';
import type { ConsolePage } from '../page.ts';
import { amount, idText, instant, phone, status } from '../parts/format.ts';
import { facts } from '../parts/table.ts';
import { words as allWords } from './payment.words.ts';
import { shownPhone } from './payments.ts';

/** One payment: what it is, what has happened to it, and what can be done now. */
export const paymentPage: ConsolePage = {
  path: 'payments/:id',
  permission: 'payments.read',
  async show(visit) {
    const words = allWords[visit.language];
    const id = parseId('pi', visit.params.id ?? '');
    const { database } = visit.services;
    const payment = id && (await findPayment(database, visit.tenantId, id));
    if (!payment) throw notFound('payment');
    const { failureCode, currency } = payment;
    const main = html`<section class="card">
<p class="bar"><span class="figure">${amount(visit, payment.amountMinor, currency)}</span> <span data-announce>${status(visit, payment.status)}</span></p>
${failureCode ? html`<p>${visit.words.failures[failureCode]}</p>` : undefined}
${facts([
  [words.reference, idText('pi', payment.id)],
  [words.created, instant(visit, payment.createdAtMs)],
  [words.changed, instant(visit, payment.updatedAtMs)],
  [words.phone, phone(shownPhone(visit, payment))],
  [words.operator, operatorLabels[payment.operator]],
  [words.transaction, payment.operatorTxId],
  [words.order, payment.externalId],
  [words.customer, payment.customerId],
  [words.description, payment.description],
  [words.fee, amount(visit, payment.feeMinor, currency)],
  [words.net, amount(visit, payment.amountMinor - payment.feeMinor, currency)],
])}
</section>`;
    return { title: words.title, main, refreshMs: isOpen(payment.status) ? 2_000 : 15_000 };
  },
};
