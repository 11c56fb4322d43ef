// npm run audit: asks the registry which installed versions have known vulnerabilities.
// Ends with 0 if none of them is high or critical, 1 if one is, and 2 if nothing could be checked.
import { spawnSync } from 'node:child_process';
import { inCheckout } from '../dev/src/bootstrap/environment.js';

const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd: inCheckout(), encoding: 'utf8' });

function read() {
  try {
    return JSON.parse(stdout);
  } catch {
    return {};
  }
}

const { vulnerabilities, metadata, statusCode, message } = read();
if (!vulnerabilities) {
  const reason = statusCode ? `it answered ${statusCode}` : (message ?? 'npm gave no answer');
  console.error(`Nothing was checked: the registry does not tell known vulnerabilities (${reason}).`);
  process.exitCode = 2;
} else {
  for (const { name, severity, range, isDirect, fixAvailable } of Object.values(vulnerabilities))
    console.log(
      `${severity}: ${[name, range].filter(Boolean).join(' ')}${isDirect ? ', direct' : ''}${fixAvailable ? ', has a fix' : ''}`,
    );
  const { high, critical, total } = metadata.vulnerabilities;
  console.log(`${metadata.dependencies.total} packages checked, ${total} with known vulnerabilities.`);
  if (high + critical > 0) process.exitCode = 1;
}
