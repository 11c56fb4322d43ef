// Checks the types of a part of the checkout and lints it. Both read one program: to build it twice, and to work out the
// same types twice, would take as long again.
import { ESLint } from 'eslint';
import ts from 'typescript';
import { checkoutRoot, inCheckout } from '../dev/src/bootstrap/environment.js';

const PARTS = {
  // Also all JavaScript outside the web client. The load scripts have a program of their own.
  services: { project: 'services/tsconfig.lint.json', lint: '.', ignored: ['web/**'], other: ['deploy/k6/**'] },
  web: { project: 'web/tsconfig.tests.json', lint: 'web', ignored: [], other: [] },
};

const HOST = {
  getCanonicalFileName: (/** @type {string} */ file) => file,
  getCurrentDirectory: () => checkoutRoot,
  getNewLine: () => '\n',
};

/** @type {(project: string) => ts.Program} */
function createProgram(project) {
  const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile(
    inCheckout(project),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
        throw new Error(ts.formatDiagnostic(diagnostic, HOST));
      },
    },
  );
  if (errors.length > 0) throw new Error(ts.formatDiagnostics(errors, HOST));
  // The linter goes from a node to what it is in.
  return ts.createProgram(fileNames, options, ts.createCompilerHost(options, true));
}

const part = PARTS[process.argv[2]];
if (part === undefined) throw new Error(`Name a part: ${Object.keys(PARTS).join(' or ')}.`);
const program = createProgram(part.project);
// The other files that it reads are of the other part.
const own = program.getRootFileNames().map((file) => program.getSourceFile(file));
const diagnostics = ts.sortAndDeduplicateDiagnostics(own.flatMap((file) => ts.getPreEmitDiagnostics(program, file)));
process.stdout.write(ts.formatDiagnostics(diagnostics, HOST));

const eslint = new ESLint({
  cwd: checkoutRoot,
  ignorePatterns: part.ignored,
  overrideConfig: {
    files: ['**/*.{ts,tsx}'],
    ignores: part.other,
    languageOptions: { parserOptions: { programs: [program] } },
  },
});
const results = await eslint.lintFiles([part.lint]);
process.stdout.write(await (await eslint.loadFormatter('stylish')).format(results));
if (diagnostics.length > 0 || results.some(({ errorCount, warningCount }) => errorCount + warningCount > 0))
  process.exitCode = 1;
