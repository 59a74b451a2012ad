import type { Random } from '../torture/random.ts';
import type { OperatorDials } from './dials.ts';
import { bodyOf, invented } from './messages.ts';
import type { Request } from './operator-records.ts';

/** The outcome of a request as a callback reports it, which may be wrong. @param number for an invented transaction */
export function callbackContent(
  request: Request,
  dials: OperatorDials,
  random: Random,
  number: number,
): { body: unknown; words: string } {
  const { otherAmount, contradictory } = dials.callbacks;
  const succeeded = request.status === 'completed';
  if (random.chance(contradictory)) {
    const claimed: Request = succeeded
      ? { ...request, status: 'failed', error: 'genericError' }
      : { ...request, status: 'completed', transaction: invented(request, number) };
    return { body: bodyOf(claimed), words: `lies that it ${claimed.status}` };
  }
  if (succeeded && request.transaction && random.chance(otherAmount)) {
    const amountMinor = request.transaction.amountMinor + 150n;
    const transaction = { ...request.transaction, amountMinor };
    return { body: bodyOf({ ...request, transaction }), words: `completed with ${amountMinor}` };
  }
  return { body: bodyOf(request), words: request.status };
}
