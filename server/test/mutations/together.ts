import { creationMutations } from './creations.ts';
import { deliveryMutations } from './deliveries.ts';
import type { Mutation } from './list.ts';
import { lifeMutations } from './lives.ts';
import { readMutations } from './reads.ts';
import { refundMutations } from './refunds.ts';

/** Faults of what requests that come together share: a statement that reads, or one that writes. */
export const togetherMutations: readonly Mutation[] = [
  ...creationMutations,
  ...refundMutations,
  ...readMutations,
  ...deliveryMutations,
  ...lifeMutations,
];
