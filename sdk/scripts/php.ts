import type {
  Answer,
  Description,
  EnumType,
  Field,
  FieldType,
  Model,
  Operation,
  Resource,
} from './description.ts';

const head = `<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);
`;

const indent = (lines: string, depth = 1) => lines.replaceAll(/^(?=.)/gm, '    '.repeat(depth));

const text = (value: string) => `'${value.replaceAll(/['\\]/g, '\\$&')}'`;

const upperFirst = (name: string) => name.replace(/^./, (letter) => letter.toUpperCase());

/** `created_gte` becomes `createdGte`. */
const camel = (name: string) =>
  name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

const classOf = (path: string) => `${path.split('.').map(upperFirst).join('')}Resource`;

const comment = (lines: string[]) => {
  const said = lines.filter((line) => line !== '').map((line) => line.replaceAll('*/', '* /'));
  if (said.length === 0) return '';
  return said.length === 1
    ? `/** ${said[0]} */\n`
    : `/**\n${said.map((line) => ` * ${line}\n`).join('')} */\n`;
};

/** The type of PHP, without null. */
function nativeType(type: FieldType): string {
  switch (type.kind) {
    case 'string':
      return 'string';
    case 'integer':
    case 'money':
      return 'int';
    case 'boolean':
      return 'bool';
    case 'instant':
      return '\\DateTimeImmutable';
    case 'object':
    case 'list':
      return 'array';
    case 'enum':
      return `${type.name}|string`;
    default:
      return type.name;
  }
}

/** The type of an array's values, which PHP itself cannot express. */
const documentedType = (type: FieldType): string => {
  if (type.kind === 'object') return 'array<string, mixed>';
  return type.kind === 'list' ? `list<${documentedType(type.of)}>` : nativeType(type);
};

const orNull = (type: string, isNull: boolean) => (isNull ? `${type}|null` : type);

function readValue(type: FieldType, value: string): string {
  switch (type.kind) {
    case 'money':
      return `Read::money(${value})`;
    case 'instant':
      return `Read::instant(${value})`;
    case 'enum':
      return `${type.name}::tryFrom(${value}) ?? ${value}`;
    case 'model':
      return `${type.name}::fromJson(${value})`;
    case 'list': {
      const of = readValue(type.of, '$each');
      return of === '$each'
        ? value
        : `array_map(static fn (${type.of.kind === 'model' ? 'array' : 'string'} $each) => ${of}, ${value})`;
    }
    default:
      return value;
  }
}

function readField({ name, type, isNullable, isRequired }: Field): string {
  const value = `$raw[${text(name)}]`;
  const read = readValue(type, value);
  if (isRequired && !isNullable) return read;
  return read === value ? `${value} ?? null` : `isset(${value}) ? ${read} : null`;
}

const used = (body: string, names: readonly string[]) =>
  names.filter((name) => new RegExp(`\\b${name}\\b`).test(body));

const file = (namespace: string, uses: string[], body: string) =>
  `${head}\nnamespace ${namespace};\n${
    uses.length > 0
      ? `\n${uses
          .toSorted()
          .map((name) => `use ${name};\n`)
          .join('')}`
      : ''
  }\n${body}`;

function enumFile({ name, values }: EnumType): string {
  const cases = values.map(
    (value) =>
      `case ${value
        .split(/\W|_/)
        .map((word) => upperFirst(word.toLowerCase()))
        .join('')} = ${text(value)};`,
  );
  return file('Zimbo\\Model', [], `enum ${name}: string\n{\n${indent(cases.join('\n'))}\n}\n`);
}

function modelFile({ name, description, fields }: Model): string {
  const parameters = fields.map((field) => {
    const isNull = field.isNullable || !field.isRequired;
    const documented = documentedType(field.type);
    const isArray = documented !== nativeType(field.type);
    const about = comment([field.description, isArray ? `@var ${orNull(documented, isNull)}` : '']);
    return `${about}public readonly ${orNull(nativeType(field.type), isNull)} $${field.name},`;
  });
  const reads = fields.map((field) => `${readField(field)},`);
  const body = `${comment([description])}final class ${name}
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
${indent(parameters.join('\n'), 2)}
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
${indent(reads.join('\n'), 3)}
            $raw,
        );
    }
}
`;
  return file('Zimbo\\Model', /\bRead::/.test(body) ? ['Zimbo\\Read'] : [], body);
}

