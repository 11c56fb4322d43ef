// For `node --import`: a process that ends writes the packages that Express Gateway has loaded, itself included.
import { createRequire } from 'node:module';

const PACKAGE = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;

process.once('exit', () => {
  const seen = new Set(
    Object.values(createRequire(import.meta.url).cache).filter(({ id }) => PACKAGE.exec(id)?.[1] === 'express-gateway'),
  );
  // A set also goes through what is added meanwhile.
  for (const { children } of seen) for (const child of children) seen.add(child);
  const names = [...seen].flatMap(({ id }) => PACKAGE.exec(id)?.[1] ?? []);
  process.stdout.write(JSON.stringify([...new Set(names)].sort()));
});
