import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  findServerUser,
  type OsUser,
  runsAsRoot,
} from '../../src/platform/postgres/embedded/os-user.ts';
import { runProgram, spawnProgram } from '../../src/platform/postgres/embedded/run-program.ts';
import { primaryUrlOf } from '../../src/platform/postgres/primary.ts';
import { parentOfData } from '../support/data-folder.ts';
import { query } from '../support/embedded-postgres.ts';
import { eventually } from '../support/eventually.ts';
import { processTable, signalAll } from '../support/postgres-server.ts';
import { type ClusterFiles, type NodeFiles, writeNodes } from './patroni-nodes.ts';
import { installedServer } from './patroni-programs.ts';
import type { Servers } from './world.ts';

/** The cluster notices a lost machine after 20 s; the machine comes back with a corrected data folder. */
const wholeLimitMs = 240_000;
const answerLimitMs = 60_000;
/** The interval between polls of the cluster. */
const pauseMs = 250;

interface Member {
  name: string;
  role: string;
}

const streaming = `
SELECT sync_state AS state FROM pg_stat_replication WHERE state = 'streaming' ORDER BY 1`;

/** Three machines simulated on one, each with etcd, Patroni and PostgreSQL, as in deploy/patroni. */
export class PatroniCluster implements Servers {
  readonly #folder: string;
  readonly #files: ClusterFiles;
  readonly #user: OsUser | undefined;
  readonly #running = new Map<NodeFiles, ChildProcess[]>();

  private constructor(folder: string, files: ClusterFiles, user: OsUser | undefined) {
    this.#folder = folder;
    this.#files = files;
    this.#user = user;
  }

  /** Waits until one is the primary and both others stream from it, one of them synchronously. */
  static async start(): Promise<PatroniCluster> {
    const user = runsAsRoot() ? findServerUser() : undefined;
    const folder = mkdtempSync(join(parentOfData(), 'zimbo-patroni-'));
    chmodSync(folder, 0o755);
    const files = await writeNodes({ folder, server: installedServer!, user });
    const cluster = new PatroniCluster(folder, files, user);
    try {
      for (const node of files.nodes) cluster.#startNode(node);
      await cluster.becomesWhole();
      return cluster;
    } catch (error) {
      const said = cluster.#lastWords();
      await cluster.stop();
      throw new Error(`the cluster does not start:\n${said}`, { cause: error });
    }
  }

  get url(): string {
    return this.#files.url;
  }

  /** All hosts: clients look for the one that takes writes. */
  get primaryUrl(): string {
    return this.#files.url;
  }

  /** A superuser's URL, who sees all sessions. */
  get adminUrl(): string {
    return this.#files.adminUrl;
  }

