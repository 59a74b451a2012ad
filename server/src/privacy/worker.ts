import { DueLoop } from '../platform/due-loop.ts';
import { applyErasures, type ErasureParts, eraseDue, shareErasures } from './erasures.ts';

const gapMs = 3_600_000;

/**
 * Erases what erasures were waiting for. At the start it also looks for erasures that the database lacks, since
 * it may have been restored.
 */
export class PrivacyWorker {
  #loop: DueLoop;

  constructor(parts: ErasureParts) {
    const { clock, log } = parts;
    const gaps = { shortestGapMs: gapMs, longestGapMs: gapMs };
    const claim = async () => {
      await shareErasures(parts);
      await applyErasures(parts);
      const { erased } = await eraseDue(parts);
      if (erased > 0)
        log.info({ payments: erased }, 'personal data whose time had come are erased');
      return 0;
    };
    this.#loop = new DueLoop({ name: 'privacy', clock, log, claim, ...gaps });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }
}
