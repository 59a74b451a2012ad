import cluster from 'node:cluster';
import { flushCompileCache } from 'node:module';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/config.ts';
import { reasonOf } from '../../platform/errors/errors.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import type { MetricJson } from '../../platform/observability/aggregate-metrics.ts';
import { version } from '../../platform/process/version.ts';
import { type GatewayOfProcess, type RunOptions, runGateway } from '../run.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { PrimaryLink } from './primary-link.ts';
import { sharedMachine } from './worker-resources.ts';
import { settingsOfSlot } from './worker-settings.ts';

/**
 * One of several processes: answers requests on the primary's port and does its share of the work, until the primary
 * tells it to stop. Without a primary it ends at once, as node:cluster does.
 */
export async function runWorker(
  config: Config,
  { log, timing }: Pick<RunOptions, 'log' | 'timing'>,
): Promise<never> {
  // A terminal and systemd send signals to all processes, but the primary decides.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  // A message that cannot be sent means that the primary has ended: this process ends as soon as it notices.
  cluster.worker!.on('error', () => {});
  const orders = Promise.withResolvers<'STOP' | 'LEAVE'>();
  const link = new PrimaryLink((message) => void tell(message));
  let metrics = async (): Promise<MetricJson[]> => [];
  const begun = Promise.withResolvers<Extract<ToWorker, { type: 'BEGIN' }>>();
  process.on('message', (message: ToWorker) => {
    if (message.type === 'BEGIN') begun.resolve(message);
    else if (message.type === 'ANSWER') link.answered(message);
    else if (message.type === 'METRICS') void tellMetrics(message.id, metrics);
    else orders.resolve(message.type);
  });
  void tell({ type: 'HELLO', version });
  const { storageUrl, slot, isFirst } = await begun.promise;
  const storage = { url: storageUrl, close: async () => {} };
  const settings = settingsOfSlot(config, slot);
  let gateway: GatewayOfProcess;
  try {
    const machine = sharedMachine(config, link);
    gateway = await runGateway(storage, { config: settings, log, timing, machine, isFirst });
    ({ metrics } = gateway);
  } catch (error) {
    await tellFailure(error, log);
    process.exit(1);
  }
  const { url, operationsUrl, demoKey, firstLink, hasMerchants } = gateway;
  void tell({ type: 'READY', gateway: { url, operationsUrl, demoKey, firstLink, hasMerchants } });
  flushCompileCache();
  if ((await orders.promise) === 'LEAVE') await gateway.leave();
  else await gateway.letGo();
  await gateway.stop();
  await tellMetrics(0, metrics);
  process.exit(0);
}

/** The primary keeps the last counts for the processes that follow. */
async function tellMetrics(id: number, metrics: () => Promise<MetricJson[]>): Promise<void> {
  await tell({ type: 'METRICS', id, metrics: await metrics() });
}

/** @returns when the message is sent: a process that ends earlier would lose it */
function tell(message: FromWorker): Promise<void> {
  return new Promise((resolve) => process.send!(message, () => resolve()));
}

/** Any other error is a bug, so the log shows its stack. */
function tellFailure(error: unknown, log: Logger): Promise<void> {
  const isStartError = error instanceof StartError;
  if (!isStartError) log.fatal({ err: error }, 'a process cannot start');
  const [message, hint] = isStartError
    ? [error.message, error.hint]
    : [reasonOf(error as Error), undefined];
  return tell({ type: 'FAILED', message, hint });
}
