import { rm } from 'node:fs/promises';

export default async function stop() {
  const provided = globalThis.najwaInfrastructure;
  if (provided === undefined) return;
  delete globalThis.najwaInfrastructure;
  await provided.infrastructure.stop();
  await rm(provided.dataDir, { recursive: true, force: true });
}
