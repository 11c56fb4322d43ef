// Lints a part of the checkout by all rules, or everything by the rules that need neither types nor React's compiler:
// four times as fast.
import { ESLint } from 'eslint';
import reactHooks from 'eslint-plugin-react-hooks';
import ts from 'typescript';
import tseslint from 'typescript-eslint';
import { checkoutRoot, inCheckout } from '../dev/src/bootstrap/environment.js';
import { generateCode } from '../dev/src/bootstrap/prepare.js';

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
  // With parents, which rules walk.
  return ts.createProgram(fileNames, options, ts.createCompilerHost(options, true));
}

/** @type {(paths: string[], options: ESLint.Options) => Promise<boolean>} */
async function lint(paths, options) {
  const eslint = new ESLint({ cwd: checkoutRoot, ...options });
  const results = await eslint.lintFiles(paths);
  process.stdout.write(await (await eslint.loadFormatter('stylish')).format(results));
  return results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0);
}

const TYPESCRIPT = '**/*.{ts,tsx}';

const COMPILING = Object.keys(reactHooks.configs.recommended.rules).filter(
  (rule) => !['react-hooks/rules-of-hooks', 'react-hooks/exhaustive-deps'].includes(rule),
);

const lintQuickly = () =>
  lint(['.'], {
    overrideConfig: [
      // Some belong to rules that are off here.
      { linterOptions: { reportUnusedDisableDirectives: 'off' } },
      { files: [TYPESCRIPT], ...tseslint.configs.disableTypeChecked },
      { files: ['web/src/**/*.{ts,tsx}'], rules: Object.fromEntries(COMPILING.map((rule) => [rule, 'off'])) },
    ],
  });

/** @type {(part: (typeof PARTS)['web']) => Promise<boolean>} */
const lintByAllRules = ({ project, lint: folder, ignored, other }) =>
  lint([folder], {
    ignorePatterns: ignored,
    overrideConfig: {
      files: [TYPESCRIPT],
      ignores: other,
      languageOptions: { parserOptions: { programs: [createProgram(project)] } },
    },
  });

const [name] = process.argv.slice(2);
await generateCode();
if (!(await (name === undefined ? lintQuickly() : lintByAllRules(PARTS[name])))) process.exitCode = 1;
