import type { ReviewView } from './list.ts';

/** The advice, line by line; commands are indented. */
export function adviceFor(waiting: ReviewView): string[] {
  const { kind, operator, subject } = waiting;
  const isKnown = 'paymentId' in subject;
  const noun = subject.kind.toLowerCase();
  const close = `  zimbo review close ${waiting.id} --reason "…"`;
  if (isLate(subject)) return lateAdvice(waiting);
  switch (kind) {
    case 'UNCLEAR':
    case 'UNANSWERED':
      return [
        `Ask ${operator} about the reference ${subject.reference},`,
        'then record its answer:',
        ...resolutions(waiting),
      ];
    case 'CONTRADICTION':
      return [
        `Ask ${operator} which of the two is right. Nothing was changed. If the ledger is`,
        'wrong, settle the difference with the operator or the merchant. Then:',
        close,
        ...(isKnown && subject.byHand ? corrections(waiting) : []),
      ];
    case 'MISMATCH':
      return [
        `${operator} reports a success that is not what we asked for: nothing was booked.`,
        `Ask ${operator} about the reference ${subject.reference},`,
        'then record its answer:',
        ...resolutions(waiting),
      ];
    case 'CLASH':
      return [
        `Ask ${operator} what its transaction paid for. Nothing was booked or reversed.`,
        `If the ledger is correct, close this item. If this ${noun} has another`,
        'transaction, or none, record that:',
        close,
        ...resolutions(waiting),
      ];
    case 'UNKNOWN_REFERENCE':
    case 'HELD':
      if (isKnown) return heldAdvice(waiting);
      return subject.kind === 'DISBURSEMENT'
        ? unknownDisbursement(waiting, close)
        : unknownAdvice(waiting, close);
    case 'LATE':
      return lateAdvice(waiting);
    case 'REFUSED':
      return [
        `Have ${operator} return ${isKnown ? subject.debitTxId : undefined} by hand, then record by which`,
        'transaction. If you settled it in another way, record that it was not returned:',
        ...resolutions(waiting),
      ];
  }
}

/** A disbursement that was given back, and that the operator has paid all the same. */
const isLate = (subject: ReviewView['subject']) =>
  subject.kind === 'DISBURSEMENT' &&
  'operatorTxId' in subject &&
  subject.operatorTxId !== null &&
  ['FAILED', 'CANCELLED'].includes(subject.status);

const lateAdvice = (waiting: ReviewView) => [
  `${waiting.operator} paid after the disbursement had ended without success, and its amount was`,
  'back in the balance. Decide whether the merchant pays it, or the company bears it:',
  ...resolutions(waiting),
];

function heldAdvice(waiting: ReviewView): string[] {
  const { operator } = waiting;
  return [
    `${operator} has debited a customer for something that the ledger does not have:`,
    'a restore may have lost the payment. Ask the merchant or the customer, then have',
    'the debit reversed, or record what became of it:',
    ...resolutions(waiting).toReversed(),
  ];
}

const unknownAdvice = ({ operator }: ReviewView, close: string) => [
  `${operator} returned money for something that the ledger does not have. If a`,
  'restore lost the refund, the merchant still has the amount. Settle that with the',
  'merchant, then close this item:',
  close,
];

const unknownDisbursement = ({ operator }: ReviewView, close: string) => [
  `${operator} paid out for something that the ledger does not have. If a restore lost`,
  'the disbursement, the merchant’s own repeated request books it, under the same',
  'reference. Otherwise settle it with the merchant, then close this item:',
  close,
];

/** The commands that record the outcome. */
function resolutions({ subject }: ReviewView): string[] {
  const start = `  zimbo review resolve ${subject.id}`;
  switch (subject.kind) {
    case 'PAYMENT': {
      const amount = 'amount' in subject ? subject.amount : 'AMOUNT';
      return [`${start} --debited TRANSACTION --amount ${amount}`, `${start} --not-debited`];
    }
    case 'REFUND':
      return [`${start} --refunded TRANSACTION`, `${start} --not-refunded`];
    case 'REVERSAL':
      return [
        `${start} --given-back TRANSACTION`,
        `${start} --not-given-back`,
        ...(subject.status === 'HELD' ? [`${start} --reverse`] : []),
      ];
    case 'DISBURSEMENT':
      if (isLate(subject)) return [`${start} --charge`, `${start} --write-off`];
      return [`${start} --paid-out TRANSACTION`, `${start} --not-paid-out`];
  }
}

/** A person entered the outcome, perhaps wrongly. */
function corrections(waiting: ReviewView): string[] {
  const [first] = resolutions(waiting);
  return first ? ['To correct what a person entered:', first] : [];
}