function inputFile({ name, description, fields }: Model): string {
  const parameters = fields.map((field) => {
    const isNull = field.isNullable || !field.isRequired;
    return `${comment([field.description])}public readonly ${orNull(nativeType(field.type), isNull)} $${field.name}${field.isRequired ? '' : ' = null'},`;
  });
  const entries = fields.map(({ name: key }) => `${text(key)} => $this->${key},`);
  const body = `${comment([description])}final class ${name} implements \\JsonSerializable
{
    public function __construct(
${indent(parameters.join('\n'), 2)}
    ) {
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return array_filter([
${indent(entries.join('\n'), 3)}
        ], static fn (mixed $value): bool => $value !== null);
    }
}
`;
  return file('Zimbo\\Model', [], body);
}

function eventReaderFile({ events }: Description): string {
  const cases = events.map(({ type, model }) => `${text(type)} => ${model}::fromJson($data),`);
  const models = [...new Set(events.map(({ model }) => model))];
  const body = `/** @internal What the events of each type carry. */
final class EventData
{
    /**
     * @param array<string, mixed> $data
     * @return ${models.join('|')}|array<string, mixed> the fields as they arrived for a type that this version does not know
     */
    public static function read(string $type, array $data): ${models.join('|')}|array
    {
        return match ($type) {
${indent(cases.join('\n'), 3)}
            default => $data,
        };
    }
}
`;
  return file('Zimbo\\Model', [], body);
}

const isPages = ({ kind }: Answer) => kind === 'page' || kind === 'eventPage';
const itemOf = (answer: Answer) => ('name' in answer ? answer.name : 'Event');

function answerType(answer: Answer): { native: string; documented?: string } {
  if (isPages(answer)) return { native: 'Pages', documented: `Pages<${itemOf(answer)}>` };
  if (answer.kind === 'list') return { native: 'array', documented: `list<${answer.name}>` };
  if (answer.kind === 'csv') return { native: 'string' };
  return { native: answer.kind === 'none' ? 'void' : itemOf(answer) };
}

function argumentType({ type, isNullable, isRequired }: Field): string {
  const native = type.kind === 'instant' ? '\\DateTimeInterface|string' : nativeType(type);
  return `${orNull(native, isNullable)}${isRequired ? '' : '|Omitted'}`;
}

function argumentComment({ name, type, isNullable, isRequired, description }: Field): string {
  const documented = documentedType(type);
  const native = type.kind === 'instant' ? '\\DateTimeInterface|string' : documented;
  return `@param ${orNull(native, isNullable)}${isRequired ? '' : '|Omitted'} $${camel(name)} ${description}`.trim();
}

function method({
  method: name,
  httpMethod,
  path,
  pathNames,
  query,
  body,
  hasBody,
  takesKey,
  answer,
  description,
}: Operation): string {
  const given = [...body, ...query].toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const parameters = [
    ...pathNames.map((each) => `string $${each},`),
    ...given.map(
      (field) =>
        `${argumentType(field)} $${camel(field.name)}${field.isRequired ? '' : ' = Omitted::Value'},`,
    ),
    ...(takesKey ? ['?string $idempotencyKey = null,'] : []),
    '?float $timeoutSeconds = null,',
  ];
  const entries = (fields: Field[]) =>
    `[${fields.map((field) => `${text(field.name)} => ${field.type.kind === 'object' ? `Write::map($${camel(field.name)})` : `$${camel(field.name)}`}`).join(', ')}]`;
  const filled = `[${pathNames.map((each) => `${text(each)} => $${each}`).join(', ')}]`;
  const parts = [
    `${text(httpMethod)}`,
    pathNames.length === 0 ? text(path) : `Write::path(${text(path)}, ${filled})`,
    ...(query.length > 0 ? [`query: Write::given(${entries(query)})`] : []),
    ...(hasBody ? [`body: Write::given(${entries(body)})`] : []),
    ...(takesKey ? ['takesKey: true', 'idempotencyKey: $idempotencyKey'] : []),
    'timeoutSeconds: $timeoutSeconds',
  ];
  const { native, documented } = answerType(answer);
  const model = itemOf(answer);
  const request = `$request = new Request(${parts.join(', ')});`;
  const body_ = {
    page: `return new Pages($this->transport, $request, ${model}::fromJson(...));`,
    eventPage: `return new Pages($this->transport, $request, ${model}::fromJson(...));`,
    list: `return array_map(${model}::fromJson(...), $this->transport->json($request)['data']);`,
    csv: 'return $this->transport->text($request);',
    none: '$this->transport->text($request);',
    event: `return ${model}::fromJson($this->transport->json($request));`,
    model: `return ${model}::fromJson($this->transport->json($request));`,
  }[answer.kind];
  const about = comment([
    description,
    ...given.map(argumentComment),
    ...(documented === undefined ? [] : [`@return ${documented}`]),
    '@throws ZimboException',
  ]);
  return `${about}public function ${name}(\n${indent(parameters.join('\n'))}\n): ${native} {\n${indent(`${request}\n${body_}`)}\n}`;
}

