import { DomainError } from '../errors/errors.ts';

/** Runs the work of one key in the order of calls, with limited concurrency; other keys do not wait. */
export type Turns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export interface TurnLimits {
  /** The concurrency of one key. */
  running: number;
  /** The maximum number of waiting calls. */
  waiting: number;
  longestWaitMs: number;
}

export const defaultTurnLimits: TurnLimits = { running: 1, waiting: 1_000, longestWaitMs: 20_000 };

interface Line {
  running: number;
  waiting: (() => void)[];
}

/**
 * For work that would wait in the database anyway: here it waits without occupying a connection. Excess work is refused
 * with RATE_LIMITED.
 */
export function createTurns(given: Partial<TurnLimits> = {}): Turns {
  const limits = { ...defaultTurnLimits, ...given };
  const lines = new Map<string, Line>();
  return async (key, work) => {
    const line = lines.get(key) ?? { running: 0, waiting: [] };
    lines.set(key, line);
    // Work that is called takes over the place of what has ended, so that nothing comes in between.
    if (line.running >= limits.running) await called(line, limits);
    else line.running += 1;
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else line.running -= 1;
      if (line.running === 0) lines.delete(key);
    }
  };
}

function called({ waiting }: Line, limits: TurnLimits): Promise<void> {
  if (waiting.length >= limits.waiting) throw crowded();
  return new Promise((resolve, reject) => {
    const call = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(call), 1);
      reject(crowded());
    }, limits.longestWaitMs);
    waiting.push(call);
  });
}

const crowded = () =>
  new DomainError('RATE_LIMITED', 'Too many of these requests at once. Try again in 1 s.');
