import { adminMutations } from './admin.ts';
import { approvalMutations } from './approvals.ts';
import { decisionMutations } from './decisions.ts';
import { freshEyesMutations } from './fresh-eyes.ts';
import type { Mutation } from './list.ts';
import { operatorHealthMutations } from './operator-health.ts';
import { reconciliationMutations } from './reconciliations.ts';
import { staffSystemMutations } from './staff-system.ts';

/** Faults of what the gateway's staff see and do. */
export const gatewayStaffMutations: readonly Mutation[] = [
  ...reconciliationMutations,
  ...adminMutations,
  ...approvalMutations,
  ...staffSystemMutations,
  ...operatorHealthMutations,
  ...freshEyesMutations,
  ...decisionMutations,
];
