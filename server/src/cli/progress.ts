import type { OnProgress } from '../platform/backup/format.ts';
import { formatBytes, formatCount } from './output.ts';

const gapMs = 100;

/** Shows on stderr how far it is, in one line that goes away in the end; nothing where that is no terminal. */
export async function withProgress<T>(
  what: string,
  run: (onProgress: OnProgress) => Promise<T>,
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
    return await run(({ table, rows, bytes }) => {
      const nowMs = performance.now();
      if (nowMs - shownAtMs < gapMs) return;
      shownAtMs = nowMs;
      show(`${what} ${table}: ${formatCount(rows)} rows, ${formatBytes(bytes)}`);
    });
  } finally {
    show('');
  }
}
