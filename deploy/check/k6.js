// Lets k6 read the load scripts, for imports and options that the type check cannot see. Skipped where k6 is not ready.
import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { inCheckout } from '../dev/src/bootstrap/environment.js';
import { isGoToolReady, K6, provideGoTool } from '../dev/src/bootstrap/go-programs.js';

if (await isGoToolReady(K6)) {
  const k6 = await provideGoTool(K6);
  const scenarios = (await readdir(inCheckout('deploy/k6/scenarios'))).map((file) => file.replace('.ts', ''));
  for (const smoke of ['0', '1']) {
    const env = { ...process.env, NAJWA_SCENARIOS: scenarios.join(','), NAJWA_SMOKE: smoke };
    const output = execFileSync(
      k6,
      ['inspect', '--include-system-env-vars', '--execution-requirements', inCheckout('deploy/k6/main.ts')],
      { env },
    );
    const found = Object.keys(JSON.parse(output.toString()).scenarios);
    const missing = scenarios.filter((name) => !found.includes(name));
    if (missing.length > 0) throw new Error(`deploy/k6/main.ts does not run: ${missing.join(', ')}.`);
  }
} else console.log('k6 is not installed: the load scripts were only type-checked.');
