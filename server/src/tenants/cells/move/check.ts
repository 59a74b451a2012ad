import type { Queryable } from '../../../platform/postgres/database.ts';
import { isOf, type Owner, ownersIn, type Shape } from './catalog.ts';
import type { Compared } from './compared.ts';
import { differ, sumOf, sumOfKeys } from './sums.ts';

/** Two cells and what they should have in common. The rows of the target are parked. */
export interface Sides {
  source: Queryable;
  target: Queryable;
  owner: Owner;
}

/** Where the two cells do not have the same rows of a merchant, in words; while nobody writes them. */
export async function differenceIn(
  sides: Sides,
  shape: Shape,
  compared: Compared,
): Promise<string | undefined> {
  const { source, target, owner } = sides;
  const keys = compared.changedSince(shape);
  // What was compared before, and has not changed since, is only counted.
  const which = keys ? 'DUE' : 'ALL';
  const [here, there] = await Promise.all([
    sumOf(source, shape, owner, { which }),
    sumOf(target, shape, owner, { which, parked: true }),
  ]);
  const found = `${shape.name} (${here.count} rows here, ${there.count} there${reasonOf(shape)})`;
  if (differ(here, there)) return found;
  if (!keys) return undefined;
  if ((await countOf(source, shape, owner)) !== (await countOf(target, shape, owner))) return found;
  for (const some of keys) {
    const changed = await sumOfKeys(source, shape, some);
    if (differ(changed, await sumOfKeys(target, shape, some, { parked: true }))) return found;
  }
  return undefined;
}

/** Another merchant of the cell may have booked the same transaction; its booking stays. */
const reasonOf = ({ name }: Shape) =>
  name === 'operator_transactions' || name === 'outgoing_transactions'
    ? ': where both cells have booked one, "zimbo ledger check" says which'
    : '';

async function countOf(cell: Queryable, shape: Shape, owner: Owner): Promise<number> {
  const text = `
SELECT count(*)::integer AS count FROM ${shape.name} WHERE ${isOf(shape, ownersIn(shape, owner))}`;
  return (await cell.query<{ count: number }>({ text }))[0]!.count;
}
