import { disbursementVariables } from './disbursement-variables.ts';
import {
  amountsByCurrency,
  choice,
  fee,
  guardedActList,
  hours,
  integer,
  promptQuota,
  quota,
  timeZone,
} from './kinds.ts';
import { type OperatorName, operatorNames } from './operator-catalogue.ts';
import { payoutAccount, payoutFormats } from './payout-account.ts';
import type { Variable } from './variables.ts';

const payments = { group: 'Payments' };
const paymentPage = { group: 'Payment page' };
const feeOf = (operator: string) => ({
  ...payments,
  kind: fee,
  default: '200',
  about: `The fee of a payment through ${operator}, fixed when the payment is created. It is rounded half up and never exceeds the amount.`,
  example: '200+50',
});

const payoutAccountOf = (currency: string, example: string) => ({
  ...payments,
  kind: payoutAccount,
  otherwise: 'bank orders name no account',
  about: `Your account from which payouts in ${currency} are paid: number, holder, BIC. [Orders for the bank](settlements.md#the-order-for-the-bank) name it; pain.001 needs it.`,
  example,
  digest: true as const,
});

const feeVariables = Object.fromEntries(
  operatorNames.map((operator) => [`FEE_${operator}`, feeOf(operator)]),
) as Record<`FEE_${OperatorName}`, ReturnType<typeof feeOf>>;

/** The settings of payments and of the page on which customers pay. */
export const paymentVariables = {
  ...feeVariables,
  PAYMENT_EXPIRY_SECONDS: {
    ...payments,
    kind: integer(1, 86_400),
    default: '300',
    about: 'How long a customer has to confirm a payment.',
    example: '600',
  },
  PAYMENT_EXPIRY_GRACE_SECONDS: {
    ...payments,
    kind: integer(0, 86_400),
    default: '60',
    about:
      'How much longer to wait for an operator that still reports "pending" before the payment becomes EXPIRED.',
    example: '120',
  },
  OPERATOR_TIMEOUT_SECONDS: {
    ...payments,
    kind: integer(1, 300),
    default: '10',
    about:
      'How long an operator may take to answer; after that the outcome is unknown, and the gateway queries it.',
    example: '20',
  },
  PAYMENT_REVIEW_HOURS: {
    ...payments,
    kind: integer(1, 8_760),
    default: '24',
    about:
      'After how many hours without a definite answer from the operator a payment goes to review: "zimbo review" lists it.',
    example: '6',
  },
  PAYMENT_WATCH_HOURS: {
    ...payments,
    kind: hours,
    default: '72',
    about:
      'How many hours the gateway keeps querying an operator about a payment, refund or reversal that was sent and has no known outcome; after that, a person must look into it.',
    example: '24',
  },
  SIMULATOR_DELAY_MS: {
    ...payments,
    kind: integer(0, 3_600_000),
    default: '2000',
    about:
      'With a test key: how many milliseconds the simulated customer takes to answer. With 0 the outcome is immediate.',
    example: '0',
  },
  PROMPTS_PER_PHONE: {
    ...payments,
    kind: promptQuota,
    default: '10/30',
    about:
      'With a live key: how many prompts without a debit one phone may get in 24 hours, from one merchant and from all merchants together. The pauses between prompts from one merchant grow. With off, only blocked phones (zimbo phones) are protected.',
    example: '5/20',
  },
  SETTLEMENT_HOUR: {
    ...payments,
    kind: integer(0, 23),
    default: '2',
    about: 'The hour of the day at which everything payable is settled.',
    example: '23',
  },
  SETTLEMENT_TIME_ZONE: {
    ...payments,
    kind: timeZone,
    default: 'Atlantic/Cape_Verde',
    about: 'The time zone of SETTLEMENT_HOUR.',
    example: 'Africa/Luanda',
  },
  PAYOUT_FORMAT: {
    ...payments,
    kind: choice(...payoutFormats),
    default: 'csv',
    about:
      'How [orders for the bank](settlements.md#the-order-for-the-bank) are written: CSV, or XML as in ISO 20022 pain.001.001.09.',
    example: 'pain.001',
  },
  PAYOUT_ACCOUNT_CVE: payoutAccountOf(
    'CVE',
    'CV64 0005 0000 0020 1082 1514 4;Zimbo Pagamentos, SA;BCATCVCV',
  ),
  PAYOUT_ACCOUNT_AOA: payoutAccountOf('AOA', 'AO06 0044 0000 6729 5030 1010 2;Zimbo Angola, Lda'),
  REFUND_APPROVAL_ABOVE: {
    ...payments,
    kind: amountsByCurrency,
    otherwise: 'no refund needs an approval',
    about:
      'The total that may be refunded of one payment, in centavos, without the [approval](approvals.md) of a second person. A currency that is not named has no limit.',
    example: 'CVE=5000000,AOA=20000000',
  },
  FOUR_EYES: {
    ...payments,
    kind: guardedActList,
    otherwise: 'one person is enough',
    about:
      'Other actions that one person must request and another [approve](approvals.md): completing and failing settlements, resolving and closing reviews, making live API keys, changing bank accounts, topping balances up. Commands on the server need no approval.',
    example: 'settlements,reviews,live-keys,bank-accounts',
  },
  PAGE_ATTEMPTS_PER_PHONE: {
    ...paymentPage,
    kind: quota,
    otherwise: 'for live keys 5/15, for test keys no limit',
    about:
      'How many attempts without a debit a phone may have with one merchant, and in how many minutes, so that nobody is spammed with PIN prompts. If set, it applies to live and test keys.',
    example: '3/10',
  },
  PAGE_ATTEMPTS_PER_ADDRESS: {
    ...paymentPage,
    kind: quota,
    otherwise: 'for live keys 60/15, for test keys no limit',
    about:
      'The same per address and merchant, including attempts with a debit, counted on each machine. Across all merchants, an address may make ten times as many. Mobile networks put many customers behind one address.',
    example: '200/15',
    perProcess: true as const,
  },
  PAGE_STREAMS: {
    ...paymentPage,
    kind: integer(0, 100_000),
    default: '2000',
    about:
      'How many open payment pages one process updates by server-sent events; any others poll every few seconds.',
    example: '500',
    perProcess: true as const,
  },
  ...disbursementVariables,
} satisfies Record<string, Variable<unknown>>;
