import { type Approval, isOfKind, requestOf } from '../../../backoffice/approvals/approval.ts';
import type { ListedApproval } from '../../../backoffice/approvals/list.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { maskPhone } from '../../../platform/values/phone.ts';
import { amount, count, given, phone } from '../parts/format.ts';
import { linkToObject } from '../parts/object-pages.ts';
import { type Fact, table } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { mayDecide } from './approvals.ts';
import { words as allWords } from './approvals.words.ts';
import { words as batchWords } from './disbursement-batches.words.ts';

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

/** The rows of a batch that waits for its approval. */
export function batchRows(visit: MerchantContext, each: ListedApproval): Html | undefined {
  if (!isOfKind(each, 'DISBURSEMENT_BATCH')) return undefined;
  const { rows } = requestOf<'DISBURSEMENT_BATCH'>(each);
  if (rows === null) return undefined;
  const { rows: title, columns } = batchWords[visit.language];
  const shown = (typed: string) => phone(mayCompare(visit, each) ? typed : maskPhone(typed));
  const list = table(
    title,
    [
      { head: columns.phone, cell: ({ operatorPhone }) => shown(operatorPhone) },
      { head: columns.operator, cell: ({ operator }) => visit.words.operators[operator] },
      {
        head: columns.amount,
        isNumber: true,
        cell: ({ amountMinor, currency }) => amount(visit, BigInt(amountMinor), currency),
      },
      { head: columns.reference, cell: ({ externalId }) => given(externalId) },
      { head: columns.description, cell: ({ description }) => given(description) },
    ],
    rows,
  );
  return html`<details class="more"><summary>${title}</summary>${list}</details>`;
}
