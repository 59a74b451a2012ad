import type { FastifyReply } from 'fastify';
import type { Html } from '../../platform/text/html.ts';
import type { Permission } from '../../tenants/people/permissions.ts';
import type { StaffPermission } from '../../tenants/people/staff-permissions.ts';
import type { MerchantContext, RequestContext, SentForm, StaffContext } from './request-context.ts';

/** The contents of a page. */
export interface View {
  title: string;
  main: Html;
  /** 200 by default. */
  status?: number;
  /** After a temporary refusal: when to try again. */
  retryInMs?: number;
  /** Reloads the main part while the page is open. */
  refreshMs?: number | undefined;
  /** Files of `assets/` for this page alone. */
  scripts?: readonly string[] | undefined;
  /** An external address that the browser continues to. */
  onward?: string;
  /** The time zone of its days and times, unless it is the visitor's. */
  timeZone?: string | undefined;
  /** Without menu and bars, for example for a poster. */
  bare?: boolean;
}

/** Redirects the browser after a form, so that a reload cannot submit the form again. */
export interface Redirect {
  to: string;
}

/** A response other than a page, such as a picture or a download. The function writes the whole reply. */
export interface Sent {
  send(reply: FastifyReply): unknown;
}

/** The effect of a page's button. */
export interface Action<Visiting extends RequestContext = MerchantContext, Permitted = Permission> {
  /** Besides that of the page. */
  permission: Permitted;
  /**
   * For actions that move real money or grant rights: requires reauthentication, except in test
   * mode. ALWAYS covers data that both modes share, such as people.
   */
  isSensitive?: boolean | 'ALWAYS';
  run(visit: Visiting, form: SentForm): Promise<View | Redirect | Sent>;
}

/** A page, in one file, with its words next to it. */
export interface Page<Visiting extends RequestContext, Permitted> {
  /** Below the address of the merchant and mode, or of the staff; may contain `:id`. */
  path: string;
  permission: Permitted;
  /**
   * The page's forms are multipart, with one file of at most this many bytes, stored in a temporary
   * file. The permission is checked before the first byte is read. Such a page has one action.
   */
  uploadBytes?: number;
  /** The most bytes of its forms, if they carry more than others. */
  formBytes?: number;
  show(visit: Visiting): Promise<View | Redirect | Sent>;
  /** By the value of the submit button (`name="action"`). */
  actions?: Readonly<Record<string, Action<Visiting, Permitted>>>;
}

/** A merchant's page: below `/console/{merchant}/{mode}/`. */
export type ConsolePage = Page<MerchantContext, Permission>;

/** A staff page: below `/console/staff/`. */
export type StaffPage = Page<StaffContext, StaffPermission>;
export type StaffAction = Action<StaffContext, StaffPermission>;
