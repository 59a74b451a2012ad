import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { PayoutFile } from '../money/settlements/payout-order.ts';
import { staffSettlementView } from '../money/settlements/settlement.ts';
import { type PayoutFormat, payoutFormats } from '../platform/config/payout-account.ts';
import { notFound } from '../platform/errors/errors.ts';
import { atGateway, listAtGateway } from './admin/connection.ts';
import { addMerchantSettlementCommands } from './api/settlements.ts';
import { withId } from './failure.ts';
import { formatAmount, formatInstant, type Output, printJson, printTable } from './output.ts';

export function addSettlementCommands(program: Command): void {
  const settlements = program
    .command('settlements')
    .description('payouts to merchants: list, settle, record the bank’s result')
    .commandsGroup('For all merchants, in the gateway’s database:');
  settlements
    .command('list')
    .description('settlements of all merchants waiting for the bank')
    .option('--json', 'print an array')
    .action(list);
  settlements
    .command('complete')
    .description('record that the bank has paid it')
    .argument('<id>', 'the id of the settlement (se_…)')
    .option('--json', 'print the settlement as it is now')
    .action((id: string, options: Output) => finish(id, 'complete', options));
  addFail(settlements);
  addOrder(settlements);
  settlements.commandsGroup('For one merchant, over the API:');
  addMerchantSettlementCommands(settlements);
}

function addFail(settlements: Command): void {
  settlements
    .command('fail')
    .description('record that the bank has not paid it: the amount becomes payable again')
    .argument('<id>', 'the id of the settlement (se_…)')
    .option('--json', 'print the settlement as it is now')
    .action((id: string, options: Output) => finish(id, 'fail', options));
}

function addOrder(settlements: Command): void {
  settlements
    .command('file')
    .description('print the bank order to stdout, with full account numbers')
    .argument('<id>', 'the id of the settlement (se_…)')
    .addOption(
      new Option(
        '--format <format>',
        'the format (default: that of the file in DATA_DIR/payouts)',
      ).choices(payoutFormats),
    )
    .option('--json', 'print {"fileName": …, "format": …, "content": …}')
    .addHelpText(
      'after',
      '\nExample:\n  $ zimbo settlements file se_… --format pain.001 > order.xml',
    )
    .action(order);
}

async function order(id: string, { format, json }: Output & { format?: PayoutFormat }) {
  const file = await withId({ name: 'settlement', prefix: 'se' }, id, (uuid) =>
    atGateway<PayoutFile>(
      (admin) => {
        const query = format === undefined ? '' : `?format=${format}`;
        return admin.call('GET', `/settlements/${id}/order${query}`);
      },
      async (workspace) => {
        const { downloadPayout } = await import('../money/settlements/download.ts');
        const { findSettlementById } = await import('../money/settlements/store.ts');
        const seen = await findSettlementById(workspace.database, uuid);
        if (!seen) throw notFound('settlement');
        return downloadPayout({ ...workspace, payouts: workspace.config.payouts }, seen, format);
      },
    ),
  );
  if (json) printJson(file);
  else console.log(file.content.replace(/\n$/, ''));
}

type Listed = ReturnType<typeof staffSettlementView>;

async function list(options: Output): Promise<void> {
  const rows = await listAtGateway<Listed>(
    async (admin) => {
      const of = (status: string) => admin.all<Listed>('/settlements', { status });
      return [...(await of('PENDING')), ...(await of('PROCESSING'))];
    },
    async ({ database }) => {
      const { unfinishedSettlements } = await import('../money/settlements/store.ts');
      const found = await unfinishedSettlements(database);
      return found.map(staffSettlementView);
    },
  );
  rows.sort((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt));
  if (options.json) {
    printJson(rows);
    return;
  }
  printTable(
    ['ID', 'STATUS', 'NET', 'PAYOUT', 'CREATED (UTC)', 'LAST ERROR'],
    rows.map((row) => [
      row.id,
      row.status,
      formatAmount(BigInt(row.netAmount), row.currency),
      row.payoutRef ?? '-',
      formatInstant(Date.parse(row.createdAt)),
      row.payoutError ?? '-',
    ]),
  );
}

async function finish(id: string, how: 'complete' | 'fail', options: Output): Promise<void> {
  const { settlement, warning } = await withId({ name: 'settlement', prefix: 'se' }, id, (uuid) =>
    atGateway<{ settlement: Listed; warning: string | null }>(
      (admin) => admin.call('POST', `/settlements/${id}/${how}`),
      async (workspace) => {
        const { completeByHand, failByHand } = await import(
          '../money/settlements/manual-outcome.ts'
        );
        const { findSettlementById } = await import('../money/settlements/store.ts');
        const seen = await findSettlementById(workspace.database, uuid);
        if (!seen) throw notFound('settlement');
        const payoutFolder = join(workspace.config.dataDir, 'payouts');
        const act = how === 'complete' ? completeByHand : failByHand;
        const finished = await act({ ...workspace, payoutFolder }, seen);
        const warning = finished.warning?.text ?? null;
        return { warning, settlement: staffSettlementView(finished.settlement) };
      },
    ),
  );
  if (!options.json) {
    console.log(`${id} is ${settlement.status}.${warning === null ? '' : ` ${warning}`}`);
    return;
  }
  printJson(settlement);
  if (warning !== null) console.error(warning);
}
