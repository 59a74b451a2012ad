import {
  type Description,
  type EnumType,
  type Field,
  type FieldType,
  isPages,
  type Model,
  type Operation,
  type Resource,
} from './description.ts';

const head =
  '# Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.';

/** `operatorPhone` and `created_gte` both become names of Python. */
const snake = (name: string) => {
  const text = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return ['from', 'global', 'class'].includes(text) ? `${text}_` : text;
};

/** `checkout.sessions` becomes `CheckoutSessionsResource`. */
const classOf = (path: string) =>
  `${path.replaceAll(/(?:^|\.)(\w)/g, (_all, letter: string) => letter.toUpperCase())}Resource`;

const text = (value: string) => JSON.stringify(value);

const indent = (lines: string, depth = 1) => lines.replaceAll(/^(?=.)/gm, '    '.repeat(depth));

/** A documentation string, which must not end the string itself. */
function docstring(description: string): string {
  const safe = description.replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  return `"""${safe}${/["\\]$/.test(safe) ? ' ' : ''}"""`;
}

function typeOf(type: FieldType): string {
  switch (type.kind) {
    case 'string':
      return 'str';
    case 'integer':
    case 'money':
      return 'int';
    case 'boolean':
      return 'bool';
    case 'instant':
      return 'datetime';
    case 'object':
      return 'Mapping[str, Any]';
    case 'list':
      return `Sequence[${typeOf(type.of)}]`;
    default:
      return type.name;
  }
}

const annotation = ({ type, isNullable, isRequired }: Field) =>
  isNullable || !isRequired ? `${typeOf(type)} | None` : typeOf(type);

/** The reader of a value, as an expression; undefined for values that stay as they are. */
function reader(type: FieldType): string | undefined {
  switch (type.kind) {
    case 'money':
      return 'int';
    case 'instant':
      return 'instant';
    case 'enum':
      return type.name;
    case 'model':
      return `${type.name}.from_json`;
    case 'list': {
      const of = reader(type.of);
      return of === undefined ? undefined : `each(${of})`;
    }
    default:
      return undefined;
  }
}

function readField({ name, type, isNullable, isRequired }: Field): string {
  const read = reader(type);
  if (isRequired && !isNullable) {
    const value = `raw[${text(name)}]`;
    return read === undefined ? value : `${read}(${value})`;
  }
  const value = `raw.get(${text(name)})`;
  return read === undefined ? value : `optional(${read}, ${value})`;
}

function enumClass({ name, values }: EnumType): string {
  const members = values.map(
    (value) => `${value.toUpperCase().replaceAll(/\W/g, '_')} = ${text(value)}`,
  );
  return `class ${name}(OpenEnum):\n${indent(members.join('\n'))}\n`;
}

function modelClass({ name, description, fields }: Model): string {
  const declared = fields.map((field) => {
    const said = field.description === '' ? '' : `\n${docstring(field.description)}`;
    return `${snake(field.name)}: ${annotation(field)}${said}`;
  });
  const reads = fields.map((field) => `${snake(field.name)}=${readField(field)},`);
  const intro = description === '' ? '' : `${docstring(description)}\n\n`;
  const body = `${intro}${declared.join('\n')}
raw: Mapping[str, Any] = field(repr=False, compare=False)
"""The object as it arrived, with fields that this version does not know."""

@classmethod
def from_json(cls, raw: Mapping[str, Any]) -> ${name}:
    return cls(
${indent(reads.join('\n'), 2)}
        raw=raw,
    )`;
  return `@dataclass(frozen=True, slots=True, kw_only=True)\nclass ${name}:\n${indent(body)}\n`;
}

function inputClass({ name, description, fields }: Model): string {
  const declared = fields.map((field) => {
    const said = field.description === '' ? '' : `\n${docstring(field.description)}`;
    return `${snake(field.name)}: ${annotation(field)}${field.isRequired ? '' : ' = None'}${said}`;
  });
  const entries = fields.map(({ name: key }) => `${text(key)}: self.${snake(key)},`);
  const intro = description === '' ? '' : `${docstring(description)}\n\n`;
  const body = `${intro}${declared.join('\n')}

def to_json(self) -> dict[str, Any]:
    return without_none({
${indent(entries.join('\n'), 2)}
    })`;
  return `@dataclass(frozen=True, slots=True, kw_only=True)\nclass ${name}:\n${indent(body)}\n`;
}

/** The text of sdk/python/src/zimbo/_models.py. */
export function pythonModels({ enums, models, inputs, events }: Description): string {
  const carried = [...new Set(events.map(({ model }) => model))];
  const readers = events.map(({ type, model }) => `    ${text(type)}: ${model}.from_json,`);
  return `${head}
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ._values import OpenEnum, each, instant, optional, without_none

${enums.map(enumClass).join('\n\n')}

${models.map(modelClass).join('\n\n')}

${inputs.map(inputClass).join('\n\n')}

EventObject = ${carried.join(' | ')}

EVENT_READERS: dict[str, Callable[[Mapping[str, Any]], EventObject]] = {
${readers.join('\n')}
}
`;
}

const answerType = ({ answer }: Operation, isAsync: boolean): string => {
  const list = isAsync ? 'AsyncPages' : 'Pages';
  if (answer.kind === 'page') return `${list}[${answer.name}]`;
  if (answer.kind === 'eventPage') return `${list}[Event]`;
  if (answer.kind === 'list') return `list[${answer.name}]`;
  if (answer.kind === 'event') return 'Event';
  if (answer.kind === 'csv') return 'str';
  return 'name' in answer ? answer.name : 'None';
};

