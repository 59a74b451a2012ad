import type { CallbackFormat } from '../adapter.ts';
import { minorOf } from '../amount.ts';
import { isSignatureOf } from '../signature.ts';
import { answerOfCallback, isTransaction } from './answers.ts';
import { isNamed } from './correlation.ts';
import { isGsmaError } from './errors.ts';

/** The standard PUTs a transaction, a reversal or an error; it does not mention signatures, so the header is ours. */
export const gsmaCallbacks: CallbackFormat = {
  method: 'PUT',
  rule: 'a transaction, a reversal or an error object',
  isSigned: (secret, { headers, body }) =>
    isSignatureOf(secret, body, headers['x-callback-signature']),
  read(body) {
    const answerTo = (expected: Parameters<typeof answerOfCallback>[1]) =>
      answerOfCallback(body, expected);
    if (isGsmaError(body)) {
      const { errorCategory, errorCode } = body;
      return {
        outcome: { kind: 'error', values: [errorCategory, errorCode] },
        about: null,
        answerTo,
      };
    }
    if (!isTransaction(body)) return undefined;
    const { transactionReference, transactionStatus, amount, currency } = body;
    const { requestingOrganisationTransactionReference: reference } = body;
    const { originalTransactionReference: original } = body;
    const named = [transactionReference, ...(isNamed(original) ? [original] : [])];
    const { type, debitParty, creditParty } = body;
    const parties = [debitParty, creditParty].map((party) => JSON.stringify(party));
    const values = [...named, transactionStatus, amount, currency, reference, type, ...parties];
    const about = { reference, amountMinor: minorOf(amount), currency, debitTxId: original };
    return { outcome: { kind: 'transaction', values }, about, answerTo };
  },
};
