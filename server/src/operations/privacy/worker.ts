import { Poller } from '../../platform/jobs/poller.ts';
import { applyErasures, type ErasureDependencies, eraseDue, shareErasures } from './erasures.ts';

const intervalMs = 3_600_000;

/**
 * Erases data that erasures were waiting for. At the start it also looks for missing erasures, since the database may
 * have been restored.
 */
export class PrivacyWorker {
  #loop: Poller;

  constructor(dependencies: ErasureDependencies) {
    const { clock, log } = dependencies;
    const intervals = { minIntervalMs: intervalMs, maxIntervalMs: intervalMs };
    const claim = async () => {
      await shareErasures(dependencies);
      await applyErasures(dependencies);
      const { erased } = await eraseDue(dependencies);
      if (erased > 0) log.info({ payments: erased }, 'personal data past its retention was erased');
      return 0;
    };
    this.#loop = new Poller({ name: 'privacy', clock, log, claim, ...intervals });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }
}
