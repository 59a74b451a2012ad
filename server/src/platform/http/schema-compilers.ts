import { createRequire } from 'node:module';
import type { FastifySchemaCompiler, FastifyServerOptions } from 'fastify';
import { addFormats } from './schema-formats.ts';

type Compilers = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>;
type Compile = FastifySchemaCompiler<unknown>;
type BuildCompiler = (sharedSchemas: unknown, options: unknown) => Compile;
type Check = ReturnType<Compile>;

const require = createRequire(import.meta.url);
let buildWithAjv: BuildCompiler | undefined;

/** Ajv with its 90 modules is loaded when the first request has something to check. */
function ajvOnce(): BuildCompiler {
  buildWithAjv ??= (require('@fastify/ajv-compiler') as () => BuildCompiler)();
  return buildWithAjv;
}

/**
 * A schema is compiled when a request first meets it: compiling all would take half a second at every start,
 * and memory for rarely used routes. `schemas.test.ts` compiles them all, since a broken schema no longer
 * stops the start.
 */
const compileAtFirstUse: BuildCompiler = (sharedSchemas, options) => {
  let compile: Compile | undefined;
  return (route) => {
    let check: Check | undefined;
    const validate: Check = (data) => {
      compile ??= ajvOnce()(sharedSchemas, options);
      check ??= compile(route);
      const result = check(data);
      // The property in which Fastify looks for the compilers.
      validate.errors = check.errors ?? null;
      return result;
    };
    return validate;
  };
};

/** How Ajv checks requests: it changes no value, and stops at the first broken rule. */
export const ajvOptions = {
  customOptions: {
    removeAdditional: false,
    coerceTypes: false,
    useDefaults: true,
    allErrors: false,
    verbose: true,
  },
  onCreate: addFormats,
} as const;

const checksAll = new WeakMap<object, Check>();
let compileAll: Compile | undefined;

/** A check that finds every broken rule of a schema; slower, so for requests that are refused already. */
export function checksAllOf(schema: object): Check {
  const known = checksAll.get(schema);
  if (known) return known;
  const { customOptions } = ajvOptions;
  compileAll ??= ajvOnce()(
    {},
    { ...ajvOptions, customOptions: { ...customOptions, useDefaults: false, allErrors: true } },
  );
  const check = compileAll({ schema, method: '', url: '' });
  checksAll.set(schema, check);
  return check;
}

/** All servers in this process share the compiled schemas. */
export const compilersFactory = {
  buildValidator: compileAtFirstUse,
  // Response schemas are documentation: as serializers they would drop the fields that they do not name.
  buildSerializer: () => () => JSON.stringify,
} as unknown as Compilers;
