import type { Command } from 'commander';
import { formatId, parseId } from '../platform/ids.ts';
import { StartError } from '../platform/start-error.ts';
import type { Settlement } from '../settlements/settlement.ts';
import { addMerchantSettlementCommands } from './api/settlements.ts';
import { formatAmount, formatInstant, printJson, printTable } from './output.ts';
import { type Workspace, withWorkspace } from './workspace.ts';

interface Output {
  json?: true;
}

export function addSettlementCommands(program: Command): void {
  const settlements = program
    .command('settlements')
    .description('what merchants are paid out: see it, settle, say what the bank did')
    .commandsGroup('Of all merchants, in the gateway’s database:');
  settlements
    .command('list')
    .description('settlements that wait for the bank, of all merchants')
    .option('--json', 'print an array')
    .action(list);
  settlements
    .command('complete')
    .description('the bank has paid it out')
    .argument('<id>', 'the id of the settlement (se_…)')
    .option('--json', 'print the settlement as it is now')
    .action((id: string, options: Output) => finish(id, 'complete', options));
  addFail(settlements);
  settlements.commandsGroup('Of one merchant, over the API:');
  addMerchantSettlementCommands(settlements);
}

function addFail(settlements: Command): void {
  settlements
    .command('fail')
    .description('the bank has not paid it: what it took is payable again')
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
    printJson(rows.map(settlementView));
    return;
  }
  printTable(
    ['ID', 'STATUS', 'NET', 'PAYOUT', 'CREATED (UTC)'],
    rows.map((row) => [
      settlementView(row).id,
      row.status,
      formatAmount(row.netMinor, row.currency),
      row.payoutRef ?? '-',
      formatInstant(row.createdAtMs),
    ]),
  );
}

async function finish(id: string, how: 'complete' | 'fail', options: Output): Promise<void> {
  const settlement = await withWorkspace(async (workspace) => {
    const uuid = parseId('se', id);
    const { findSettlementById } = await import('../settlements/store.ts');
    const seen =
      uuid === undefined ? undefined : await findSettlementById(workspace.database, uuid);
    if (!seen) {
      const hint = '"zimbo settlements list" shows those that wait for the bank.';
      throw new StartError(`There is no settlement ${JSON.stringify(id)}.`, hint);
    }
    return record(workspace, seen, how);
  });
  const { settlementView } = await import('../settlements/settlement.ts');
  if (options.json) printJson(settlementView(settlement));
  else console.log(`${id} is ${settlement.status}.${warningOf(settlement)}`);
}

/** The file may lie where the bank looks for it. */
function warningOf({ status, payoutRef }: Settlement): string {
  const isLeft = status === 'FAILED' && payoutRef !== null;
  return isLeft ? ` Make sure that the bank does not pay ${payoutRef} after all.` : '';
}

async function record(
  workspace: Workspace,
  seen: Settlement,
  how: 'complete' | 'fail',
): Promise<Settlement> {
  const { completeSettlement, failSettlement } = await import('../settlements/finish.ts');
  const { noHandover } = await import('../events/handover.ts');
  const { writeAuditRecord } = await import('../merchants/audit.ts');
  return workspace.database.transaction(async (transaction) => {
    const parts = { ...workspace, database: transaction, handover: noHandover };
    const settlement =
      how === 'complete'
        ? await completeSettlement(parts, seen)
        : await failSettlement(parts, seen);
    await writeAuditRecord(transaction, workspace, {
      tenantId: seen.tenantId,
      action: how === 'complete' ? 'settlement.completed' : 'settlement.failed',
      subject: formatId('se', seen.id),
      detail: { payoutRef: seen.payoutRef },
    });
    return settlement;
  });
}
