import { type Approval, isOfKind, requestOf } from '../../../backoffice/approvals/approval.ts';
import type { ListedApproval } from '../../../backoffice/approvals/list.ts';
import type { LookedUpName } from '../../../money/disbursements/look-up-name.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { maskPhone } from '../../../platform/values/phone.ts';
import { form, hidden } from '../parts/form.ts';
import { amount, count, given, phone } from '../parts/format.ts';
import { linkToObject } from '../parts/object-pages.ts';
import { type Fact, table } from '../parts/table.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { mayDecide } from './approvals.ts';
import { words as allWords } from './approvals.words.ts';
import { words as batchWords } from './disbursement-batches.words.ts';
import type { AskedDisbursement } from './disbursement-form.ts';
import { holderOf, holderText, offersLookup } from './new-disbursement.ts';
import { words as lookUpWords } from './new-disbursement.words.ts';

/** Approvers read all details. */
const whole = 1_000;

/** The approver compares the whole phone; the requester typed it. */
const mayCompare = (visit: MerchantContext, each: ListedApproval): boolean =>
  visit.can('phones.read') || mayDecide(visit, each) || each.askedBy === visit.person.id;

/** One disbursement to be approved. */
export function askedDisbursement(
  visit: MerchantContext,
  each: ListedApproval & Approval<'DISBURSEMENT'>,
): Fact[] {
  const words = allWords[visit.language];
  const request = requestOf<'DISBURSEMENT'>(each);
  const { operatorPhone: typed } = request;
  const shown = typed === null || mayCompare(visit, each) ? typed : maskPhone(typed);
  const made = each.resultId === null ? undefined : formatId('di', each.resultId);
  return [
    [words.recipient, shown === null ? made && linkToObject(visit, made) : phone(shown)],
    [words.amount, amount(visit, BigInt(request.amountMinor), request.currency)],
    [words.operator, visit.words.operators[request.operator]],
    [words.reference, given(request.externalId, whole)],
    [words.description, given(request.description, whole)],
  ];
}

/** Many disbursements to be approved together. */
export function askedBatch(
  visit: MerchantContext,
  each: ListedApproval & Approval<'DISBURSEMENT_BATCH'>,
): Fact[] {
  const words = allWords[visit.language];
  const { people, fee } = batchWords[visit.language];
  const { description, itemCount, totals } = requestOf<'DISBURSEMENT_BATCH'>(each);
  const made = each.resultId === null ? undefined : formatId('dib', each.resultId);
  const sums = totals.flatMap(({ currency, amount: sum, feeAmount }): Fact[] => [
    [words.amount, amount(visit, BigInt(sum), currency)],
    [fee, amount(visit, BigInt(feeAmount), currency)],
  ]);
  return [
    [words.reference, made && linkToObject(visit, made)],
    ...sums.slice(0, 1),
    ...sums.slice(1),
    [people, count(visit, itemCount)],
    [words.description, given(description, whole)],
  ];
}

/** The holder of one wallet, looked up for a person who decides. */
export interface LookedUp {
  approvalId: string;
  row: number;
  holder: LookedUpName;
}

type Wallet = Pick<AskedDisbursement, 'operator' | 'operatorPhone'>;

/** The wallets that a request would pay; none for another kind, or once it has ended. */
function walletsOf(each: ListedApproval): readonly Wallet[] {
  if (isOfKind(each, 'DISBURSEMENT')) {
    const { operator, operatorPhone } = requestOf<'DISBURSEMENT'>(each);
    return operatorPhone === null ? [] : [{ operator, operatorPhone }];
  }
  return isOfKind(each, 'DISBURSEMENT_BATCH')
    ? (requestOf<'DISBURSEMENT_BATCH'>(each).rows ?? [])
    : [];
}

