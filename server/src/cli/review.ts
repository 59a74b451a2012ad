import { type Command, Option } from 'commander';
import type { ResolveOptions } from './review/finding.ts';
import type { ListOptions } from './review/list.ts';

const help = `
Ask the operator, then say what it told you. The gateway may run meanwhile. An ID is one of the list, or of a
payment (pi_…), a refund (re_…) or a reversal (a UUID).

Examples:
  $ zimbo review
  $ zimbo review show ri_…
  $ zimbo review resolve pi_… --debited TX-123 --amount 15.20
  $ zimbo review close ri_… --reason "TX-20 is of another shop: CVMOVEL, ticket 4711"`;

const resolveHelp = `
Of a payment say --debited and --amount, or --not-debited; of a refund --refunded or --not-refunded; of a wrong
debit --given-back or --not-given-back, and of one that is HELD also --reverse. TRANSACTION is the operator's own
number. What our books have for something else is refused.

Examples:
  $ zimbo review resolve pi_… --debited TX-123 --amount 15.20
  $ zimbo review resolve re_… --refunded TX-124
  $ zimbo review resolve 0199c2d1-… --reverse`;

/** What waits for a person. */
export function addReviewCommands(program: Command): void {
  const review = program
    .command('review')
    .description('what waits for a person: list it, record what the operator told you')
    .addHelpText('after', help);
  addList(review);
  review
    .command('show')
    .description('everything known about one item, and what to do')
    .argument('<id>', 'an id from the list')
    .option('--json', 'print an array')
    .action(async (id: string, options: ListOptions) =>
      (await import('./review/show.ts')).show(id, options),
    );
  addResolve(review);
  review
    .command('close')
    .description('take a contradiction or a clash off the list; the ledger stays as it is')
    .argument('<id>', 'an id from the list')
    .requiredOption('--reason <text>', 'why nothing needs to change')
    .action(async (id: string, options: { reason: string }) =>
      (await import('./review/close.ts')).close(id, options),
    );
}

/** The former name of the list and of what resolves: "zimbo payments review". */
export function addPaymentReview(payments: Command): void {
  const review = payments.command('review').description('the same as "zimbo review"');
  addList(review);
  addResolve(review);
}

function addList(review: Command): void {
  review
    .command('list', { isDefault: true })
    .description('oldest first, for all merchants')
    .addOption(new Option('--mode <mode>').choices(['live', 'test']).default('live'))
    .option('--json', 'print an array')
    .action(async (options: ListOptions) => (await import('./review/list.ts')).list(options));
}

function addResolve(review: Command): void {
  review
    .command('resolve')
    .description('record what became of a payment, a refund or a wrong debit')
    .argument('<id>', 'an id from the list')
    .option('--debited <transaction>', 'the payment was debited by this transaction')
    .option('--amount <amount>', 'with --debited: the amount, as in 100 or 15.20')
    .option('--other-amount', "with --debited: the amount really differs from the payment's")
    .option('--not-debited', 'it was not debited, and will not be')
    .option('--refunded <transaction>', 'the customer got the refund by this transaction')
    .option('--not-refunded', 'it was not, and will not be')
    .option('--given-back <transaction>', 'the wrong debit was returned by this transaction')
    .option('--not-given-back', 'it was not, and will not be')
    .option('--reverse', 'for a HELD debit: ask the operator to reverse it')
    .addHelpText('after', resolveHelp)
    .action(async (id: string, options: ResolveOptions) =>
      (await import('./review/resolve.ts')).resolve(id, options),
    );
}
