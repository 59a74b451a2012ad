import { styleText } from 'node:util';
import type { Config } from '../config/config.ts';
import { addressOf } from '../postgres/address.ts';
import { calledAs } from './called-as.ts';

export interface BannerFacts {
  version: string;
  /** If the gateway listens. */
  url: string;
  /** If the docs are, if not there. */
  operationsUrl?: string | undefined;
  demoKey: string | undefined;
  hasMerchants: boolean | undefined;
  /** Signs a newcomer in to the console. */
  firstLink?: string | undefined;
  databaseLocation: string | undefined;
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'role' | 'processes' | 'operators'>;
}

/** What a person sees when the gateway is ready. Colours are left out where they would not be shown. */
export function banner(facts: BannerFacts, command = calledAs()): string {
  const { version, url, operationsUrl, demoKey, firstLink, hasMerchants, config } = facts;
  const fields: Record<string, string> = {
    Gateway: url,
    'API docs': `${operationsUrl ?? url}/docs`,
    ...(operationsUrl !== undefined && { Metrics: `${operationsUrl}/metrics` }),
    Data: dataOf(facts),
  };
  const operators = Object.keys(config.operators);
  if (operators.length > 0) fields.Operators = operators.join(', ');
  else if (config.databaseUrl) fields.Operators = 'none, so there are no live payments yet';
  if (config.role !== 'all') fields.Role = config.role;
  if (config.processes > 1) fields.Processes = String(config.processes);
  if (demoKey !== undefined) fields['Test key'] = demoKey;
  const lines = Object.entries(fields).map(
    ([name, value]) => `  ${styleText('dim', name.padEnd(10))}${value}`,
  );
  return `
  ${styleText('bold', `Zimbo ${version}`)}

${lines.join('\n')}

${firstLink === undefined ? '' : welcome(firstLink)}${demoKey === undefined ? nextStep(command, hasMerchants) : firstPayment(url, demoKey)}
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

const nextStep = (command: string, hasMerchants: boolean | undefined) =>
  hasMerchants
    ? `  To see whether all is in order:

${command} doctor`
    : `  Create a merchant and a test key:

${command} merchants create --name "My shop"
${command} keys create --merchant ID --mode test`;
