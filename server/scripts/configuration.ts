import {
  countries,
  countryCodes,
  liveOperatorNames,
  operatorCatalogue,
  operatorNames,
} from '../src/platform/config/operator-catalogue.ts';
import { secretsOf } from '../src/platform/config/secret-files.ts';
import { type Variable, variables } from '../src/platform/config/variables.ts';

/** Every operator has the same settings, so one row stands for all of them. */
const shownOperator = liveOperatorNames[0]!;
const otherOperators = operatorNames.filter((name) => name !== shownOperator);
const secretFiles = secretsOf(variables).map((name) => `${name}_FILE`);

/** Whether a row of the page is about this setting alone. */
export const isShown = (name: string): boolean =>
  !secretFiles.includes(name) && !otherOperators.some((operator) => name.includes(operator));

/** `OPERATOR_…_URL` instead of the name of one operator. */
export const forAny = (text: string): string =>
  text.replaceAll(`_${shownOperator}`, '_…').replaceAll(shownOperator, 'the operator');

/** The text of docs/configuration.md, from the table that the gateway reads its settings by. */
export function configurationPage(): string {
  const all: [string, Variable<unknown>][] = Object.entries(variables);
  const groups = Map.groupBy(all, ([, { group }]) => group);
  const sections = [...groups].map(([group, members]) => {
    const shown = members.filter(([name]) => isShown(name));
    const rows = shown.map(([name, variable]) => forAny(rowOf(name, variable)));
    const listed = group === 'Operators' ? `${operatorsTable()}\n\n${operatorsHint}\n\n` : '';
    return `## ${group}\n\n${listed}| Variable | Default | What it is | Must be | Example |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `${introduction}\n${sections.join('\n')}\n${severalProcesses}`;
}

const perProcessNames = Object.entries<Variable<unknown>>(variables)
  .filter(([, { perProcess }]) => perProcess)
  .map(([name]) => name);

const severalProcesses = `## Several processes

Processes that share a database need the same settings. Once a minute, each process compares its own settings with those of the others (secrets by keyed digests) and reports differences in its log, in the metric \`zimbo_settings_differing\`, and in [zimbo doctor](monitoring.md#zimbo-doctor). It also reports processes that run another version of the program. These may differ: ${perProcessNames.filter(isShown).map(forAny).map(code).join(', ')}, and the names of secrets' files (\`…_FILE\`).

On one machine, \`ZIMBO_PROCESSES\` starts [several processes behind one port](runbooks/several-gateways.md#on-one-machine). They share these limits:

- One limit for the machine: \`RATE_LIMIT\`, \`RATE_LIMIT_UNAUTHORIZED\`, \`PAGE_ATTEMPTS_PER_ADDRESS\`, \`PAGE_STREAMS\`, and every other limit of requests by key, address, link, callback or session, and of open pages.
- Divided among the processes, at least one each: \`DATABASE_CONNECTIONS\` and \`OPERATOR_…_MAX_CALLS\`. During a restart by SIGHUP, one more share is in use.
- Separate in each process: memory for large requests, for deliveries and for waiting payments; and deliveries in flight, per endpoint and in all.

\`/readyz\` returns 200 as soon as one process serves; the others follow within seconds.
`;

const operatorsHint = `Write the name of the operator instead of \`…\`, as in \`OPERATOR_${shownOperator}_URL\` and \`FEE_${shownOperator}\`. \`FEE_MOCK\` is the fee of payments through MOCK.`;

const introduction = `<!-- Written by "npm run docs"; the texts are in server/src/platform/config/variables.ts. -->

# Configuration

Settings are environment variables, read when the gateway starts. An empty variable counts as not set. The gateway reports all mistakes at once, and treats an unknown variable that begins with \`ZIMBO_\` or with an operator's name (\`OPERATOR_${shownOperator}_\`) as a typo. Commands (\`zimbo keys\`, \`zimbo ledger\` …) read the same settings, so give them the same environment; most work without ZIMBO_SECRET_KEY, and the others say that they need it.

You can keep each secret in a file of up to 64 KiB, and name the file in the variable with \`_FILE\` at its end: \`DATABASE_URL_FILE=/run/secrets/database-url\`. A line break at the end of the file does not count. The secrets are ${secretsOf(variables).filter(isShown).map(forAny).map(code).join(', ')}.

You need no settings to try Zimbo. To use your own PostgreSQL:

\`\`\`sh
export DATABASE_URL=postgres://zimbo:secret@localhost/zimbo
export ZIMBO_SECRET_KEY=$(openssl rand -base64 32)   # keep it
npm start
\`\`\`
`;

function rowOf(name: string, variable: Variable<unknown>): string {
  const { default: value, otherwise = '', about, kind, example } = variable;
  const cells = [
    code(name),
    value === undefined ? otherwise : code(value),
    about,
    kind.rule,
    example,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** The catalogue of operators. */
function operatorsTable(): string {
  const rows = liveOperatorNames.map((name) => {
    const { label, prefixes } = operatorCatalogue[name];
    const at = countryCodes.filter((country) => prefixes[country]);
    return `| ${name} | ${label} | ${at.map((country) => countries[country].name).join(', ')} |`;
  });
  return ['| Operator | Customers call it | Countries |', '|---|---|---|', ...rows].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}
