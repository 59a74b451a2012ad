import type { NotationFault } from './faults.ts';

type Body = Record<string, unknown>;

const doneWords = ['Completed', 'COMPLETED', 'successful'];
const returnedWords = ['reversed', 'Reversed', 'refunded', 'settled'];

/** Unusual but unambiguous notations. */
const notations: ((body: Body) => Body)[] = [
  (body) => ({ ...body, amount: Number(body.amount) }),
  (body) => ({ ...body, amount: Number(body.amount).toFixed(2) }),
  (body) => ({ ...body, currency: String(body.currency).toLowerCase() }),
  (body) => ({ ...body, type: String(body.type).toUpperCase() }),
  (body) => {
    const { requestingOrganisationTransactionReference: reference } = body;
    const capitals = String(reference).toUpperCase();
    return { ...body, requestingOrganisationTransactionReference: capitals };
  },
];

/** Amounts and currencies that do not tell how much was moved. */
const riddles: ((body: Body) => Body)[] = [
  (body) => ({ ...body, amount: `${String(body.amount)} CVE` }),
  (body) => ({ ...body, amount: Number(body.amount).toExponential() }),
  (body) => ({ ...body, amount: `-${String(body.amount)}` }),
  (body) => ({ ...body, amount: Number(body.amount) + 0.001 }),
  (body) => ({ ...body, amount: null }),
  (body) => ({ ...body, currency: 'XTS' }),
  (body) => ({ ...body, currency: 132 }),
];

const strangeIds: ((id: string) => string)[] = [
  (id) => `${id}\u0000`,
  (id) => `\u001b[31m${id}`,
  (id) => `\u202e${id}`,
  (id) => `${id}\u200b`,
  (id) => id.replace('S', 'Ѕ'),
];

/** One of the choices, by the number of the transaction. */
const choice = <T>(choices: readonly T[], number: number): T => choices[number % choices.length]!;

/** The id of a transaction in the notation of a strange operator. */
export const strangeId = (id: string, number: number): string => choice(strangeIds, number)(id);

/** The body of a transaction with these faults of notation. */
export function withNotationFaults(
  body: Body,
  number: number,
  faults: readonly NotationFault[],
): Body {
  let written = body;
  for (const fault of faults) {
    if (fault === 'other-notation') written = choice(notations, number)(written);
    if (fault === 'unclear-amount') written = choice(riddles, number)(written);
    if (fault === 'other-word' && written.transactionStatus === 'completed') {
      const words = body.type === 'reversal' ? returnedWords : doneWords;
      written = { ...written, transactionStatus: choice(words, number) };
    }
  }
  return written;
}

/** A state of the standard in capitals. */
export const upperCaseState = (body: Body): Body => ({
  ...body,
  serverCorrelationId: String(body.serverCorrelationId).toUpperCase(),
  status: String(body.status).toUpperCase(),
});
