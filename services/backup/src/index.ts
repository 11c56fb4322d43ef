export { backUp } from './backup.js';
export { runBackup, runKeepLess, runRestore, type BackupCommand } from './cli.js';
export type { Manifest } from './format.js';
export { connectStores, loadConfig, type BackupConfig, type Stores } from './stores.js';
export { restore } from './restore.js';
