import { describe, expect, test } from '@jest/globals';
import { cleanText, ruled, RULES } from '@najwa/proto/http';
import { z } from 'zod';
import { AppError } from './errors.js';
import { id, validate } from './validation.js';

function fieldsOf(schema: z.ZodType, input: unknown): Record<string, string> | undefined {
  try {
    validate(schema, input);
  } catch (error) {
    if (error instanceof AppError) return error.fields;
    throw error;
  }
  return undefined;
}

const content = ruled((raw) => {
  const result = cleanText(raw, { min: 1, max: 5 });
  return 'text' in result ? { value: result.text } : result;
});

const schema = z.strictObject({ userId: id, content });

describe('validate', () => {
  test('names every invalid field with its error code', () => {
    expect(fieldsOf(schema, { userId: '1', content: ' ' })).toEqual({ userId: 'required', content: 'required' });
    expect(fieldsOf(schema, { userId: 1.5, content: 'abcdef' })).toEqual({ userId: 'not_an_id', content: 'too_long' });
    expect(fieldsOf(schema, { userId: -1, content: 5 })).toEqual({ userId: 'not_an_id', content: 'required' });
  });

  test('names unknown fields', () => {
    expect(fieldsOf(schema, { userId: 1, content: 'a', isAdmin: true })).toEqual({ isAdmin: 'unknown_field' });
    const nested = z.strictObject({ device: z.strictObject({}) });
    expect(fieldsOf(nested, { device: { kind: 'x' } })).toEqual({ 'device.kind': 'unknown_field' });
  });

  test('calls a missing field of any kind required', () => {
    const nested = z.strictObject({ device: z.object({ keys: z.array(z.string()), kind: z.number() }) });
    expect(fieldsOf(nested, {})).toEqual({ device: 'required' });
    expect(fieldsOf(nested, { device: { kind: 'x' } })).toEqual({
      'device.keys': 'required',
      'device.kind': 'not_valid',
    });
    expect(fieldsOf(nested, { device: null })).toEqual({ device: 'not_valid' });
  });

  test('does not repeat invalid field names', () => {
    expect(fieldsOf(schema, { userId: 1, content: 'a', ['<b>'.repeat(1000)]: 1 })).toEqual({ body: 'unknown_field' });
  });

  test('uses the specific code if all faults share one', () => {
    const registration = z.strictObject({ username: ruled(RULES.newUsername), name: content });
    const refuse = (input: unknown) => () => validate(registration, input);
    expect(refuse({ username: 'admin', name: 'a' })).toThrow(
      expect.objectContaining({ code: 'username_reserved', fields: { username: 'reserved' } }),
    );
    expect(refuse({ username: 'admin', name: '' })).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });

  test.each([undefined, null, [], 'text', 5])('refuses %p as a body', (body) => {
    expect(fieldsOf(schema, body)).toEqual({ body: 'not_valid' });
  });

  test('returns the normalised input', () => {
    expect(validate(schema, { userId: 3, content: '  سلام ' })).toEqual({ userId: 3, content: 'سلام' });
  });
});
