import type { Command } from 'commander';
import { formatId } from '../ids.ts';
import { atGateway } from './admin/connection.ts';
import { type MerchantView, merchantOf } from './admin/read-back.ts';
import { addBrandCommand } from './brand.ts';
import { formatInstant, type Output, printFields, printJson, printTable } from './output.ts';
import { addScheduleCommand } from './payout-schedule.ts';

export function addMerchantCommands(program: Command): void {
  const merchants = program.command('merchants').description('create and list merchants');
  merchants
    .command('create')
    .description('create a merchant, with a live and a test mode')
    .requiredOption('--name <name>', 'its name')
    .option('--json', 'print {"id": …}')
    .addHelpText('after', '\nExample:\n  $ zimbo merchants create --name "Loja da Praia"')
    .action(createMerchant);
  addBrandCommand(merchants);
  addScheduleCommand(merchants);
  merchants
    .command('list')
    .description('all merchants')
    .option('--json', 'print an array')
    .action(listMerchants);
}

async function createMerchant({ name: given, json }: Output & { name: string }): Promise<void> {
  const { createMerchant: create } = await import('../merchants/create-merchant.ts');
  const merchant = await atGateway(
    async (admin) => merchantOf(await admin.call('POST', '/merchants', { name: given })),
    (workspace) => create(workspace, given),
  );
  const id = formatId('me', merchant.id);
  if (json) {
    printJson({ id, name: merchant.name });
    return;
  }
  printFields({ Merchant: merchant.name, Id: id });
  console.log(`\nMake a key for it:  zimbo keys create --merchant ${id} --mode test`);
}

async function listMerchants({ json }: Output): Promise<void> {
  const { listMerchants: list } = await import('../merchants/store.ts');
  const merchants = await atGateway(
    async (admin) => (await admin.all<MerchantView>('/merchants')).reverse().map(merchantOf),
    ({ database }) => list(database),
  );
  if (json) {
    printJson(
      merchants.map(({ id, name, createdAtMs }) => ({
        id: formatId('me', id),
        name,
        createdAt: new Date(createdAtMs).toISOString(),
      })),
    );
  } else if (merchants.length === 0) {
    console.log('There are no merchants. Make one:  zimbo merchants create --name NAME');
  } else {
    printTable(
      ['ID', 'NAME', 'CREATED (UTC)'],
      merchants.map(({ id, name, createdAtMs }) => [
        formatId('me', id),
        name,
        formatInstant(createdAtMs),
      ]),
    );
  }
}
