import { consolePaymentMutations } from './console-payments.ts';
import { developerMutations } from './developers.ts';
import { exportMutations } from './exports.ts';
import { firstWalkMutations } from './first-walk.ts';
import type { Mutation } from './list.ts';
import { lookMutations } from './looks.ts';
import { moneyPageMutations } from './money-pages.ts';
import { peopleMutations } from './people.ts';
import { receiptMutations } from './receipts.ts';
import { requestMutations } from './requests.ts';
import { rightsMutations } from './rights.ts';
import { staffMutations } from './staff.ts';
import { tillMutations } from './till.ts';
import { totalsMutations } from './totals.ts';

/** The console with the rooms beneath that are there for it. */
export const consoleMutations: readonly Mutation[] = [
  ...totalsMutations,
  ...consolePaymentMutations,
  ...peopleMutations,
  ...requestMutations,
  ...receiptMutations,
  ...exportMutations,
  ...tillMutations,
  ...developerMutations,
  ...moneyPageMutations,
  ...rightsMutations,
  ...firstWalkMutations,
  ...lookMutations,
  ...staffMutations,
];
