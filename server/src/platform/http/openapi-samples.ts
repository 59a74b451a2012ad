import type { RecordedOperation } from './openapi-examples.ts';

/** Code of `x-codeSamples`, which reference viewers show beside an operation. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** The environment variables from which samples take the gateway's address and the key. */
export interface SampleVariables {
  url: string;
  key: string;
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The recorded request, as code needs it. */
interface Sample {
  variables: SampleVariables;
  method: string;
  /** With its query. */
  path: string;
  /** Without the key, which all samples send in the same way. */
  headers: [name: string, value: string][];
  body: Json | undefined;
  /** The file in the working directory whose content is the body, instead of JSON. */
  file: string | undefined;
  answers: 'JSON' | 'text' | 'nothing';
}

/** The file that a sample sends: a body that is a text. */
export const sampleFile = ({ body, query }: RecordedOperation['request']): string | undefined =>
  typeof body === 'string' ? (query?.file_name ?? 'statement.csv') : undefined;

/**
 * Programs that send the recorded request of an operation. Each is complete, and needs only what its language brings
 * along.
 */
export function samplesOf(
  { method, path }: { method: string; path: string },
  { request, answer, answerType }: RecordedOperation,
  variables: SampleVariables,
): CodeSample[] {
  const file = sampleFile(request);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(request.path![name]!),
  );
  const query = new URLSearchParams(request.query).toString();
  const headers = Object.entries(request.headers ?? {}).map(([name, value]): [string, string] => [
    name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    value,
  ]);
  if (request.body !== undefined)
    headers.push(['Content-Type', file === undefined ? 'application/json' : 'text/csv']);
  const sample: Sample = {
    variables,
    method: method.toUpperCase(),
    path: query === '' ? filled : `${filled}?${query}`,
    headers,
    body: file === undefined ? (request.body as Json | undefined) : undefined,
    file,
    answers: answer === undefined ? 'nothing' : answerType === undefined ? 'JSON' : 'text',
  };
  return [
    { lang: 'shell', label: 'curl', source: curl(sample) },
    { lang: 'javascript', label: 'JavaScript', source: javascript(sample) },
    { lang: 'php', label: 'PHP', source: php(sample) },
    { lang: 'python', label: 'Python', source: python(sample) },
    { lang: 'go', label: 'Go', source: go(sample) },
  ];
}

const indent = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);
const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

/** JSON in the notation of a language. */
interface Notation {
  text: (value: string) => string;
  constants: { true: string; false: string; null: string };
  key: (name: string) => string;
  object: [open: string, close: string];
  step: string;
}

function literal(value: Json, notation: Notation): string {
  const { object, step, key, text, constants } = notation;
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return String(value);
  if (value === null || typeof value === 'boolean') return constants[`${value}`];
  const inner = (one: Json) => indent(literal(one, notation), step);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : object;
  const members = Array.isArray(value)
    ? value.map(inner)
    : Object.entries(value).map(([name, member]) => `${key(name)}${inner(member)}`);
  return `${open}\n${members.map((member) => `${step}${member},\n`).join('')}${close}`;
}

function curl({ variables, method, path, headers, body, file }: Sample): string {
  const hasBody = body !== undefined || file !== undefined;
  const isPlain = method === 'GET' || (method === 'POST' && hasBody);
  const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    `curl ${isPlain ? '' : `-X ${method} `}"$${variables.url}${path}"`,
    `-H "Authorization: Bearer $${variables.key}"`,
    ...headers.map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${shell(JSON.stringify(body, null, 2))}`]),
    ...(file === undefined ? [] : [`--data-binary ${shell(`@${file}`)}`]),
  ].join(' \\\n  ');
}

const ofJavascript: Notation = {
  text: quoted,
  constants: { true: 'true', false: 'false', null: 'null' },
  key: (name) => `${/^\w+$/.test(name) ? name : quoted(name)}: `,
  object: ['{', '}'],
  step: '  ',
};

function javascript({ variables, method, path, headers, body, file, answers }: Sample): string {
  const shown = {
    JSON: 'console.log(await answer.json());',
    text: 'console.log(await answer.text());',
    nothing: 'console.log(answer.status);',
  };
  const lines = [
    ...(file === undefined ? [] : ["import { readFile } from 'node:fs/promises';\n"]),
    `const answer = await fetch(\`\${process.env.${variables.url}}${path}\`, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    `    Authorization: \`Bearer \${process.env.${variables.key}}\`,`,
    ...headers.map(([name, value]) => `    ${ofJavascript.key(name)}${quoted(value)},`),
    '  },',
    ...(body === undefined
      ? []
      : [`  body: JSON.stringify(${indent(literal(body, ofJavascript), '  ')}),`]),
    ...(file === undefined ? [] : [`  body: await readFile(${quoted(file)}),`]),
    '});',
    'if (!answer.ok) throw new Error(await answer.text());',
    shown[answers],
  ];
  return lines.join('\n');
}

