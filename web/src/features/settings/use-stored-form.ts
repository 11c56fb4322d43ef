import { type FieldValues, type Path, useForm } from 'react-hook-form';

/**
 * A form for values that the server stores. What is changed elsewhere shows in the fields that nobody has changed here,
 * and what is typed stays.
 */
export function useStoredForm<Fields extends FieldValues>(stored: Fields) {
  const form = useForm<Fields>({
    values: stored,
    resetOptions: { keepDirtyValues: true, keepErrors: true, keepIsSubmitted: true },
  });
  // The form tracks which fields are dirty only if somebody reads it.
  const { dirtyFields } = form.formState;

  return {
    ...form,
    /** The fields that differ from what is stored. Sending another one would take back what was changed elsewhere. */
    changesOf: (written: Fields): Partial<Fields> => {
      const changes: Partial<Fields> = {};
      for (const name of Object.keys(dirtyFields) as (keyof Fields)[])
        if (written[name] !== stored[name]) changes[name] = written[name];
      return changes;
    },
    /** Shows what was saved. What was typed while it was under way stays, unsaved. */
    settle: (sent: Fields, saved: Fields) => {
      const typed = form.getValues();
      form.reset(saved, { keepDirtyValues: false });
      for (const name of Object.keys(sent) as Path<Fields>[])
        if (typed[name] !== sent[name]) form.setValue(name, typed[name], { shouldDirty: true });
    },
  };
}
