import { formatId, type IdPrefix } from '../../platform/values/ids.ts';

/**
 * The accounts of a tenant in one currency (docs/ledger.md). `operator:NAME` holds what the operator
 * owes us, so it goes down (below zero) when a customer is debited there.
 */
export type Account =
  | `operator:${string}`
  | 'payable'
  | 'fees'
  | 'refunds_in_transit'
  | 'disbursements_in_transit'
  | 'payouts_in_transit'
  | 'kept'
  | 'bank'
  | 'suspense';

/** What a posting stands for; with its source it is the posting's key, so nothing is posted twice. */
export type PostingKind =
  | 'debit_net'
  | 'debit_fee'
  | RefundPostingKind
  | DisbursementPostingKind
  | SuspensePostingKind
  | PayoutPostingKind
  | 'top_up'
  | 'kept_out'
  | 'kept_in'
  // The further parts of a payout that is too large for one posting.
  | `${PayoutPostingKind}_${number}`;
export type RefundPostingKind =
  | 'refund_out'
  | 'refund_done'
  | 'refund_back'
  | 'refund_after_failure';
export type DisbursementPostingKind =
  | 'disbursement_out'
  | 'disbursement_fee'
  | 'disbursement_done'
  | 'disbursement_back'
  | 'disbursement_fee_back'
  | 'disbursement_after_failure'
  | 'disbursement_charge'
  | 'disbursement_charge_fee'
  | 'disbursement_write_off';
export type SuspensePostingKind = 'suspense_in' | 'suspense_out';
export type PayoutPostingKind = 'payout_out' | 'payout_done' | 'payout_back';

/** Moves an amount, in minor units, from one account to another: balanced by construction. */
export interface Posting {
  tenantId: string;
  /** The payment, refund, reversal, disbursement, top-up or settlement that the posting belongs to. */
  sourceId: string;
  kind: PostingKind;
  from: Account;
  to: Account;
  currency: string;
  amountMinor: bigint;
  createdAtMs: number;
}

interface Charged {
  tenantId: string;
  id: string;
  operator: string;
  currency: string;
  amountMinor: bigint;
  feeMinor: bigint;
}

/** operator → payable: net, even of zero, since it makes the payment part of a settlement; operator → fees: fee. */
export function debitPostings(payment: Charged, atMs: number): Posting[] {
  const common = {
    tenantId: payment.tenantId,
    sourceId: payment.id,
    from: `operator:${payment.operator}`,
    currency: payment.currency,
    createdAtMs: atMs,
  } as const;
  const netMinor = payment.amountMinor - payment.feeMinor;
  const postings: Posting[] = [
    { ...common, kind: 'debit_net', to: 'payable', amountMinor: netMinor },
  ];
  if (payment.feeMinor > 0n) {
    postings.push({ ...common, kind: 'debit_fee', to: 'fees', amountMinor: payment.feeMinor });
  }
  return postings;
}

interface GivenBack {
  tenantId: string;
  id: string;
  operator: string;
  currency: string;
  amountMinor: bigint;
}

/** A step of a refund, or of a wrong debit that goes into suspense and back. */
export function returnPosting(
  { tenantId, id: sourceId, operator: name, currency, amountMinor }: GivenBack,
  kind: RefundPostingKind | SuspensePostingKind,
  createdAtMs: number,
): Posting {
  const operator: Account = `operator:${name}`;
  const accounts: Record<typeof kind, [Account, Account]> = {
    refund_out: ['payable', 'refunds_in_transit'],
    refund_done: ['refunds_in_transit', operator],
    refund_back: ['refunds_in_transit', 'payable'],
    refund_after_failure: ['suspense', operator],
    suspense_in: [operator, 'suspense'],
    suspense_out: ['suspense', operator],
  };
  const [from, to] = accounts[kind];
  return { tenantId, sourceId, kind, from, to, currency, amountMinor, createdAtMs };
}

/** The steps of a disbursement that move money. */
export type DisbursementStep =
  | 'CREATED'
  | 'SUCCEEDED'
  | 'GIVEN_BACK'
  | 'SUCCEEDED_AFTER_FAILURE'
  | LateOutcome;

/** What a person decides about a disbursement that succeeded after it was given back: who bears it. */
export type LateOutcome = 'CHARGED' | 'WRITTEN_OFF';

const disbursementKinds: Record<DisbursementStep, DisbursementPostingKind[]> = {
  CREATED: ['disbursement_out', 'disbursement_fee'],
  SUCCEEDED: ['disbursement_done'],
  // FAILED or CANCELLED.
  GIVEN_BACK: ['disbursement_back', 'disbursement_fee_back'],
  SUCCEEDED_AFTER_FAILURE: ['disbursement_after_failure'],
  CHARGED: ['disbursement_charge', 'disbursement_charge_fee'],
  WRITTEN_OFF: ['disbursement_write_off'],
};

