import type { RecordedOperation } from './openapi-examples.ts';

/** Code of `x-codeSamples`, which reference viewers show beside an operation. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The recorded request, as code needs it. */
interface Sample {
  method: string;
  /** With its query. */
  path: string;
  /** Without the key and the media type, which all samples send in the same way. */
  headers: [name: string, value: string][];
  body: Json | undefined;
  answers: 'JSON' | 'text' | 'nothing';
}

/**
 * Programs that send the recorded request of an operation. Each is complete, needs only what its language brings along,
 * and takes the gateway's address and the key from ZIMBO_URL and ZIMBO_API_KEY.
 */
export function samplesOf(method: string, path: string, recorded: RecordedOperation): CodeSample[] {
  const { request, answer, answerType } = recorded;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(request.path![name]!),
  );
  const query = new URLSearchParams(request.query).toString();
  const headers = Object.entries(request.headers ?? {}).map(([name, value]): [string, string] => [
    name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    value,
  ]);
  const sample: Sample = {
    method: method.toUpperCase(),
    path: query === '' ? filled : `${filled}?${query}`,
    headers,
    body: request.body as Json | undefined,
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

function curl({ method, path, headers, body }: Sample): string {
  const isPlain = method === 'GET' || (method === 'POST' && body !== undefined);
  const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    `curl ${isPlain ? '' : `-X ${method} `}"$ZIMBO_URL${path}"`,
    '-H "Authorization: Bearer $ZIMBO_API_KEY"',
    ...headers.map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${shell(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

const ofJavascript: Notation = {
  text: quoted,
  constants: { true: 'true', false: 'false', null: 'null' },
  key: (name) => `${/^\w+$/.test(name) ? name : quoted(name)}: `,
  object: ['{', '}'],
  step: '  ',
};

function javascript({ method, path, headers, body, answers }: Sample): string {
  const shown = {
    JSON: 'console.log(await answer.json());',
    text: 'console.log(await answer.text());',
    nothing: 'console.log(answer.status);',
  };
  const lines = [
    `const answer = await fetch(\`\${process.env.ZIMBO_URL}${path}\`, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    `    Authorization: \`Bearer \${process.env.ZIMBO_API_KEY}\`,`,
    ...headers.map(([name, value]) => `    ${ofJavascript.key(name)}${quoted(value)},`),
    ...(body === undefined ? [] : ["    'Content-Type': 'application/json',"]),
    '  },',
    ...(body === undefined
      ? []
      : [`  body: JSON.stringify(${indent(literal(body, ofJavascript), '  ')}),`]),
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

function php({ method, path, headers, body }: Sample): string {
  const lines = [
    '<?php',
    "$context = stream_context_create(['http' => [",
    `    'method' => '${method}',`,
    "    'header' => [",
    "        'Authorization: Bearer ' . getenv('ZIMBO_API_KEY'),",
    ...headers.map(([name, value]) => `        ${quoted(`${name}: ${value}`)},`),
    ...(body === undefined ? [] : ["        'Content-Type: application/json',"]),
    '    ],',
    ...(body === undefined
      ? []
      : [`    'content' => json_encode(${indent(literal(body, ofPhp), '    ')}),`]),
    "    'ignore_errors' => true,",
    ']]);',
    `echo file_get_contents(getenv('ZIMBO_URL') . ${quoted(path)}, false, $context);`,
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

function python({ method, path, headers, body, answers }: Sample): string {
  const shown = {
    JSON: 'print(json.load(answer))',
    text: 'print(answer.read().decode())',
    nothing: 'print(answer.status)',
  };
  const needsJson = body !== undefined || answers === 'JSON';
  const lines = [
    `import ${needsJson ? 'json, ' : ''}os, urllib.request`,
    '',
    'request = urllib.request.Request(',
    `    os.environ["ZIMBO_URL"] + ${JSON.stringify(path)},`,
    `    method="${method}",`,
    '    headers={',
    '        "Authorization": "Bearer " + os.environ["ZIMBO_API_KEY"],',
    ...headers.map(([name, value]) => `        "${name}": ${JSON.stringify(value)},`),
    ...(body === undefined ? [] : ['        "Content-Type": "application/json",']),
    '    },',
    ...(body === undefined
      ? []
      : [`    data=json.dumps(${indent(literal(body, ofPython), '    ')}).encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as answer:',
    `    ${shown[answers]}`,
  ];
  return lines.join('\n');
}

const fail = '\tif err != nil {\n\t\tlog.Fatal(err)\n\t}';

function go({ method, path, headers, body }: Sample): string {
  const packages = [
    'fmt',
    'io',
    'log',
    'net/http',
    'os',
    ...(body === undefined ? [] : ['strings']),
  ];
  const set = (name: string, value: string) => `\trequest.Header.Set("${name}", ${value})`;
  const lines = [
    'package main\n',
    `import (\n${packages.map((name) => `\t"${name}"`).join('\n')}\n)\n`,
    'func main() {',
    ...(body === undefined
      ? []
      : [`\tbody := strings.NewReader(\`${JSON.stringify(body, null, 2)}\`)`]),
    `\trequest, err := http.NewRequest("${method}", os.Getenv("ZIMBO_URL")+${JSON.stringify(path)}, ${body === undefined ? 'nil' : 'body'})`,
    fail,
    set('Authorization', '"Bearer "+os.Getenv("ZIMBO_API_KEY")'),
    ...headers.map(([name, value]) => set(name, JSON.stringify(value))),
    ...(body === undefined ? [] : [set('Content-Type', '"application/json"')]),
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
