import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { isApiError } from '../api/api-error.js';

/** Of an API error, at the fields that the form has. */
export function showFaults<Fields extends FieldValues>(
  error: unknown,
  fields: Fields,
  setError: UseFormSetError<Fields>,
): void {
  if (!isApiError(error)) return;
  const faults = error.code === 'username_taken' ? { username: 'taken' } : error.fields;
  for (const [field, message] of Object.entries(faults))
    if (field in fields) setError(field as Path<Fields>, { message }, { shouldFocus: true });
}
