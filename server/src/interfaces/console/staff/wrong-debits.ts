import { suspenseSince } from '../../../money/ledger/suspense.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { lastOfPage } from '../../../tenants/cells/all-cells.ts';
import type { InCell } from '../../../tenants/cells/staff-cells.ts';
import type { Tenant } from '../../../tenants/merchants/store.ts';
import { findMerchants, findTenants } from '../../../tenants/merchants/store.ts';
import { given, idText, instant, status } from '../parts/format.ts';
import type { Column } from '../parts/table.ts';
import { amountColumn } from '../parts/table.ts';
import { everywhere, visitOf } from '../query-all-cells.ts';
import type { StaffContext } from '../request-context.ts';
import { cellColumn } from './cells.ts';
import { words as allWords } from './suspense.words.ts';

/** The common parts of the lists of suspense and of reversals. */
export interface WrongDebit {
  tenantId: string;
  id: string;
  /** Null for a disbursement. */
  paymentId: string | null;
  reason: string;
  /** Null for a refund or disbursement. */
  status: string | null;
  operator: string;
  operatorTxId: string;
  operatorReversalId?: string | null;
  currency: string;
  amountMinor: bigint;
  failureCode: string | null;
  byHand: boolean;
  createdAtMs: number;
}

/** The owners, by tenant. */
export async function ownersOf(
  visit: StaffContext,
  rows: readonly { tenantId: string }[],
): Promise<ReadonlyMap<string, Tenant & { name: string | undefined }>> {
  const tenantIds = [...new Set(rows.map(({ tenantId }) => tenantId))];
  const tenants = await everywhere(visit, (database) => findTenants(database, tenantIds));
  const ids = tenants.map(({ merchantId }) => merchantId);
  const merchants = await everywhere(visit, (database) => findMerchants(database, ids));
  const names = new Map(merchants.map(({ id, name }) => [id, name]));
  return new Map(tenants.map((each) => [each.id, { ...each, name: names.get(each.merchantId) }]));
}

type Owners = Awaited<ReturnType<typeof ownersOf>>;

/** Both sides next to each other, with a link to the case if it needs a decision. */
export function wrongDebitColumns(
  visit: StaffContext,
  owners: Owners,
): Column<WrongDebit & InCell>[] {
  const words = allWords[visit.language];
  return [
    { head: words.date, cell: ({ createdAtMs }) => instant(visit, createdAtMs) },
    ...cellColumn(visit),
    {
      head: words.merchant,
      cell: ({ tenantId, id, paymentId }) => {
        const owner = owners.get(tenantId);
        const mode = owner?.mode === 'test' ? html` (${visit.words.test})` : undefined;
        return html`<div>${given(owner?.name)}${mode}<br>${paymentId === null ? idText('di', id) : idText('pi', paymentId)}</div>`;
      },
    },
    amountColumn(visit, words.amount, ({ amountMinor }) => amountMinor),
    { head: words.ours, cell: (row) => ourSide(visit, row) },
    { head: words.theirs, cell: (row) => theirSide(visit, row) },
    { head: words.decide, cell: (row) => decideLink(visitOf(visit, row), row) },
  ];
}

function ourSide(visit: StaffContext, { reason, status: now }: WrongDebit): Html {
  const words = allWords[visit.language];
  return html`<div>${words.reversalReasons[reason] ?? reason}<br>${now === null ? undefined : status(visit, now)}</div>`;
}

function theirSide(visit: StaffContext, row: WrongDebit): Html {
  const words = allWords[visit.language];
  const { operators } = visit.words;
  const name = operators[row.operator as keyof typeof operators] ?? row.operator;
  const said = row.status === null ? words.made : words.debited;
  return html`<div>${name}<br>${said}: ${given(row.operatorTxId)}${row.operatorReversalId ? html`<br>${words.returned}: ${given(row.operatorReversalId)}` : undefined}${row.failureCode === null ? undefined : html`<br>${words.refusedWith}: ${row.failureCode}`}</div>`;
}

/** Only debits that are not returned automatically wait for a person. */
function decideLink(
  visit: StaffContext,
  { id, status: now, byHand }: WrongDebit,
): Html | undefined {
  const words = allWords[visit.language];
  if (now !== 'HELD' && (now !== 'FAILED' || byHand)) return undefined;
  return html`<a href="${visit.to(`reviews/${id}`)}">${words.decide}</a>`;
}

/** The start of a page: the cell of the previous row must tell when that row was created. */
export async function pageAfter(
  { services }: StaffContext,
  { limit, startingAfter = '' }: { limit: number; startingAfter: string | undefined },
) {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(startingAfter);
  const id = isId ? startingAfter : undefined;
  const last = await lastOfPage(services, id, suspenseSince);
  return { limit, startingAfter: id, afterMs: last?.sinceMs };
}
