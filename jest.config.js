import { SWC_PARSER } from './services/dev-env/src/bootstrap/swc-parser.js';

const typescript = {
  transform: {
    '^.+\\.tsx?$': ['@swc/jest', SWC_PARSER],
  },
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: {
    // Sources import compiled names, such as ./file.js for ./file.ts.
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // One file instead of 1,700 modules.
    '^lucide-react$': '<rootDir>/node_modules/lucide-react/dist/cjs/lucide-react.js',
  },
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

/** Needs the Compose project that npm run test:compose starts. */
const compose = {
  ...onNode,
  displayName: 'compose',
  testMatch: ['<rootDir>/services/dev-env/tests/compose/**/*.test.ts'],
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
    {
      ...onInfrastructure,
      displayName: 'browser',
      testEnvironment: '<rootDir>/services/dev-env/jest/browser-environment.js',
      testMatch: ['<rootDir>/web/e2e/**/*.test.ts'],
      // These start a system with settings of their own.
      testPathIgnorePatterns: process.env.NAJWA_RUNNING_SYSTEM ? ['/web/e2e/own-system/'] : [],
    },
    ...(process.env.NAJWA_RUNNING_SYSTEM ? [compose] : []),
    {
      ...typescript,
      displayName: 'web',
      testEnvironment: 'jsdom',
      testEnvironmentOptions: { customExportConditions: ['najwa-source', ''] },
      testMatch: ['<rootDir>/web/src/**/*.test.{ts,tsx}'],
    },
  ],
};
