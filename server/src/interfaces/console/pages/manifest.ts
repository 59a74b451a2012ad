import { assetPath } from '../assets.ts';
import type { ConsolePage } from '../page.ts';

/** The manifest that installs the console on a phone: it opens the till. */
export const manifestPage: ConsolePage = {
  path: 'manifest.webmanifest',
  permission: 'payments.charge',
  async show(visit) {
    const icon = (size: number) => ({
      src: visit.address(assetPath(`icon-${size}.png`)),
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose: 'any',
    });
    const manifest = {
      id: visit.to('charge'),
      name: visit.merchant.name,
      short_name: visit.merchant.name,
      lang: visit.words.tag,
      start_url: visit.to('charge'),
      scope: visit.address('/console/'),
      display: 'standalone',
      theme_color: '#0b5d44',
      background_color: '#f4f6f5',
      icons: [icon(192), icon(512)],
    };
    const text = JSON.stringify(manifest);
    return {
      send: (reply) => reply.header('content-type', 'application/manifest+json').send(text),
    };
  },
};
