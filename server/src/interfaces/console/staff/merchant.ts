import { invalid, notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { nameText } from '../../../storefront/checkout/page/state.ts';
import { type Brand, changeBrand, readBrand } from '../../../tenants/merchants/brand.ts';
import { changeTerms, suspendMerchant, termsOf } from '../../../tenants/merchants/change-terms.ts';
import { issueKey, revokeKey } from '../../../tenants/merchants/keys.ts';
import { changePayoutSchedule } from '../../../tenants/merchants/payout-schedule.ts';
import {
  findKey,
  findMerchant,
  findTenant,
  findVisitedTenant,
  type Merchant,
} from '../../../tenants/merchants/store.ts';
import { type TimeZones, timeZonesOf } from '../../../tenants/merchants/time-zone.ts';
import { invite } from '../../../tenants/people/invitations.ts';
import type { Redirect, StaffAction, StaffPage, View } from '../page.ts';
import { authorInCell, inviter } from '../parts/author.ts';
import { shownOnce } from '../parts/code-block.ts';
import { type FieldErrors, notice } from '../parts/form.ts';
import { formErrors } from '../parts/form-errors.ts';
import { doneNotice } from '../parts/success-notice.ts';
import { handOverLink, linkCard } from '../parts/team.ts';
import { teamWords } from '../parts/team.words.ts';
import type { SentForm, StaffContext } from '../request-context.ts';
import { bankAccountCard, changeAccount } from './bank-account-card.ts';
import { changeDisbursing, disbursementCard, disburses } from './disbursement-card.ts';
import { words as allWords } from './merchant.words.ts';
import {
  about,
  brandCard,
  keysPart,
  needsTwoForLiveKeys,
  peoplePart,
  suspensionCard,
  termsCard,
} from './merchant-cards.ts';
import { figures } from './merchant-totals.ts';
import { scheduleCard, statementLink } from './schedule-card.ts';
import { settingsCard } from './settings-card.ts';
import { termsIn } from './terms-form.ts';
import { topUpCard } from './top-up.ts';

/** A merchant with the data for both parts of a page. */
export interface Shown {
  merchant: Merchant;
  tenants: Record<'live' | 'test', string>;
  terms: ReturnType<typeof termsOf>;
  brand: Brand;
  timeZones: TimeZones;
  errors: FieldErrors;
  sent: SentForm | undefined;
}

/** One merchant: its activity, terms, keys, people and status. */
export const merchantPage: StaffPage = {
  path: 'merchants/:id',
  permission: 'merchants.read',
  show: (visit) => view(visit),
  actions: {
    brand: change('merchants.write', false, async (visit, sent, id) => {
      const logo = await sent.file('logo');
      await changeBrand(authorInCell(visit), id, {
        name: sent.text('name') || null,
        colour: sent.text('colour') || null,
        contactPhone: sent.text('contactPhone') || null,
        contactEmail: sent.text('contactEmail') || null,
        website: sent.text('website') || null,
        ...(logo !== undefined && { logo }),
        ...(sent.text('without') !== '' && { logo: null }),
      });
      return 'branded';
    }),
    suspend: change('merchants.write', true, async (visit, _sent, id) => {
      await suspendMerchant(authorInCell(visit), id, true);
      return 'suspended';
    }),
    resume: change('merchants.write', true, async (visit, _sent, id) => {
      await suspendMerchant(authorInCell(visit), id, false);
      return 'resumed';
    }),
    terms: change('merchants.write', true, async (visit, sent, id) => {
      await changeTerms(authorInCell(visit), id, termsIn(sent));
      return 'agreed';
    }),
    schedule: change('merchants.write', true, async (visit, sent, id) => {
      await changePayoutSchedule(authorInCell(visit), id, sent.text('schedule'));
      return 'scheduled';
    }),
    disbursements: change('merchants.write', true, changeDisbursing),
    'bank-account': change('bank_accounts.write', 'ALWAYS', changeAccount),
    key: change('api_keys.write', true, makeKey),
    'revoke-key': change('api_keys.write', true, async (visit, sent, id) => {
      const keyId = parseId('ak', sent.text('key'));
      const key = keyId && (await findKey(visit.services.database, keyId));
      // This page ignores keys of other merchants.
      if (!key || key.merchantId !== id) throw notFound('key');
      await revokeKey(authorInCell(visit), key.id);
      return 'revoked';
    }),
    invite: change('merchants.write', true, async (visit, sent, id) => {
      const order = { merchantId: id, role: 'OWNER', email: sent.text('email') } as const;
      const made = await invite(inviter(visit), order);
      return linkCard(visit, teamWords[visit.language], await handOverLink(visit, made));
    }),
  },
};

async function makeKey(visit: StaffContext, sent: SentForm, merchantId: string): Promise<Html> {
  const words = allWords[visit.language];
  const { allowsLiveKeys, fourEyes } = visit.services;
  const mode = sent.text('mode') === 'live' ? 'live' : 'test';
  if (mode === 'live' && !allowsLiveKeys) throw invalid('mode', 'has no live keys here');
  if (mode === 'live' && needsTwoForLiveKeys(visit)) throw invalid('mode', 'needs two people');
  const label = sent.text('label') || null;
  const once = sent.text('once') || visit.services.ids.next(visit.nowMs);
  const { key } = await issueKey(
    { ...authorInCell(visit), fourEyes },
    { merchantId, mode, terms: { label }, once },
  );
  return shownOnce(visit, words.made, key, words.madeHint);
}

/** @returns a word for the result, or a value to show once */
type Run = (visit: StaffContext, sent: SentForm, merchantId: string) => Promise<string | Html>;

function change(
  permission: StaffAction['permission'],
  isSensitive: boolean | 'ALWAYS',
  run: Run,
): StaffAction {
  return {
    permission,
    isSensitive,
    async run(visit, sent): Promise<View | Redirect> {
      const id = merchantIdOf(visit);
      try {
        const result = await run(visit, sent, id);
        if (typeof result !== 'string') return view(visit, { once: result });
        return { to: visit.to(`merchants/${formatId('me', id)}`, { done: result }) };
      } catch (error) {
        const { wrong, before, liveKeyNeedsTwo } = allWords[visit.language];
        const said = needsTwoForLiveKeys(visit) ? { ...wrong, mode: liveKeyNeedsTwo } : wrong;
        const errors = formErrors(visit, error, { wrong: said, codes: { INVALID_STATE: before } });
        return { ...(await view(visit, { errors, sent })), status: 400 };
      }
    },
  };
}

const merchantIdOf = ({ params }: StaffContext): string => {
  const id = parseId('me', params.id ?? '');
  if (id === undefined) throw notFound('merchant');
  return id;
};

async function load(visit: StaffContext): Promise<Omit<Shown, 'errors' | 'sent'>> {
  const { database } = visit.services;
  const id = merchantIdOf(visit);
  const merchant = await findMerchant(database, id);
  const live = merchant && (await findVisitedTenant(database, id, 'live'));
  const test = merchant && (await findTenant(database, id, 'test'));
  if (!merchant || !live || !test) throw notFound('merchant');
  const brand = await readBrand(database, id);
  return {
    merchant,
    tenants: { live: live.id, test: test.id },
    terms: termsOf(live),
    brand,
    timeZones: timeZonesOf(live, visit.timeZone),
  };
}

async function view(
  visit: StaffContext,
  { once, errors = {}, sent }: { once?: Html; errors?: FieldErrors; sent?: SentForm } = {},
): Promise<View> {
  const words = allWords[visit.language];
  const shown: Shown = { ...(await load(visit)), errors, sent };
  const mayWrite = visit.can('merchants.write');
  const isShownAgain = once !== undefined || sent !== undefined;
  const problem = errors.page ?? errors.mode;
  const main = html`${isShownAgain ? undefined : doneNotice(visit, words.done)}
${problem === undefined ? undefined : notice(problem, 'bad')}
${shown.terms.suspendedAtMs === null ? undefined : notice(words.isSuspended, 'bad')}
${once}
${about(visit, shown)}
${settingsCard(visit, shown)}
${visit.can('payments.read') ? await figures(visit, shown.tenants) : undefined}
${visit.can('ledger.read') ? statementLink(visit, shown) : undefined}
${visit.can('bank_accounts.read') ? await bankAccountCard(visit, shown) : undefined}
${disburses(visit) && visit.can('settlements.read') ? await topUpCard(visit, shown) : undefined}
${visit.can('api_keys.read') ? await keysPart(visit, shown) : undefined}
${await peoplePart(visit, shown)}
${mayWrite ? html`<div class="columns">${brandCard(visit, shown)}${suspensionCard(visit, shown)}${await scheduleCard(visit, shown)}${termsCard(visit, shown)}${disburses(visit) ? disbursementCard(visit, shown) : undefined}</div>` : undefined}`;
  return { title: nameText(shown.merchant.name), main, scripts: ['developers.css', 'staff.css'] };
}
