import type { Command } from 'commander';
import { addMerchantPaymentCommands } from './api/payments.ts';
import { addPaymentReview } from './review.ts';

export function addPaymentCommands(program: Command): void {
  const payments = program.command('payments').description('ask customers for money');
  payments.commandsGroup('For one merchant, over the API:');
  addMerchantPaymentCommands(payments);
  payments.commandsGroup('For all merchants, in the gateway’s database:');
  addPaymentReview(payments);
}
