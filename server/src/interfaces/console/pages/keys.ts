import { majorOf } from '../../../integrations/operators/amount.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { allPermissions } from '../../../tenants/merchants/api-key.ts';
import { type ApiKey, listTenantKeys } from '../../../tenants/merchants/store.ts';
import type { ConsolePage } from '../page.ts';
import { count, instant, status } from '../parts/format.ts';
import { empty, table } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './keys.words.ts';

/** The API keys of this mode: the valid ones, and below them the others. */
export const keysPage: ConsolePage = {
  path: 'keys',
  permission: 'keys.read',
  async show(visit) {
    const words = allWords[visit.language];
    const keys = await listTenantKeys(visit.services.database, visit.tenantId);
    const works = keys.filter((key) => stateOf(key, visit.nowMs) === 'VALID');
    const ended = keys.filter((key) => !works.includes(key));
    const main = html`${newKeyLink(visit)}
${works.length === 0 ? empty(words.nothing, words.nothingHint) : list(visit, words.title, works)}
${ended.length === 0 ? undefined : html`<details class="more"><summary>${words.ended} (${count(visit, ended.length)})</summary>${list(visit, words.ended, ended)}</details>`}`;
    return { title: words.title, main, scripts: ['developers.css'] };
  },
};

const newKeyLink = (visit: MerchantContext): Html | undefined =>
  visit.can('keys.write')
    ? html`<p><a class="button primary" href="${visit.to('keys/new')}">${allWords[visit.language].newKey}</a></p>`
    : undefined;

function list(visit: MerchantContext, caption: string, keys: readonly ApiKey[]): Html {
  const words = allWords[visit.language];
  return table<ApiKey>(
    caption,
    [
      {
        head: words.label,
        cell: (key) =>
          html`<div><a href="${visit.to(`keys/${formatId('ak', key.id)}`)}">${named(key.label ?? words.unnamed)}</a><br><code>${maskedKey(key)}</code></div>`,
      },
      { head: words.state, cell: (key) => status(visit, stateOf(key, visit.nowMs)) },
      { head: words.permissions, cell: (key) => mayDo(visit, key) },
      { head: words.limits, cell: (key) => limitsOf(visit, key) },
      { head: words.addresses, cell: (key) => addressesOf(visit, key) },
      { head: words.created, cell: (key) => instant(visit, key.createdAtMs) },
      { head: words.lastUsed, cell: (key) => instantOr(visit, key.lastUsedAtMs, words.never) },
      { head: words.expires, cell: (key) => instantOr(visit, key.expiresAtMs, words.never) },
    ],
    keys,
  );
}

export const maskedKey = ({ mode, last4 }: Pick<ApiKey, 'mode' | 'last4'>) =>
  `sk_${mode}_…${last4}`;

export function stateOf({ revokedAtMs, expiresAtMs }: ApiKey, nowMs: number) {
  if (revokedAtMs !== null) return 'REVOKED';
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'EXPIRED' : 'VALID';
}

function mayDo(visit: MerchantContext, { permissions }: ApiKey): string {
  const words = allWords[visit.language];
  const few = allPermissions.filter((each) => permissions.includes(each)).length;
  if (few === allPermissions.length) return words.everything;
  return words.some(count(visit, few), count(visit, allPermissions.length));
}

/** Amounts without a currency: a key takes payments in all. */
export function limitsOf(
  { language, words: common }: Pick<MerchantContext, 'language' | 'words'>,
  key: ApiKey,
): Html {
  const words = allWords[language];
  const limits = [
    [words.payment, key.maxPaymentMinor],
    [words.refunds, key.maxRefundedPerDayMinor],
    [words.disbursement, key.maxDisbursementMinor],
    [words.disbursed, key.maxDisbursedPerDayMinor],
  ] as const;
  const lines = limits.flatMap(([name, minor]) =>
    minor === null ? [] : [html`<div>${name}: ${majorText(minor, language)}</div>`],
  );
  return lines.length === 0 ? html`${common.none}` : html`<div>${lines}</div>`;
}

const majorText = (amountMinor: bigint, language: MerchantContext['language']) =>
  language === 'pt' ? majorOf(amountMinor).replace('.', ',') : majorOf(amountMinor);

export const addressesOf = (
  { language }: Pick<MerchantContext, 'language'>,
  { allowedAddresses }: ApiKey,
): string =>
  allowedAddresses.length === 0 ? allWords[language].everywhere : allowedAddresses.join(', ');

export const instantOr = (visit: MerchantContext, atMs: number | null, otherwise: string) =>
  atMs === null ? otherwise : instant(visit, atMs);
