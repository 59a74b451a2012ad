import { join } from 'node:path';
import type { Command } from 'commander';
import { formatId, parseId } from '../ids.ts';
import type { FinishDependencies } from '../settlements/finish.ts';
import type { Settlement } from '../settlements/settlement.ts';
import { StartError } from '../start-error.ts';
import { addMerchantSettlementCommands } from './api/settlements.ts';
import { formatAmount, formatInstant, type Output, printJson, printTable } from './output.ts';
import { type Workspace, withWorkspace } from './workspace.ts';

export function addSettlementCommands(program: Command): void {
  const settlements = program
    .command('settlements')
    .description('payouts to merchants: list, settle, record what the bank did')
    .commandsGroup('For all merchants, in the gateway’s database:');
  settlements
    .command('list')
    .description('settlements of all merchants that wait for the bank')
    .option('--json', 'print an array')
    .action(list);
  settlements
    .command('complete')
    .description('record that the bank has paid it')
    .argument('<id>', 'the id of the settlement (se_…)')
    .option('--json', 'print the settlement as it is now')
    .action((id: string, options: Output) => finish(id, 'complete', options));
  addFail(settlements);
  settlements.commandsGroup('For one merchant, over the API:');
  addMerchantSettlementCommands(settlements);
}

function addFail(settlements: Command): void {
  settlements
    .command('fail')
    .description('record that the bank has not paid it: the money becomes payable again')
    .argument('<id>', 'the id of the settlement (se_…)')
    .option('--json', 'print the settlement as it is now')
    .action((id: string, options: Output) => finish(id, 'fail', options));
}

async function list(options: Output): Promise<void> {
  const rows = await withWorkspace(async ({ database }) => {
    const { unfinishedSettlements } = await import('../settlements/store.ts');
    return unfinishedSettlements(database);
  });
  const { settlementView } = await import('../settlements/settlement.ts');
  if (options.json) {
    printJson(rows.map((row) => ({ ...settlementView(row), payoutError: row.payoutError })));
    return;
  }
  printTable(
    ['ID', 'STATUS', 'NET', 'PAYOUT', 'CREATED (UTC)', 'LAST ERROR'],
    rows.map((row) => [
      settlementView(row).id,
      row.status,
      formatAmount(row.netMinor, row.currency),
      row.payoutRef ?? '-',
      formatInstant(row.createdAtMs),
      row.payoutError ?? '-',
    ]),
  );
}

async function finish(id: string, how: 'complete' | 'fail', options: Output): Promise<void> {
  const { settlement, warning } = await withWorkspace(async (workspace) => {
    const uuid = parseId('se', id);
    const { findSettlementById } = await import('../settlements/store.ts');
    const seen =
      uuid === undefined ? undefined : await findSettlementById(workspace.database, uuid);
    if (!seen) {
      const hint = '"zimbo settlements list" shows those that wait for the bank.';
      throw new StartError(`There is no settlement ${JSON.stringify(id)}.`, hint);
    }
    return how === 'complete' ? complete(workspace, seen) : fail(workspace, seen);
  });
  const { settlementView } = await import('../settlements/settlement.ts');
  if (!options.json) {
    console.log(`${id} is ${settlement.status}.${warning}`);
    return;
  }
  printJson(settlementView(settlement));
  if (warning !== '') console.error(warning.trim());
}

/** What was recorded, and what a person must see to. */
interface Finished {
  settlement: Settlement;
  warning: string;
}

async function complete(workspace: Workspace, seen: Settlement): Promise<Finished> {
  const { completeSettlement } = await import('../settlements/finish.ts');
  const settlement = await inRecord(workspace, seen, 'settlement.completed', (dependencies) =>
    completeSettlement(dependencies, seen),
  );
  const isLeft = seen.payoutError !== null;
  const warning = isLeft
    ? ` Its payout was not handed over (${seen.payoutError}): see that the bank has paid it once.`
    : '';
  return { settlement, warning };
}

/** The new name of a file that was taken back; undefined if there was none. */
type Withdrawal = string | undefined | Error;

/** The file is taken back before it is certain that the settlement is FAILED: never the other way round. */
async function fail(workspace: Workspace, seen: Settlement): Promise<Finished> {
  const { failSettlement } = await import('../settlements/finish.ts');
  const { csvPayout } = await import('../settlements/payout-file.ts');
  const folder = join(workspace.config.dataDir, 'payouts');
  const { payoutRef } = seen;
  let file: Withdrawal;
  try {
    const settlement = await inRecord(
      workspace,
      seen,
      'settlement.failed',
      async (dependencies) => {
        const failed = await failSettlement(dependencies, seen);
        if (payoutRef !== null) {
          file = await csvPayout(folder)
            .withdraw(payoutRef)
            .catch((error: Error) => error);
        }
        return failed;
      },
    );
    return { settlement, warning: payoutRef === null ? '' : warningOf(payoutRef, folder, file) };
  } catch (error) {
    if (typeof file !== 'string') throw error;
    const hint = `Its file was taken back already, and is ${file} now. Say it again, or give the file its name back.`;
    throw new StartError(`Whether it is FAILED is not known: ${(error as Error).message}.`, hint);
  }
}

function warningOf(payoutRef: string, folder: string, file: Withdrawal): string {
  if (typeof file === 'string') {
    return ` Its file is ${file} now; make sure that the bank had not taken it before.`;
  }
  const reason = file
    ? `it cannot be taken back (${file.message})`
    : `it does not lie in ${folder}`;
  return ` Make sure that the bank does not pay ${payoutRef} after all: ${reason}.`;
}

async function inRecord(
  workspace: Workspace,
  seen: Settlement,
  action: 'settlement.completed' | 'settlement.failed',
  change: (dependencies: FinishDependencies) => Promise<Settlement>,
): Promise<Settlement> {
  const { noDispatcher } = await import('../events/dispatch.ts');
  const { writeAuditRecord } = await import('../audit/record.ts');
  return workspace.database.transaction(async (transaction) => {
    const dependencies = { ...workspace, database: transaction, dispatcher: noDispatcher };
    const settlement = await change(dependencies);
    await writeAuditRecord(transaction, workspace, {
      tenantId: seen.tenantId,
      action,
      subject: formatId('se', seen.id),
      before: { status: seen.status },
      after: { status: settlement.status },
      detail: { payoutRef: seen.payoutRef, payoutError: seen.payoutError },
    });
    return settlement;
  });
}
