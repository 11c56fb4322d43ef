import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { workerData } from 'piscina';
import type { RenderRequest, Rendered, RenderTask, SignInRequest, WayBackRequest } from './renderer.js';

interface Bundle {
  renderPublicPage(request: RenderRequest): Promise<Rendered>;
  renderWayBack(request: WayBackRequest): Promise<Rendered>;
  renderSignIn(request: SignInRequest): Promise<Rendered>;
}

const module = { exports: {} as Bundle };
const run = compileFunction(workerData as string, ['module', 'exports', 'require']) as (...names: unknown[]) => void;
run(module, module.exports, createRequire(import.meta.url));

/** @param task null waits until the code is loaded */
export default (task: RenderTask | null): Promise<Rendered> | undefined => {
  if (task === null) return undefined;
  if ('page' in task) return module.exports.renderPublicPage(task.page);
  return 'signIn' in task ? module.exports.renderSignIn(task.signIn) : module.exports.renderWayBack(task.wayBack);
};
