/**
 * `npm run bench`: the gateway's speed, as ratios to floors measured in the same run on the same
 * machine, because absolute numbers say more about the machine.
 */
import { parseArgs } from 'node:util';
import { benchFilters } from './filters/filters.ts';
import { isPgbenchFound } from './floors/pgbench.ts';
import { cleanUpAll } from './gateway/cleanup.ts';
import { benchGrowth } from './growth/growth.ts';
import { fullPlan, type Plan, quickPlan, type ScenarioName, scenarioNames } from './plan.ts';
import { benchAttacks } from './scenarios/attacks.ts';
import { benchBackup } from './scenarios/backup.ts';
import { benchBurst } from './scenarios/burst.ts';
import { benchCallbacks } from './scenarios/callbacks.ts';
import { benchConsole } from './scenarios/console.ts';
import { benchDisbursements } from './scenarios/disbursements.ts';
import { benchKeys } from './scenarios/keys.ts';
import { benchOperators } from './scenarios/operators.ts';
import { benchPage } from './scenarios/page.ts';
import { benchSettlement } from './scenarios/settlement.ts';
import { benchWebhooks } from './scenarios/webhooks.ts';
import { runSuite } from './suite.ts';

const usage = `Usage: npm run bench                  everything, three times: about 18 minutes
       npm run bench -- --quick       rough figures within 3 minutes
       npm run bench -- --only NAMES  some of it, with the floors it is compared with: ${scenarioNames.join(', ')}
       npm run bench -- --runs N      as often as you like; with --quick and --only too
       npm run bench -- --growth      the same operations on 10,000 and on 1,000,000 payments
       npm run bench -- --attacks     live payments and webhooks beside tenants that ask for all they can get
       npm run bench -- --backup      an encrypted backup of 1,000,000 payments, and its restore (PAYMENTS=…)
       npm run bench -- --burst       webhooks of a burst of payments, in each second to the last
       npm run bench -- --callbacks   from an operator's callback to the webhook that tells of the debit
       npm run bench -- --console     what the console reads, for a merchant with 1,000,000 payments (PAYMENTS=…)
       npm run bench -- --disbursements  a batch of 1,000 disbursements beside creates, and under kill -9
       npm run bench -- --filters     every pair of filters on every list of 1,000,000 rows (ROWS=…, LISTS=…, DATA=…)
       npm run bench -- --keys        creates under keys of several kinds, on a young database (PAYMENTS=…)
       npm run bench -- --operators   payments of one operator beside another that hangs
       npm run bench -- --page        from "pay" to success in a browser, and what open pages cost
       npm run bench -- --settlement  a settlement of 100,000 payments, and creates beside it
       npm run bench -- --webhooks    an endpoint beside others that hang; a receiver that was down`;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    process.stderr.write('\nstopping\n');
    await cleanUpAll();
    process.exit(1);
  });
}

try {
  await bench(optionsGiven());
} finally {
  await cleanUpAll();
}

async function bench({
  help,
  settlement,
  growth,
  attacks,
  backup,
  burst,
  callbacks,
  console: ofConsole,
  disbursements,
  filters,
  keys,
  operators,
  page,
  webhooks,
  ...suite
}: ReturnType<typeof optionsGiven>) {
  if (help) console.log(usage);
  else if (settlement) await benchSettlement();
  else if (growth) await benchGrowth();
  else if (attacks) await benchAttacks();
  else if (backup) await benchBackup();
  else if (burst) await benchBurst();
  else if (callbacks) await benchCallbacks();
  else if (ofConsole) await benchConsole();
  else if (disbursements) await benchDisbursements();
  else if (filters) await benchFilters();
  else if (keys) await benchKeys();
  else if (operators) await benchOperators();
  else if (page) await benchPage();
  else if (webhooks) await benchWebhooks();
  else await runSuite(await planGiven(suite));
}

async function planGiven({
  quick,
  only,
  runs,
}: Partial<ReturnType<typeof optionsGiven>>): Promise<Plan> {
  const plan = quick ? quickPlan : fullPlan;
  return {
    ...plan,
    hasPgbench: await isPgbenchFound(),
    ...(only && { scenarios: only.split(',').map(scenarioNamed) }),
    ...(runs && { runs: positive(runs) }),
  };
}

function scenarioNamed(name: string): ScenarioName {
  return scenarioNames.find((known) => known === name) ?? refuse(`There is no scenario "${name}".`);
}

function positive(text: string): number {
  return /^[1-9]\d*$/.test(text) ? Number(text) : refuse(`--runs takes a number, not "${text}".`);
}

function refuse(why: string): never {
  console.error(`${why}\n\n${usage}`);
  process.exit(2);
}

function optionsGiven() {
  const boolean = { type: 'boolean' } as const;
  const string = { type: 'string' } as const;
  const options = {
    quick: boolean,
    only: string,
    runs: string,
    growth: boolean,
    attacks: boolean,
    backup: boolean,
    burst: boolean,
    callbacks: boolean,
    console: boolean,
    disbursements: boolean,
    filters: boolean,
    keys: boolean,
    operators: boolean,
    page: boolean,
    settlement: boolean,
    webhooks: boolean,
    help: boolean,
  };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}
