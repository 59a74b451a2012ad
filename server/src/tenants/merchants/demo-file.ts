import { readFile } from 'node:fs/promises';

export interface DemoFile {
  url: string;
  key: string;
}

/** Reads demo.env; undefined without the file. */
export async function readDemoFile(path: string): Promise<DemoFile | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const key = /^ZIMBO_API_KEY=(sk_test_[0-9A-Za-z]{32})\s*$/m.exec(text)?.[1];
  return key === undefined ? undefined : { url: /^ZIMBO_URL=(.*)$/m.exec(text)?.[1] ?? '', key };
}
