import { expect, test } from '@jest/globals';
import { secretsIn } from './log-check.js';

test.each<[string, string]>([
  ['a password of the tests', '{"msg":"login with correct horse"}'],
  ['a password hash', '{"hash":"$argon2id$v=19$m=19456"}'],
  ['a key', '-----BEGIN PRIVATE KEY-----'],
  ['an identity token', '{"t":"eyJhbGciOiJFZERTQSJ9.eyJ2"}'],
  ['a session token or its hash', `{"token":"${'aB3-_'.repeat(8)}xyz"}`],
  ['a way back', `{"url":"/api/ways-back/${'aB3-_'.repeat(4)}xy/image"}`],
  ['an e-mail address', '{"err":"duplicate key noura@example.com"}'],
  ['an address', '{"ip":"192.0.2.7"}'],
  ['an address', '{"ip":"2001:db8::1:2"}'],
  ['words of a message or a name', '{"content":"سرّ"}'],
])('%s is found in %s', (name, line) => {
  expect(secretsIn(line)).toContain(name);
});

test.each([
  '{"level":"info","time":"2026-11-21T10:00:00.000Z","service":"auth","requestId":"4b0b5c5e-0d3c-4a44-8f59-2a4f4d9a9d11","msg":"ready"}',
  '{"level":"error","err":{"type":"MongoServerError","code":11000,"stack":"    at Connection.sendCommand (file:///srv/node_modules/@najwa/common/dist/x.js:563:17)"},"msg":"request failed"}',
  // Its function's name has 43 letters.
  '{"level":"warn","err":{"stack":"    at writableStreamDefaultControllerProcessWrite (node:internal/webstreams/writablestream:1154:5)"},"msg":"slow"}',
])('nothing is found in %s', (line) => {
  expect(secretsIn(line)).toEqual([]);
});
