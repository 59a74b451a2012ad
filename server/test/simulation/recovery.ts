import { useCasesOf } from '../../src/backoffice/resolutions/use-cases.ts';
import { isIncomplete } from '../../src/cli/recover-report.ts';
import type { Workspace } from '../../src/cli/workspace.ts';
import { WalkBroken } from '../../src/integrations/operators/adapter.ts';
import type { Call } from '../../src/integrations/operators/gsma/client.ts';
import { walkTransactions } from '../../src/integrations/operators/gsma/transactions.ts';
import { traitsOf } from '../../src/integrations/operators/traits.ts';
import { Tally } from '../../src/operations/recovery/outcomes.ts';
import { recover } from '../../src/operations/recovery/recover.ts';
import { ensureUnassigned } from '../../src/tenants/merchants/unassigned-merchant.ts';
import { type LiveName, liveNames, type World } from './dependencies.ts';
import { TransactionList } from './transaction-list.ts';

/** After this many attempts, the operator sends its complete list on paper. */
const mostFaultyWalks = 3;

/** `zimbo operators recover`: compares the operators' lists with the ledger until it succeeds. */
export async function recoverAll(world: World, workspace: Workspace): Promise<void> {
  const { dials, random, counts } = world;
  for (const operator of liveNames) {
    const { wrongLists, listFaults, listClock } = dials.operators[operator];
    if (listClock !== 'right') counts.add(`list by a clock that is ${listClock}`);
    for (let walk = 0; walk <= mostFaultyWalks; walk++) {
      const isFaulty = walk < mostFaultyWalks && random.chance(wrongLists);
      const list = new TransactionList(random, isFaulty ? random.pick(listFaults) : undefined);
      if (list.fault) counts.add(`list ${list.fault}`);
      if (await recoverFrom(world, workspace, operator, list)) break;
    }
  }
}

/** Whether the command claims to have read the whole list. */
async function recoverFrom(
  world: World,
  workspace: Workspace,
  operator: LiveName,
  list: TransactionList,
): Promise<boolean> {
  const { trace, scheduler, providers, checks } = world;
  const settings = workspace.config.operators[operator]!;
  const account = `${settings.account.key}@${settings.account.value}`;
  const provider = providers[operator];
  const tally = new Tally();
  const there = provider.requests.filter(({ transaction }) => transaction);
  const options = {
    sinceMs: scheduler.nowMs - 7_200_000,
    onUnreadable: () => {
      tally.unreadable += 1;
    },
  };
  const client = { call: async ({ path }: Call) => provider.list(list, path) };
  const dependencies = {
    ...workspace,
    ...useCasesOf(workspace),
    operator,
    traits: { ...traitsOf(settings), account },
    currencies: ['CVE'],
    ensureUnassigned: () => ensureUnassigned(workspace.database, workspace),
    sinceMs: options.sinceMs,
    isDryRun: false,
  };
  let problem: string | null = null;
  try {
    const transactions = walkTransactions(client, settings.account, options);
    await recover(dependencies, transactions, tally, () => {});
  } catch (error) {
    problem = (error as Error).message;
    if (!(error instanceof WalkBroken)) {
      checks.broken('recovery', `recovering from ${operator} fails: ${problem}`, []);
    }
  }
  const found = ['BOOKED', 'REVERSED', 'HELD', 'LISTED'] as const;
  const words = found.map((outcome) => {
    const kinds = ['DEBIT', 'GIVEN_BACK', 'DISBURSEMENT', 'OTHER'] as const;
    const count = kinds.reduce((sum, kind) => sum + tally.of(kind, outcome).count, 0);
    return `${count} ${outcome}`;
  });
  const outcome = [`recovers from ${operator}: ${words.join(', ')}`, problem, list.fault];
  trace.add('a person', outcome.filter((each) => each).join('; '));
  if (isIncomplete({ operator, account, tally, problem })) return false;
  const missed = there.filter((request) => !list.returned.has(request));
  const left = `${missed.length} of ${there.length} transactions`;
  if (missed.length > 0) {
    const why = `a list that ${list.fault}: ${left} were not in it`;
    checks.broken('recovery', `recovering from ${operator} succeeds over ${why}`, []);
  }
  if (tally.transactions < list.returned.size) {
    const why = `${list.returned.size} were listed, and ${tally.transactions} looked at`;
    checks.broken('recovery', `recovering from ${operator} succeeds: ${why}`, []);
  }
  return true;
}
