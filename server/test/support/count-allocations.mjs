/*
 * Preloaded into a process. On SIGUSR2, prints how many bytes it has allocated on the JavaScript
 * heap since its start, and the number of the request. V8's optimizer is off: its savings depend on
 * timing, and without it the same code allocates the same amount.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

for (const flag of ['--no-opt', '--no-maglev', '--no-lazy-feedback-allocation'])
  setFlagsFromString(flag);

let asked = 0;

process.on('SIGUSR2', () => {
  asked += 1;
  console.log(`allocated ${asked}: ${getHeapStatistics().total_allocated_bytes}`);
});
