import type { StaffPage } from '../page.ts';

/** Where staff begin. */
export const staffHomePage: StaffPage = {
  path: '',
  permission: 'merchants.read',
  show: (visit) => Promise.resolve({ to: visit.to('merchants') }),
};