const ofPhp: Notation = {
  text: quoted,
  constants: ofJavascript.constants,
  key: (name) => `${quoted(name)} => `,
  object: ['[', ']'],
  step: '    ',
};

function php({ variables, method, path, headers, body, file }: Sample): string {
  const lines = [
    '<?php',
    "$context = stream_context_create(['http' => [",
    `    'method' => '${method}',`,
    "    'header' => [",
    `        'Authorization: Bearer ' . getenv('${variables.key}'),`,
    ...headers.map(([name, value]) => `        ${quoted(`${name}: ${value}`)},`),
    '    ],',
    ...(body === undefined
      ? []
      : [`    'content' => json_encode(${indent(literal(body, ofPhp), '    ')}),`]),
    ...(file === undefined ? [] : [`    'content' => file_get_contents(${quoted(file)}),`]),
    "    'ignore_errors' => true,",
    ']]);',
    `echo file_get_contents(getenv('${variables.url}') . ${quoted(path)}, false, $context);`,
  ];
  return lines.join('\n');
}

const ofPython: Notation = {
  text: (value) => JSON.stringify(value),
  constants: { true: 'True', false: 'False', null: 'None' },
  key: (name) => `${JSON.stringify(name)}: `,
  object: ['{', '}'],
  step: '    ',
};

function python({ variables, method, path, headers, body, file, answers }: Sample): string {
  const shown = {
    JSON: 'print(json.load(answer))',
    text: 'print(answer.read().decode())',
    nothing: 'print(answer.status)',
  };
  const modules = [
    ...(body !== undefined || answers === 'JSON' ? ['json'] : []),
    'os',
    ...(file === undefined ? [] : ['pathlib']),
    'urllib.request',
  ];
  const lines = [
    `import ${modules.join(', ')}`,
    '',
    'request = urllib.request.Request(',
    `    os.environ["${variables.url}"] + ${JSON.stringify(path)},`,
    `    method="${method}",`,
    '    headers={',
    `        "Authorization": "Bearer " + os.environ["${variables.key}"],`,
    ...headers.map(([name, value]) => `        "${name}": ${JSON.stringify(value)},`),
    '    },',
    ...(body === undefined
      ? []
      : [`    data=json.dumps(${indent(literal(body, ofPython), '    ')}).encode(),`]),
    ...(file === undefined ? [] : [`    data=pathlib.Path(${JSON.stringify(file)}).read_bytes(),`]),
    ')',
    'with urllib.request.urlopen(request) as answer:',
    `    ${shown[answers]}`,
  ];
  return lines.join('\n');
}

const fail = '\tif err != nil {\n\t\tlog.Fatal(err)\n\t}';

/** What makes the body in Go, and the package that it needs. */
function goBody({ body, file }: Sample): { lines: string[]; packages: string[] } {
  if (file !== undefined) {
    const lines = [
      `\tfile, err := os.ReadFile(${JSON.stringify(file)})`,
      fail,
      '\tbody := bytes.NewReader(file)',
    ];
    return { lines, packages: ['bytes'] };
  }
  if (body === undefined) return { lines: [], packages: [] };
  const text = JSON.stringify(body, null, 2);
  return { lines: [`\tbody := strings.NewReader(\`${text}\`)`], packages: ['strings'] };
}

function go(sample: Sample): string {
  const { variables, method, path, headers } = sample;
  const { lines: body, packages } = goBody(sample);
  const imported = ['fmt', 'io', 'log', 'net/http', 'os', ...packages].sort();
  const set = (name: string, value: string) => `\trequest.Header.Set("${name}", ${value})`;
  const lines = [
    'package main\n',
    `import (\n${imported.map((name) => `\t"${name}"`).join('\n')}\n)\n`,
    'func main() {',
    ...body,
    `\trequest, err := http.NewRequest("${method}", os.Getenv("${variables.url}")+${JSON.stringify(path)}, ${body.length === 0 ? 'nil' : 'body'})`,
    fail,
    set('Authorization', `"Bearer "+os.Getenv("${variables.key}")`),
    ...headers.map(([name, value]) => set(name, JSON.stringify(value))),
    '\tanswer, err := http.DefaultClient.Do(request)',
    fail,
    '\tdefer answer.Body.Close()',
    '\ttext, err := io.ReadAll(answer.Body)',
    fail,
    '\tfmt.Println(answer.Status, string(text))',
    '}',
  ];
  return lines.join('\n');
}
