import { notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { revokeKey } from '../../../tenants/merchants/keys.ts';
import { rollKey } from '../../../tenants/merchants/roll-key.ts';
import { type ApiKey, findTenantKey } from '../../../tenants/merchants/store.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { button, form, notice, select } from '../parts/form.ts';
import { refusalOr } from '../parts/form-errors.ts';
import { idText, instant, status } from '../parts/format.ts';
import { facts } from '../parts/table.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { addressesOf, instantOr, limitsOf, maskedKey, stateOf } from './keys.ts';
import { words as allWords } from './keys.words.ts';
import { madeKey } from './new-key.ts';

const overlaps = ['1', '24', '72', '168', '720', '0'];
const usualOverlap = '24';

/** One key: its permissions, and its end. */
export const keyPage: ConsolePage = {
  path: 'keys/:id',
  permission: 'keys.read',
  async show(visit) {
    return view(visit, await keyOf(visit));
  },
  actions: {
    roll: { permission: 'keys.write', isSensitive: true, run: roll },
    revoke: { permission: 'keys.write', isSensitive: true, run: revoke },
  },
};

/** @throws NOT_FOUND if the merchant has no such key in this mode */
async function keyOf({ params, tenantId, services }: MerchantContext): Promise<ApiKey> {
  const id = parseId('ak', params.id ?? '');
  const key = id && (await findTenantKey(services.database, tenantId, id));
  if (!key) throw notFound('key');
  return key;
}

const needsTwo = ({ mode, services }: MerchantContext) =>
  mode === 'live' && services.fourEyes.has('live-keys');

async function roll(visit: MerchantContext, sent: SentForm): Promise<View> {
  const words = allWords[visit.language];
  const key = await keyOf(visit);
  if (needsTwo(visit)) {
    return { ...view(visit, key, notice(words.rollNeedsTwo, 'bad')), status: 403 };
  }
  const chosen = sent.text('overlap');
  const hours = Number(overlaps.includes(chosen) ? chosen : usualOverlap);
  const { database, clock, ids, fourEyes } = visit.services;
  const administration = { database, clock, ids, fourEyes, ...visit.author };
  const rolled = await refusalOr(rollKey(administration, key.id, { overlapMs: hours * 3_600_000 }));
  if (!('key' in rolled)) {
    return { ...view(visit, key, notice(words.rolledBefore, 'bad')), status: 409 };
  }
  const until = rolled.old.expiresAtMs ?? visit.nowMs;
  const more = html`<p>${words.oldUntil} ${instant(visit, until)}.</p>`;
  return page(visit, madeKey(visit, rolled.key, more));
}

async function revoke(visit: MerchantContext): Promise<Redirect> {
  const key = await keyOf(visit);
  const { database, clock, ids } = visit.services;
  await revokeKey({ database, clock, ids, ...visit.author }, key.id);
  return { to: visit.to(`keys/${formatId('ak', key.id)}`, { done: 'revoked' }) };
}

const page = ({ language }: MerchantContext, main: Html): View => ({
  title: allWords[language].key,
  main,
  scripts: ['developers.css'],
});

function view(visit: MerchantContext, key: ApiKey, said?: Html): View {
  const words = allWords[visit.language];
  const state = stateOf(key, visit.nowMs);
  const isRevoked = visit.query.get('done') === 'revoked' && state === 'REVOKED';
  return page(
    visit,
    html`${said}${isRevoked ? notice(words.revoked, 'good') : undefined}
<section class="card">
<p class="bar"><b>${named(key.label ?? words.unnamed)}</b> ${status(visit, state)}</p>
${facts([
  [words.key, html`<code>${maskedKey(key)}</code>`],
  [words.id, idText('ak', key.id)],
  [words.permissions, key.permissions.map((each) => words.permission[each]).join(', ')],
  [words.limits, limitsOf(visit, key)],
  [words.addresses, addressesOf(visit, key)],
  [words.created, instant(visit, key.createdAtMs)],
  [words.lastUsed, instantOr(visit, key.lastUsedAtMs, words.never)],
  [words.expires, instantOr(visit, key.expiresAtMs, words.never)],
  [words.replacedBy, successor(visit, key)],
])}
</section>
${visit.can('keys.write') && state === 'VALID' ? changes(visit, key) : undefined}`,
  );
}

function successor(visit: MerchantContext, { rolledTo }: ApiKey): Html | undefined {
  if (rolledTo === null) return undefined;
  const id = formatId('ak', rolledTo);
  return html`<a href="${visit.to(`keys/${id}`)}"><code>${id}</code></a>`;
}

function changes(visit: MerchantContext, { rolledTo }: ApiKey): Html {
  const words = allWords[visit.language];
  const choices = overlaps.map(
    (each) => [each, each === '0' ? words.notAtAll : words.hours(each)] as const,
  );
  const rolling = needsTwo(visit)
    ? html`<p>${words.rollNeedsTwo}</p><p><a class="button plain" href="${visit.to('keys/new')}">${words.newKey}</a></p>`
    : html`<p>${words.rollHint}</p>
${form(visit, html`${select('overlap', words.overlap, choices, { value: usualOverlap })}${button('roll', words.roll)}`)}`;
  return html`${rolledTo === null ? html`<section class="card"><h2>${words.roll}</h2>${rolling}</section>` : undefined}
<details class="card danger-zone"><summary>${words.revoke}</summary><p>${words.revokeHint}</p>
${form(visit, button('revoke', words.revokeNow, 'danger'))}</details>`;
}
