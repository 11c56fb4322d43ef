import { describe, expect, test } from '@jest/globals';
import { ruled, RULES } from '@najwa/proto/http';
import { z } from 'zod';
import { AppError } from './errors.js';
import { id, idInPath, personText, validate } from './validation.js';

function fieldsOf(schema: z.ZodType, input: unknown): Record<string, string> | undefined {
  try {
    validate(schema, input);
  } catch (error) {
    if (error instanceof AppError) return error.fields;
    throw error;
  }
  return undefined;
}

const schema = z.strictObject({ userId: id, content: personText({ min: 1, max: 5 }) });

describe('validate', () => {
  test('names every field at fault with the code of its fault', () => {
    expect(fieldsOf(schema, { userId: '1', content: ' ' })).toEqual({ userId: 'required', content: 'required' });
    expect(fieldsOf(schema, { userId: 1.5, content: 'abcdef' })).toEqual({ userId: 'not_an_id', content: 'too_long' });
    expect(fieldsOf(schema, { userId: -1, content: 5 })).toEqual({ userId: 'not_an_id', content: 'required' });
  });

  test('calls an unknown field by its name', () => {
    expect(fieldsOf(schema, { userId: 1, content: 'a', isAdmin: true })).toEqual({ isAdmin: 'unknown_field' });
    const nested = z.strictObject({ device: z.strictObject({}) });
    expect(fieldsOf(nested, { device: { kind: 'x' } })).toEqual({ 'device.kind': 'unknown_field' });
  });

  test('does not repeat what a client put in place of a name', () => {
    expect(fieldsOf(schema, { userId: 1, content: 'a', ['<b>'.repeat(1000)]: 1 })).toEqual({ body: 'unknown_field' });
  });

  test('refuses an input whose only fault has a code of its own with that code', () => {
    const registration = z.strictObject({ username: ruled(RULES.newUsername), name: personText({ min: 1, max: 5 }) });
    const refuse = (input: unknown) => () => validate(registration, input);
    expect(refuse({ username: 'admin', name: 'a' })).toThrow(
      expect.objectContaining({ code: 'username_reserved', fields: { username: 'reserved' } }),
    );
    expect(refuse({ username: 'admin', name: '' })).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });

  test.each([undefined, null, [], 'text', 5])('refuses %p as a body', (body) => {
    expect(fieldsOf(schema, body)).toEqual({ body: 'not_valid' });
  });

  test('answers what it read', () => {
    expect(validate(schema, { userId: 3, content: '  سلام ' })).toEqual({ userId: 3, content: 'سلام' });
  });
});

describe('idInPath', () => {
  test.each(['0', '01', '-1', '1e3', '1.0', '9'.repeat(16), ''])('refuses %p', (text) => {
    expect(idInPath.safeParse(text).success).toBe(false);
  });
});
