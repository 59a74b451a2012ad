import { type Command, Option } from 'commander';
import { type Output, printJson } from '../output.ts';
import { withGateway } from './connection.ts';
import { printItem } from './print-items.ts';
import { addForId, addList, examples, withJson } from './resource.ts';

/** A merchant's commands for settlements: the rest of `zimbo settlements` is for the gateway's operator. */
export function addMerchantSettlementCommands(settlements: Command): void {
  addList(settlements, {
    name: 'history',
    about: 'settlements, newest first',
    columns: {
      ID: 'id',
      STATUS: 'status',
      GROSS: 'amount',
      FEES: 'feeTotal',
      REFUNDS: 'refundTotal',
      NET: 'netAmount',
      AGE: 'createdAt',
    },
    filters: [new Option('--status <status>', 'PENDING, PROCESSING, COMPLETED or FAILED')],
    list: (zimbo, query) => zimbo.settlements.list(query),
  });
  addForId(
    settlements,
    'get',
    { about: 'one settlement', id: 'the settlement (se_…)' },
    (zimbo, id) => zimbo.settlements.get(id),
  );
  addList(settlements, {
    name: 'items',
    about: 'the payments and refunds in a settlement',
    of: 'the settlement (se_…)',
    columns: {
      ID: 'id',
      TYPE: 'type',
      AMOUNT: 'amount',
      FEE: 'feeAmount',
      NET: 'netAmount',
      AGE: 'createdAt',
    },
    list: (zimbo, query, id) => zimbo.settlements.items(id, query),
  });
  withJson(
    settlements
      .command('process')
      .description('settle the payable amount now, without waiting for the daily run')
      .option('--currency <currency>', 'CVE or AOA (default: the one that has waited longest)'),
  )
    .addHelpText('after', examples('zimbo settlements process --currency CVE'))
    .action(processSettlement);
}

async function processSettlement({
  json,
  currency,
}: Output & { currency?: 'CVE' | 'AOA' }): Promise<void> {
  const settlement = await withGateway(({ zimbo }) => zimbo.settlements.process({ currency }));
  if (settlement) printItem(settlement, { json });
  else if (json) printJson(null);
  else console.log('There is nothing to settle.');
}
