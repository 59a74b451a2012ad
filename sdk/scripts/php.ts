import type { Description, EnumType, Field, FieldType, Model } from './description.ts';
import {
  classOf,
  comment,
  documentedType,
  file,
  indent,
  nativeType,
  orNull,
  text,
  upperFirst,
} from './php-parts.ts';
import { resourceFile, resourcesFile } from './php-resources.ts';

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

/** The generated files of sdk/php/src, by their paths there. */
export function phpFiles(description: Description): Record<string, string> {
  const { enums, models, inputs, resources } = description;
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
