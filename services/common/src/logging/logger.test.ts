import { describe, expect, test } from '@jest/globals';
import { AppError } from '../errors/errors.js';
import { createLogger, withRequestId } from './logger.js';

function logged(write: (logger: ReturnType<typeof createLogger>) => void): Record<string, unknown> {
  const lines: string[] = [];
  write(createLogger({ service: 'example', level: 'info', destination: { write: (line) => void lines.push(line) } }));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
}

describe('createLogger', () => {
  test('puts service, level and request id in every line', () => {
    const line = logged((logger) => withRequestId('0123456789', () => logger.info('ready')));
    expect(line).toMatchObject({ service: 'example', level: 'info', requestId: '0123456789', msg: 'ready' });
  });

  test('omits messages of foreign errors and of their causes', () => {
    const line = logged((logger) =>
      logger.error({ err: new Error('dup key: "my secret words"', { cause: new Error('my secret words') }) }, 'failed'),
    );
    expect(JSON.stringify(line)).not.toContain('secret words');
    expect(line).toMatchObject({
      err: { type: 'Error', stack: expect.stringMatching(/^\s+at /), cause: { type: 'Error' } },
    });
  });

  test('keeps code and message of an AppError', () => {
    const line = logged((logger) =>
      logger.error({ err: new AppError({ code: 'unavailable', message: 'The broker is away.' }) }, 'failed'),
    );
    expect(line).toMatchObject({ err: { type: 'AppError', code: 'unavailable', message: 'The broker is away.' } });
  });
});
