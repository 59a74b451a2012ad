import type { Command } from 'commander';
import type { Config } from '../../platform/config/config.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { type Cell, homeName } from '../../tenants/cells/cell.ts';
import type { OpenCell, OpenCells } from '../../tenants/cells/move/cells.ts';
import type { Step } from '../../tenants/cells/move/move.ts';
import { withId } from '../failure.ts';
import { formatCount, type Output, printFields, printJson } from '../output.ts';
import { withLine } from '../progress.ts';
import { secretBoxOf } from '../secret-box.ts';
import { commandConfig, whoRuns, withHome } from '../workspace.ts';

const help = `
The merchant is served all the while: what it has is copied first, then what has changed since. At the end, writes
stop for a moment while both cells are compared. Gateways hold its requests for that moment, and send them on to the
new cell.

You may interrupt it at any time. Run it again: it finishes what was left, or begins anew.

Example:
  $ zimbo cells move me_… --to north`;

export function addMoveCommand(cells: Command): void {
  cells
    .command('move <merchant>')
    .description('move a merchant to another cell while it is served')
    .requiredOption('--to <cell>', 'where to; "home" is the first one')
    .option(
      '--grace <seconds>',
      'how long its rows stay in the old cell, so that every gateway learns that they have gone',
      seconds,
      10,
    )
    .option('--json', 'print {"merchant": …, "from": …, "to": …, "stoppedMs": …}')
    .addHelpText('after', help)
    .action(move);
}

/** Longer than gateways take a key for known without asking, so that none says of a payment that is gone that it never was. */
function seconds(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 5 && value <= 3_600) return value;
  throw new StartError(
    `${JSON.stringify(text)} is no time for --grace.`,
    'Give seconds, from 5 to 3600.',
  );
}

type Options = Output & { to: string; grace: number };

async function move(merchant: string, { to, grace, json }: Options): Promise<void> {
  const config = await commandConfig();
  const { from, stoppedMs } = await withId({ name: 'merchant', prefix: 'me' }, merchant, (id) =>
    withHome(config, 'command', (url) =>
      withCells(config, url, (cells, secrets) =>
        run(cells, { id, to, graceMs: grace * 1_000, config, secrets }),
      ),
    ),
  );
  if (json) {
    printJson({ merchant, from, to, stoppedMs });
    return;
  }
  const stopped = `${formatCount(stoppedMs)} ms`;
  printFields({ Merchant: merchant, From: from, To: to, 'Writes stopped for': stopped });
  console.log(`\nBack up ${to} now: until then only a backup of ${from} has this merchant.`);
}

interface Run {
  id: string;
  to: string;
  graceMs: number;
  config: Config;
  secrets: SecretBox;
}

async function run(cells: OpenCells, { id, to, graceMs, config, secrets }: Run) {
  const [{ moveMerchant }, { usualTiming }, { latestStartMs }, { clockOf }, { randomIds }, served] =
    await Promise.all([
      import('../../tenants/cells/move/index.ts'),
      import('../../tenants/cells/move/move.ts'),
      import('../../platform/jobs/send-under-lease.ts'),
      import('../../platform/postgres/database-clock.ts'),
      import('../../platform/values/ids.ts'),
      import('../../operations/doctor/check-cell-service.ts'),
    ]);
  const clock = clockOf(cells.home.database);
  await clock.measure();
  const callMs = config.operatorTimeoutMs + latestStartMs;
  const drainMs = callMs + 1_000;
  return withLine((say) =>
    moveMerchant(cells, id, to, {
      by: { clock, ids: randomIds(), ...whoRuns() },
      secrets,
      timing: { ...usualTiming, callMs, drainMs, graceMs },
      refuseUnserved: (cell) => served.refuseUnserved(cells.home.database, cell),
      step: (step) => {
        if (process.stderr.isTTY) say(() => words[step]);
        else console.error(`${words[step]}.`);
      },
      progress: (table, rows) => say(() => `Copying ${table}: ${formatCount(rows)} rows`),
    }),
  );
}

const words: Record<Step, string> = {
  BEGIN: 'Having its writes checked',
  INDEX: 'Having its rows found in large tables',
  COPY: 'Copying',
  COMPARE: 'Comparing both cells',
  CATCH_UP: 'Copying what has changed meanwhile',
  DRAIN: 'Waiting for requests to operators',
  HOLD: 'Having its requests held',
  STOP: 'Copying the rest; writes have stopped',
  CHECK: 'Comparing both cells; writes have stopped',
  GO: 'Leaving the old cell',
  ARRIVE: 'Arriving in the new cell',
  REMOVE: 'Removing what is left behind',
  DONE: 'Done',
};

async function withCells<T>(
  config: Config,
  homeUrl: string,
  work: (cells: OpenCells, secrets: SecretBox) => Promise<T>,
): Promise<T> {
  const [{ openLog }, { openForMove }, { listCells }] = await Promise.all([
    import('../../platform/observability/log.ts'),
    import('../../tenants/cells/move/cells.ts'),
    import('../../tenants/cells/store.ts'),
  ]);
  const log = openLog(config.logLevel);
  const open = (cell: Cell): OpenCell => openForMove(cell, log);
  const home = open({ name: homeName, engine: 'POSTGRESQL', url: homeUrl });
  const all = [home];
  try {
    const secrets = await secretBoxOf(config, secretHint);
    const cells = await listCells(home.database, homeUrl, secrets);
    for (const cell of cells.slice(1)) all.push(open(cell));
    return await work({ home, all }, secrets);
  } finally {
    await Promise.all(all.map(({ database }) => database.close()));
  }
}

const secretHint =
  'Addresses of cells are encrypted with it: set the key that the gateway runs with.';
