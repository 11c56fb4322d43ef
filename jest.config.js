import { totalmem } from 'node:os';
import { PROJECT_FILES } from './deploy/testing/src/jest-projects.js';
import { SWC_PARSER } from './deploy/dev/src/bootstrap/swc-parser.js';

const root = import.meta.dirname.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A project of the table, with its files. */
const project = (name) => ({ displayName: name, testRegex: `^${root}/${PROJECT_FILES[name]}$` });

/** Jest calls each file once, so each project has its own. */
const setupOf = (name) => ({ globalSetup: `<rootDir>/deploy/testing/jest/setup/${name}.js` });

const typescript = {
  testRunner: '<rootDir>/deploy/testing/jest/timed-runner.js',
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
  setupFilesAfterEnv: ['<rootDir>/deploy/testing/jest/loopback-only.js'],
};

/** Tests of running services. Everything but the tests is loaded as it is compiled, outside Jest's registry. */
const onInfrastructure = {
  ...onNode,
  transform: {
    '/(proto|(services|deploy)/[^/]+)/dist/.+\\.js$': '<rootDir>/deploy/testing/jest/outside-registry.js',
    ...typescript.transform,
  },
  testEnvironment: '<rootDir>/deploy/testing/jest/infrastructure-environment.js',
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
  setupFilesAfterEnv: [],
  globalTeardown: '<rootDir>/deploy/testing/jest/setup/teardown.js',
};

const onServices = {
  ...onInfrastructure,
  moduleNameMapper: { '^((\\.\\./)+)src/(.*)\\.js$': '$1dist/$3.js', ...typescript.moduleNameMapper },
};

/** Needs the Compose project that npm run test:compose starts. */
const compose = {
  ...onNode,
  displayName: 'compose',
  testMatch: ['<rootDir>/deploy/testing/tests/compose/**/*.test.ts'],
};

/** @type {import('jest').Config} */
export default {
  // Catches only what hangs. Tests do not assert durations, since machines differ.
  testTimeout: 300_000,
  testSequencer: '<rootDir>/deploy/testing/jest/longest-first.js',
  // A worker process keeps what its files leave. A new one between two files starts all services again.
  workerIdleMemoryLimit: Math.max(1.5e9, totalmem() / 8),
  projects: [
    // Its set-up prepares what those of the others need, too, and they leave out what is there.
    {
      ...onInfrastructure,
      ...project('browser'),
      ...setupOf('browser'),
      testEnvironment: '<rootDir>/deploy/testing/jest/browser-environment.js',
      // These start a system with settings of their own.
      testPathIgnorePatterns: process.env.NAJWA_RUNNING_SYSTEM ? ['/web/e2e/own-system/'] : [],
    },
    { ...onServices, ...project('journeys'), ...setupOf('journeys') },
    { ...onServices, ...project('component'), ...setupOf('component') },
    { ...onNode, ...project('unit') },
    ...(process.env.NAJWA_RUNNING_SYSTEM ? [compose] : []),
    {
      ...typescript,
      ...project('web'),
      testEnvironment: 'jsdom',
      testEnvironmentOptions: { customExportConditions: ['najwa-source', ''] },
    },
  ],
};
