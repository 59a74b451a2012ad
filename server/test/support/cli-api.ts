import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type TestGatewayOptions, testGateway } from './gateway.ts';
import { runZimbo } from './zimbo.ts';

/** A gateway, and the command line that calls it with a test key. */
export async function apiCommands(context: TestContext, options: TestGatewayOptions = {}) {
  const gateway = await testGateway(context, options);
  const environment = { ZIMBO_URL: gateway.url, ZIMBO_API_KEY: gateway.key };
  const zimbo = async (...args: string[]) => {
    const { ended, output } = runZimbo(context, args, environment);
    return { code: await ended, ...output };
  };
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await zimbo(...args, '--json');
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, args.join(' '));
    return JSON.parse(stdout);
  };
  return { gateway, environment, zimbo, json };
}

export const unknown = '01m7ymzm44e07ag6acm63eph7z';
