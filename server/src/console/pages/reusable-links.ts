import { named, nameText } from '../../checkout/page/state.ts';
import { DomainError, notFound } from '../../errors.ts';
import { type Html, html } from '../../html.ts';
import { formatId, parseId } from '../../ids.ts';
import { currencies } from '../../money.ts';
import type { PaymentLink } from '../../payment-links/payment-link.ts';
import { listLinks } from '../../payment-links/store.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { parseAmount } from '../parts/amount.ts';
import { doneNotice } from '../parts/done.ts';
import { button, field, form, notice, select } from '../parts/form.ts';
import { keyedRequest, keyField } from '../parts/form-key.ts';
import { amount } from '../parts/format.ts';
import { empty, pager, table } from '../parts/table.ts';
import type { SentForm, Visit } from '../visit.ts';
import { words as allWords } from './reusable-links.words.ts';

const path = 'links/reusable';
const limit = 25;
const mostMinor = 100_000_000n;
const mostUses = 1_000_000;

/** Links that are paid again and again: what there is, and a form for one more. */
export const reusableLinksPage: ConsolePage = {
  path,
  permission: 'payments.read',
  show: (visit) => view(visit),
  actions: {
    create: { permission: 'links.write', run: create },
    'turn-on': { permission: 'links.write', run: (visit, sent) => turn(visit, sent, true) },
    'turn-off': { permission: 'links.write', run: (visit, sent) => turn(visit, sent, false) },
  },
};

async function view(visit: Visit, wrong?: SentForm): Promise<View> {
  const words = allWords[visit.language];
  const startingAfter = parseId('pl', visit.query.get('starting_after') ?? '');
  const { database, linkUrls } = visit.services;
  const rows = await listLinks(database, visit.tenantId, undefined, { limit, startingAfter });
  const shown = rows.slice(0, limit);
  const urls = new Map<string, string>();
  for (const row of shown) urls.set(row.id, await linkUrls.of(row));
  const hasMore = (rows[0]?.rowsFound ?? 0) > shown.length;
  const last = hasMore ? shown.at(-1) : undefined;
  const main = html`${wrong ? notice(words.wrong, 'bad') : doneNotice(visit, words.done)}
<p class="hint">${words.hint}</p>
${shown.length === 0 ? empty(words.nothing) : list(visit, shown, urls)}
${pager(visit, path, last && formatId('pl', last.id))}
${visit.can('links.write') ? creation(visit, wrong) : undefined}`;
  return { title: words.title, main, scripts: ['till.css'], ...(wrong && { status: 400 }) };
}

function list(visit: Visit, rows: readonly PaymentLink[], urls: ReadonlyMap<string, string>): Html {
  const words = allWords[visit.language];
  return table<PaymentLink>(
    words.title,
    [
      { head: words.description, cell: (row) => named(row.description) },
      { head: words.amount, isNumber: true, cell: (row) => amountOf(visit, row) },
      {
        head: words.uses,
        isNumber: true,
        cell: ({ uses, maxUses }) => (maxUses === null ? `${uses}` : `${uses} / ${maxUses}`),
      },
      { head: words.state, cell: (row) => (row.active ? words.on : words.off) },
      {
        head: words.address,
        cell: ({ id }) => html`<a href="${urls.get(id)}"><code>${urls.get(id)}</code></a>`,
      },
      { head: '', cell: (row) => (visit.can('links.write') ? toggle(visit, row) : undefined) },
    ],
    rows,
  );
}

function amountOf(visit: Visit, link: PaymentLink): Html | string {
  const { amountMinor, minAmountMinor, maxAmountMinor, currency } = link;
  if (amountMinor !== null) return amount(visit, amountMinor, currency);
  if (minAmountMinor === null || maxAmountMinor === null) return allWords[visit.language].product;
  return html`${amount(visit, minAmountMinor, currency)} – ${amount(visit, maxAmountMinor, currency)}`;
}

