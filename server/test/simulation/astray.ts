import type { Random } from '../torture/random.ts';
import { bodyOf, stateOf } from './messages.ts';
import type { Answer, Request } from './operator-records.ts';

/** What an answer that is about another request says of it. */
const strayAs = ['as it is', 'as failed', 'without a reference'] as const;

/**
 * An answer to a question about one request that is about another; undefined if there is none that says so
 * itself. Nobody could tell one that names nothing from the right one.
 */
export function strayAnswer(
  random: Random,
  requests: readonly Request[],
  path: string,
): Answer | undefined {
  const [, kind, text = ''] = /^\/(transactions|requeststates)\/([^/]+)$/.exec(path) ?? [];
  const id = decodeURIComponent(text);
  const other = random.pick(requests);
  const how = random.pick(strayAs);
  if (kind === 'requeststates') {
    const asked = requests.find(({ correlationId }) => correlationId === id.toLowerCase());
    if (asked?.reference === other.reference) return undefined;
    return { status: 200, body: stateOf(how === 'as failed' ? failed(other) : other), truth: {} };
  }
  const { transaction } = other;
  if (kind !== 'transactions' || !transaction || transaction.manner.id === id) return undefined;
  const body = bodyOf(other);
  if (random.chance(0.5)) body.transactionStatus = 'failed';
  if (how === 'without a reference') delete body.requestingOrganisationTransactionReference;
  return { status: 200, body, truth: {} };
}

const failed = (request: Request): Request => ({
  ...request,
  status: 'failed',
  error: 'genericError',
});
