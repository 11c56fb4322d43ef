import { ConfigError, type Environment } from '@najwa/common';
import { backUp } from './backup.js';
import type { Manifest } from './format.js';
import { restore } from './restore.js';
import { connectStores, loadConfig, type Stores } from './stores.js';

export interface BackupCommand {
  environment: Environment;
  args: readonly string[];
  writeLine: (line: string) => void;
  writeError: (line: string) => void;
}

type Copy = (stores: Stores, folder: string) => Promise<Manifest>;

async function run(
  usage: string,
  verb: string,
  copy: Copy,
  { environment, args, writeLine, writeError }: BackupCommand,
): Promise<number> {
  const [folder, ...more] = args;
  if (folder === undefined || more.length > 0) {
    writeError(usage);
    return 2;
  }
  try {
    const stores = await connectStores(loadConfig(environment));
    try {
      const { collections, objects } = await copy(stores, folder);
      for (const { service, collection, documents } of collections)
        writeLine(`${service}  ${collection}  ${documents} documents`);
      writeLine(`${objects.count} files, ${objects.bytes} bytes`);
      writeLine(`${verb} ${folder}`);
      return 0;
    } finally {
      await stores.close();
    }
  } catch (error) {
    writeError(error instanceof ConfigError ? error.message : `Not ${verb}: ${(error as Error).message}`);
    return 1;
  }
}

/** Backs up into the folder that the first argument names. @returns the exit status */
export const runBackup = (command: BackupCommand): Promise<number> =>
  run('Usage: npm run backup -- FOLDER', 'backed up into', backUp, command);

/** Restores from the folder that the first argument names. @returns the exit status */
export const runRestore = (command: BackupCommand): Promise<number> =>
  run('Usage: npm run restore -- FOLDER', 'restored from', restore, command);
