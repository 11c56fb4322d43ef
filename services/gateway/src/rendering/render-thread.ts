import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { workerData } from 'piscina';
import type { RenderRequest, Rendered } from './renderer.js';

/** The client's bundle for servers, see web/src/server.tsx. */
interface Bundle {
  renderPublicPage(request: RenderRequest): Promise<Rendered>;
}

const module = { exports: {} as Bundle };
const run = compileFunction(workerData as string, ['module', 'exports', 'require']) as (...names: unknown[]) => void;
run(module, module.exports, createRequire(import.meta.url));

/** @param request null only waits until the code is loaded */
export default (request: RenderRequest | null): Promise<Rendered> | undefined =>
  request === null ? undefined : module.exports.renderPublicPage(request);
