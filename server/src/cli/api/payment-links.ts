import type { Command } from 'commander';
import type { Output } from '../output.ts';
import type { CreatePaymentLinkBody, UpdatePaymentLinkBody } from './connection.ts';
import { active } from './products.ts';
import {
  addForId,
  addList,
  centavos,
  examples,
  idArgument,
  metadata,
  positive,
  show,
  withJson,
} from './resource.ts';

const id = 'the payment link (pl_…)';

export function addPaymentLinkCommands(program: Command): void {
  const links = program
    .command('payment-links')
    .description('links that can be paid again and again');
  addList(links, {
    about: 'payment links, newest first',
    columns: { ID: 'id', DESCRIPTION: 'description', ACTIVE: 'active', USES: 'uses', URL: 'url' },
    filters: [active()],
    list: (zimbo, query) => zimbo.paymentLinks.list(query),
  });
  addForId(links, 'get', { about: 'one payment link', id }, (zimbo, linkId) =>
    zimbo.paymentLinks.get(linkId),
  );
  const create = links
    .command('create')
    .description(
      'create a payment link: for a product, a fixed amount, or an amount of the customer’s choice',
    )
    .requiredOption('--description <text>', 'what the payment is for')
    .option('--product-id <id>', 'a product at its price')
    .option('--amount <centavos>', 'a fixed amount: 10000 is 100.00', centavos)
    .option('--min-amount <centavos>', 'the minimum that a customer may choose', centavos)
    .option('--max-amount <centavos>', 'the maximum that a customer may choose', centavos)
    .option('--currency <currency>', 'CVE or AOA (default: CVE)')
    .option('--return-url <url>', 'the target of "back to the shop"')
    .option('--completion-url <url>', 'where the customer goes after paying')
    .option('--metadata <name=value>', 'your own data; may be repeated', metadata);
  const example = 'zimbo payment-links create --description Quota --amount 50000 --max-uses 100';
  withJson(withEnd(create))
    .addHelpText('after', examples(example))
    .action(({ json, ...body }: Output & CreatePaymentLinkBody) =>
      show({ json }, (zimbo) => zimbo.paymentLinks.create(body)),
    );
  const update = links
    .command('update')
    .description('change the given fields; existing sessions do not change')
    .argument('<id>', id, idArgument)
    .option('--description <text>', 'what the payment is for')
    .addOption(active());
  withJson(withEnd(update)).action(
    (linkId: string, { json, ...body }: Output & UpdatePaymentLinkBody) =>
      show({ json }, (zimbo) => zimbo.paymentLinks.update(linkId, body)),
  );
}

const withEnd = (command: Command): Command =>
  command
    .option('--max-uses <count>', 'how many sessions it may create', positive)
    .option('--expires-at <instant>', 'when it ends, such as 2027-01-31T22:59:59Z');
