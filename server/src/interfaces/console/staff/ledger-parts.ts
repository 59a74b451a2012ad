import type { AccountSum } from '../../../money/ledger/balances.ts';
import type { ListedPosting } from '../../../money/ledger/list-postings.ts';
import { sourceText } from '../../../money/ledger/postings.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { amount, given, instant } from '../parts/format.ts';
import { amountColumn, type Column, table } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import { words as allWords } from './ledger.words.ts';

/** An account in words: `Operator MOCK`. */
export function accountText(visit: StaffContext, account: string): string {
  const [kind = '', operator] = account.split(':');
  const name = allWords[visit.language].accounts[kind] ?? kind;
  if (operator === undefined) return name;
  const operators: Record<string, string> = visit.words.operators;
  return `${name} ${operators[operator] ?? operator}`;
}

interface SumRow {
  mode: 'live' | 'test';
  currency: string;
  label: Html | string;
  total: Html;
}

/** The totals of accounts, and under each mode and currency that they balance, as they must. */
export function sumsTable(visit: StaffContext, sums: readonly AccountSum[]): Html {
  const words = allWords[visit.language];
  const groups = Map.groupBy(sums, ({ mode, currency }) => `${mode} ${currency}`);
  const rows = [...groups.values()].flatMap((group): SumRow[] => {
    const { mode, currency } = group[0]!;
    const totalMinor = group.reduce((sum, each) => sum + each.totalMinor, 0n);
    const isZero = totalMinor === 0n;
    const said = html`<span class="status" data-status="${isZero ? 'SUCCEEDED' : 'FAILED'}">${isZero ? words.zero : words.notZero}</span>`;
    const total = html`${amount(visit, totalMinor, currency)} ${said}`;
    return [
      ...group.map((each) => ({
        mode,
        currency,
        label: accountText(visit, each.account),
        total: amount(visit, each.totalMinor, currency),
      })),
      { mode, currency, label: html`<b>${words.together}</b>`, total: html`<b>${total}</b>` },
    ];
  });
  const columns: Column<SumRow>[] = [
    { head: words.mode, cell: ({ mode }) => visit.words[mode] },
    { head: words.currency, cell: ({ currency }) => currency },
    { head: words.account, cell: ({ label }) => label },
    { head: words.balance, isNumber: true, cell: ({ total }) => total },
  ];
  return table(words.sums, columns, rows);
}

/** Postings in words; each links to its object. */
export function postingsTable(
  visit: StaffContext,
  rows: readonly ListedPosting[],
  addressOf: (source: string) => string,
): Html {
  const words = allWords[visit.language];
  const columns: Column<ListedPosting>[] = [
    { head: words.when, cell: ({ createdAtMs }) => instant(visit, createdAtMs) },
    { head: words.kind, cell: ({ kind }) => kindText(visit, kind) },
    { head: words.from, cell: ({ fromAccount }) => accountText(visit, fromAccount) },
    { head: words.to, cell: ({ toAccount }) => accountText(visit, toAccount) },
    amountColumn(visit, words.amount, ({ amountMinor }) => amountMinor),
    {
      head: words.source,
      cell: (row) => {
        const source = sourceText(row);
        const name = row.kind.startsWith('suspense') ? html`${words.reversal} ` : undefined;
        return html`<span>${name}<a href="${addressOf(source)}"><code class="id">${source}</code></a></span>`;
      },
    },
  ];
  return table(words.postings, columns, rows);
}

/** Further parts of a large payout share the words: `payout_out_2`. */
function kindText({ language }: StaffContext, kind: string): Html | string {
  const { kinds } = allWords[language];
  return kinds[kind.replace(/_\d+$/, '')] ?? given(kind) ?? '';
}

const uuidShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The UUID of the postings' object: a payment, refund, disbursement, payout, or a reversal by its UUID. */
export function sourceIn(text: string): string | undefined {
  const id = (['pi', 're', 'di', 'tu', 'se'] as const)
    .map((prefix) => parseId(prefix, text))
    .find(Boolean);
  return id ?? uuidShape.exec(text)?.[0];
}

/** The address of the postings of a merchant. */
export const postingsAddress = (
  visit: StaffContext,
  { merchantId, mode }: { merchantId: string; mode: 'live' | 'test' },
  of?: string,
): string => visit.to(`ledger/${formatId('me', merchantId)}`, { mode, of });
