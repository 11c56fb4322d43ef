import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { provideGoTool } from '../../dev/src/bootstrap/go-programs.js';

/** kustomize of the PATH, that of a kubectl which is new enough, or one compiled here. */
export async function findKustomize() {
  const version = await promisify(execFile)('kubectl', ['version', '--client']).catch(() => ({ stdout: '' }));
  if (/Kustomize Version: v([5-9]|\d\d)\./.test(version.stdout)) return ['kubectl', 'kustomize'];
  return [await provideGoTool({ name: 'kustomize', package: 'sigs.k8s.io/kustomize/kustomize/v5' }), 'build'];
}
