import { createRequire } from 'node:module';
import type { FastifySchemaCompiler, FastifyServerOptions } from 'fastify';

type Compilers = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>;
type Compile = FastifySchemaCompiler<unknown>;
type BuildCompiler = (sharedSchemas: unknown, options: unknown) => Compile;

const require = createRequire(import.meta.url);
let buildWithAjv: BuildCompiler | undefined;

/** Ajv with its 90 modules is loaded when the first request has something to check. */
function ajvOnce(): BuildCompiler {
  buildWithAjv ??= (require('@fastify/ajv-compiler') as () => BuildCompiler)();
  return buildWithAjv;
}

/**
 * A schema is compiled when a request first meets it: all of them would take half a second of every start, and memory
 * for routes that few ever call. `schemas.test.ts` compiles them all, since a broken one no longer stops a start.
 */
const compileAtFirstUse: BuildCompiler = (sharedSchemas, options) => {
  let compile: Compile | undefined;
  return (route) => {
    let check: ReturnType<Compile> | undefined;
    const validate: ReturnType<Compile> = (data) => {
      compile ??= ajvOnce()(sharedSchemas, options);
      check ??= compile(route);
      const result = check(data);
      // Where Fastify looks for them.
      validate.errors = check.errors ?? null;
      return result;
    };
    return validate;
  };
};

/** For all servers in this process, which share what is compiled. */
export const compilersFactory = {
  buildValidator: compileAtFirstUse,
  // Response schemas are documentation: as serializers they would erase what they do not name.
  buildSerializer: () => () => JSON.stringify,
} as unknown as Compilers;
