import { listEndpoints } from '../../../integrations/webhooks/endpoint-store.ts';
import { openItemsOf } from '../../../money/review/store.ts';
import { balanceOf } from '../../../money/settlements/balance.ts';
import { nextRunMs } from '../../../money/settlements/payout-schedule-times.ts';
import { listSettlements } from '../../../money/settlements/store.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, type IdPrefix } from '../../../platform/values/ids.ts';
import { findPayoutSchedule } from '../../../tenants/merchants/payout-schedule.ts';
import { amount, given, instant } from '../parts/format.ts';
import { linkToObject } from '../parts/object-pages.ts';
import { ownFirst } from '../parts/own-first.ts';
import type { MerchantContext } from '../request-context.ts';
import { waitingFor } from './approvals.ts';
import { words as allWords } from './home.words.ts';

const dayMs = 86_400_000;

/** The balance and the next payout, for people who may see money. */
export async function money(visit: MerchantContext): Promise<Html | undefined> {
  if (!visit.can('money.read')) return undefined;
  const words = allWords[visit.language];
  const { services, tenantId, nowMs } = visit;
  const { database, dailyRun } = services;
  const balances = ownFirst(visit, await balanceOf(database, tenantId));
  if (balances.length === 0) return undefined;
  const next = nextRunMs(nowMs, dailyRun, await findPayoutSchedule(database, visit.merchant.id));
  const tiles = balances.map(
    ({
      currency,
      available,
      pending,
      disbursementsInTransit,
    }) => html`<div class="tile"><p>${words.available}</p>
<p class="figure">${amount(visit, available, currency)}</p>
<p class="hint">${words.pending}: ${amount(visit, pending, currency)}</p>${disbursementsInTransit === 0n ? undefined : html`<p class="hint">${words.disbursing}: ${amount(visit, disbursementsInTransit, currency)}</p>`}</div>`,
  );
  const payout = html`<div class="tile"><p>${words.nextPayout}</p><p class="figure">${next === undefined ? words.byHand : instant(visit, next)}</p></div>`;
  return html`<section><h2>${words.money}</h2><div class="tiles">${tiles}${payout}</div></section>`;
}

/** Of subjects with a page of their own. */
const prefixes: Readonly<Record<string, IdPrefix>> = { PAYMENT: 'pi', DISBURSEMENT: 'di' };
const shownItems = 20;
const shownSettlements = 5;
const shownEndpoints = 100;
const recentMs = 30 * dayMs;

/** Problems that do not resolve automatically. */
export async function needsPerson(visit: MerchantContext): Promise<Html | undefined> {
  const words = allWords[visit.language];
  const { services, tenantId, nowMs } = visit;
  const { database } = services;
  const [items, settlements, endpoints, approvals] = await Promise.all([
    openItemsOf(database, tenantId, shownItems),
    visit.can('money.read')
      ? listSettlements(database, tenantId, 'FAILED', { limit: shownSettlements })
      : [],
    visit.can('endpoints.read') ? listEndpoints(database, tenantId, { limit: shownEndpoints }) : [],
    waitingFor(visit),
  ]);
  const lines = [
    ...(approvals === 0
      ? []
      : [html`<a href="${visit.to('approvals')}">${words.approvals(approvals)}</a>`]),
    ...items.map(({ kind, subjectKind, subjectId }) => {
      const prefix = prefixes[subjectKind];
      const subject = prefix && linkToObject(visit, formatId(prefix, subjectId));
      return html`${words.reviews[kind]} ${subject}`;
    }),
    ...settlements
      .filter(({ createdAtMs }) => createdAtMs > nowMs - recentMs)
      .map(
        ({ netMinor, currency, createdAtMs }) =>
          html`<a href="${visit.to('settlements')}">${words.failedSettlement}</a> ${amount(visit, netMinor, currency)} · ${instant(visit, createdAtMs)}`,
      ),
    ...endpoints
      .filter(({ disabledReason }) => disabledReason !== null)
      .map(
        ({ url }) =>
          html`<a href="${visit.to('endpoints')}">${words.disabledEndpoint}</a> ${given(url)}`,
      ),
  ];
  if (lines.length === 0) return undefined;
  return html`<section class="card"><h2>${words.waiting}</h2><ul class="warnings">${lines.map((line) => html`<li>${line}</li>`)}</ul></section>`;
}
