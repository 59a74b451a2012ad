import type { Waiting } from '../../review/waiting.ts';
import { formatMajor } from '../output.ts';
import { idOf, subjectIdOf } from './words.ts';

/** What to do about it, line by line; commands are indented. */
export function adviceFor(waiting: Waiting): string[] {
  const { kind, operator, subject, subjectId } = waiting;
  const close = `  zimbo review close ${idOf(waiting)} --reason "…"`;
  switch (kind) {
    case 'UNCLEAR':
    case 'UNANSWERED':
      return [
        `Ask ${operator} about the reference ${subjectId},`,
        'then say what it told you:',
        ...resolutions(waiting),
      ];
    case 'CONTRADICTION':
      return [
        `Ask ${operator} which of the two is right. Nothing was changed. Where our books`,
        'are wrong, settle the difference with the operator or the merchant. Then:',
        close,
        ...(subject?.byHand ? corrections(waiting) : []),
      ];
    case 'CLASH':
      return [
        `Ask ${operator} what its transaction paid for. Nothing was booked or reversed.`,
        'Where our books are right as they are, close this. Where this payment has a',
        'transaction of its own, or none, say so:',
        close,
        ...resolutions(waiting),
      ];
    case 'UNKNOWN_REFERENCE':
    case 'HELD':
      return subject ? heldAdvice(waiting) : unknownAdvice(waiting, close);
    case 'REFUSED':
      return [
        `Have ${operator} give ${subject?.debitTxId} back by hand. When it has, say how.`,
        'Where it was settled in another way, say that it was not:',
        ...resolutions(waiting),
      ];
  }
}

function heldAdvice(waiting: Waiting): string[] {
  const { operator } = waiting;
  return [
    `${operator} has debited a customer, and our books do not know what for: a restore`,
    'may have lost the payment. Find out with the merchant or the customer, then have',
    'the debit reversed, or say what became of it:',
    ...resolutions(waiting).toReversed(),
  ];
}

const unknownAdvice = ({ operator }: Waiting, close: string) => [
  `${operator} gave money back, and our books do not know what for: a restore may`,
  'have lost the refund, and then the merchant still has the amount. Settle that',
  'with the merchant, then close this:',
  close,
];

/** Commands that say what became of it. */
function resolutions({ subjectKind, subjectId, subject }: Waiting): string[] {
  const start = `  zimbo review resolve ${subjectIdOf(subjectKind, subjectId)}`;
  switch (subjectKind) {
    case 'PAYMENT': {
      const amount = subject ? formatMajor(subject.amountMinor) : 'AMOUNT';
      return [`${start} --debited TRANSACTION --amount ${amount}`, `${start} --not-debited`];
    }
    case 'REFUND':
      return [`${start} --refunded TRANSACTION`, `${start} --not-refunded`];
    case 'REVERSAL':
      return [
        `${start} --given-back TRANSACTION`,
        `${start} --not-given-back`,
        ...(subject?.status === 'HELD' ? [`${start} --reverse`] : []),
      ];
  }
}

/** A person had told it, and may have slipped. */
function corrections(waiting: Waiting): string[] {
  const [first] = resolutions(waiting);
  return first ? ['What a person had told is corrected by:', first] : [];
}
