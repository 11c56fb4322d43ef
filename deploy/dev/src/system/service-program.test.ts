import { describe, expect, test } from '@jest/globals';
import { terminalLine } from './service-program.js';

describe('terminal output of a service', () => {
  test('contains short warnings and errors', () => {
    expect(terminalLine('{"level":"warn","service":"auth","msg":"broker disconnected","requestId":"1"}')).toBe(
      'warn: broker disconnected',
    );
    expect(terminalLine('{"level":"info","service":"auth","msg":"ready"}')).toBeUndefined();
  });

  test('contains all lines that are not log lines, such as configuration errors', () => {
    expect(terminalLine('auth: The configuration has a fault:')).toBe('auth: The configuration has a fault:');
    expect(terminalLine('  ')).toBeUndefined();
    expect(terminalLine('{"cut off')).toBe('{"cut off');
  });
});
