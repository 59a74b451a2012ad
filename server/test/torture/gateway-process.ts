/** A gateway as `zimbo start` runs it, with shorter times, so that leases end within a round. */
import { pino } from 'pino';
import { loadConfig } from '../../src/platform/config/config.ts';

const config = loadConfig(process.env);
const log = pino({ level: config.logLevel ?? 'info' }, pino.destination({ dest: 2, sync: true }));
const { startGateway } =
  config.processes === 1
    ? await import('../../src/app/start.ts')
    : await import('../../src/app/processes/start.ts');
const { url } = await startGateway(config, log, {
  firstBackoffMs: 1_000,
  maxBackoffMs: 4_000,
  deliveryTimeoutMs: 3_000,
  settlementLeaseMs: 8_000,
  // So often that a fold is always in progress when a process is killed.
  foldIntervalMs: 20,
});
process.send!(url);
// Its parent has ended.
process.on('disconnect', () => process.exit(1));
