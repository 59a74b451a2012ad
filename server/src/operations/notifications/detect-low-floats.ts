import type { Logger } from 'pino';
import { minorOf } from '../../integrations/operators/amount.ts';
import type { AskOperator } from '../../integrations/operators/probe.ts';
import type { DisbursementSettings } from '../../platform/config/disbursement-variables.ts';
import {
  type LiveOperatorName,
  liveOperatorNames,
} from '../../platform/config/operator-catalogue.ts';
import type { OperatorConfigs } from '../../platform/config/operator-settings.ts';
import type { NewNotice } from '../../platform/notices/notice.ts';
import { writeNotices } from '../../platform/notices/write.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { rowsQuery } from '../../platform/postgres/query.ts';
import type { Clock } from '../../platform/process/clock.ts';

export interface DetectLowFloatsDependencies {
  database: Database;
  clock: Clock;
  log: Logger;
  config: { operators: OperatorConfigs; disbursements: DisbursementSettings };
  askOperator: AskOperator;
}

/** What disbursements that are not paid yet take from our account at an operator. */
const findReserved = rowsQuery<
  { currency: string; reservedMinor: bigint },
  [operator: LiveOperatorName]
>({
  name: 'notices.reserved_at_operator',
  text: `
SELECT d.currency, sum(d.amount_minor)::bigint AS "reservedMinor"
FROM disbursements d JOIN tenants t ON t.id = d.tenant_id AND t.mode = 'live'
WHERE d.due_at IS NOT NULL AND d.status IN ('CREATED', 'PROCESSING') AND d.operator = $1
GROUP BY d.currency`,
});

/**
 * Asks operators for the balance of our account there, and writes a notice if it is below the operator's threshold, or
 * below what disbursements under way will take from it. An operator without either is not asked, and one that does not
 * tell is left out.
 */
export async function detectLowFloats(dependencies: DetectLowFloatsDependencies): Promise<void> {
  const { operators, disbursements } = dependencies.config;
  if (!disbursements.isOn) return;
  const configured = liveOperatorNames.filter((name) => operators[name] !== undefined);
  const found = await Promise.all(configured.map((name) => findLow(dependencies, name)));
  const notices = found.filter((notice) => notice !== undefined);
  if (notices.length > 0) await writeNotices(dependencies.database, notices);
}

async function findLow(
  { database, clock, log, config, askOperator }: DetectLowFloatsDependencies,
  operator: LiveOperatorName,
): Promise<NewNotice | undefined> {
  const thresholdMinor = config.disbursements.floatAlerts[operator];
  const reserved = await findReserved(database, operator);
  if (thresholdMinor === 0n && reserved.length === 0) return undefined;
  const { balance } = await askOperator(operator).catch((error: unknown) => {
    log.warn({ err: error, operator }, 'an operator could not be asked for our balance');
    return { balance: null };
  });
  const balanceMinor = minorOf(balance?.amount);
  if (!balance || balanceMinor === undefined) return undefined;
  const { currency } = balance;
  const reservedMinor = reserved.find((each) => each.currency === currency)?.reservedMinor ?? 0n;
  if (balanceMinor >= thresholdMinor && balanceMinor >= reservedMinor) return undefined;
  const detail = {
    currency,
    balance: balanceMinor.toString(),
    threshold: thresholdMinor.toString(),
    reserved: reservedMinor.toString(),
  };
  const atMs = clock.nowMs();
  return { kind: 'FLOAT_LOW', tenantId: null, subject: operator, detail, atMs };
}
