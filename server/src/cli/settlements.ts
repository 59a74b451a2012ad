import { join } from 'node:path';
import type { Command } from 'commander';
import { parseId } from '../ids.ts';
import { StartError } from '../start-error.ts';
import { addMerchantSettlementCommands } from './api/settlements.ts';
import { formatAmount, formatInstant, type Output, printJson, printTable } from './output.ts';
import { withWorkspace } from './workspace.ts';

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
    const { completeByHand, failByHand } = await import('../settlements/by-hand.ts');
    const { findSettlementById } = await import('../settlements/store.ts');
    const seen =
      uuid === undefined ? undefined : await findSettlementById(workspace.database, uuid);
    if (!seen) {
      const hint = '"zimbo settlements list" shows those that wait for the bank.';
      throw new StartError(`There is no settlement ${JSON.stringify(id)}.`, hint);
    }
    const dependencies = { ...workspace, payoutFolder: join(workspace.config.dataDir, 'payouts') };
    return how === 'complete' ? completeByHand(dependencies, seen) : failByHand(dependencies, seen);
  });
  const { settlementView } = await import('../settlements/settlement.ts');
  if (!options.json) {
    console.log(`${id} is ${settlement.status}.${warning === null ? '' : ` ${warning}`}`);
    return;
  }
  printJson(settlementView(settlement));
  if (warning !== null) console.error(warning);
}
