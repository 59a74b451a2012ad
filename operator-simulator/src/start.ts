import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { StartError } from '../../server/src/platform/errors/start-error.ts';
import { type Clock, systemClock } from '../../server/src/platform/process/clock.ts';
import { Access, type AccessSettings } from './access.ts';
import { Commits } from './commits.ts';
import { DueWork } from './due-work.ts';
import { Faults, type Rates } from './faults.ts';
import { Provider } from './provider.ts';
import type { ProviderSettings } from './provider-settings.ts';
import { basePath } from './routes.ts';
import { simulatorServer } from './serve.ts';
import { Store } from './store.ts';

export interface OperatorSimulatorOptions {
  provider: ProviderSettings;
  access: Omit<AccessSettings, 'secret'>;
  /** Undefined: created at the first start, and stored. */
  secret: string | undefined;
  host: string;
  port: number;
  dataDir: string;
  faults: Rates;
  seed: number;
  /** The delay of an answer without a fault. */
  answerMs: number;
  slowMs: number;
  silenceMs: number;
  /** The client's timeout, and how close to it a borderline answer comes. */
  clientTimeoutMs: number;
  edgeMs: number;
  /** Default: the machine's time zone. */
  clock?: Clock;
}

export interface RunningSimulator {
  /** The base URL of the API. */
  url: string;
  origin: string;
  secret: string;
  stop(): Promise<void>;
}

/** @throws StartError if the data cannot be opened, or the port is taken */
export async function startOperatorSimulator(
  options: OperatorSimulatorOptions,
  log: Logger,
): Promise<RunningSimulator> {
  const { provider: settings, dataDir, host, port } = options;
  const { clock = systemClock, answerMs, slowMs, silenceMs, clientTimeoutMs, edgeMs } = options;
  const store = openStore(dataDir);
  const secret = options.secret ?? keptSecret(store);
  const commits = new Commits(store);
  const faults = new Faults(options.faults, options.seed);
  const provider = new Provider({ store, settings, faults, clock, newId: randomUUID });
  const { account } = settings;
  const dueWork = new DueWork({ store, commits, provider, clock, log, faults });
  const server = simulatorServer({
    provider,
    commits,
    store,
    faults,
    account,
    log,
    answerMs,
    slowMs,
    silenceMs,
    clientTimeoutMs,
    edgeMs,
    access: new Access({ ...options.access, secret }),
    nowMs: () => clock.nowMs(),
    wake: () => dueWork.wake(),
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      store.close();
      const words = `The operator simulator cannot listen on ${host}:${port} (${error.code}).`;
      reject(new StartError(words, 'Choose another one with --port or --host.'));
    });
    server.listen(port, host, resolve);
  });
  dueWork.wake();
  const shownHost = host.includes(':') ? `[${host}]` : host;
  const origin = `http://${shownHost}:${(server.address() as AddressInfo).port}`;
  return {
    url: origin + basePath,
    origin,
    secret,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await Promise.all([closed, dueWork.stop()]);
      store.close();
    },
  };
}

function openStore(dataDir: string): Store {
  try {
    return Store.open(dataDir);
  } catch (error) {
    const { message } = error as Error;
    const words = `The data of the operator simulator in ${dataDir} cannot be opened: ${message}.`;
    throw new StartError(words, 'Choose another folder with --data-dir, or empty this one.');
  }
}

const keptSecret = (store: Store) =>
  store.keepSetting('secret', `sim_${randomBytes(18).toString('base64url')}`);
