import type { Zimbo, ZimboError } from '../../../../sdk/typescript/src/index.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { wordsOfProblems } from '../failure.ts';
import type { Call } from './call.ts';

export type {
  CallOptions,
  EventType,
  Zimbo,
  ZimboEvent,
} from '../../../../sdk/typescript/src/index.ts';

/** A merchant's connection to a running gateway. */
export interface Connection {
  zimbo: Zimbo;
  call: Call;
  /** The URL of the gateway. */
  url: string;
  mode: 'test' | 'live';
}

interface Credentials {
  url: string;
  key: string;
  /** The source of the settings, for messages. */
  source: string;
}

/**
 * Runs a command with the key of a merchant, from the environment or else from DATA_DIR/demo.env. @throws StartError
 * with an explanation, also if the gateway refuses
 */
export async function withGateway<T>(run: (connection: Connection) => Promise<T>): Promise<T> {
  const credentials = await findCredentials();
  const [{ transportOf, Zimbo: Client }, { ZimboError: Refusal }] = await Promise.all([
    import('../../../../sdk/typescript/src/zimbo.ts'),
    import('../../../../sdk/typescript/src/error.ts'),
  ]);
  const { url, key } = credentials;
  const mode = key.startsWith('sk_live_') ? 'live' : 'test';
  // A person at a terminal should get an answer soon.
  const options = { baseUrl: url, maxRetries: 1 };
  const zimbo = checked(credentials, () => new Client(key, options));
  const transport = transportOf(key, options);
  const call: Call = ({ id }, { idempotencyKey, ...input }) =>
    transport.call(id as never, input as never, { idempotencyKey });
  try {
    return await run({ zimbo, call, url, mode });
  } catch (error) {
    throw error instanceof Refusal ? inWords(error, credentials) : error;
  }
}

function checked<T>({ source }: Credentials, make: () => T): T {
  try {
    return make();
  } catch (error) {
    const hint = `ZIMBO_URL and ZIMBO_API_KEY come from ${source}.`;
    throw new StartError((error as Error).message, hint);
  }
}

async function findCredentials(): Promise<Credentials> {
  const { ZIMBO_URL: url, ZIMBO_API_KEY: key } = process.env;
  if (url && key) return { url, key, source: 'the environment' };
  if (url || key) {
    const [set, missing] = url ? ['ZIMBO_URL', 'ZIMBO_API_KEY'] : ['ZIMBO_API_KEY', 'ZIMBO_URL'];
    throw new StartError(`${set} is set, but ${missing} is not.`, 'Set both, or neither.');
  }
  const [{ join }, { commandConfig }, { readDemoFile }] = await Promise.all([
    import('node:path'),
    import('../workspace.ts'),
    import('../../tenants/merchants/demo-file.ts'),
  ]);
  const path = join((await commandConfig()).dataDir, 'demo.env');
  const demo = await readDemoFile(path);
  if (demo) return { ...demo, source: path };
  throw new StartError(
    `This command needs a gateway and a key: ZIMBO_URL and ZIMBO_API_KEY are not set, and there is no ${path}.`,
    'The first "zimbo start" writes that file. For another gateway, set both variables; "zimbo keys create" creates keys.',
  );
}

function inWords(error: ZimboError, { url, source }: Credentials): StartError {
  const { code, message, requestId } = error;
  const options = { cause: error };
  switch (code) {
    case 'CONNECTION_FAILED':
    case 'TIMEOUT': {
      const hint = `Is it running ("zimbo start")? The address comes from ${source}.`;
      return new StartError(`The gateway at ${url} does not answer.`, hint, options);
    }
    case 'UNAUTHORIZED':
      return new StartError(`${code}: ${message}`, `The key comes from ${source}.`, options);
    case 'UNAVAILABLE':
    case 'INTERNAL_ERROR':
    case 'UNEXPECTED_ANSWER': {
      const hint = requestId === null ? undefined : `The request id is ${requestId}.`;
      return new StartError(`${code}: ${message}`, hint, options);
    }
    default:
      return new StartError(`${code}: ${wordsOfProblems(error)}`, undefined, options);
  }
}
