import { backupMutations } from './backups.ts';
import { benchMutations } from './bench.ts';
import { cellFrontMutations } from './cell-front.ts';
import { cellMoveMutations } from './cell-moves.ts';
import { cellOperationMutations } from './cell-operation.ts';
import { cellMutations } from './cells.ts';
import { citusMutations } from './citus.ts';
import { costMutations } from './costs.ts';
import { creationMutations } from './creations.ts';
import { customerMutations } from './customer.ts';
import { deliveryMutations } from './deliveries.ts';
import { frozenMoverMutations } from './frozen-movers.ts';
import { hostMutations } from './hosts.ts';
import { httpEdgeMutations } from './http-edges.ts';
import { idleMutations } from './idle.ts';
import { installMutations } from './installs.ts';
import { leftMerchantMutations } from './left-merchants.ts';
import type { Mutation } from './list.ts';
import { lifeMutations } from './lives.ts';
import { operatedCellMutations } from './operated-cells.ts';
import { payoutMutations } from './payouts.ts';
import { processMutations } from './processes.ts';
import { readMutations } from './reads.ts';
import { refundMutations } from './refunds.ts';
import { replicaMutations } from './replicas.ts';
import { restoredCellMutations } from './restored-cells.ts';
import { scaleMutations } from './scale.ts';
import { staffCellMutations } from './staff-cells.ts';
import { startMutations } from './starts.ts';
import { tellingMutations } from './tellings.ts';
import { watchedCellMutations } from './watched-cells.ts';

/** Faults of what few need to look at: batches, costs, starts, idling, what measures them, fail-over and several processes. */
export const togetherMutations: readonly Mutation[] = [
  ...creationMutations,
  ...customerMutations,
  ...costMutations,
  ...httpEdgeMutations,
  ...refundMutations,
  ...readMutations,
  ...deliveryMutations,
  ...lifeMutations,
  ...startMutations,
  ...benchMutations,
  ...idleMutations,
  ...hostMutations,
  ...replicaMutations,
  ...processMutations,
  ...cellMutations,
  ...staffCellMutations,
  ...payoutMutations,
  ...backupMutations,
  ...installMutations,
  ...tellingMutations,
  ...scaleMutations,
  ...operatedCellMutations,
  ...watchedCellMutations,
  ...restoredCellMutations,
  ...cellOperationMutations,
  ...citusMutations,
  ...cellFrontMutations,
  ...cellMoveMutations,
  ...frozenMoverMutations,
  ...leftMerchantMutations,
];
