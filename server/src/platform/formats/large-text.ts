/** Text that stays in the database until its reader consumes it. */
export interface LargeText {
  bytes: number;
  read: () => AsyncIterable<Buffer>;
}

/** For a text that is assembled while it is read. */
export type Piece = string | LargeText;
