// Fails if the committed code or description of the HTTP contract differs from the generated output.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageRoot = fileURLToPath(new URL('..', import.meta.url));
const fresh = mkdtempSync(join(tmpdir(), 'najwa-proto-'));

function isSame(path) {
  const compared = ['--recursive', '--brief', join(fresh, path), join(packageRoot, path)];
  return spawnSync('diff', compared, { stdio: 'inherit' }).status === 0;
}

try {
  execFileSync('buf', ['generate', '--output', fresh], { cwd: packageRoot, stdio: 'inherit' });
  const generator = fileURLToPath(new URL('generate-openapi.js', import.meta.url));
  execFileSync(process.execPath, [generator, fresh], { stdio: 'inherit' });
  const differing = ['src/gen', 'openapi.yaml'].filter((path) => !isSame(path));
  if (differing.length > 0) {
    console.error(
      `Not what the contracts generate: ${differing.map((path) => `proto/${path}`).join(', ')}. Run \`npm run generate\` and commit the result.`,
    );
    process.exitCode = 1;
  }
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
