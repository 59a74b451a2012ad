import { styleText } from 'node:util';
import type { Config } from '../config/config.ts';
import { addressOf } from '../postgres/address.ts';

export interface BannerFacts {
  version: string;
  /** If the gateway listens. */
  url: string;
  /** If the docs are, if not there. */
  operationsUrl?: string | undefined;
  demoKey: string | undefined;
  /** Signs a newcomer in to the console. */
  firstLink?: string | undefined;
  databaseLocation: string | undefined;
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'role' | 'processes'>;
}

/** What a person sees when the gateway is ready. Colours are left out where they would not be shown. */
export function banner(facts: BannerFacts): string {
  const { version, url, operationsUrl, demoKey, firstLink, config } = facts;
  const fields: Record<string, string> = {
    Gateway: url,
    'API docs': `${operationsUrl ?? url}/docs`,
    ...(operationsUrl !== undefined && { Metrics: `${operationsUrl}/metrics` }),
    Data: dataOf(facts),
  };
  if (config.role !== 'all') fields.Role = config.role;
  if (config.processes > 1) fields.Processes = String(config.processes);
  if (demoKey !== undefined) fields['Test key'] = demoKey;
  const lines = Object.entries(fields).map(
    ([name, value]) => `  ${styleText('dim', name.padEnd(10))}${value}`,
  );
  return `
  ${styleText('bold', `Zimbo ${version}`)}

${lines.join('\n')}

${firstLink === undefined ? '' : welcome(firstLink)}${demoKey === undefined ? keyHelp : firstPayment(url, demoKey)}
`;
}

function dataOf({ databaseLocation, config }: BannerFacts): string {
  if (config.databaseUrl !== undefined) return `PostgreSQL at ${addressOf(config.databaseUrl)}`;
  const elsewhere =
    databaseLocation === undefined || databaseLocation.startsWith(config.dataDir)
      ? ''
      : `, database in ${databaseLocation}`;
  return `${config.dataDir} (embedded PostgreSQL${elsewhere})`;
}

const welcome = (
  link: string,
) => `  The console, in your browser (the link works once, for 15 minutes):

${link}

`;

function firstPayment(url: string, key: string): string {
  const body = '{"amount": 10000, "operator": "MOCK", "operatorPhone": "+2389912345"}';
  const headers = `-H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json'`;
  return `  A first payment, of 100.00 CVE:

curl -sS ${url}/v1/payments ${headers} -d '${body}'`;
}

const keyHelp = `  Create a merchant and a test key:

npx zimbo merchants create --name "My shop"
npx zimbo keys create --merchant ID --mode test`;
