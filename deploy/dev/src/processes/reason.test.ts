import { expect, test } from '@jest/globals';
import { reasonIn } from './reason.js';

const STACK = `node:internal/process/promises:394
      triggerUncaughtException(err, true /* fromPromise */);
      ^

[Error: ENOENT: no such file or directory, mkdir ''] {
  errno: -2,
  code: 'ENOENT'
}

Node.js v20.20.2
`;

test('the reason is the line of the error, without the fields below it', () => {
  expect(reasonIn(STACK)).toBe("[Error: ENOENT: no such file or directory, mkdir '']");
});

test('the reason may be in a line of JSON', () => {
  const fatal = '{"level":"fatal","msg":"The port is in use."}';
  expect(reasonIn(`{"level":"info","msg":"Starting."}\n${fatal}\n{"level":"info","msg":"Stopped."}\n`)).toBe(fatal);
});

test('without an error, the last line says most', () => {
  expect(reasonIn('one\ntwo\n\n')).toBe('two');
  expect(reasonIn('')).toBe('');
});
