import type { Random } from '../torture/random.ts';
import type { Counts } from './counts.ts';
import type { OperatorDials } from './dials.ts';
import type { Manner } from './operator-records.ts';

type Body = Record<string, unknown>;
type Write = (body: Body) => Body;

const plainly: Write = (body) => body;
const doneWords = ['Completed', 'COMPLETED', 'successful', 'SUCCESS'];
/** Of what goes back to a customer, each of these says that it is done, or nothing for certain. */
const returnedWords = ['reversed', 'Reversed', 'REVERSED', 'refunded', 'returned', 'settled'];

/** Other ways to write what can only mean one thing. */
const notations: Write[] = [
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

/** Ways to write an amount or currency from which nobody can tell what was moved. */
const riddles: Write[] = [
  (body) => ({ ...body, amount: `${String(body.amount).replace('.', ',')},00` }),
  (body) => ({ ...body, amount: `${String(body.amount)} CVE` }),
  (body) => ({ ...body, amount: Number(body.amount).toExponential() }),
  (body) => ({ ...body, amount: `-${String(body.amount)}` }),
  (body) => ({ ...body, amount: Number(body.amount) + 0.001 }),
  (body) => ({ ...body, amount: null }),
  (body) => ({ ...body, amount: [body.amount] }),
  (body) => ({ ...body, currency: 'AOA' }),
  (body) => ({ ...body, currency: 'XTS' }),
  (body) => ({ ...body, currency: 132 }),
];

/** Ids that no statement, path or column may have to carry. */
const strangeIds: ((id: string) => string)[] = [
  (id) => `${id}\u0000`,
  (id) => `\u001b[31m${id}`,
  (id) => `\u202e${id}`,
  (id) => `${id}\u200b`,
  (id) => `${id}\n`,
  (id) => id.replace('T', 'Т'),
  (id) => `${id}١٢`,
  (id) => `${id}\ud800`,
  (id) => ` ${id}`,
];

export const plain = (id: string): Manner => ({ id, done: 'completed', write: plainly });

/** How a transaction is told, from the first word of it to the last. */
export function mannerOf(
  { dials, random, counts }: { dials: OperatorDials; random: Random; counts: Counts },
  { id, isDebit }: { id: string; isDebit: boolean },
): Manner {
  const chosen = <T>(name: string, share: number, choices: readonly T[], usual: T): T => {
    if (!random.chance(share)) return usual;
    counts.add(name);
    return random.pick(choices);
  };
  const words = isDebit ? doneWords : [...doneWords, ...returnedWords, ...returnedWords];
  const rewrite = chosen('other notation', dials.otherNotations, notations, plainly);
  const puzzle = chosen('unreadable', dials.unreadable, riddles, plainly);
  const strange = chosen('strange id', dials.strangeIds, strangeIds, (same: string) => same);
  return {
    id: strange(id),
    done: chosen('other word', dials.otherWords, words, 'completed'),
    write: (body) => puzzle(rewrite(body)),
  };
}
