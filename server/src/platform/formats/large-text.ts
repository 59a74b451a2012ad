/** Text that lies in the database until its reader takes it. */
export interface LargeText {
  bytes: number;
  read: () => AsyncIterable<Buffer>;
}

/** Of a text that is put together when it is read. */
export type Piece = string | LargeText;
