import { styleText } from 'node:util';
import { renderUnicodeCompact } from 'uqr';

/**
 * Draws two rows of modules in each line of text, dark on light as cameras need it, regardless of the terminal's
 * colours.
 */
export function qrCode(text: string): string {
  const lines = renderUnicodeCompact(text, { ecc: 'L', border: 2 }).split('\n');
  return lines
    .map((line) => styleText(['whiteBright', 'bgBlack'], line, { validateStream: false }))
    .join('\n');
}
