import { z } from 'zod';
import { AppError } from './errors.js';
import { cleanText, type TextBounds } from './text.js';

/**
 * A text that a person wrote, brought into the form in which it is kept.
 * Faults: `required` when there is nothing to see, else `too_short`, `too_long` or `forbidden_characters`.
 */
export const personText = (bounds: TextBounds) =>
  z.string({ error: 'required' }).transform((raw, context) => {
    const result = cleanText(raw, bounds);
    if ('text' in result) return result.text;
    context.addIssue({ code: 'custom', message: result.fault });
    return z.NEVER;
  });

/** An id of ours: a whole number from 1. */
export const id = z.number({ error: 'required' }).int('not_an_id').positive('not_an_id');

/** An id of ours in a path or a query. */
export const idInPath = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'not_an_id')
  .transform(Number);

/** What a schema left without a code of its own is a fault of kind. */
function codeOf({ code, message }: z.core.$ZodIssue): string {
  if (code === 'unrecognized_keys') return 'unknown_field';
  return /^[a-z_]+$/.test(message) ? message : 'not_valid';
}

/**
 * Reads input by its schema. The schema's messages are codes, which the client translates.
 * @throws {AppError} `invalid_input` that names every field at fault.
 */
export function validate<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const fields: Record<string, string> = {};
  for (const issue of result.error.issues) fields[issue.path.join('.') || 'body'] ??= codeOf(issue);
  throw new AppError({
    code: 'invalid_input',
    message: `Check these fields: ${Object.keys(fields).join(', ')}.`,
    fields,
  });
}
