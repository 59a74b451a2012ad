import type { OperatorSettings } from '../../../platform/config/operator-settings.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import type { Expected, TransactionCheck, TransactionLookup } from '../adapter.ts';
import { answerOfTransaction, isTransaction, type Transaction } from './answers.ts';
import { createGsmaClient, type GsmaClient } from './client.ts';
import { isNamed, isSame } from './correlation.ts';
import { isNotFoundAnswer } from './request-states.ts';

/** Asks the operator about one transaction by the operator's own number (GET /transactions/…). Stores nothing. */
export async function checkOneTransaction(
  settings: OperatorSettings,
  clock: Clock,
  lookup: TransactionLookup,
): Promise<TransactionCheck> {
  const client = createGsmaClient(settings, clock);
  try {
    return await lookUpTransaction(client, lookup);
  } finally {
    await client.close();
  }
}

export async function lookUpTransaction(
  client: Pick<GsmaClient, 'call'>,
  { expected, operatorTxId, timeoutMs }: TransactionLookup,
): Promise<TransactionCheck> {
  const path = `/transactions/${encodeURIComponent(operatorTxId)}`;
  const { reference } = expected;
  const reply = await client.call(
    { method: 'GET', path, reference },
    AbortSignal.timeout(timeoutMs),
  );
  if (reply.kind !== 'answered') return { kind: 'NO_ANSWER' };
  const asked = { reference, transactionReference: operatorTxId };
  if (isNotFoundAnswer(reply, asked)) return { kind: 'NOT_FOUND' };
  const { body } = reply;
  // An answer about another number than ours says nothing.
  if (!isTransaction(body) || !isSame(body.transactionReference, operatorTxId)) {
    return { kind: 'NO_ANSWER' };
  }
  return meaningOf(body, expected);
}

function meaningOf(transaction: Transaction, expected: Expected): TransactionCheck {
  const answer = answerOfTransaction(transaction, expected);
  if (!answer) return { kind: 'OTHER', reference: referenceIn(transaction) };
  if (answer.kind !== 'succeeded') return { kind: 'NOT_DONE' };
  return { kind: 'CONFIRMED', amountMinor: answer.amountMinor };
}

const referenceIn = ({ requestingOrganisationTransactionReference: ours }: Transaction) =>
  isNamed(ours) ? String(ours).toLowerCase() : null;
