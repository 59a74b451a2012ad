/**
 * What the agent may do.
 *
 * @typedef {object} Settings
 * @property {string} url of the gateway
 * @property {string} key
 * @property {boolean} mayWrite whether tools that change something are offered
 * @property {boolean} isLive whether the key moves real money
 */

export const usage = `Usage: zimbo-mcp [--write] [--live]

Serves the API of a Zimbo gateway to an agent, on standard input and output.

  ZIMBO_URL      The gateway, such as http://127.0.0.1:3000
  ZIMBO_API_KEY  A test key, sk_test_…

  --write  Also offer tools that change something
  --live   Accept a live key. With --write, its money is real: the key must be
           restricted to the permissions that the agent needs
`;

/**
 * @returns {Settings}
 * @throws {Error} with what to set, and an example
 */
export function settingsOf(args, environment) {
  const unknown = args.find((each) => each !== '--write' && each !== '--live');
  if (unknown !== undefined) throw new Error(`There is no option ${unknown}.\n\n${usage}`);
  const { ZIMBO_URL: url = '', ZIMBO_API_KEY: key = '' } = environment;
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new Error('ZIMBO_URL must be the URL of your gateway, such as http://127.0.0.1:3000.');
  }
  if (!/^sk_(test|live)_\w+$/.test(key)) {
    throw new Error('ZIMBO_API_KEY must be a key of your gateway, such as sk_test_….');
  }
  const isLive = key.startsWith('sk_live_');
  if (isLive && !args.includes('--live')) {
    throw new Error('ZIMBO_API_KEY is a live key. Give a test key, or add --live.');
  }
  return { url, key, isLive, mayWrite: args.includes('--write') };
}
