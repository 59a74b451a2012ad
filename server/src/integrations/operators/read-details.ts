import type { OperatorName } from '../../platform/config/operator-catalogue.ts';
import type { Database } from '../../platform/postgres/database.ts';
import {
  type DetailsConfig,
  describeOperator,
  type OperatorDetails,
  operatorsOfMode,
} from './details.ts';
import { listStatuses, type OperatorStatus } from './statuses/store.ts';

/** The operators that a tenant of this mode sees, in the order of the catalogue. */
export async function readOperators(
  { database, config }: { database: Database; config: DetailsConfig },
  mode: 'live' | 'test',
): Promise<OperatorDetails[]> {
  // Test tenants reach no operator: theirs are always UP.
  const states = mode === 'test' ? [] : await listStatuses(database);
  return operatorsOfMode(config, mode).map((name) =>
    describeOperator(
      config,
      name,
      states.find(({ operator }) => operator === name),
    ),
  );
}

/** The operators that customers should know of before they choose, by name. */
export type Troubles = Partial<Record<OperatorName, Exclude<OperatorStatus, 'UP'>>>;

/** The operators that are not UP; none for a test tenant. */
export async function readTroubles(database: Database, mode: 'live' | 'test'): Promise<Troubles> {
  if (mode === 'test') return {};
  const states = await listStatuses(database);
  return Object.fromEntries(
    states.flatMap(({ operator, status }) => (status === 'UP' ? [] : [[operator, status]])),
  );
}
