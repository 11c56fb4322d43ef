import { describe, expect, test } from '@jest/globals';
import { worthShowing } from './service-program.js';

describe('what the terminal shows of a service', () => {
  test('is warnings and errors, briefly', () => {
    expect(worthShowing('{"level":"warn","service":"auth","msg":"broker away","requestId":"1"}')).toBe(
      'warn: broker away',
    );
    expect(worthShowing('{"level":"info","service":"auth","msg":"ready"}')).toBeUndefined();
  });

  test('is everything that is no line of the log, such as the faults of a configuration', () => {
    expect(worthShowing('auth: The configuration has a fault:')).toBe('auth: The configuration has a fault:');
    expect(worthShowing('  ')).toBeUndefined();
    expect(worthShowing('{"cut off')).toBe('{"cut off');
  });
});
