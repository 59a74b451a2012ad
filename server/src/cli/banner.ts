import { join } from 'node:path';
import { styleText } from 'node:util';
import type { Config } from '../platform/config/config.ts';
import { addressOf } from '../platform/postgres/address.ts';
import { calledAs } from './command-name.ts';

export interface BannerFacts {
  version: string;
  /** The URL of the gateway. */
  url: string;
  /** The URL of the docs, if different. */
  operationsUrl?: string | undefined;
  demoKey: string | undefined;
  hasMerchants: boolean | undefined;
  /** The link that signs a new user in to the console. */
  firstLink?: string | undefined;
  databaseLocation: string | undefined;
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'role' | 'processes' | 'operators'>;
}

/**
 * The text that a person sees when the gateway is ready, with colours only where they work. @param isTerminal files and
 * journals keep their content, so for them the banner shows no secrets, only their locations
 */
export function banner(
  facts: BannerFacts,
  isTerminal = process.stdout.isTTY === true,
  command = calledAs(),
): string {
  const { version, url, operationsUrl, demoKey, firstLink, hasMerchants, config } = facts;
  const demoFile = join(config.dataDir, 'demo.env');
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
  if (demoKey !== undefined) fields['Test key'] = isTerminal ? demoKey : demoFile;
  const lines = Object.entries(fields).map(
    ([name, value]) => `  ${styleText('dim', name.padEnd(10))}${value}`,
  );
  const steps = [];
  if (firstLink !== undefined) steps.push(isTerminal ? welcome(firstLink) : ownLink(command));
  if (demoKey === undefined) steps.push(nextStep(command, hasMerchants));
  else steps.push(isTerminal ? firstPayment(url, demoKey) : firstPaymentWith(demoFile));
  return `
  ${styleText('bold', `Zimbo ${version}`)}

${lines.join('\n')}

${steps.join('\n\n')}
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

${link}`;

const ownLink = (command: string) => `  A link to the console, with the ID of the merchant Demo:

${command} merchants list
${command} people invite --merchant ID --role owner EMAIL`;

const firstPayment = (url: string, key: string) => `  A first payment, of 100.00 CVE:

curl -sS ${url}/v1/payments -H 'Authorization: Bearer ${key}' ${paymentJson}`;

const firstPaymentWith = (
  demoFile: string,
) => `  A first payment, of 100.00 CVE, with the test key of that file:

. ${quoted(demoFile)}
curl -sS "$ZIMBO_URL/v1/payments" -H "Authorization: Bearer $ZIMBO_API_KEY" ${paymentJson}`;

const paymentJson =
  '-H \'Content-Type: application/json\' -d \'{"amount": 10000, "operator": "MOCK", "operatorPhone": "+2389912345"}\'';

/** Quoted for a shell. */
const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`;

const nextStep = (command: string, hasMerchants: boolean | undefined) =>
  hasMerchants
    ? `  To check that everything is in order:

${command} doctor`
    : `  Create a merchant and a test key:

${command} merchants create --name "My shop"
${command} keys create --merchant ID --mode test`;
