import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Player } from './player.ts';
import { type OwnPostgres, openOwnPostgres } from './postgres.ts';
import type { SeedOptions } from './simulation.ts';

export interface SeedTest extends Pick<SeedOptions, 'seed' | 'payments' | 'only'> {
  name: string;
}

export const timeout = 900_000;
/** Each in its own thread, so that the longest test file of a suite ends sooner. */
const playerCount = 2;

/** One test per seed, several at a time. @returns the servers of their databases, once they run */
export function playSeeds(title: string, tests: readonly SeedTest[]): readonly OwnPostgres[] {
  const servers: OwnPostgres[] = [];
  const idle: Player[] = [];

  before(async () => {
    while (servers.length < playerCount) servers.push(await openOwnPostgres());
    idle.push(...servers.map(({ url }) => Player.open(url)));
  });

  after(async () => {
    for (const player of idle) await player.close();
    for (const server of servers) await server.close();
  });

  describe(title, { concurrency: playerCount }, () => {
    for (const { name, ...options } of tests) {
      test(name, { timeout }, async () => {
        const player = idle.pop()!;
        try {
          const { words } = await player.play(options);
          assert.equal(words, undefined, `${words}\nAgain: ${commandOf(options)}`);
        } finally {
          idle.push(player);
        }
      });
    }
  });
  return servers;
}

function commandOf({ seed, payments, only }: Omit<SeedTest, 'name'>): string {
  const command = `npm run simulate -- --seed ${seed} --payments ${payments}`;
  return only === undefined ? command : `${command} --only ${only}`;
}
