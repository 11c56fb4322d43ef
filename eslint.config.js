import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const HORIZONTAL_SIDE = String.raw`/(^|[\s;{])(((margin|padding|border|inset|scroll-margin|scroll-padding)-(left|right)(-(width|style|color))?|border-(top|bottom)-(left|right)-radius|left|right)\s*:|(text-align|float|clear)\s*:\s*(left|right)\b)/`;

const AS_TEXT = 'Show it as text: what people write must never become markup.';

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      'proto/src/gen/**',
      '.data/**',
      '.artifacts/**',
      'services/gateway/stubs/**',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.js'],
    languageOptions: { globals: globals.node },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.recommendedTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      // One program for all services: separate ones would reread the same packages.
      parserOptions: { project: 'services/tsconfig.lint.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unnecessary-condition': 'error',
    },
  },
  {
    files: ['services/*/src/**/*.ts'],
    ignores: ['services/*/src/config.ts', 'services/common/src/service/lifecycle.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only config.ts reads the environment.' },
      ],
    },
  },
  {
    files: ['services/*/src/**/*.ts'],
    ignores: [
      'services/*/src/db/**',
      'services/*/src/store/**',
      'services/*/src/*/*-store.ts',
      'services/*/src/context.ts',
      'services/common/src/**',
      'services/product/src/**',
      'services/backup/src/**',
      'services/media/src/doctor/**',
    ],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [{ name: 'mongoose', message: 'Mongoose stays in stores: they take and return plain records.' }],
        },
      ],
    },
  },
  {
    files: ['deploy/k6/**/*.ts'],
    languageOptions: { parserOptions: { project: 'deploy/k6/tsconfig.json' } },
  },
  {
    files: ['web/**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { project: 'web/tsconfig.tests.json' } },
  },
  {
    files: ['web/src/**/*.{ts,tsx}'],
    languageOptions: { globals: globals.browser },
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: `TemplateElement[value.raw=${HORIZONTAL_SIDE}]`,
          message:
            'Use logical properties (margin-inline-start, inset-inline-end, text-align: start): every page exists in both directions.',
        },
        { selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]', message: AS_TEXT },
      ],
    },
  },
  {
    // Some compile what they read: half of the time of all rules. Hooks in tests do not matter.
    files: ['web/src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.*', 'web/src/test/**'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      ...reactHooks.configs.recommended.rules,
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML'].map((property) => ({ property, message: AS_TEXT })),
      ],
      'no-restricted-globals': [
        'error',
        {
          name: 'fetch',
          message: 'Calls go through lib/http.ts, which marks them as ours.',
        },
        ...['localStorage', 'sessionStorage'].map((name) => ({
          name,
          message: 'Use lib/storage.ts, which names what is kept: browsers may refuse it, and accounts leave devices.',
        })),
      ],
    },
  },
);
