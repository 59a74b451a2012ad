import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Output, printJson } from '../output.ts';
import { type CheckoutSession, type CreateCheckoutSessionBody, withGateway } from './connection.ts';
import { printItem } from './print-items.ts';
import { qrCode } from './qr-code.ts';
import { addForId, addList, centavos, examples, metadata, positive, withJson } from './resource.ts';

type Items = NonNullable<CreateCheckoutSessionBody['items']>;

const id = 'the session (cs_…)';

export function addCheckoutCommands(program: Command): void {
  const checkout = program.command('checkout').description('payment links with a hosted page');
  addList(checkout, {
    about: 'checkout sessions, newest first',
    columns: {
      ID: 'id',
      STATUS: 'status',
      AMOUNT: 'amount',
      PAYMENT: 'paymentIntentId',
      AGE: 'createdAt',
    },
    filters: [new Option('--status <status>', 'OPEN, COMPLETED or EXPIRED')],
    list: (zimbo, query) => zimbo.checkout.sessions.list(query),
  });
  addForId(checkout, 'get', { about: 'one session, with its link', id }, (zimbo, sessionId) =>
    zimbo.checkout.sessions.get(sessionId),
  );
  addCreate(checkout);
  addForId(checkout, 'expire', { about: 'end an open session early', id }, (zimbo, sessionId) =>
    zimbo.checkout.sessions.expire(sessionId),
  );
}

function addCreate(checkout: Command): void {
  const create = checkout
    .command('create')
    .description('open a session: the customer pays at its url')
    .option('--amount <centavos>', 'a fixed amount', centavos)
    .option(
      '--item <name=price>',
      'or an item, such as Café=15000 or 2xCafé=15000; may be repeated',
      item,
    )
    .option('--currency <currency>', 'CVE or AOA (default: CVE)')
    .option('--customer-id <text>', 'your own id for the customer')
    .option('--return-url <url>', 'the target of "back to the shop"')
    .option('--completion-url <url>', 'where the customer goes after paying')
    .option('--expires-in-minutes <number>', '5 to 1440', positive)
    .option('--metadata <name=value>', 'your own data; may be repeated', metadata);
  withJson(create)
    .addHelpText(
      'after',
      examples(
        'zimbo checkout create --amount 10000',
        'zimbo checkout create --item 2xCafé=15000 --item "Pastel de nata=12000"',
      ),
    )
    .action(
      async ({
        json,
        item: items,
        ...body
      }: Output & CreateCheckoutSessionBody & { item?: Items }) => {
        const session = await withGateway(({ zimbo }) =>
          zimbo.checkout.sessions.create({ ...body, items }),
        );
        if (json) printJson(session);
        else printLink(session);
      },
    );
}

/** For a till: the customer's camera opens the link from the screen. In a file, a QR code would be useless. */
function printLink(session: CheckoutSession): void {
  printItem(session, {});
  if (process.stdout.isTTY) console.log(`\n${qrCode(session.url)}`);
}

function item(text: string, before: Items = []): Items {
  const [, quantity = '1', name, price] = /^(?:(\d+)x)?(.+)=(\d+)$/s.exec(text) ?? [];
  if (name === undefined)
    throw new InvalidArgumentError('It must look like Café=15000, the price in centavos.');
  return [...before, { name, quantity: Number(quantity), unitPrice: centavos(price!) }];
}
