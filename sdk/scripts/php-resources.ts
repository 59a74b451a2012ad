import {
  type Answer,
  type Field,
  isPages,
  itemOf,
  type Operation,
  type Resource,
} from './description.ts';
import {
  camel,
  classOf,
  comment,
  documentedType,
  file,
  indent,
  nativeType,
  orNull,
  text,
  used,
} from './php-parts.ts';

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
  requiresKey,
  answer,
  description,
}: Operation): string {
  const given = [...body, ...query];
  const parameter = (field: Field) =>
    `${argumentType(field)} $${camel(field.name)}${field.isRequired ? '' : ' = Omitted::Value'},`;
  const parameters = [
    ...pathNames.map((each) => `string $${each},`),
    ...given.filter(({ isRequired }) => isRequired).map(parameter),
    ...(requiresKey ? ['string $idempotencyKey,'] : []),
    ...given.filter(({ isRequired }) => !isRequired).map(parameter),
    ...(takesKey && !requiresKey ? ['?string $idempotencyKey = null,'] : []),
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
    list: `return $this->transport->json($request, static fn (array $answer): array => array_map(${model}::fromJson(...), $answer['data']));`,
    csv: 'return $this->transport->text($request);',
    none: '$this->transport->text($request);',
    event: `return $this->transport->json($request, ${model}::fromJson(...));`,
    model: `return $this->transport->json($request, ${model}::fromJson(...));`,
  }[answer.kind];
  const about = comment([
    description,
    ...given.map(argumentComment),
    ...(documented === undefined ? [] : [`@return ${documented}`]),
    '@throws ZimboException',
  ]);
  return `${about}public function ${name}(\n${indent(parameters.join('\n'))}\n): ${native} {\n${indent(`${request}\n${body_}`)}\n}`;
}

export function resourceFile(
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

export function resourcesFile(resources: Resource[]): string {
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
