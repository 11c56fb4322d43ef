import { SetupError } from '../src/bootstrap/environment.js';
import { writeSecrets } from '../src/bootstrap/secret-files.js';

// Needs no package: also runs in the plain image of Node.js.
try {
  process.stdout.write(`${await writeSecrets(process.argv[2] ?? '', process.argv[3])}\n`);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
