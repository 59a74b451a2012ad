import type { Queryable } from '../../platform/postgres/database.ts';

const usualIntervalMs = 5_000;
const mostUnanswered = 2;

export interface Silence {
  signal: AbortSignal;
  /** Listens no more. */
  end(): void;
}

/**
 * Aborts when a database leaves two questions in a row without an answer: what migrates it may take hours, and would
 * wait for a frozen one for ever.
 */
export function hearSilence(database: Queryable, intervalMs = usualIntervalMs): Silence {
  const silent = new AbortController();
  let unanswered = 0;
  let isAsking = false;
  const ask = async () => {
    if (isAsking) return;
    isAsking = true;
    const answers = await database.query({ text: 'SELECT' }).then(
      () => true,
      () => false,
    );
    isAsking = false;
    unanswered = answers ? 0 : unanswered + 1;
    if (unanswered >= mostUnanswered) silent.abort(new Error('the database does not answer'));
  };
  const timer = setInterval(() => void ask(), intervalMs);
  return { signal: silent.signal, end: () => clearInterval(timer) };
}