/** Looks up the holder of the wallet that the form names. @throws NOT_FOUND the visitor decides no such request */
export async function lookUpHolder(
  visit: MerchantContext,
  sent: SentForm,
  open: readonly ListedApproval[],
): Promise<LookedUp> {
  const approvalId = parseId('ap', sent.text('request'));
  const each = open.find(({ id, status }) => id === approvalId && status === 'PENDING');
  const row = Number(sent.text('row'));
  const wallet = each && mayDecide(visit, each) ? walletsOf(each)[row] : undefined;
  if (!each || !wallet) throw notFound('page');
  return { approvalId: each.id, row, holder: await holderOf(visit, wallet) };
}

/** The holder, or the button that looks the holder up. */
function holderCell(
  visit: MerchantContext,
  each: ListedApproval,
  [row, wallet]: [number, Wallet | undefined],
  lookedUp: LookedUp | undefined,
): Html | undefined {
  const isOffered = each.status === 'PENDING' && mayDecide(visit, each);
  if (!wallet || !isOffered || !offersLookup(visit, wallet)) return undefined;
  if (lookedUp?.approvalId === each.id && lookedUp.row === row) {
    return holderText(visit, lookedUp.holder);
  }
  const { lookUp } = lookUpWords[visit.language];
  return html`<button name="row" value="${row}" class="button plain">${lookUp}</button>`;
}

/** The form of the buttons, and of nothing else. */
const lookUpForm = (visit: MerchantContext, { id }: ListedApproval, content: Html): Html =>
  form(visit, html`${hidden('request', formatId('ap', id))}${hidden('action', 'name')}${content}`);

/** The holder of the wallet of one disbursement, or the rows of a batch, while they wait for their approval. */
export function approvalDetails(
  visit: MerchantContext,
  each: ListedApproval,
  lookedUp?: LookedUp,
): Html | undefined {
  if (isOfKind(each, 'DISBURSEMENT')) {
    const holder = holderCell(visit, each, [0, walletsOf(each)[0]], lookedUp);
    const { holder: label } = lookUpWords[visit.language];
    return holder && lookUpForm(visit, each, html`<p>${label}: ${holder}</p>`);
  }
  return isOfKind(each, 'DISBURSEMENT_BATCH') ? batchRows(visit, each, lookedUp) : undefined;
}

function batchRows(
  visit: MerchantContext,
  each: ListedApproval & Approval<'DISBURSEMENT_BATCH'>,
  lookedUp?: LookedUp,
): Html | undefined {
  const { rows } = requestOf<'DISBURSEMENT_BATCH'>(each);
  if (rows === null) return undefined;
  const { rows: title, columns } = batchWords[visit.language];
  const shown = (typed: string) => phone(mayCompare(visit, each) ? typed : maskPhone(typed));
  const numbered = rows.map((row, index) => ({
    ...row,
    holder: holderCell(visit, each, [index, row], lookedUp),
  }));
  const hasHolders = numbered.some(({ holder }) => holder !== undefined);
  const list = table<(typeof numbered)[number]>(
    title,
    [
      { head: columns.phone, cell: ({ operatorPhone }) => shown(operatorPhone) },
      { head: columns.operator, cell: ({ operator }) => visit.words.operators[operator] },
      ...(hasHolders
        ? [
            {
              head: lookUpWords[visit.language].holder,
              cell: ({ holder }: { holder: Html | undefined }) => holder,
            },
          ]
        : []),
      {
        head: columns.amount,
        isNumber: true,
        cell: ({ amountMinor, currency }) => amount(visit, BigInt(amountMinor), currency),
      },
      { head: columns.reference, cell: ({ externalId }) => given(externalId) },
      { head: columns.description, cell: ({ description }) => given(description) },
    ],
    numbered,
  );
  const isOpen = lookedUp?.approvalId === each.id ? html` open` : undefined;
  return html`<details class="more"${isOpen}><summary>${title}</summary>${hasHolders ? lookUpForm(visit, each, list) : list}</details>`;
}