function resourceFile(
  { path, operations }: Resource,
  all: Resource[],
  names: readonly string[],
): string {
  const inner = all.filter((other) => other.path.startsWith(`${path}.`));
  const nameOf = (below: string) => below.slice(path.length + 1);
  const properties = inner.map(
    (below) => `public readonly ${classOf(below.path)} $${nameOf(below.path)};`,
  );
  const made = inner.map(
    (below) => `$this->${nameOf(below.path)} = new ${classOf(below.path)}($transport);`,
  );
  const construct =
    `public function __construct(private readonly Transport $transport)\n{\n${indent(made.join('\n'))}\n}`.replace(
      '{\n\n}',
      '{\n}',
    );
  const members = [
    ...(properties.length > 0 ? [properties.join('\n')] : []),
    construct,
    ...operations.map(method),
  ];
  const body = `final class ${classOf(path)}\n{\n${indent(members.join('\n\n'))}\n}\n`;
  const own = ['Omitted', 'Pages', 'Request', 'Transport', 'Write', 'ZimboException', 'Event'];
  const uses = [
    ...used(body, names).map((name) => `Zimbo\\Model\\${name}`),
    ...used(body, own).map((name) => `Zimbo\\${name}`),
  ];
  return file('Zimbo\\Resource', uses, body);
}

function withParents(resources: Resource[]): Resource[] {
  const parents = resources.flatMap(({ path }) => path.split('.').slice(0, -1).join('.') || []);
  const missing = [...new Set(parents)].filter(
    (path) => !resources.some((each) => each.path === path),
  );
  return [...resources, ...missing.map((path) => ({ path, operations: [] }))];
}

function resourcesFile(resources: Resource[]): string {
  const top = resources.filter(({ path }) => !path.includes('.'));
  const properties = top.map(({ path }) => `public readonly Resource\\${classOf(path)} $${path};`);
  const made = top.map(
    ({ path }) => `$this->${path} = new Resource\\${classOf(path)}($transport);`,
  );
  const body = `/** @internal The resources of a client. */
abstract class Resources
{
${indent(properties.join('\n'))}

    protected function __construct(Transport $transport)
    {
${indent(made.join('\n'), 2)}
    }
}
`;
  return file('Zimbo', [], body);
}

/** The generated files of sdk/php/src, by their paths there. */
export function phpFiles(description: Description): Record<string, string> {
  const { enums, models, inputs } = description;
  const resources = withParents(description.resources);
  const names = [...enums, ...models, ...inputs].map(({ name }) => name);
  return Object.fromEntries([
    ...enums.map((each) => [`Model/${each.name}.php`, enumFile(each)]),
    ...models.map((each) => [`Model/${each.name}.php`, modelFile(each)]),
    ...inputs.map((each) => [`Model/${each.name}.php`, inputFile(each)]),
    ['Model/EventData.php', eventReaderFile(description)],
    ...resources.map((each) => [
      `Resource/${classOf(each.path)}.php`,
      resourceFile(each, resources, names),
    ]),
    ['Resources.php', resourcesFile(resources)],
  ]);
}
