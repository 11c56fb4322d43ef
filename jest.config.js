const typescript = {
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  // Sources import compiled names, such as ./file.js for ./file.ts.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
};

const onNode = {
  ...typescript,
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['najwa-source', 'node', 'node-addons'] },
  setupFilesAfterEnv: ['<rootDir>/services/dev-env/jest/loopback-only.js'],
};

const onInfrastructure = {
  ...onNode,
  globalSetup: '<rootDir>/services/dev-env/jest/global-setup.js',
  globalTeardown: '<rootDir>/services/dev-env/jest/global-teardown.js',
};

/** @type {import('jest').Config} */
export default {
  // Catches only what hangs. Tests do not assert durations, since machines differ.
  testTimeout: 300_000,
  projects: [
    {
      ...onNode,
      displayName: 'unit',
      testMatch: ['{proto,services/*,deploy/bench}/src/**/*.test.ts'].map((glob) => `<rootDir>/${glob}`),
    },
    { ...onInfrastructure, displayName: 'component', testMatch: ['<rootDir>/services/*/tests/component/**/*.test.ts'] },
    {
      ...onInfrastructure,
      displayName: 'journeys',
      testMatch: ['<rootDir>/services/dev-env/tests/journeys/**/*.test.ts'],
    },
    { ...onInfrastructure, displayName: 'browser', testMatch: ['<rootDir>/web/e2e/**/*.test.ts'] },
    {
      ...typescript,
      displayName: 'web',
      testEnvironment: 'jsdom',
      testEnvironmentOptions: { customExportConditions: ['najwa-source', ''] },
      testMatch: ['<rootDir>/web/src/**/*.test.{ts,tsx}'],
    },
  ],
};
