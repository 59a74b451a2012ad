import { idOf } from '../../../backoffice/resolutions/describe-case.ts';
import {
  type Finding,
  findings,
  fits,
  namesTransaction,
} from '../../../backoffice/resolutions/finding.ts';
import type { FindingInput } from '../../../backoffice/resolutions/parse-finding.ts';
import type { Waiting } from '../../../money/review/open-cases.ts';
import type { ReviewSubject } from '../../../money/review/subjects.ts';
import { invalid } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { money } from '../../../storefront/checkout/page/money.ts';
import { parseAmount, typedAmount } from '../parts/amount.ts';
import { button, checkbox, field, form, hidden, notice } from '../parts/form.ts';
import { keyField } from '../parts/idempotency-key.ts';
import type { SentForm, StaffContext } from '../request-context.ts';
import { words as allWords } from './reviews.words.ts';

export const longestTransaction = 256;
export const longestNote = 1_000;

/** The mistakes by field; `page` belongs to none. */
export interface Mistakes {
  page?: string | undefined;
  operatorTransaction?: string;
  amount?: string;
  reason?: string;
  note?: string;
  /** The amount differs from the payment's, and must be confirmed. */
  asksForOther?: boolean;
  /** The operator does not confirm the number, so the person must. */
  asksToInsist?: boolean;
}

export interface Shown {
  sent?: SentForm | undefined;
  mistakes?: Mistakes;
}

type Kind = Finding['kind'];

/** Field names contain the finding, because one page has several forms. */
const nameOf = (name: string, kind: Kind) => `${name}_${kind}`;

/** Parses a form. @throws VALIDATION_ERROR for an invalid amount or a too long text */
export function saidIn(sent: SentForm): { said: FindingInput; note: string | undefined } {
  const kind = findings.find((each) => each === sent.text('finding'));
  if (kind === undefined) throw invalid('finding', 'must be one of those');
  const text = (name: string) => sent.text(nameOf(name, kind));
  const transaction = text('transaction');
  if (transaction.length > longestTransaction) throw invalid('operatorTransaction', 'is too long');
  const note = text('note');
  if (note.length > longestNote) throw invalid('note', 'is too long');
  const typed = kind === 'DEBITED' ? parseAmount(text('amount')) : undefined;
  if (kind === 'DEBITED' && (typed === undefined || typed <= 0n || typed >= 10n ** 15n)) {
    throw invalid('amount', 'is none');
  }
  // A changed amount needs a new confirmation.
  const otherAmount = typed !== undefined && sent.text('otherAmount') === typed.toString();
  const said = {
    finding: kind,
    operatorTransaction: transaction === '' ? undefined : transaction,
    amount: typed?.toString(),
    otherAmount,
    // A changed number does, too.
    unconfirmed: transaction !== '' && sent.text('unconfirmed') === transaction,
  };
  return { said, note: note === '' ? undefined : note };
}

/** @throws VALIDATION_ERROR */
export function reasonIn(sent: SentForm, item: string): string {
  const reason = sent.text(`reason_${item}`);
  if (reason === '' || reason.length > longestNote) throw invalid('reason', 'must say why');
  return reason;
}

/** A form for each possible answer of the operator. */
export function resolveForms(visit: StaffContext, { subject }: Waiting, shown: Shown) {
  const words = allWords[visit.language];
  if (!subject) return undefined;
  const kinds = findings.filter((kind) => fits(kind, subject));
  return html`<h2>${words.record}</h2><p>${words.recordHint}</p>
${twoNotice(visit)}
${kinds.map((kind) => findingForm(visit, subject, kind, shown))}`;
}

const needsTwo = ({ services }: StaffContext) => services.fourEyes.has('reviews');

const twoNotice = (visit: StaffContext): Html | undefined =>
  needsTwo(visit) ? notice(allWords[visit.language].needsTwo) : undefined;

