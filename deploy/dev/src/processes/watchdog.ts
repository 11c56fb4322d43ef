import { rm } from 'node:fs/promises';
import path from 'node:path';
import { endLeftovers } from './records.js';

// Standard input closes when the owner exits, even if killed.
const [folder = ''] = process.argv.slice(2);
process.stdin.resume().once('end', () => {
  void endLeftovers(path.join(folder, 'processes')).then(() => rm(folder, { recursive: true, force: true }));
});
