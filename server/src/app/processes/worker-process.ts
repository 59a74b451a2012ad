import cluster, { type Worker } from 'node:cluster';
import { StartError } from '../../platform/errors/start-error.ts';
import { version } from '../../platform/process/version.ts';
import type { FromWorker, Told, ToWorker } from './messages.ts';
import { reclaimConnections } from './reclaim-connections.ts';

/** One worker process, from its start to its end. */
export class WorkerProcess {
  readonly slot: number;
  readonly pid: number | undefined;
  /** Resolves once it answers requests; rejects with the reason if it cannot. */
  readonly ready: Promise<Told>;
  /** Resolves with the way it ended. */
  readonly ended: Promise<string>;
  /** Whether it should stop. */
  isLeaving = false;
  #worker: Worker;

  constructor(
    begin: { slot: number; storageUrl: string; isFirst: boolean },
    hear: (message: FromWorker, worker: WorkerProcess) => void,
  ) {
    const worker = cluster.fork();
    this.#worker = worker;
    this.slot = begin.slot;
    this.pid = worker.process.pid;
    reclaimConnections(worker);
    // A message that cannot be sent means that the worker has ended, which is handled below.
    worker.on('error', () => {});
    const { promise: ready, resolve, reject } = Promise.withResolvers<Told>();
    // Callers that wait get the error; nobody waits for a replacement.
    ready.catch(() => {});
    this.ready = ready;
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'HELLO') {
        if (message.version === version) this.tell({ type: 'BEGIN', ...begin });
        else reject(otherVersion(message.version));
      } else if (message.type === 'READY') resolve(message.gateway);
      else if (message.type === 'FAILED') reject(new StartError(message.message, message.hint));
      else hear(message, this);
    });
    const { promise: ended, resolve: end } = Promise.withResolvers<string>();
    this.ended = ended;
    worker.on('exit', (code, signal) => {
      const how = signal ? `killed by ${signal}` : `exit code ${code}`;
      reject(new StartError(`A process of the gateway ended before it was ready (${how}).`));
      end(how);
    });
  }

  /** Finishes work in progress first. */
  stop(how: 'STOP' | 'LEAVE'): void {
    this.isLeaving = true;
    this.tell({ type: how });
  }

  kill(): void {
    this.isLeaving = true;
    this.#worker.process.kill('SIGKILL');
  }

  tell(message: ToWorker): void {
    if (this.#worker.isConnected()) this.#worker.send(message);
  }
}

const otherVersion = (found: string) =>
  new StartError(
    `The program on disk is now version ${found}; this process runs ${version}.`,
    'Restart the gateway as a whole: a new version may have migrations.',
  );
