import { type FieldValues, type Path, useForm } from 'react-hook-form';

/** Changes made elsewhere update untouched fields; edited fields stay. */
export function useStoredForm<Fields extends FieldValues>(stored: Fields) {
  const form = useForm<Fields>({
    values: stored,
    resetOptions: { keepDirtyValues: true, keepErrors: true, keepIsSubmitted: true },
  });
  // React Hook Form tracks dirty fields only if this is read.
  const { dirtyFields } = form.formState;

  return {
    ...form,
    /** Only edited fields: sending others would revert changes made elsewhere. */
    changesOf: (written: Fields): Partial<Fields> => {
      const changes: Partial<Fields> = {};
      for (const name of Object.keys(dirtyFields) as (keyof Fields)[])
        if (written[name] !== stored[name]) changes[name] = written[name];
      return changes;
    },
    /** Shows saved values. Input typed meanwhile stays, unsaved. */
    settle: (sent: Fields, saved: Fields) => {
      const typed = form.getValues();
      form.reset(saved, { keepDirtyValues: false });
      for (const name of Object.keys(sent) as Path<Fields>[])
        if (typed[name] !== sent[name]) form.setValue(name, typed[name], { shouldDirty: true });
    },
  };
}
