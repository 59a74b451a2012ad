import type { FastifyReply } from 'fastify';
import type { Html } from '../../platform/text/html.ts';
import type { Permission } from '../../tenants/people/permissions.ts';
import type { StaffPermission } from '../../tenants/people/staff-permissions.ts';
import type { MerchantContext, RequestContext, SentForm, StaffContext } from './request-context.ts';

/** What a page shows. */
export interface View {
  title: string;
  main: Html;
  /** 200 unless told otherwise. */
  status?: number;
  /** Of what was refused for now: when to try again. */
  retryInMs?: number;
  /** The main part is asked for again while the page is looked at. */
  refreshMs?: number | undefined;
  /** Files of `assets/` that this page alone needs. */
  scripts?: readonly string[] | undefined;
  /** An address elsewhere that the browser goes on to by itself. */
  onward?: string;
  /** Without menu and bars, as for a poster. */
  bare?: boolean;
}

/** Where the browser goes next: a form that was taken is never sent again by a reload. */
export interface Redirect {
  to: string;
}

/** What a page sends that is no page: a picture, a download. The function writes the whole reply. */
export interface Sent {
  send(reply: FastifyReply): unknown;
}

/** What a button of a page does. */
export interface Action<Visiting extends RequestContext = MerchantContext, Permitted = Permission> {
  permission: Permitted;
  /**
   * Real money moves, or somebody gets power: the person proves again who they are, unless it is in test mode.
   * Whatever is the same in both modes, as people are, is so ALWAYS.
   */
  isSensitive?: boolean | 'ALWAYS';
  run(visit: Visiting, form: SentForm): Promise<View | Redirect | Sent>;
}

/** A page. Its file holds it whole, its words lie beside. */
export interface Page<Visiting extends RequestContext, Permitted> {
  /** Below the address of the merchant and mode, or of the staff; may hold `:id`. */
  path: string;
  permission: Permitted;
  /**
   * Its forms are sent as multipart, with one file of up to so many bytes, which comes in as a file of its own. Who
   * sends it must have the permission of the page before the first byte is read. Such a page has one action.
   */
  uploadBytes?: number;
  show(visit: Visiting): Promise<View | Redirect | Sent>;
  /** By the value of the button that sent the form (`name="action"`). */
  actions?: Readonly<Record<string, Action<Visiting, Permitted>>>;
}

/** A page of a merchant: below `/console/{merchant}/{mode}/`. */
export type ConsolePage = Page<MerchantContext, Permission>;

/** A page of the gateway's staff: below `/console/staff/`. */
export type StaffPage = Page<StaffContext, StaffPermission>;
export type StaffAction = Action<StaffContext, StaffPermission>;
