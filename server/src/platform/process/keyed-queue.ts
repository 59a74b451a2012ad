import { DomainError } from '../errors/errors.ts';

/** Work of one key runs in the order of the calls, a little of it at once; work of other keys does not wait for it. */
export type Turns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export interface TurnLimits {
  /** How much work of one key is under way at once. */
  running: number;
  /** How much of it waits. */
  waiting: number;
  longestWaitMs: number;
}

export const defaultTurnLimits: TurnLimits = { running: 1, waiting: 1_000, longestWaitMs: 20_000 };

interface Line {
  running: number;
  waiting: (() => void)[];
}

/**
 * For what would wait in the database anyway: here it waits without a connection that others could use.
 * Work that would wait in vain is refused with RATE_LIMITED.
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
