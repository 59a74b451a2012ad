import { StartError } from '../../platform/errors/start-error.ts';

/** Why nothing can be recorded about a case; pages say it in the reader's language. */
export type RefusalReason =
  | 'NOTHING_BOOKED'
  | 'KNOWN'
  | 'NEVER_SENT'
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
