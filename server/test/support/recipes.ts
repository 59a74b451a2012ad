/**
 * Programs around the recipes for Node in docs/webhooks.md. Each reads a delivery from its environment and the raw body
 * from standard input, and prints whether the delivery is genuine.
 */

interface Recipe {
  /** A name for people. */
  name: string;
  /** A text that only its block contains. */
  holds: string;
  /** The program, next to the recipe, which is `recipe.mjs`. */
  main: string;
}

const nodeBody = `import { buffer } from 'node:stream/consumers';
const rawBody = await buffer(process.stdin);
`;

/** The libraries throw for deliveries that are not genuine. */
const throwing = `${nodeBody}
import { eventOf } from './recipe.mjs';
const headers = JSON.parse(process.env.HEADERS);
try {
  await eventOf(rawBody, headers);
  console.log('genuine');
} catch {
  console.log('forged');
}
`;

const answering = `${nodeBody}
import { isGenuine } from './recipe.mjs';
const { SECRET, TIMESTAMP, SIGNATURES } = process.env;
const genuine = isGenuine(SECRET, TIMESTAMP, SIGNATURES.split(' '), rawBody);
console.log(genuine ? 'genuine' : 'forged');
`;

export const recipes: Recipe[] = [
  { name: 'the SDK', holds: '@zimbo/sdk', main: throwing },
  { name: 'a library of Standard Webhooks', holds: "'standardwebhooks'", main: throwing },
  { name: 'Node', holds: 'createHmac', main: answering },
];