  /** Switches over like a person on the primary's machine: to the synchronous standby. */
  async switchOver(): Promise<void> {
    const leader = await this.#nodeAs('leader');
    const file = join(leader.folder, 'patroni.yaml');
    const candidate = await this.#nodeAs('sync_standby');
    const options = ['--leader', leader.name, '--candidate', candidate.name, '--force'];
    const { exitCode, output } = await runProgram(
      'patronictl',
      ['-c', file, 'switchover', ...options],
      { user: this.#user },
    );
    if (exitCode !== 0) throw new Error(`no switchover: ${output}`);
  }

  /** The answer of the primary's Patroni to a switchover request without a certificate. */
  async strangersSwitchOver(): Promise<number | undefined> {
    const leader = await this.#nodeAs('leader');
    const answer = await this.#ask(leader, 'POST', '/switchover', { leader: leader.name });
    answer.resume();
    return answer.statusCode;
  }

  /** Kills everything on the primary's machine at once. */
  async killPrimary(): Promise<void> {
    await this.#kill(await this.#nodeAs('leader'));
  }

  /** Starts the killed programs again, like a machine after a power cut. */
  async becomesWhole(): Promise<void> {
    for (const node of this.#files.nodes) if (!this.#running.has(node)) this.#startNode(node);
    await eventually('all three are one cluster', () => this.#isWhole(), wholeLimitMs);
  }

  async stop(): Promise<void> {
    for (const node of this.#running.keys()) await this.#kill(node);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }

  #startNode(node: NodeFiles): void {
    const programs = [['etcd'], ['patroni', join(node.folder, 'patroni.yaml')]] as const;
    const children = programs.map(([program, ...options]) => {
      const output = openSync(join(node.folder, `${program}.log`), 'a');
      const { environment } = node;
      const child = spawnProgram(program, options, { user: this.#user, environment, output });
      closeSync(output);
      return child;
    });
    this.#running.set(node, children);
  }

  async #kill(node: NodeFiles): Promise<void> {
    const children = this.#running.get(node) ?? [];
    this.#running.delete(node);
    // Patroni first, because it would restart PostgreSQL.
    const ends = children
      .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
      .map((child) => once(child, 'exit'));
    signalAll(
      children.flatMap(({ pid }) => pid ?? []),
      'SIGKILL',
    );
    await Promise.all(ends);
    const server = serverOf(node);
    if (server === undefined) return;
    // Stops the parent before listing its processes, so that it starts no more.
    signalAll([server], 'SIGSTOP');
    const its = processTable().filter(({ parentId }) => parentId === server);
    const all = [server, ...its.map(({ processId }) => processId)];
    signalAll(all, 'SIGKILL');
    const isOver = () =>
      !processTable().some(
        ({ processId, state }) => all.includes(processId) && !state.startsWith('Z'),
      );
    await eventually(`no process of ${node.name} is left`, isOver);
  }

  /** The primary's view: both others stream, and commits wait for one of them. */
  async #isWhole(): Promise<boolean> {
    try {
      const primary = await primaryUrlOf(this.adminUrl);
      const states = (await query(primary, streaming)).map(({ state }) => state);
      if (states.join() === 'async,sync') return true;
      // The first base backup waits for a checkpoint, which takes minutes unless requested.
      await query(primary, 'CHECKPOINT');
    } catch {
      // There is no primary yet.
    }
    await delay(pauseMs);
    return false;
  }

  /** Patroni reports a change with a short delay. */
  #nodeAs(wanted: string): Promise<NodeFiles> {
    return eventually(`a ${wanted}`, async () => {
      const found = (await this.#members()).find(({ role }) => role === wanted);
      return this.#files.nodes.find(({ name }) => name === found?.name);
    });
  }

  /** The view of any member. */
  async #members(): Promise<Member[]> {
    for (const node of this.#running.keys()) {
      try {
        const answer = await this.#ask(node, 'GET', '/cluster');
        return ((await json(answer)) as { members?: Member[] }).members ?? [];
      } catch {
        // It is starting, or has ended.
      }
    }
    return [];
  }

  #ask({ ports }: NodeFiles, method: string, path: string, body?: object) {
    const sent = request({
      host: '127.0.0.1',
      port: ports.patroni,
      path,
      method,
      agent: false,
      ca: readFileSync(this.#files.certificate),
      timeout: answerLimitMs,
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer')));
    sent.end(body && JSON.stringify(body));
    return once(sent, 'response').then(([answer]) => answer as IncomingMessage);
  }

  /** The last output of its programs. */
  #lastWords(): string {
    return this.#files.nodes
      .flatMap(({ name, folder }) =>
        ['etcd', 'patroni'].map((program) => {
          const lines = readFileSync(join(folder, `${program}.log`), 'utf8')
            .trim()
            .split('\n');
          return `${name}, ${program}:\n${lines.slice(-15).join('\n')}`;
        }),
      )
      .join('\n');
  }
}

/** The id of its postmaster, if PostgreSQL runs. */
function serverOf({ folder }: NodeFiles): number | undefined {
  try {
    return Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}
