import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const systemFile =
  process.platform === 'win32'
    ? join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
    : '/etc/hosts';
const loopback = ['127.0.0.1', '::1'];

/** The names in the system's hosts file, which take precedence over name servers. */
export class HostsFile {
  readonly #path: string;
  #version = '';
  #addresses = new Map<string, string[]>();

  constructor(path = systemFile) {
    this.#path = path;
  }

  /** Empty for a name that it does not contain; `localhost` always has addresses. */
  addressesOf(hostname: string): string[] {
    this.#refresh();
    const name = hostname.toLowerCase().replace(/\.$/, '');
    const found = this.#addresses.get(name);
    if (found) return found;
    return name === 'localhost' || name.endsWith('.localhost') ? loopback : [];
  }

  /** Read synchronously, not by a thread, since the file is short and seldom changes. */
  #refresh(): void {
    const stats = statSync(this.#path, { throwIfNoEntry: false });
    const version = `${stats?.mtimeMs} ${stats?.size} ${stats?.ino}`;
    if (version === this.#version) return;
    this.#version = version;
    this.#addresses = stats ? parse(readFileSync(this.#path, 'utf8')) : new Map();
  }
}

function parse(text: string): Map<string, string[]> {
  const addresses = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    for (const name of names.map((each) => each.toLowerCase())) {
      const known = addresses.get(name) ?? [];
      if (!known.includes(address!)) addresses.set(name, [...known, address!]);
    }
  }
  return addresses;
}
