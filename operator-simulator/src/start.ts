import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { StartError } from '../../server/src/platform/errors/start-error.ts';
import { type Clock, systemClock } from '../../server/src/platform/process/clock.ts';
import { Access, type AccessSettings } from './access.ts';
import { Commits } from './commits.ts';
import { Faults, type Rates } from './faults.ts';
import { Provider } from './provider.ts';
import type { ProviderSettings } from './provider-settings.ts';
import { basePath } from './routes.ts';
import { simulatorServer } from './serve.ts';
import { Store } from './store.ts';
import { Timetable } from './timetable.ts';

export interface OperatorSimulatorOptions {
  provider: ProviderSettings;
  access: Omit<AccessSettings, 'secret'>;
  /** Undefined: made at the first start, and kept. */
  secret: string | undefined;
  host: string;
  port: number;
  dataDir: string;
  faults: Rates;
  seed: number;
  /** How long an answer takes that no fault befalls. */
  answerMs: number;
  slowMs: number;
  silenceMs: number;
  /** After which the client gives up, and how close to that an answer comes that is late by design. */
  clientTimeoutMs: number;
  edgeMs: number;
  /** Left out: that of the machine. */
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
  const timetable = new Timetable({ store, commits, provider, clock, log, faults });
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
    wake: () => timetable.wake(),
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      store.close();
      const words = `The operator simulator cannot listen on ${host}:${port} (${error.code}).`;
      reject(new StartError(words, 'Choose another one with --port or --host.'));
    });
    server.listen(port, host, resolve);
  });
  timetable.wake();
  const shownHost = host.includes(':') ? `[${host}]` : host;
  const origin = `http://${shownHost}:${(server.address() as AddressInfo).port}`;
  return {
    url: origin + basePath,
    origin,
    secret,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await Promise.all([closed, timetable.stop()]);
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
