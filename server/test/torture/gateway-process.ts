/** A gateway as `zimbo start` runs it, with shorter times, so that leases end within a round. */
import { pino } from 'pino';
import { loadConfig } from '../../src/platform/config.ts';
import { startGateway } from '../../src/start.ts';

const config = loadConfig(process.env);
const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
const { url } = await startGateway(config, log, {
  firstAskGapMs: 1_000,
  longestAskGapMs: 4_000,
  deliveryTimeoutMs: 3_000,
  settlementLeaseMs: 8_000,
});
process.send!(url);
// Whoever started it is gone.
process.on('disconnect', () => process.exit(1));
