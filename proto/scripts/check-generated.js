// Fails when the committed code differs from what the contracts generate now.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageRoot = fileURLToPath(new URL('..', import.meta.url));
const fresh = mkdtempSync(join(tmpdir(), 'najwa-proto-'));
try {
  execFileSync('buf', ['generate', '--output', fresh], { cwd: packageRoot, stdio: 'inherit' });
  const { status } = spawnSync(
    'diff',
    ['--recursive', '--brief', join(fresh, 'src/gen'), join(packageRoot, 'src/gen')],
    {
      stdio: 'inherit',
    },
  );
  if (status !== 0) {
    console.error(
      'The generated code in proto/src/gen is not what the contracts generate: run `npm run generate` and commit the result.',
    );
    process.exitCode = 1;
  }
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
