import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accentOn } from './accent.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
const frameScript = { name: 'frame', text: read('frame.js') };

export const defaultColour = '#0b5d44';

export interface Asset {
  type: string;
  text: string;
}

/** The files of a page; their names include a hash of their content, so browsers may cache them for ever. */
export interface Assets {
  scriptPath: string;
  /** Only for a page in a frame. */
  frameScriptPath: string;
  /** The style sheet with the merchant's accent in it: inline styles are forbidden on the page. */
  stylePath(colour: string): string;
  /** The file of this name; undefined if this version has none. */
  assetOf(name: string): Asset | undefined;
}

interface Script {
  name: string;
  text: string;
}

export function createAssets(style: string, script: Script): Assets {
  const styleName = `style-${hashOf(style + accentRules(defaultColour))}`;
  const pathOf = ({ name, text }: Script) => `assets/${name}-${hashOf(text)}.js`;
  const scripts = new Map([script, frameScript].map((each) => [pathOf(each), each.text]));
  const stylePath = (colour: string) => `assets/${styleName}-${colour.slice(1)}.css`;
  return {
    scriptPath: pathOf(script),
    frameScriptPath: pathOf(frameScript),
    stylePath,
    assetOf(name) {
      const path = `assets/${name}`;
      const text = scripts.get(path);
      if (text !== undefined) return { type: 'text/javascript; charset=utf-8', text };
      const [, colour] = /-([0-9a-f]{6})\.css$/.exec(name) ?? [];
      if (colour === undefined || path !== stylePath(`#${colour}`)) return undefined;
      return { type: 'text/css; charset=utf-8', text: style + accentRules(`#${colour}`) };
    },
  };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** The accent in both colour schemes, for a part of a page. */
export function accentRules(colour: string, selector = ':root'): string {
  const rules = (ground: 'light' | 'dark') => {
    const accent = accentOn(ground, colour);
    return `${selector}{--accent:${accent.colour};--on-accent:${accent.ink}}`;
  };
  return `${rules('light')}@media (prefers-color-scheme:dark){${rules('dark')}}\n`;
}

/** The beginning of every page. */
export const pageStyle = read('style.css');
export const pageAssets = createAssets(pageStyle, { name: 'live', text: read('live.js') });
