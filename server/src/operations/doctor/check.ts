import { reasonOf } from '../../platform/errors/errors.ts';
import { StartError } from '../../platform/errors/start-error.ts';

/** The result of a check: a figure, and advice unless all is well. */
export type Finding =
  | { status: 'ok'; figure: string }
  | { status: 'warning' | 'error'; figure: string; advice: string };

export interface Check {
  name: string;
  run: () => Promise<Finding>;
  /** The time limit, in milliseconds. */
  limitMs?: number;
  /** The finding if it takes longer; by default, an error. */
  whenLate?: Finding;
}

export type Result = Finding & { group: string; name: string };

export const ok = (figure: string): Finding => ({ status: 'ok', figure });
export const warning = (figure: string, advice: string): Finding => ({
  status: 'warning',
  figure,
  advice,
});
export const failure = (figure: string, advice: string): Finding => ({
  status: 'error',
  figure,
  advice,
});

const usualLimitMs = 10_000;
const slowAdvice = 'The database is slow or does not answer: check its load and its log.';

/** Runs a check to its end or its limit; an exception counts as an error. */
export async function runCheck({
  run,
  limitMs = usualLimitMs,
  whenLate = failure(`no result after ${limitMs / 1_000} s`, slowAdvice),
}: Check): Promise<Finding> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding>((resolve) => {
    timer = setTimeout(() => resolve(whenLate), limitMs);
  });
  try {
    return await Promise.race([run(), late]);
  } catch (error) {
    return thrown(error);
  } finally {
    clearTimeout(timer);
  }
}

function thrown(error: unknown): Finding {
  if (error instanceof StartError)
    return failure(error.message, error.hint ?? 'See docs/configuration.md.');
  const reason = error instanceof Error ? reasonOf(error) : String(error);
  return failure(reason, 'Check that PostgreSQL runs, and what DATABASE_URL says.');
}