const feeKinds: ReadonlySet<DisbursementPostingKind> = new Set([
  'disbursement_fee',
  'disbursement_fee_back',
  'disbursement_charge_fee',
]);

/**
 * payable → disbursements_in_transit → operator: the amount; payable → fees: the fee. FAILED or CANCELLED returns
 * both. A success after that is taken from suspense, which a person fills again: from payable, with the fee, or from
 * our fees.
 */
export function disbursementPostings(
  { tenantId, id: sourceId, operator: name, currency, amountMinor, feeMinor }: Charged,
  step: DisbursementStep,
  createdAtMs: number,
): Posting[] {
  const operator: Account = `operator:${name}`;
  const accounts: Record<DisbursementPostingKind, [Account, Account]> = {
    disbursement_out: ['payable', 'disbursements_in_transit'],
    disbursement_fee: ['payable', 'fees'],
    disbursement_done: ['disbursements_in_transit', operator],
    disbursement_back: ['disbursements_in_transit', 'payable'],
    disbursement_fee_back: ['fees', 'payable'],
    disbursement_after_failure: ['suspense', operator],
    disbursement_charge: ['payable', 'suspense'],
    disbursement_charge_fee: ['payable', 'fees'],
    disbursement_write_off: ['fees', 'suspense'],
  };
  return disbursementKinds[step]
    .map((kind): Posting => {
      const [from, to] = accounts[kind];
      const minor = feeKinds.has(kind) ? feeMinor : amountMinor;
      return { tenantId, sourceId, kind, from, to, currency, amountMinor: minor, createdAtMs };
    })
    .filter(({ amountMinor: minor }) => minor > 0n);
}

/** bank → payable: what was paid into our bank account for a merchant's balance. */
export const topUpPosting = (
  topUp: Pick<Posting, 'tenantId' | 'currency' | 'amountMinor' | 'createdAtMs'> & { id: string },
): Posting => {
  const { tenantId, id: sourceId, currency, amountMinor, createdAtMs } = topUp;
  const moved = { from: 'bank', to: 'payable', currency, amountMinor, createdAtMs } as const;
  return { tenantId, sourceId, kind: 'top_up', ...moved };
};

/** The largest amount of one posting: PostgreSQL's bigint holds no more. */
export const maxPostingMinor = 2n ** 63n - 1n;

const payoutAccounts: Record<PayoutPostingKind, [Account, Account]> = {
  payout_out: ['payable', 'payouts_in_transit'],
  payout_done: ['payouts_in_transit', 'bank'],
  payout_back: ['payouts_in_transit', 'payable'],
};

interface PaidOut {
  tenantId: string;
  id: string;
  currency: string;
  netMinor: bigint;
}

/** The net of a settlement: one posting, or several where the sum of its payments is too large for one. */
export function payoutPostings(
  { tenantId, id: sourceId, currency, netMinor }: PaidOut,
  kind: PayoutPostingKind,
  createdAtMs: number,
): Posting[] {
  const [from, to] = payoutAccounts[kind];
  const postings: Posting[] = [];
  for (let left = netMinor; left > 0n; left -= maxPostingMinor) {
    const part = postings.length + 1;
    // Stryker disable next-line EqualityOperator: of two equal amounts, either is right
    const amountMinor = left < maxPostingMinor ? left : maxPostingMinor;
    const partKind = part === 1 ? kind : (`${kind}_${part}` as const);
    postings.push({
      tenantId,
      sourceId,
      kind: partKind,
      from,
      to,
      currency,
      amountMinor,
      createdAtMs,
    });
  }
  return postings;
}

/**
 * payable → kept → payable: what a settlement leaves in the balance moves from the last period that it takes into the
 * next one.
 */
export function keptPostings(
  settlement: { tenantId: string; id: string; currency: string; keptMinor: bigint },
  createdAtMs: number,
): Posting[] {
  const { tenantId, id: sourceId, currency, keptMinor: amountMinor } = settlement;
  if (amountMinor === 0n) return [];
  const common = { tenantId, sourceId, currency, amountMinor, createdAtMs };
  return [
    { ...common, kind: 'kept_out', from: 'payable', to: 'kept' },
    { ...common, kind: 'kept_in', from: 'kept', to: 'payable' },
  ];
}

/** `debit` of `debit_net`: the kind of the source. */
type WordOf<Kind> = Kind extends `${infer Word}_${string}` ? Word : never;

const sourcePrefixes: Record<WordOf<PostingKind>, IdPrefix | null> = {
  debit: 'pi',
  suspense: null,
  refund: 're',
  disbursement: 'di',
  payout: 'se',
  kept: 'se',
  top: 'tu',
};

/** The source of a posting, as the API names it; reversals have no id there, so their UUID stands for them. */
export function sourceText({ kind, sourceId }: { kind: string; sourceId: string }): string {
  const prefix = sourcePrefixes[kind.split('_', 1)[0] as WordOf<PostingKind>] ?? null;
  return prefix === null ? sourceId : formatId(prefix, sourceId);
}
