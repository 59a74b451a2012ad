import type { ConsolePage } from '../page.ts';
import { chargePage } from './charge.ts';
import { chargedPage } from './charged.ts';
import { linkCodePage, linkLogoPage, linkPage, posterPage } from './link.ts';
import { linksPage } from './links.ts';
import { manifestPage } from './manifest.ts';
import { newLinkPage } from './new-link.ts';
import { paymentPage } from './payment.ts';
import { paymentsPage } from './payments.ts';
import { newProductPage, productPage } from './product.ts';
import { productsPage } from './products.ts';
import { teamPage } from './team.ts';

/** Every page of a merchant. The test of roles and routes walks this list, and so does docs/console.md. */
export const pages: readonly ConsolePage[] = [
  paymentsPage,
  paymentPage,
  chargePage,
  chargedPage,
  manifestPage,
  linksPage,
  newLinkPage,
  linkPage,
  linkCodePage,
  linkLogoPage,
  posterPage,
  productsPage,
  newProductPage,
  productPage,
  teamPage,
];
