import type { Language } from '../words/common.ts';

const pt = {
  brandName: 'Nome para os clientes',
  colour: 'Cor',
  logo: 'Logótipo',
  logoHint: 'SVG ou PNG, até 12 KiB.',
  noLogo: 'Remover o logótipo',
  contactPhone: 'Telefone da loja',
  contactEmail: 'E-mail da loja',
  website: 'Página da loja',
  contactHint: 'Os clientes veem os contactos na página de pagamento e no recibo.',
};

const en: typeof pt = {
  brandName: 'Name shown to customers',
  colour: 'Colour',
  logo: 'Logo',
  logoHint: 'SVG or PNG, up to 12 KiB.',
  noLogo: 'Remove the logo',
  contactPhone: 'Shop’s phone',
  contactEmail: 'Shop’s e-mail',
  website: 'Shop’s website',
  contactHint: 'Customers see these contact details on the payment page and the receipt.',
};

/** A shop's look and contact, for owners and for staff. */
export const brandWords: Record<Language, typeof pt> = { pt, en };
