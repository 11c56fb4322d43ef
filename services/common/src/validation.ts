import {
  CODE_OF_FAULT,
  fields as contractFields,
  ruled,
  cleanText,
  type FieldFault,
  type TextBounds,
} from '@najwa/proto/http';
import type { z } from 'zod';
import { AppError } from './errors.js';

/**
 * A text that a person wrote, normalised for storage.
 * Faults: `required` when there is nothing to see, else `too_short`, `too_long` or `forbidden_characters`.
 */
export const personText = (bounds: TextBounds) =>
  ruled((raw) => {
    const result = cleanText(raw, bounds);
    return 'text' in result ? { value: result.text } : result;
  });

/** An id in a body: a whole number from 1. */
export const id = contractFields.id;

/** An id in a path or a query. */
export const idInPath = contractFields.idText;

const FAULT = /^[a-z_]+$/;

/** A schema's message is the fault's code. Schemas without one of their own have a sentence there. */
const faultOf = ({ message }: z.core.$ZodIssue): string => (FAULT.test(message) ? message : 'not_valid');

/** What a client named its fields is repeated only if it looks like a name. */
const nameOf = (path: PropertyKey[]): string => {
  const name = path.join('.');
  return /^[\w.-]{1,64}$/.test(name) ? name : 'body';
};

const MAX_NAMED_FIELDS = 20;

function faultsOf(issues: z.core.$ZodIssue[]): Record<string, string> {
  const fields: Record<string, string> = {};
  const add = (path: PropertyKey[], fault: string) => {
    if (Object.keys(fields).length < MAX_NAMED_FIELDS) fields[nameOf(path)] ??= fault;
  };
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) add([...issue.path, key], 'unknown_field');
    else add(issue.path, faultOf(issue));
  }
  return fields;
}

/**
 * Reads input by its schema, whose messages are codes that the client translates.
 * @throws {AppError} that names every field at fault: `invalid_input`, or the code that the only kind of fault has
 */
export function validate<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const fields = faultsOf(result.error.issues);
  const [fault, ...others] = new Set(Object.values(fields));
  const code = others.length === 0 ? CODE_OF_FAULT[fault as FieldFault] : undefined;
  throw new AppError({
    code: code ?? 'invalid_input',
    message: `Check these fields: ${Object.keys(fields).join(', ')}.`,
    fields,
  });
}
