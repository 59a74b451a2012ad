import type { OperatorName } from '../integrations/operators/operator.ts';
import type { RecoverDependencies } from '../operations/recovery/dependencies.ts';
import type { OperatorSettings } from '../platform/config/operator-settings.ts';
import { StartError } from '../platform/errors/start-error.ts';
import { hasSeveralCells } from './cells/each.ts';
import { formatCount, type Output, printable, printJson } from './output.ts';
import { withLine } from './progress.ts';
import { countsOf, isIncomplete, printWalked, type Walked, walkedView } from './recover-report.ts';
import { type Workspace, withWorkspace } from './workspace.ts';

export interface RecoverOptions extends Output {
  since: number;
  operator?: OperatorName;
  dryRun?: true;
}

/** Compares the operators' lists with our records, and reports the result for each transaction. */
export async function recoverOperators(options: RecoverOptions): Promise<void> {
  await refuseSeveralCells();
  const walked = await withWorkspace(async (workspace) => {
    if (options.since > workspace.clock.nowMs()) {
      throw new StartError('--since must not be in the future.');
    }
    const found: Walked[] = [];
    for (const [operator, settings] of chosen(workspace, options)) {
      found.push(await walk(workspace, operator, settings, options));
    }
    return found;
  });
  if (options.json) printJson(walked.map((each) => walkedView(each, options)));
  else for (const each of walked) printWalked(each, options);
  if (walked.some(isIncomplete)) process.exitCode = 1;
}

/**
 * A transaction missing in one cell's ledger may be in another's: it would wrongly be held for a person, and returned.
 */
async function refuseSeveralCells(): Promise<void> {
  if (!(await hasSeveralCells())) return;
  throw new StartError(
    'An operator lists the transactions of all cells, but this command knows only one cell’s ledger.',
    'Compare the operator’s statement instead, cell by cell, as docs/cells.md describes.',
  );
}

type Configured = [OperatorName, OperatorSettings][];

function chosen({ config }: Workspace, { operator }: RecoverOptions): Configured {
  const all = Object.entries(config.operators) as Configured;
  const wanted = all.filter(([name]) => operator === undefined || name === operator);
  if (wanted.length > 0) return wanted;
  throw new StartError(
    operator ? `${operator} is not configured here.` : 'No operator is configured here.',
    "Run this with the gateway's settings: OPERATOR_…_URL and the others.",
  );
}

async function walk(
  workspace: Workspace,
  operator: OperatorName,
  settings: OperatorSettings,
  { since, dryRun }: RecoverOptions,
): Promise<Walked> {
  const [
    { loadAdapter },
    { WalkBroken },
    { clockSlackMs, recover },
    { Tally: EmptyTally },
    dependencies,
  ] = await Promise.all([
    import('../integrations/operators/load-adapters.ts'),
    import('../integrations/operators/adapter.ts'),
    import('../operations/recovery/recover.ts'),
    import('../operations/recovery/outcomes.ts'),
    partsOf(workspace, operator, settings, { isDryRun: dryRun === true, sinceMs: since }),
  ]);
  const tally = new EmptyTally();
  const { account } = dependencies.traits;
  const walked = { operator, account, tally, problem: null };
  if (settings.query === 'none') return { ...walked, problem: noListOf(operator) };
  const onUnreadable = (_: unknown, name: string) => tally.addUnreadable(name);
  const record = (detail: Record<string, unknown>) =>
    dryRun ? Promise.resolve() : audit(workspace, operator, account, since, detail);
  // Written first: nothing is recovered without an audit record.
  await record({});
  try {
    const adapter = await loadAdapter(settings.adapter);
    // An operator whose clock is behind dates transactions earlier, and filters by those dates.
    const sinceMs = since - clockSlackMs;
    const list = adapter.transactions(settings, workspace.clock, { sinceMs, onUnreadable });
    await withLine((say) =>
      recover(dependencies, list, tally, (count) =>
        say(() => `${operator}: ${formatCount(count)} transactions looked at`),
      ),
    );
  } catch (error) {
    if (!(error instanceof WalkBroken)) throw error;
    return { ...walked, problem: printable(error.message) };
  } finally {
    await record({ found: countsOf(tally) });
  }
  return walked;
}

const noListOf = (operator: OperatorName) =>
  `OPERATOR_${operator}_QUERY is none, so it gives no list: compare its statement with "zimbo reconcile"`;

async function partsOf(
  workspace: Workspace,
  operator: OperatorName,
  settings: OperatorSettings,
  asked: Pick<RecoverDependencies, 'isDryRun' | 'sinceMs'>,
) {
  const { useCasesOf } = await import('../backoffice/resolutions/use-cases.ts');
  const { traitsOf } = await import('../integrations/operators/traits.ts');
  const { ensureUnassigned } = await import('../tenants/merchants/unassigned-merchant.ts');
  const { key, value } = settings.account;
  return {
    ...workspace,
    ...useCasesOf(workspace),
    operator,
    traits: { ...traitsOf(settings), account: `${key}@${value}` },
    currencies: settings.currencies,
    ensureUnassigned: () => ensureUnassigned(workspace.database, workspace),
    ...asked,
  };
}

async function audit(
  workspace: Workspace,
  operator: OperatorName,
  account: string,
  sinceMs: number,
  detail: Record<string, unknown>,
): Promise<void> {
  const { writeAuditRecord } = await import('../platform/audit/record.ts');
  const since = new Date(sinceMs).toISOString();
  await writeAuditRecord(workspace.database, workspace, {
    tenantId: null,
    action: 'operators.recovered',
    subject: operator,
    detail: { account, since, ...detail },
  });
}