function findingForm(
  visit: StaffContext,
  subject: ReviewSubject,
  kind: Kind,
  { sent, mistakes = {} }: Shown,
): Html {
  const words = allWords[visit.language];
  const isThis = sent?.text('finding') === kind;
  const value = (name: string) => (isThis ? sent.text(nameOf(name, kind)) : undefined);
  const error = (name: 'operatorTransaction' | 'amount' | 'note') =>
    isThis ? mistakes[name] : undefined;
  const typed = value('transaction') ?? '';
  const insists = isThis && typed !== '' && sent.text('unconfirmed') === typed;
  const asksToInsist = isThis && typed !== '' && (mistakes.asksToInsist === true || insists);
  const transaction = namesTransaction(kind)
    ? html`${field(nameOf('transaction', kind), words.transactionField, {
        value: value('transaction'),
        error: error('operatorTransaction'),
        isRequired: true,
        maxLength: longestTransaction,
      })}${asksToInsist ? checkbox('unconfirmed', words.unconfirmed(typed), typed, insists) : undefined}`
    : undefined;
  const note = field(nameOf('note', kind), words.note, {
    value: value('note'),
    error: error('note'),
    maxLength: longestNote,
  });
  const fields = html`${keyField(visit, isThis ? sent : undefined)}${hidden('finding', kind)}
${transaction}
${kind === 'DEBITED' ? amountFields(visit, subject, { typed: value('amount'), error: error('amount'), isAsked: isThis && mistakes.asksForOther === true, confirmed: isThis ? sent.text('otherAmount') : '' }) : undefined}
${note}
${button('resolve', needsTwo(visit) ? words.ask : words.save, kind === 'REVERSE' || kind === 'CHARGE' ? 'danger' : 'primary')}`;
  return html`<details class="more"${isThis ? html` open` : undefined}><summary>${words.findings[kind]}</summary>
<section class="card"><p>${words.findingMeans[kind]}</p>${form(visit, fields)}</section></details>`;
}

interface TypedAmount {
  typed: string | undefined;
  error: string | undefined;
  /** Whether the typed amount differs from the payment's, and must be confirmed. */
  isAsked: boolean;
  /** The amount that was confirmed before, in minor units; empty: none. */
  confirmed: string;
}

function amountFields(
  visit: StaffContext,
  { amountMinor, currency }: ReviewSubject,
  { typed, error, isAsked, confirmed }: TypedAmount,
): Html {
  const words = allWords[visit.language];
  const name = nameOf('amount', 'DEBITED');
  const input = field(name, words.amountField(currency), {
    value: typed ?? typedAmount(visit, amountMinor),
    inputMode: 'decimal',
    isRequired: true,
    maxLength: 40,
    error,
  });
  const told = parseAmount(typed ?? '');
  const isConfirmed = told !== undefined && confirmed === told.toString();
  if (told === undefined || !(isAsked || isConfirmed)) return input;
  const [other, ours] = [told, amountMinor].map((minor) => money(minor, currency, visit.language));
  return html`${input}${checkbox('otherAmount', words.otherAmount(other!, ours!), told.toString(), isConfirmed)}`;
}

/** Only for items: cases that follow from a row alone close with its outcome. */
export function closeForm(
  visit: StaffContext,
  waiting: Waiting,
  { sent, mistakes = {} }: Shown,
): Html | undefined {
  const words = allWords[visit.language];
  const { item } = waiting;
  if (!item || item.closedAtMs !== null) return undefined;
  const isThis = sent?.text('item') === idOf(waiting);
  const fields = html`${keyField(visit, isThis ? sent : undefined)}${hidden('item', idOf(waiting))}
${field(`reason_${idOf(waiting)}`, words.closeReason, {
  value: isThis ? sent.text(`reason_${idOf(waiting)}`) : undefined,
  error: isThis ? mistakes.reason : undefined,
  isRequired: true,
  maxLength: longestNote,
})}
${button('close', needsTwo(visit) ? words.ask : words.closeNow, 'plain')}`;
  return html`<details class="more"${isThis ? html` open` : undefined}><summary>${words.close}</summary>
<section class="card"><p>${words.closeHint}</p>${twoNotice(visit)}${form(visit, fields)}</section></details>`;
}
