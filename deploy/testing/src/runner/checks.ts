import { command, npm } from '@najwa/dev/bootstrap/processes';

/** Passes with status 0. Output is shown on failure. */
export interface Check {
  name: string;
  /**
   * In the root: `node` with a script, or an installed program. May use the network only to prepare programs, through
   * bootstrap/.
   */
  command: readonly [program: string, ...args: string[]];
  /** Only in the long run. */
  isLong?: true;
  /** Gets addresses of servers and browsers. */
  needsInfrastructure?: true;
}

/** All but the suites. */
export const CHECKS: readonly Check[] = [
  { name: 'types', command: ['node', 'deploy/check/types.js'] },
  // After types, which makes the code that it reads.
  { name: 'lint', command: ['oxlint', '--threads=1'] },
  { name: 'format', command: ['oxfmt', '--check', '--threads=1'] },
  { name: 'contracts', command: ['npm', 'run', '--silent', 'check', '--workspace', 'proto'] },
  { name: 'breaking contracts are told', command: ['node', 'deploy/check/contracts-compare.js'], isLong: true },
  { name: 'skaffold and pipelines', command: ['node', 'deploy/check/delivery.js'], isLong: true },
  { name: 'load scripts', command: ['node', 'deploy/check/k6.js'], isLong: true },
  { name: 'Kubernetes manifests', command: ['node', 'deploy/k8s/check/check.js'], isLong: true },
  { name: 'dependencies and licences', command: ['node', 'deploy/check/dependencies.js'] },
  { name: 'configuration is described', command: ['node', 'deploy/check/configuration.js'] },
  { name: 'layers and circles of imports', command: ['node', 'deploy/check/layers.js'] },
  { name: 'budgets', command: ['node', 'deploy/check/budgets.js'] },
  { name: 'threat model', command: ['node', 'deploy/check/threat-model.js'] },
  { name: 'faults that tests must catch', command: ['node', 'deploy/testing/bin/mutants.js', '--check'] },
  { name: 'Dockerfiles', command: ['node', 'deploy/images/check.js'], isLong: true },
  {
    name: 'Compose file',
    command: ['dclint', '--max-warnings', '0', '-c', 'deploy/images/dclint.json', 'docker-compose.yml'],
    isLong: true,
  },
  // Last: needs the built client.
  {
    name: 'smokes of the benchmarks',
    command: ['node', 'deploy/bench/bin/bench.js', 'all', '--smoke'],
    isLong: true,
    needsInfrastructure: true,
  },
];

/** @throws {SetupError} with the last lines of output */
export function runCheck(
  { name, command: [program, ...args] }: Check,
  { signal, env }: { signal: AbortSignal; env: Readonly<Record<string, string>> },
): Promise<void> {
  const what = `The check "${name}"`;
  const options = { signal, env };
  if (program === 'node') return command(what, process.execPath, args, options);
  return npm(what, program === 'npm' ? args : ['exec', '--', program, ...args], options);
}
