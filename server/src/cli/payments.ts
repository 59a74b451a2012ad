import type { Command } from 'commander';
import { addOperations } from './api/operations.ts';
import { addPaymentReview } from './review.ts';

export function addPaymentCommands(program: Command): void {
  const payments = program.command('payments').description('ask customers for money');
  payments.commandsGroup('For one merchant, over the API:');
  addOperations(program, 'merchant', 'payments');
  payments.commandsGroup('For all merchants, in the gateway’s database:');
  addPaymentReview(payments);
}
