import type { Command } from 'commander';
import type { Payment } from '../payments/payment.ts';
import type { Finding } from '../payments/review.ts';
import { formatId, parseId } from '../platform/ids.ts';
import { StartError } from '../platform/start-error.ts';
import { addMerchantPaymentCommands } from './api/payments.ts';
import { formatAge, formatAmount, formatMajor, printJson, printTable } from './output.ts';
import { type Workspace, withWorkspace } from './workspace.ts';

interface ListOptions {
  json?: true;
}

interface ResolveOptions {
  debited?: string;
  amount?: string;
  notDebited?: true;
}

export function addPaymentCommands(program: Command): void {
  const payments = program.command('payments').description('ask customers for money');
  payments.commandsGroup('Of one merchant, over the API:');
  addMerchantPaymentCommands(payments);
  payments.commandsGroup('Of all merchants, in the gateway’s database:');
  const review = payments
    .command('review')
    .description('payments whose outcome nobody knows: see them, say what the operator told you');
  review
    .command('list', { isDefault: true })
    .description('sent long ago (PAYMENT_REVIEW_HOURS), and no definite word since')
    .option('--json', 'print an array')
    .action(list);
  review
    .command('resolve')
    .description('record what the operator told you')
    .argument('<id>', 'the id of the payment (pi_…)')
    .option('--debited <transaction>', "it was debited: the operator's id of the transaction")
    .option('--amount <amount>', 'with --debited: the amount, as in 100 or 15.20')
    .option('--not-debited', 'it was not debited, and will not be')
    .addHelpText(
      'after',
      '\nExample:\n  $ zimbo payments review resolve pi_… --debited TX-123 --amount 15.20',
    )
    .action(resolve);
}

async function list({ json }: ListOptions): Promise<void> {
  const { payments, nowMs } = await withWorkspace(async ({ database, clock, config }) => {
    const { paymentsForReview } = await import('../payments/review.ts');
    const now = clock.nowMs();
    const rows = await paymentsForReview(database, now - config.paymentReviewAfterMs);
    return { payments: rows, nowMs: now };
  });
  if (json) printJson(payments.map(view));
  else if (payments.length === 0) console.log('No payment waits for a review.');
  else {
    printTable(
      ['PAYMENT', 'STATUS', 'AMOUNT', 'OPERATOR', 'PHONE', 'SENT', 'REFERENCE AT THE OPERATOR'],
      payments.map((payment) => [
        formatId('pi', payment.id),
        payment.status,
        formatAmount(payment.amountMinor, payment.currency),
        payment.operator,
        payment.operatorPhone,
        `${formatAge(nowMs - (payment.sentAtMs ?? nowMs))} ago`,
        payment.id,
      ]),
    );
  }
}

const view = (payment: Payment) => ({
  id: formatId('pi', payment.id),
  reference: payment.id,
  status: payment.status,
  operator: payment.operator,
  operatorPhone: payment.operatorPhone,
  amount: formatMajor(payment.amountMinor),
  currency: payment.currency,
  sentAt: new Date(payment.sentAtMs ?? 0).toISOString(),
});

async function resolve(id: string, options: ResolveOptions): Promise<void> {
  const finding = await findingOf(options);
  const { before, after } = await withWorkspace(async (workspace) => {
    const payment = await findUnresolved(workspace, id);
    return { before: payment, after: await record(workspace, payment, finding) };
  });
  console.log(`${id} is ${after.status}.${explanationOf(before, after, finding)}`);
}

async function findingOf({ debited, amount, notDebited }: ResolveOptions): Promise<Finding> {
  const { minorOf } = await import('../operators/gsma/amount.ts');
  const hint = 'Give --debited with --amount, or --not-debited.';
  if ((debited === undefined) === (notDebited === undefined)) {
    throw new StartError('It is not clear what the operator told you.', hint);
  }
  if (debited === undefined) return 'not debited';
  const amountMinor = minorOf(amount);
  if (!amountMinor || debited.trim() === '') {
    throw new StartError('--amount must be an amount above 0, as in 100 or 15.20.', hint);
  }
  return { operatorTxId: debited.trim(), amountMinor };
}

async function findUnresolved({ database }: Workspace, id: string): Promise<Payment> {
  const { findPaymentById, isUnresolved } = await import('../payments/review.ts');
  const uuid = parseId('pi', id);
  const payment = uuid === undefined ? undefined : await findPaymentById(database, uuid);
  if (!payment) {
    const hint = '"zimbo payments review" shows those that wait for one.';
    throw new StartError(`There is no payment ${JSON.stringify(id)}.`, hint);
  }
  if (!isUnresolved(payment)) {
    throw new StartError(
      `The outcome of ${id} is known: it is ${payment.status}.`,
      'A debit that is missing in the ledger is found by "zimbo reconcile".',
    );
  }
  return payment;
}

async function record(workspace: Workspace, payment: Payment, finding: Finding): Promise<Payment> {
  const { writeAuditRecord } = await import('../merchants/audit.ts');
  const { createResolvePayment } = await import('./resolve-payment.ts');
  const detail =
    finding === 'not debited'
      ? { finding, was: payment.status }
      : { ...finding, amountMinor: finding.amountMinor.toString(), was: payment.status };
  // Written first: nothing is ever resolved by hand without a record of it.
  await writeAuditRecord(workspace.database, workspace, {
    tenantId: payment.tenantId,
    action: 'payment.resolved',
    subject: formatId('pi', payment.id),
    detail,
  });
  return createResolvePayment(workspace)(payment, finding);
}

function explanationOf(before: Payment, after: Payment, finding: Finding): string {
  if (finding === 'not debited') return ' It is not asked about any more.';
  if (after.status !== before.status) return '';
  return ' The debit came too late or has another amount: it is in suspense, and is being reversed ("zimbo ledger suspense").';
}
