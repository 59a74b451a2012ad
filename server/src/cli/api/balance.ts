import type { Command } from 'commander';
import { type Output, printJson } from '../output.ts';
import { withGateway } from './connection.ts';
import { printItems } from './print-items.ts';
import { withJson } from './resource.ts';

export function addBalanceCommand(program: Command): void {
  withJson(
    program
      .command('balance')
      .description('amounts payable, on their way to the bank, and on their way back to customers'),
  ).action(async ({ json }: Output) => {
    const balance = await withGateway(({ zimbo }) => zimbo.balance.get());
    if (json) printJson(balance);
    else if (balance.data.length === 0) console.log('Nothing has been debited yet.');
    else printItems(balance.data, columns);
  });
}

const columns = {
  CURRENCY: 'currency',
  AVAILABLE: 'available',
  PENDING: 'pending',
  'REFUNDS IN TRANSIT': 'refundsInTransit',
};
