import { type Command, Option } from 'commander';
import type { PayoutFile } from '../money/settlements/payout-order.ts';
import type { staffSettlementView } from '../money/settlements/settlement.ts';
import { type PayoutFormat, payoutFormats } from '../platform/config/payout-account.ts';
import { atGateway, listAtGateway } from './admin/connection.ts';
import { addOperations } from './api/operations.ts';
import { withId } from './failure.ts';
import { formatAmount, formatInstant, type Output, printJson, printTable } from './output.ts';

const settlementIds = { name: 'settlement', prefix: 'se' } as const;

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
    .option('--bank-reference <text>', 'the bank’s own reference of the transfer')
    .option('--json', 'print the settlement as it is now')
    .action((id: string, options: Output & { bankReference?: string }) =>
      finish(id, 'complete', options),
    );
  addFail(settlements);
  addOrder(settlements);
  settlements.commandsGroup('For one merchant, over the API:');
  addOperations(program, 'merchant', 'settlements');
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
  const file = await withId(settlementIds, id, () =>
    atGateway<PayoutFile>(({ send }) =>
      send('getPayoutOrder', { path: { id }, query: { format } }),
    ),
  );
  if (json) printJson(file);
  else console.log(file.content.replace(/\n$/, ''));
}

type Listed = ReturnType<typeof staffSettlementView>;

async function list(options: Output): Promise<void> {
  const rows = await listAtGateway(async ({ all }) => {
    const of = (status: string) => all<Listed>('listSettlements', { status });
    return [...(await of('PENDING')), ...(await of('PROCESSING'))];
  });
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

async function finish(
  id: string,
  how: 'complete' | 'fail',
  { bankReference, ...options }: Output & { bankReference?: string },
): Promise<void> {
  const body = bankReference === undefined ? undefined : { bankReference };
  const { settlement, warning } = await withId(settlementIds, id, () =>
    atGateway<{ settlement: Listed; warning: string | null }>(({ send }) =>
      send(`${how}Settlement`, { path: { id }, body }),
    ),
  );
  if (!options.json) {
    console.log(`${id} is ${settlement.status}.${warning === null ? '' : ` ${warning}`}`);
    return;
  }
  printJson(settlement);
  if (warning !== null) console.error(warning);
}
