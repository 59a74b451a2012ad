import { benchMutations } from './bench.ts';
import { costMutations } from './costs.ts';
import { creationMutations } from './creations.ts';
import { deliveryMutations } from './deliveries.ts';
import { idleMutations } from './idle.ts';
import type { Mutation } from './list.ts';
import { lifeMutations } from './lives.ts';
import { processMutations } from './processes.ts';
import { readMutations } from './reads.ts';
import { refundMutations } from './refunds.ts';
import { startMutations } from './starts.ts';

/** Faults of speed: of what requests that come together share, of what one costs, of starts, of idling, of several processes, and of what measures it. */
export const togetherMutations: readonly Mutation[] = [
  ...creationMutations,
  ...costMutations,
  ...refundMutations,
  ...readMutations,
  ...deliveryMutations,
  ...lifeMutations,
  ...startMutations,
  ...benchMutations,
  ...idleMutations,
  ...processMutations,
];
