import type { CallbackTokens } from '../../src/integrations/operators/callback-token.ts';
import type { Ids } from '../../src/platform/values/ids.ts';
import { unassigned } from '../../src/tenants/merchants/unassigned-merchant.ts';
import type { Random } from '../torture/random.ts';
import type { Bank } from './bank.ts';
import type { Counts } from './counts.ts';
import type { Dials } from './dials.ts';
import type { Checks } from './invariants.ts';
import type { Mirror } from './mirror.ts';
import type { Provider } from './provider.ts';
import type { Scheduler } from './scheduler.ts';
import type { Store } from './store.ts';
import type { Trace } from './trace.ts';

export const liveNames = ['CVMOVEL', 'UNITEL_TMAIS'] as const;
export type LiveName = (typeof liveNames)[number];

/** What all parts of one seed share. */
export interface World {
  dials: Dials;
  random: Random;
  scheduler: Scheduler;
  trace: Trace;
  counts: Counts;
  store: Store;
  mirror: Mirror;
  ids: Ids;
  tokens: CallbackTokens;
  tenants: Tenant[];
  providers: Record<LiveName, Provider>;
  bank: Bank;
  checks: Checks;
}

/** Whether a tenant's money is real. Money that no payment explains counts as real. */
export function isLive({ tenants }: Pick<World, 'tenants'>, tenantId: string): boolean {
  if (tenantId === unassigned.tenantId) return true;
  return tenants.some(({ id, mode }) => id === tenantId && mode === 'live');
}

export interface Tenant {
  id: string;
  merchantId: string;
  mode: 'live' | 'test';
  /** What settlements leave in its balance. */
  keptMinor: bigint;
}
