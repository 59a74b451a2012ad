import { auditMutations } from './audit.ts';
import { callbackMutations } from './callbacks.ts';
import { checkoutMutations } from './checkout.ts';
import { disbursementMutations } from './disbursements.ts';
import { leaseMutations } from './leases.ts';
import { ledgerMutations } from './ledger.ts';
import { operatorMutations } from './operators.ts';
import { paymentMutations } from './payments.ts';
import { postgresMutations } from './postgres.ts';
import { refundMutations } from './refunds.ts';
import { rightMutations } from './rights.ts';
import { secrecyMutations } from './secrecy.ts';
import { settlementMutations } from './settlements.ts';
import { sharedPhoneMutations } from './shared-phones.ts';
import { signInMutations } from './sign-in.ts';
import { tenantMutations } from './tenants.ts';
import { webhookMutations } from './webhooks.ts';

export interface Mutation {
  name: string;
  file: string;
  find: string;
  replace: string;
  /** The test that must go red. */
  test: string;
  /** The name of the one test to run, if the other tests would wait long for what the fault prevents. */
  only?: string;
}

export const mutations: Mutation[] = [
  ...paymentMutations,
  ...refundMutations,
  ...disbursementMutations,
  ...settlementMutations,
  ...ledgerMutations,
  ...leaseMutations,
  ...webhookMutations,
  ...checkoutMutations,
  ...operatorMutations,
  ...callbackMutations,
  ...rightMutations,
  ...signInMutations,
  ...sharedPhoneMutations,
  ...secrecyMutations,
  ...tenantMutations,
  ...auditMutations,
  ...postgresMutations,
];
