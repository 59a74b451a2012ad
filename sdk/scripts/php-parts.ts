import type { FieldType } from './description.ts';

const head = `<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);
`;

export const indent = (lines: string, depth = 1) =>
  lines.replaceAll(/^(?=.)/gm, '    '.repeat(depth));

export const text = (value: string) => `'${value.replaceAll(/['\\]/g, '\\$&')}'`;

export const upperFirst = (name: string) => name.replace(/^./, (letter) => letter.toUpperCase());

/** `created_gte` becomes `createdGte`. */
export const camel = (name: string) =>
  name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

export const classOf = (path: string) => `${path.split('.').map(upperFirst).join('')}Resource`;

export const comment = (lines: string[]) => {
  const said = lines.filter((line) => line !== '').map((line) => line.replaceAll('*/', '* /'));
  if (said.length === 0) return '';
  return said.length === 1
    ? `/** ${said[0]} */\n`
    : `/**\n${said.map((line) => ` * ${line}\n`).join('')} */\n`;
};

/** The type of PHP, without null. */
export function nativeType(type: FieldType): string {
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
export const documentedType = (type: FieldType): string => {
  if (type.kind === 'object') return 'array<string, mixed>';
  return type.kind === 'list' ? `list<${documentedType(type.of)}>` : nativeType(type);
};

export const orNull = (type: string, isNull: boolean) => (isNull ? `${type}|null` : type);

export const used = (body: string, names: readonly string[]) =>
  names.filter((name) => new RegExp(`\\b${name}\\b`).test(body));

export const file = (namespace: string, uses: string[], body: string) =>
  `${head}\nnamespace ${namespace};\n${
    uses.length > 0
      ? `\n${uses
          .toSorted()
          .map((name) => `use ${name};\n`)
          .join('')}`
      : ''
  }\n${body}`;
