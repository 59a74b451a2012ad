import type { Command } from 'commander';
import { atGateway } from './admin/connection.ts';
import { withId } from './failure.ts';
import { amountOf } from './key-options.ts';
import { type Output, printJson } from './output.ts';

const help = `
The amount is in major units. Each transfer is booked once, by its reference on the bank's statement.

Example:
  $ zimbo merchants top-up me_… --amount 50000 --currency CVE --reference BCA/77`;

interface Options extends Output {
  amount: string;
  currency: string;
  reference: string;
}

export function addTopUpCommand(merchants: Command): void {
  merchants
    .command('top-up <merchant>')
    .description('book a transfer to your bank account for the balance of a merchant (live mode)')
    .requiredOption('--amount <amount>', 'what arrived, such as 50000 or 15.20', amountOf)
    .requiredOption('--currency <currency>', 'CVE or AOA')
    .requiredOption('--reference <text>', "the bank's reference of the transfer")
    .option('--json', 'print an object')
    .addHelpText('after', help)
    .action(topUp);
}

async function topUp(merchant: string, options: Options): Promise<void> {
  const { amount, currency, reference: bankReference, json } = options;
  const made = await withId({ name: 'merchant', prefix: 'me' }, merchant, () =>
    atGateway<{ id: string }>(({ send }) =>
      send('createTopUp', { path: { id: merchant }, body: { amount, currency, bankReference } }),
    ),
  );
  if (json) printJson(made);
  else console.log(`${made.id} is booked: the balance has it now.`);
}
