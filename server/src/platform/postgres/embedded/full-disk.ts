import { StartError } from '../../errors/start-error.ts';

/** Whether PostgreSQL's output says that its disk is full; its programs run with English messages. */
export const isFullDisk = (output: string): boolean => output.includes('No space left on device');

/** The error for a disk without room for our PostgreSQL. @param folder the folder of its files */
export const fullDisk = (folder: string): StartError =>
  new StartError(
    `The disk of ${folder} has too little space for PostgreSQL: free at least 500 MB there, or set DATA_DIR to a folder on a larger disk.`,
  );
