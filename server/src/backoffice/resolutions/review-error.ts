import { StartError } from '../../platform/errors/start-error.ts';

/** Why nothing can be recorded about a case; pages say it in the reader's language. */
export type RefusalReason =
  | 'NOTHING_BOOKED'
  | 'KNOWN'
  | 'NEVER_SENT'
  | 'NOT_LATE'
  | 'OTHER_AMOUNT'
  | 'BOOKED_OTHERWISE'
  | 'CANNOT_CORRECT'
  | 'BUSY'
  | 'NOT_CONFIGURED'
  | 'NUMBER_TAKEN'
  | 'NUMBER_OF_DEBIT'
  | 'NOT_CONFIRMED'
  | 'OTHER_TRANSACTION'
  | 'ASKED_ALREADY'
  | 'GIVEN_BACK_ALREADY'
  | 'NO_REASON'
  | 'SEVERAL'
  | 'CLOSED'
  | 'OUTCOME_UNKNOWN';

/** A refusal: in words for a terminal, and by its reason for everything else. */
export class ReviewRefusal extends StartError {
  readonly why: RefusalReason;

  constructor(why: RefusalReason, message: string, hint?: string) {
    super(message, hint);
    this.name = 'ReviewRefusal';
    this.why = why;
  }
}

/** The operator's record, where it does not confirm a transaction; `toldMinor`: it has another amount. */
export type Doubt =
  | { kind: 'AMOUNT'; toldMinor: bigint; currency: string }
  | { kind: 'OTHER' | 'NOT_DONE' | 'NOT_FOUND' | 'NO_ANSWER' };

/** The operator does not confirm a number, and the person does not insist on it. */
export class NotConfirmed extends ReviewRefusal {
  readonly doubt: Doubt;

  constructor(doubt: Doubt, message: string, hint: string) {
    super('NOT_CONFIRMED', message, hint);
    this.doubt = doubt;
  }
}
