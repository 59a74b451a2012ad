import { join } from 'node:path';
import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { makeProcessSettlement } from '../../money/settlements/create.ts';
import { payoutFiles } from '../../money/settlements/payout-file.ts';
import {
  DailySettlements,
  type DailySettlementsDependencies,
} from '../../money/settlements/run-daily-settlements.ts';
import { SettlementWorker } from '../../money/settlements/worker.ts';
import { RenderingChange } from '../../platform/idempotency/rendering-change.ts';
import type { Currency } from '../../platform/values/money.ts';
import type { Base } from './base.ts';

export type Settlements = ReturnType<typeof composeSettlements>;

/** Composes the creation, payout and reporting of settlements. */
export function composeSettlements(base: Base, dispatcher: DeliveryDispatcher) {
  const { config, timing } = base;
  const payout = payoutFiles(join(config.dataDir, 'payouts'), config.payouts);
  const worker = new SettlementWorker({
    ...base,
    dispatcher,
    payout,
    leaseLengthMs: timing.settlementLeaseMs,
  });
  const settlementRendering = new RenderingChange(63);
  const processSettlement = makeProcessSettlement({
    ...base,
    settlementRendering,
    wake: (atMs) => worker.wake(atMs),
  });
  const run = config.dailySettlement;
  const issueFeeStatement: DailySettlementsDependencies['issueFeeStatement'] = async (owner) => {
    // Needed once a day.
    const { issueLastFeeStatement } = await import(
      '../../money/settlements/statement/issue-fee-statement.ts'
    );
    const { company } = config;
    const currency = owner.currency as Currency;
    await issueLastFeeStatement({ ...base, company, actor: 'gateway' }, { ...owner, currency });
  };
  const daily = new DailySettlements({ ...base, run, processSettlement, issueFeeStatement });
  return { processSettlement, settlementRendering, worker, daily, payout };
}
