/*
 * Preloaded into a process: told by SIGUSR2, it prints how many bytes it has allocated in the heap of JavaScript
 * since its start, with a number that counts the questions. What V8 saves by optimizing depends on when it does:
 * without, the same code allocates the same.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

for (const flag of ['--no-opt', '--no-maglev', '--no-lazy-feedback-allocation'])
  setFlagsFromString(flag);

let asked = 0;

process.on('SIGUSR2', () => {
  asked += 1;
  console.log(`allocated ${asked}: ${getHeapStatistics().total_allocated_bytes}`);
});
