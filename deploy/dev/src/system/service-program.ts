import { Program } from '../processes/program.js';
import type { Supervisor } from '../processes/supervisor.js';
import type { Reporter } from '../reporter.js';

/** Services drain for up to fifteen seconds. */
const STOP_TIMEOUT_MS = 16_000;
const SHOWN_LEVELS = new Set(['warn', 'error', 'fatal']);

/** Warnings and errors of JSON lines, and all other lines. */
export function terminalLine(line: string): string | undefined {
  if (!line.startsWith('{')) return line.trim() === '' ? undefined : line;
  try {
    const { level, msg } = JSON.parse(line) as { level?: unknown; msg?: unknown };
    return typeof level === 'string' && SHOWN_LEVELS.has(level) && typeof msg === 'string'
      ? `${level}: ${msg}`
      : undefined;
  } catch {
    return line;
  }
}

export async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok ?? false;
}

export interface ServiceProgramOptions {
  name: string;
  /** Compiled. */
  main: string;
  nodeOptions?: readonly string[];
  env: Record<string, string>;
  url: string;
  supervisor: Supervisor;
  reporter: Reporter;
}

export function createServiceProgram({
  name,
  main,
  nodeOptions = [],
  env,
  url,
  supervisor,
  reporter,
}: ServiceProgramOptions): Program {
  return new Program(name, async function* (signal) {
    yield await supervisor.start(
      {
        name,
        command: process.execPath,
        args: ['--enable-source-maps', ...nodeOptions, main],
        env,
        onLine: (line) => {
          const shown = terminalLine(line);
          if (shown !== undefined)
            reporter.say(`${name}: ${shown.startsWith(`${name}: `) ? shown.slice(name.length + 2) : shown}`);
        },
        ready: () => isReady(url),
        stopTimeoutMs: STOP_TIMEOUT_MS,
      },
      signal,
    );
  });
}
