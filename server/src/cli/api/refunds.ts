import { type Command, Option } from 'commander';
import type { Output } from '../output.ts';
import {
  addForId,
  addList,
  centavos,
  examples,
  idArgument,
  metadata,
  show,
  withJson,
} from './resource.ts';

interface CreateOptions extends Output {
  amount?: number;
  reason?: string;
  metadata?: Record<string, string>;
  idempotencyKey?: string;
}

export function addRefundCommands(program: Command): void {
  const refunds = program.command('refunds').description('refund customers');
  addList(refunds, {
    about: 'refunds, newest first',
    columns: {
      ID: 'id',
      STATUS: 'status',
      AMOUNT: 'amount',
      PAYMENT: 'paymentIntentId',
      FAILURE: 'failureCode',
      AGE: 'createdAt',
    },
    filters: [
      new Option('--status <status>', 'PENDING, PROCESSING, SUCCEEDED or FAILED'),
      new Option('--payment-intent-id <id>', 'only those of this payment (pi_…)'),
    ],
    list: (zimbo, query) => zimbo.refunds.list(query),
  });
  addForId(refunds, 'get', { about: 'one refund', id: 'the refund (re_…)' }, (zimbo, id) =>
    zimbo.refunds.get(id),
  );
  const create = refunds
    .command('create')
    .description('refund a payment, in full or in part')
    .argument('<payment>', 'the payment (pi_…)', idArgument)
    .option('--amount <centavos>', 'the amount (default: the rest of the payment)', centavos)
    .option('--reason <text>', 'why')
    .option('--metadata <name=value>', 'your own data; may be repeated', metadata)
    .option('--idempotency-key <key>', 'the same key never refunds twice');
  withJson(create)
    .addHelpText(
      'after',
      examples('zimbo refunds create pi_01m7yhp3gfe04vkhm96w446fdc --amount 2500'),
    )
    .action((paymentIntentId: string, { json, idempotencyKey, ...rest }: CreateOptions) =>
      show({ json }, (zimbo) =>
        zimbo.refunds.create({ paymentIntentId, ...rest }, { idempotencyKey }),
      ),
    );
}
