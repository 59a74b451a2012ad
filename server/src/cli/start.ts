import { flushCompileCache } from 'node:module';
import { constants } from 'node:os';
import type { Command } from 'commander';
import type { Config } from '../platform/config/config.ts';
import { version } from '../platform/process/version.ts';
import { banner } from './banner.ts';

/**
 * On our own PostgreSQL without live keys, the gateway is on trial, and nobody ships its log anywhere: only what is
 * wrong is worth a line after the banner. Undefined: as `openLog` decides.
 */
const levelOf = ({ databaseUrl, allowLiveEmbedded }: Config) =>
  databaseUrl === undefined && !allowLiveEmbedded ? 'warn' : undefined;

/** npm passes Ctrl-C on to a program that has already got it from the terminal: this echo is not a second Ctrl-C. */
const echoMs = 300;

export function addStartCommand(program: Command): void {
  program
    .command('start')
    .description('run the gateway, with its own PostgreSQL unless DATABASE_URL is set')
    .addHelpText('after', startHelp)
    .action(start);
}

const hangupIgnored =
  'SIGHUP restarts the processes of a gateway with ZIMBO_PROCESSES above 1 once it has started; to restart this one, stop it and start it again';

const startHelp = `
Settings come from environment variables, all described in docs/configuration.md.
Logs go to stderr as JSON lines. Ctrl-C stops the gateway; pressed again, it stops at once.
With ZIMBO_PROCESSES above 1, SIGHUP restarts its processes one after the other.

Examples:
  $ zimbo start
  $ PORT=8080 zimbo start 2>gateway.log
  $ DATABASE_URL=postgres://zimbo:secret@db.internal/zimbo ZIMBO_SECRET_KEY=… zimbo start`;

async function start(): Promise<void> {
  const { loadConfig } = await import('../platform/config/config.ts');
  const config = loadConfig(process.env);
  const isOne = config.processes === 1;
  const [{ pino }, { openLog }, { startGateway }] = await Promise.all([
    import('pino'),
    import('../platform/observability/log.ts'),
    isOne ? import('../app/start.ts') : import('../app/processes/start.ts'),
  ]);
  const log = openLog(
    config.logLevel ?? levelOf(config),
    pino.destination({ dest: 2, sync: false }),
  );
  const stopping = Promise.withResolvers<void>();
  let restart: (() => Promise<void>) | undefined;
  // From a terminal, SIGHUP means that the terminal is gone, and ends the program as usual.
  if (!process.stdin.isTTY) {
    process.on('SIGHUP', () => {
      if (restart) void restart();
      else console.log(hangupIgnored);
    });
  }
  const starting = startGateway(config, log);
  // With a database server nothing else needs to be stopped, so a start that waits for it can just end.
  let leavesNothing = config.databaseUrl !== undefined;
  onStopSignal((exitCode) => {
    if (leavesNothing) process.exit(exitCode);
    console.log('Stopping; finishing work in progress first.');
    stopping.resolve();
  });
  const gateway = await starting;
  leavesNothing = false;
  restart = gateway.restart;
  console.log(banner({ version, config, ...gateway }));
  // Otherwise the compile cache is written at the end, and a killed gateway writes nothing. This takes 150 ms once,
  // then 2 ms.
  flushCompileCache();
  try {
    await Promise.race([stopping.promise, gateway.failed ?? stopping.promise]);
    await gateway.letGo?.();
  } finally {
    await gateway.stop();
  }
  process.exit(0);
}

/** Calls back at the first signal; a second signal ends the process at once. */
export function onStopSignal(stop: (exitCode: number) => void): void {
  let firstAtMs: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const exitCode = 128 + constants.signals[signal];
    process.on(signal, () => {
      const nowMs = performance.now();
      if (firstAtMs === undefined) {
        firstAtMs = nowMs;
        stop(exitCode);
      } else if (nowMs - firstAtMs > echoMs) {
        process.exit(exitCode);
      }
    });
  }
}
