import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { StartError } from '../platform/errors/start-error.ts';
import type { Brand } from '../tenants/merchants/brand.ts';
import { atGateway } from './admin/connection.ts';
import { withId } from './failure.ts';
import { type Output, printFields, printJson } from './output.ts';

interface BrandOptions extends Output {
  name?: string;
  colour?: string;
  logo?: string;
  phone?: string;
  email?: string;
  website?: string;
  taxNumber?: string;
  receiptText?: string;
  languages?: string;
  currency?: string;
  timeZone?: string;
}

const help = `
An empty text ("") removes a value. Values of omitted options stay unchanged.

Example:
  $ zimbo merchants brand me_… --name "Loja da Praia" --colour "#c2410c" --logo logo.svg --phone +2389912345`;

export function addBrandCommand(merchants: Command): void {
  merchants
    .command('brand <merchant>')
    .description('change or show a merchant’s branding, contact and settings')
    .option('--name <name>', 'the name that customers know')
    .option('--colour <colour>', 'an accent colour such as #0b5d44; the page keeps it readable')
    .option('--logo <file>', 'an SVG or PNG of at most 12 KiB')
    .option('--phone <phone>', 'where customers call the shop, such as +2389912345')
    .option('--email <address>', 'where customers write to the shop')
    .option('--website <url>', 'the web address of the shop')
    .option('--tax-number <number>', 'the NIF, for receipts')
    .option('--receipt-text <text>', 'a few lines at the end of each receipt')
    .option('--languages <list>', 'of customers’ pages, such as pt,en; the first is preferred')
    .option('--currency <currency>', 'the currency that the console names first')
    .option('--time-zone <zone>', 'of console, exports and receipts, from the next month on')
    .option('--json', 'print an object')
    .addHelpText('after', help)
    .action(brand);
}

async function brand(merchant: string, options: BrandOptions): Promise<void> {
  const { name, colour, logo, phone, email, website, json } = options;
  const { taxNumber, receiptText, languages, currency, timeZone } = options;
  const body = {
    ...(name !== undefined && { name: name || null }),
    ...(colour !== undefined && { colour: colour || null }),
    ...(phone !== undefined && { contactPhone: phone || null }),
    ...(email !== undefined && { contactEmail: email || null }),
    ...(website !== undefined && { website: website || null }),
    ...(taxNumber !== undefined && { taxNumber: taxNumber || null }),
    ...(receiptText !== undefined && { receiptText: receiptText || null }),
    ...(languages !== undefined && { pageLanguages: languages ? languages.split(',') : null }),
    ...(currency !== undefined && { defaultCurrency: currency || null }),
    ...(timeZone !== undefined && { timeZone: timeZone || null }),
    ...(logo !== undefined && { logo: logo === '' ? null : await base64Of(logo) }),
  };
  const path = { id: merchant };
  const now = await withId({ name: 'merchant', prefix: 'me' }, merchant, () =>
    atGateway<Brand>(({ send }) =>
      Object.keys(body).length === 0
        ? send('getBrand', { path })
        : send('changeBrand', { path, body }),
    ),
  );
  if (json) printJson(now);
  else {
    const size = now.logoBytes === null ? 'none' : `${now.logoBytes} bytes`;
    printFields({
      Name: now.name ?? "the merchant's",
      Colour: now.colour ?? "Zimbo's",
      Logo: size,
      Phone: now.contactPhone ?? 'none',
      'E-mail': now.contactEmail ?? 'none',
      Website: now.website ?? 'none',
      'Tax number': now.taxNumber ?? 'none',
      'Receipt text': now.receiptText ?? 'none',
      Languages: now.pageLanguages?.join(', ') ?? 'all',
      Currency: now.defaultCurrency ?? 'that of the first payment',
      'Time zone': now.timeZone ?? 'that of the currency',
    });
  }
}

async function base64Of(path: string): Promise<string> {
  try {
    return await readFile(path, 'base64');
  } catch (error) {
    throw new StartError(`The file ${path} cannot be read: ${(error as Error).message}`);
  }
}
