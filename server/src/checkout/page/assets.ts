import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accentOn } from './accent.ts';

export const defaultColour = '#0b5d44';

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
const style = read('style.css');
const live = read('live.js');
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** The names change with what the files hold, so browsers may keep them for ever. */
const styleName = `style-${hashOf(style + accentRules(defaultColour))}`;
export const scriptPath = `assets/live-${hashOf(live)}.js`;

/** The style sheet with the merchant's accent in it: inline styles are forbidden on the page. */
export function stylePath(colour: string): string {
  return `assets/${styleName}-${colour.slice(1)}.css`;
}

export interface Asset {
  type: string;
  text: string;
}

/** What a name stands for; undefined if that is nothing of this version. */
export function assetOf(name: string): Asset | undefined {
  const path = `assets/${name}`;
  if (path === scriptPath) return { type: 'text/javascript; charset=utf-8', text: live };
  const [, colour] = /-([0-9a-f]{6})\.css$/.exec(name) ?? [];
  if (colour === undefined || path !== stylePath(`#${colour}`)) return undefined;
  return { type: 'text/css; charset=utf-8', text: style + accentRules(`#${colour}`) };
}

function accentRules(colour: string): string {
  const rules = (ground: 'light' | 'dark') => {
    const accent = accentOn(ground, colour);
    return `:root{--accent:${accent.colour};--on-accent:${accent.ink}}`;
  };
  return `${rules('light')}@media (prefers-color-scheme:dark){${rules('dark')}}\n`;
}
