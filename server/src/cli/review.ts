import { type Command, Option } from 'commander';
import type { ListOptions } from './review/list.ts';
import type { ResolveOptions } from './review/parse-finding.ts';

const help = `
Ask the operator, then record its answer. The gateway may be running. An ID is an id from the list, or the id of
a payment (pi_…), a refund (re_…), a disbursement (di_…) or a reversal (a UUID).

Examples:
  $ zimbo review
  $ zimbo review show ri_…
  $ zimbo review resolve pi_… --debited TX-123 --amount 15.20
  $ zimbo review close ri_… --reason "TX-20 is of another shop: CVMOVEL, ticket 4711"`;

const resolveHelp = `
For a payment, use --debited with --amount, or --not-debited. For a refund, use --refunded or --not-refunded. For a
wrong debit, use --given-back or --not-given-back; for one that is HELD, --reverse too. For a disbursement, use
--paid-out or --not-paid-out; for one that succeeded after it had failed, --charge or --write-off. TRANSACTION is the operator's own number. The command asks the operator about that number, and refuses one that belongs to something else.

Examples:
  $ zimbo review resolve pi_… --debited TX-123 --amount 15.20
  $ zimbo review resolve re_… --refunded TX-124
  $ zimbo review resolve 0199c2d1-… --reverse`;

/** Cases that wait for a person. */
export function addReviewCommands(program: Command): void {
  const review = program
    .command('review')
    .description('cases for a person: list them, record what the operator answered')
    .addHelpText('after', help);
  addList(review);
  review
    .command('show')
    .description('show all details of one item, and what to do')
    .argument('<id>', 'an id from the list')
    .option('--json', 'print an array')
    .action(async (id: string, options: ListOptions) =>
      (await import('./review/show.ts')).show(id, options),
    );
  addResolve(review);
  review
    .command('close')
    .description('take a contradiction or a clash off the list; the ledger does not change')
    .argument('<id>', 'an id from the list')
    .requiredOption('--reason <text>', 'why nothing needs to change')
    .action(async (id: string, options: { reason: string }) =>
      (await import('./review/close.ts')).close(id, options),
    );
}

/** The former name of these commands: "zimbo payments review". */
export function addPaymentReview(payments: Command): void {
  const review = payments.command('review').description('the same as "zimbo review"');
  addList(review);
  addResolve(review);
}

function addList(review: Command): void {
  review
    .command('list', { isDefault: true })
    .description('list the open items of all merchants, oldest first')
    .addOption(new Option('--mode <mode>').choices(['live', 'test']).default('live'))
    .option('--json', 'print an array')
    .action(async (options: ListOptions) => (await import('./review/list.ts')).list(options));
}

function addResolve(review: Command): void {
  review
    .command('resolve')
    .description('record the outcome of a payment, a refund, a wrong debit or a disbursement')
    .argument('<id>', 'an id from the list')
    .option('--debited <transaction>', 'the payment was debited by this transaction')
    .option('--amount <amount>', 'with --debited: the amount, such as 100 or 15.20')
    .option('--other-amount', "with --debited: confirms that the amount differs from the payment's")
    .option('--not-debited', 'the payment was not debited, and will not be')
    .option('--refunded <transaction>', 'the customer received the refund by this transaction')
    .option('--not-refunded', 'the refund was not made, and will not be')
    .option('--given-back <transaction>', 'the wrong debit was returned by this transaction')
    .option('--paid-out <transaction>', 'the disbursement was paid by this transaction')
    .option('--not-paid-out', 'the disbursement was not paid, and will not be')
    .option('--charge', 'for a LATE disbursement: the merchant pays it, with its fee')
    .option('--write-off', 'for a LATE disbursement: the company bears it')
    .option('--not-given-back', 'the wrong debit was not returned, and will not be')
    .option(
      '--unconfirmed',
      "insists on TRANSACTION, although the operator's API does not confirm it",
    )
    .option('--reverse', 'for a HELD debit: ask the operator to reverse it')
    .addHelpText('after', resolveHelp)
    .action(async (id: string, options: ResolveOptions) =>
      (await import('./review/resolve.ts')).resolve(id, options),
    );
}
