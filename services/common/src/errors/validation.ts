import { CODE_OF_FAULT, fields as contractFields, type FieldFault } from '@najwa/proto/http';
import type { z } from 'zod';
import { AppError } from './errors.js';

export const id = contractFields.id;

const FAULT = /^[a-z_]+$/;

/** Messages of our schemas are codes, those of others are sentences. */
function faultOf({ message, path, input }: z.core.$ZodIssue): string {
  if (FAULT.test(message)) return message;
  return input === undefined && path.length > 0 ? 'required' : 'not_valid';
}

/** Repeats names from the client only if they look like names. */
export const fieldName = (path: PropertyKey[]): string => {
  const name = path.join('.');
  return /^[\w.-]{1,64}$/.test(name) ? name : 'body';
};

const MAX_NAMED_FIELDS = 20;

function faultsOf(issues: z.core.$ZodIssue[]): Record<string, string> {
  const fields: Record<string, string> = {};
  const add = (path: PropertyKey[], fault: string) => {
    if (Object.keys(fields).length < MAX_NAMED_FIELDS) fields[fieldName(path)] ??= fault;
  };
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) add([...issue.path, key], 'unknown_field');
    else add(issue.path, faultOf(issue));
  }
  return fields;
}

/** @throws {AppError} naming every invalid field: `invalid_input`, or a more specific code shared by all faults */
export function validate<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input, { reportInput: true });
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
