import {
  countries,
  countryCodes,
  liveOperatorNames,
  operatorCatalogue,
} from '../config/catalogue.ts';
import { type Variable, variables } from '../platform/config-variables.ts';
import { ownSettings } from '../platform/shared-settings.ts';

/** The text of docs/configuration.md, from the table that the gateway reads its settings by. */
export function configurationPage(): string {
  const all: [string, Variable<unknown>][] = Object.entries(variables);
  const groups = Map.groupBy(all, ([, { group }]) => group);
  const sections = [...groups].map(([group, members]) => {
    const rows = members.map(([name, variable]) => rowOf(name, variable));
    const listed = group === 'Operators' ? `${operatorsTable()}\n\n` : '';
    return `## ${group}\n\n${listed}| Variable | Default | What it is | Must be | Example |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `${introduction}\n${sections.join('\n')}\n${severalProcesses}`;
}

const severalProcesses = `## Several processes

Processes that share a database need the same settings. Once a minute each compares its own with those of the others, secrets by keyed digests, and tells a difference: in its log, as \`zimbo_settings_differing\`, and in [zimbo doctor](doctor.md). So it does with another version of the program. Each may have its own ${ownSettings.map(code).join(', ')}.
`;

const introduction = `<!-- Written by "npm run docs"; the texts are in server/src/platform/config-variables.ts. -->

# Configuration

Settings are environment variables, read at the start. An empty one counts as not set. What is wrong is told all at once, and an unknown variable that begins with \`ZIMBO_\` or with the name of an operator (\`OPERATOR_${liveOperatorNames[0]}_\`) is taken for a typo. The commands (\`zimbo keys\`, \`zimbo ledger\` …) read the same settings, so give them the same environment; only \`zimbo secrets\`, \`zimbo doctor\` and \`zimbo restore\` need ZIMBO_SECRET_KEY, too.

Nothing needs to be set for a first try. To run on a PostgreSQL of yours:

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
