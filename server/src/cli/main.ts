// temporary
import { pino } from 'pino';
import { loadConfig } from '../platform/config.ts';
import { startGateway } from '../start.ts';

const config = loadConfig(process.env);
const gateway = await startGateway(config, pino({ level: config.logLevel }, pino.destination(2)));
console.log(gateway.url, gateway.demoKey);
for (const s of ['SIGINT', 'SIGTERM'] as const)
  process.once(s, () => void gateway.stop().then(() => process.exit(0)));
