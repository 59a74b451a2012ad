import { styleText } from 'node:util';
import { renderUnicodeCompact } from 'uqr';

/** Two rows of modules in each line of text, dark on light as cameras want it, whatever the terminal's colours are. */
export function qrCode(text: string): string {
  const lines = renderUnicodeCompact(text, { ecc: 'L', border: 2 }).split('\n');
  return lines
    .map((line) => styleText(['whiteBright', 'bgBlack'], line, { validateStream: false }))
    .join('\n');
}
