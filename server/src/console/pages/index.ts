import type { ConsolePage } from '../page.ts';
import { paymentPage } from './payment.ts';
import { paymentsPage } from './payments.ts';
import { teamPage } from './team.ts';

/** Every page of a merchant. The test of roles and routes walks this list, and so does docs/console.md. */
export const pages: readonly ConsolePage[] = [paymentsPage, paymentPage, teamPage];
