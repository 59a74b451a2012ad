import { type Command, Option } from 'commander';
import { operatorNames } from '../../platform/config/operator-catalogue.ts';
import type { Output } from '../output.ts';
import type { CreatePaymentBody } from './connection.ts';
import { addForId, addList, centavos, examples, metadata, show, withJson } from './resource.ts';

const id = 'the payment (pi_…)';
const anyOperator = operatorNames.join(', ').replace(/, (\w+)$/, ' or $1');

/** A merchant's commands for payments: `zimbo payments review` is for the gateway's operator. */
export function addMerchantPaymentCommands(payments: Command): void {
  addList(payments, {
    about: 'payments, newest first',
    columns: {
      ID: 'id',
      STATUS: 'status',
      AMOUNT: 'amount',
      OPERATOR: 'operator',
      PHONE: 'operatorPhone',
      FAILURE: 'failureCode',
      AGE: 'createdAt',
    },
    filters: [
      new Option('--status <status>', 'CREATED, USER_CONFIRMING, DEBITED, FAILED …'),
      new Option('--operator <operator>', anyOperator),
      new Option('--currency <currency>', 'CVE or AOA'),
      new Option('--customer-id <text>', 'your own id for the customer'),
      new Option('--external-id <text>', 'your own id for the payment'),
      new Option('--created-gte <instant>', 'from this instant on, such as 2026-11-21T00:00:00Z'),
      new Option('--created-lte <instant>', 'and before this instant'),
    ],
    list: (zimbo, query) => zimbo.payments.list(query),
  });
  addForId(payments, 'get', { about: 'one payment', id }, (zimbo, paymentId) =>
    zimbo.payments.get(paymentId),
  );
  addCreate(payments);
  addForId(
    payments,
    'cancel',
    { about: 'cancel a payment that is not debited yet', id },
    (zimbo, paymentId) => zimbo.payments.cancel(paymentId),
  );
  addForId(
    payments,
    'confirm',
    { about: 'act as the customer who enters the PIN (test key only)', id },
    (zimbo, paymentId) => zimbo.payments.confirm(paymentId),
  );
}

function addCreate(payments: Command): void {
  const create = payments
    .command('create')
    .description('ask the customer’s operator for a debit')
    .requiredOption('--amount <centavos>', 'how much: 10000 is 100.00', centavos)
    .requiredOption('--operator-phone <phone>', 'the customer’s phone, such as +2389912345')
    .requiredOption('--operator <operator>', anyOperator)
    .option('--currency <currency>', 'CVE or AOA (default: by the phone’s country)')
    .option('--external-id <text>', 'your own id for the payment')
    .option('--customer-id <text>', 'your own id for the customer')
    .option('--description <text>', 'its purpose')
    .option('--statement-descriptor <text>', 'what the customer sees at the operator')
    .option('--metadata <name=value>', 'your own data; may be repeated', metadata)
    .option('--idempotency-key <key>', 'the same key never charges twice');
  withJson(create)
    .addHelpText(
      'after',
      examples(
        'zimbo payments create --amount 10000 --operator MOCK --operator-phone +2389912345',
        'zimbo payments create --amount 500 --operator MOCK --operator-phone +2389910049 --external-id "order 17"',
      ),
    )
    .action(
      ({
        json,
        idempotencyKey,
        ...body
      }: Output & { idempotencyKey?: string } & CreatePaymentBody) =>
        show({ json }, (zimbo) => zimbo.payments.create(body, { idempotencyKey })),
    );
}