function toggle(visit: Visit, { id, active, description }: PaymentLink): Html {
  const words = allWords[visit.language];
  const [action, label] = active ? ['turn-off', words.turnOff] : ['turn-on', words.turnOn];
  return form(
    visit,
    html`<input type="hidden" name="link" value="${formatId('pl', id)}">
<button class="button plain" name="action" value="${action}">${label}<span class="unseen"> ${words.toggleOf(nameText(description))}</span></button>`,
  );
}

function creation(visit: Visit, sent?: SentForm): Html {
  const words = allWords[visit.language];
  const typed = (name: string) => ({ value: sent?.text(name), maxLength: 40 });
  const money = (name: string) => ({ ...typed(name), inputMode: 'decimal' as const });
  const content = html`${keyField(visit, sent)}
${field('description', words.description, { ...typed('description'), isRequired: true, maxLength: 255 })}
${field('amount', words.amount, { ...money('amount'), hint: words.amountHint })}
${field('least', words.least, money('least'))}
${field('most', words.most, money('most'))}
${select(
  'currency',
  words.currency,
  currencies.map((each) => [each, each]),
  { value: sent?.text('currency') ?? 'CVE' },
)}
${field('uses', words.maxUses, { ...typed('uses'), inputMode: 'numeric', hint: words.maxUsesHint })}
<div class="bar">${button('create', words.create)}</div>`;
  return form(visit, content, html` class="card narrow"`);
}

/** What the form asks for; undefined where something in it is wrong. */
function read(sent: SentForm) {
  const description = sent.text('description');
  const currency = currencies.find((each) => each === sent.text('currency'));
  const [fixed, least, most] = ['amount', 'least', 'most'].map((name) => minorIn(sent.text(name)));
  const uses = sent.text('uses');
  const maxUses = uses === '' ? null : Number(uses);
  const isFree = fixed === null && least !== null && most !== null;
  const isFixed = fixed !== null && least === null && most === null;
  const isBad =
    fixed === undefined || least === undefined || most === undefined || !(isFree || isFixed);
  if (isBad || currency === undefined || description === '') return undefined;
  if (Array.from(description).length > 255 || (isFree && least! > most!)) return undefined;
  if (maxUses !== null && !(/^\d+$/.test(uses) && maxUses >= 1 && maxUses <= mostUses))
    return undefined;
  const amounts = { amountMinor: fixed, minAmountMinor: least, maxAmountMinor: most };
  return { description, currency, maxUses, ...amounts };
}

/** Null where nothing was typed; undefined where it is no amount that can be paid. */
function minorIn(text: string): bigint | null | undefined {
  if (text === '') return null;
  const minor = parseAmount(text);
  return minor !== undefined && minor > 0n && minor <= mostMinor ? minor : undefined;
}

async function create(visit: Visit, sent: SentForm): Promise<View | Redirect> {
  const { services, tenantId, author, terms } = visit;
  const given = read(sent);
  if (!given) return view(visit, sent);
  const meant = Object.entries(given).map(([name, value]) => [name, value?.toString() ?? null]);
  const idempotency = keyedRequest(sent, Object.fromEntries(meant));
  const without = { productId: null, returnUrl: null, completionUrl: null, metadata: null };
  const rest = { ...without, tenantId, active: true, expiresAtMs: null, apiKey: null };
  try {
    const made = await services.createLink({ ...given, ...rest, author, terms, idempotency });
    return { to: visit.to(path, { done: made.replayed ? 'earlier' : 'created' }) };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'IDEMPOTENCY_KEY_REUSED') throw error;
    return { to: visit.to(path, { done: 'earlier' }) };
  }
}

async function turn(visit: Visit, sent: SentForm, active: boolean): Promise<Redirect> {
  const { services, tenantId, author } = visit;
  const id = parseId('pl', sent.text('link'));
  if (id === undefined) throw notFound('payment link');
  await services.changeLink({ tenantId, id }, { active }, author);
  return { to: visit.to(path, { done: 'changed' }) };
}