const answerReader = ({ answer }: Operation): string => {
  if (answer.kind === 'event' || answer.kind === 'eventPage') return 'Event.from_json';
  if (answer.kind === 'csv') return 'as_text';
  if (!('name' in answer)) return 'as_nothing';
  return answer.kind === 'list' ? `items(${answer.name}.from_json)` : `${answer.name}.from_json`;
};

const argumentType = (field: Field) => {
  const loose = (type: FieldType): string => {
    if (type.kind === 'enum') return `${type.name} | str`;
    if (type.kind === 'instant') return 'datetime | str';
    return type.kind === 'list' ? `Sequence[${loose(type.of)}]` : typeOf(type);
  };
  const type = field.isNullable ? `${loose(field.type)} | None` : loose(field.type);
  return field.isRequired ? type : `${type} | Omitted`;
};

function method(operation: Operation, isAsync: boolean): string {
  const { query, body, pathNames, takesKey, requiresKey, httpMethod, path, hasBody } = operation;
  const given = [...body, ...query].toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const named = given.map(
    (field) =>
      `${snake(field.name)}: ${argumentType(field)}${field.isRequired ? '' : ' = OMITTED'},`,
  );
  const options = [
    ...(takesKey ? [`idempotency_key: ${requiresKey ? 'str' : 'str | None = None'},`] : []),
    'timeout: float | None = None,',
  ];
  const parameters = [
    'self,',
    ...pathNames.map((name) => `${snake(name)}: str,`),
    '*,',
    ...named,
    ...options,
  ];
  const entries = (fields: Field[]) =>
    `given({${fields.map(({ name }) => `${text(name)}: ${snake(name)}`).join(', ')}})`;
  const filled =
    pathNames.length === 0
      ? text(path)
      : `path_of(${text(path)}, {${pathNames.map((name) => `${text(name)}: ${snake(name)}`).join(', ')}})`;
  // Nothing checks types when a program runs, and None would have a key made up.
  const key = requiresKey ? 'checked_key(idempotency_key)' : 'idempotency_key';
  const parts = [
    text(httpMethod),
    filled,
    ...(query.length > 0 ? [`query=${entries(query)}`] : []),
    ...(hasBody ? [`body=${entries(body)}`] : []),
    ...(takesKey ? ['takes_key=True', `idempotency_key=${key}`] : []),
    'timeout=timeout',
  ];
  const call = isPages(operation.answer)
    ? isAsync
      ? 'AsyncPages'
      : 'Pages'
    : `${isAsync ? 'await ' : ''}self._transport.call`;
  const first = isPages(operation.answer) ? 'self._transport, ' : '';
  const isCoroutine = isAsync && !isPages(operation.answer);
  return `${isCoroutine ? 'async ' : ''}def ${snake(operation.method)}(
${indent(parameters.join('\n'))}
) -> ${answerType(operation, isAsync)}:
${indent(docstring(operation.description))}
    request = Request(${parts.join(', ')})
    return ${call}(${first}request, ${answerReader(operation)})`;
}

/** With its type, because type checkers may infer another one in a library. */
const part = (name: string, type: string) => `self.${snake(name)}: ${type} = ${type}(transport)`;

function resourceClass({ path, operations }: Resource, all: Resource[], isAsync: boolean): string {
  const prefix = isAsync ? 'Async' : '';
  const inner = all.filter((other) => other.path.startsWith(`${path}.`));
  const made = inner.map(({ path: below }) => {
    const name = below.slice(path.length + 1);
    return part(name, `${prefix}${classOf(below)}`);
  });
  const lines = [
    `def __init__(self, transport: ${prefix}Transport) -> None:`,
    '    self._transport = transport',
    ...made.map((line) => indent(line)),
  ];
  // A method called "list" would hide the type of the same name in the methods below it.
  const sorted = operations.toSorted(
    (a, b) => Number(a.method === 'list') - Number(b.method === 'list'),
  );
  const methods = sorted.map((operation) => method(operation, isAsync));
  return `class ${prefix}${classOf(path)}:\n${indent([lines.join('\n'), ...methods].join('\n\n'))}\n`;
}

/** The text of sdk/python/src/zimbo/_resources.py. */
export function pythonResources(description: Description): string {
  const resources = description.resources.toSorted(
    (a, b) => b.path.split('.').length - a.path.split('.').length,
  );
  const classes = [false, true].flatMap((isAsync) =>
    resources.map((resource) => resourceClass(resource, resources, isAsync)),
  );
  const top = resources.filter(({ path }) => !path.includes('.'));
  const roots = ['', 'Async'].map((prefix) => {
    const made = top.map(({ path }) => part(path, `${prefix}${classOf(path)}`));
    return `class ${prefix}Resources:\n    def __init__(self, transport: ${prefix}Transport) -> None:\n${indent(made.join('\n'), 2)}\n`;
  });
  const names = [...description.enums, ...description.models, ...description.inputs].map(
    ({ name }) => name,
  );
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(classes.join('\n')));
  return `${head}
from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from ._event import Event
from ._models import (
${indent(used.map((name) => `${name},`).join('\n'))}
)
from ._pages import AsyncPages, Pages
from ._request import OMITTED, Omitted, Request, as_nothing, as_text, checked_key, given, items, path_of
from ._transport import AsyncTransport, Transport

${[...classes, ...roots].join('\n\n')}`;
}
