import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  poster: 'Cartaz para imprimir',
  print: labels.pt.print,
  back: 'Voltar ao link',
  codeAlt: 'Código QR do link de pagamento',
  how: 'Aponte a câmara do telemóvel e pague com o seu operador.',
};

const en: typeof pt = {
  poster: 'Poster to print',
  print: labels.en.print,
  back: 'Back to the link',
  codeAlt: 'QR code of the payment link',
  how: 'Point your phone’s camera here and pay with your operator.',
};

export const words: Record<Language, typeof pt> = { pt, en };
