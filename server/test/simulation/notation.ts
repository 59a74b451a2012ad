import type { Random } from '../torture/random.ts';
import type { Counts } from './counts.ts';
import type { OperatorDials } from './dials.ts';
import type { Notation } from './operator-records.ts';

type Body = Record<string, unknown>;
type Write = (body: Body) => Body;

const unchanged: Write = (body) => body;
const doneWords = ['Completed', 'COMPLETED', 'successful', 'SUCCESS'];
/** For a return, each of these words means done, or nothing certain. */
const returnedWords = ['reversed', 'Reversed', 'REVERSED', 'refunded', 'returned', 'settled'];

/** Unusual but unambiguous unusualNotations. */
const unusualNotations: Write[] = [
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
const unreadableAmounts: Write[] = [
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

/** Ids that no statement, path or column should have to carry. */
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

export const plainNotation = (id: string): Notation => ({
  id,
  done: 'completed',
  write: unchanged,
});

/** Chooses how the operator writes a transaction in all its answers. */
export function chooseNotation(
  { dials, random, counts }: { dials: OperatorDials; random: Random; counts: Counts },
  { id, isDebit }: { id: string; isDebit: boolean },
): Notation {
  const chosen = <T>(name: string, share: number, choices: readonly T[], usual: T): T => {
    if (!random.chance(share)) return usual;
    counts.add(name);
    return random.pick(choices);
  };
  const words = isDebit ? doneWords : [...doneWords, ...returnedWords, ...returnedWords];
  const rewrite = chosen('other notation', dials.otherNotations, unusualNotations, unchanged);
  const garble = chosen('unreadable', dials.unreadable, unreadableAmounts, unchanged);
  const strange = chosen('strange id', dials.strangeIds, strangeIds, (same: string) => same);
  return {
    id: strange(id),
    done: chosen('other word', dials.otherWords, words, 'completed'),
    write: (body) => garble(rewrite(body)),
  };
}
