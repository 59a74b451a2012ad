import type { OnProgress } from '../operations/backup/format.ts';
import { formatBytes, formatCount } from './output.ts';

const intervalMs = 100;

/** Shows progress on stderr, in one line that disappears at the end; nothing if stderr is not a terminal. */
export function withProgress<T>(
  what: string,
  run: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  return withLine((say) =>
    run(({ table, rows, bytes }) =>
      say(() => `${what} ${table}: ${formatCount(rows)} rows, ${formatBytes(bytes)}`),
    ),
  );
}

/** The same with the caller's text, requested as often as a person can read it. */
export async function withLine<T>(
  run: (say: (words: () => string) => void) => Promise<T>,
): Promise<T> {
  const { stderr } = process;
  if (!stderr.isTTY) return run(() => {});
  let shownAtMs = Number.NEGATIVE_INFINITY;
  const show = (text: string) => {
    stderr.cursorTo(0);
    stderr.clearLine(1);
    stderr.write(text);
  };
  try {
    return await run((words) => {
      const nowMs = performance.now();
      if (nowMs - shownAtMs < intervalMs) return;
      shownAtMs = nowMs;
      show(words());
    });
  } finally {
    show('');
  }
}
