import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type Invariant, invariants } from './broken-invariant.ts';
import { type SeedOptions, type SeedResult, Simulation } from './simulation.ts';

export interface Played {
  steps: number;
  /** How often each dial took effect. */
  counts: Readonly<Record<string, number>>;
  /** The broken invariant with its story; undefined if none was broken. */
  words: string | undefined;
  invariant: Invariant | undefined;
}

/** Plays seeds in its own thread, on its own database. */
export class Player {
  #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  static open(url: string): Player {
    // Most of the garbage of a step dies young: a larger young generation collects less.
    const resourceLimits = { maxYoungGenerationSizeMb: 96 };
    return new Player(new Worker(new URL(import.meta.url), { workerData: url, resourceLimits }));
  }

  play(options: SeedOptions): Promise<Played> {
    return new Promise((resolve, reject) => {
      this.#worker.removeAllListeners();
      this.#worker.once('message', resolve);
      this.#worker.once('error', reject);
      this.#worker.postMessage(options);
    });
  }

  async close(): Promise<void> {
    this.#worker.removeAllListeners();
    await this.#worker.terminate();
  }
}

function wordsOf({ broken, story, dials }: SeedResult): string | undefined {
  if (!broken) return undefined;
  const { invariant, message } = broken;
  return [
    `\n${story.join('\n')}\n`,
    `The dials: ${JSON.stringify(dials)}`,
    `BrokenInvariant: ${invariant} (${invariants[invariant]})`,
    `  ${message}\n`,
  ].join('\n');
}

if (!isMainThread) {
  const simulation = await Simulation.open(workerData as string);
  parentPort!.on('message', async (options: SeedOptions) => {
    const result = await simulation.play(options);
    const played: Played = {
      steps: result.steps,
      counts: result.counts.byName,
      words: wordsOf(result),
      invariant: result.broken?.invariant,
    };
    parentPort!.postMessage(played);
  });
}
