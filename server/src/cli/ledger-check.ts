import { type InFlight, inspectLedger, type LedgerProblem } from '../money/ledger/check.ts';
import { formatId } from '../platform/values/ids.ts';
import type { CellOutcome } from '../tenants/cells/migrate.ts';
import { findTenants } from '../tenants/merchants/store.ts';
import { inEachCell } from './cells/each.ts';
import { formatAmount, type Output, printJson } from './output.ts';
import type { Workspace } from './workspace.ts';

/** Names the owner of a ledger by merchant and mode: people do not know tenants. */
interface Owner {
  merchantId: string | null;
  mode: string | null;
}

export interface LedgerOfCell {
  problems: (LedgerProblem & Owner)[];
  inFlight: (InFlight & Owner)[];
}

/** A longer list would hide the pattern. */
const maxShown = 100;

/**
 * Checks the ledger of each cell; with several cells, also checks that no two have the same rows, which no cell can
 * check alone.
 */
export async function checkLedger({ json }: Output): Promise<void> {
  const outcomes = await inEachCell(inspect);
  const [only] = outcomes;
  if (outcomes.length > 1) {
    const { checkCells } = await import('./cells/ledger-check.ts');
    await checkCells(outcomes, json === true);
  } else if (only && 'result' in only) {
    if (json) printJson(viewOf(only.result));
    else printReport(only.result);
    if (only.result.problems.length > 0) process.exitCode = 1;
  }
}

async function inspect(workspace: Workspace): Promise<LedgerOfCell> {
  const report = await inspectLedger(workspace.database);
  return {
    problems: await withOwners(workspace, report.problems),
    inFlight: await withOwners(workspace, report.inFlight),
  };
}

export const viewOf = ({ problems, inFlight }: LedgerOfCell) => ({
  clean: problems.length === 0,
  problems,
  inFlight: inFlight.map((item) => ({ ...item, amountMinor: item.amountMinor.toString() })),
});

export function printReport({ problems, inFlight }: LedgerOfCell): void {
  for (const { operator, currency, amountMinor, count, ...owner } of inFlight) {
    const amount = formatAmount(amountMinor, currency);
    console.log(
      `In flight at ${operator} of ${nameOf(owner)}: ${amount} in ${count}; the operator will be queried.`,
    );
  }
  if (problems.length === 0) {
    console.log('The ledger is correct.');
    return;
  }
  console.log(
    `The ledger has ${problems.length} problem${problems.length === 1 ? '' : 's'} (amounts in minor units):\n`,
  );
  for (const { message, ...owner } of problems.slice(0, maxShown)) {
    console.log(`- ${nameOf(owner)}: ${message}`);
  }
  const left = problems.length - maxShown;
  if (left > 0) console.log(`\n… and ${left} more; use --json to see all.`);
}

const nameOf = ({ merchantId, mode }: Owner) =>
  `${merchantId ?? 'an unknown merchant'} (${mode ?? '?'})`;

/** Adds the merchant and mode of each item. */
async function withOwners<T extends { tenantId: string }>(
  { database }: Workspace,
  items: readonly T[],
): Promise<(T & Owner)[]> {
  if (items.length === 0) return [];
  const tenants = await findTenants(database, [...new Set(items.map(({ tenantId }) => tenantId))]);
  const owners = new Map(tenants.map((tenant) => [tenant.id, tenant]));
  return items.map((item) => {
    const owner = owners.get(item.tenantId);
    const merchantId = owner ? formatId('me', owner.merchantId) : null;
    return { ...item, merchantId, mode: owner?.mode ?? null };
  });
}

export type LedgerOutcome = CellOutcome<LedgerOfCell>;
