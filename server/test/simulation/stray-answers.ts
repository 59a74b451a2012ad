import type { Random } from '../torture/random.ts';
import { bodyOf, stateOf } from './messages.ts';
import type { Answer, Request } from './operator-records.ts';

/** The ways in which an answer misreports another request. */
const distortions = ['as it is', 'as failed', 'without a reference'] as const;

/**
 * Returns an answer about a request other than the queried one; undefined if that answer would not
 * reveal the mix-up: no gateway could tell an answer without any reference from the right one.
 */
export function strayAnswer(
  random: Random,
  requests: readonly Request[],
  path: string,
): Answer | undefined {
  const [, kind, text = ''] = /^\/(transactions|requeststates)\/([^/]+)$/.exec(path) ?? [];
  const id = decodeURIComponent(text);
  const other = random.pick(requests);
  const distortion = random.pick(distortions);
  if (kind === 'requeststates') {
    const queried = requests.find(({ correlationId }) => correlationId === id.toLowerCase());
    if (queried?.reference === other.reference) return undefined;
    return {
      status: 200,
      body: stateOf(distortion === 'as failed' ? failed(other) : other),
      truth: {},
    };
  }
  const { transaction } = other;
  if (kind !== 'transactions' || !transaction || transaction.notation.id === id) return undefined;
  const body = bodyOf(other);
  if (random.chance(0.5)) body.transactionStatus = 'failed';
  if (distortion === 'without a reference') delete body.requestingOrganisationTransactionReference;
  return { status: 200, body, truth: {} };
}

const failed = (request: Request): Request => ({
  ...request,
  status: 'failed',
  error: 'genericError',
});
