import { useEffect, useEffectEvent, useRef } from 'react';
import { type FieldValues, type Path, type PathValue, useForm, useWatch } from 'react-hook-form';
import { useKept } from '../../shared/session/index.js';

/** Changes made elsewhere update untouched fields; edited fields stay, also when the form is left before it is saved. */
export function useStoredForm<Fields extends FieldValues>(name: string, stored: Fields) {
  const kept = useKept<Partial<Fields>>(name);
  const form = useForm<Fields>({
    values: stored,
    resetOptions: { keepDirtyValues: true, keepErrors: true, keepIsSubmitted: true },
  });
  // React Hook Form tracks dirty fields only if this is read.
  const { dirtyFields } = form.formState;

  /** Only edited fields: sending others would revert changes made elsewhere. */
  const changesOf = (written: Fields): Partial<Fields> => {
    const changes: Partial<Fields> = {};
    for (const field of Object.keys(dirtyFields) as (keyof Fields)[])
      if (written[field] !== stored[field]) changes[field] = written[field];
    return changes;
  };

  const written = useWatch({ control: form.control });
  const isRestored = useRef(false);
  const keep = useEffectEvent(() => {
    if (isRestored.current) {
      const changes = changesOf(form.getValues());
      kept.keep(Object.keys(changes).length === 0 ? null : changes);
      return;
    }
    isRestored.current = true;
    for (const [field, typed] of Object.entries(kept.read() ?? {}))
      if (form.getValues(field as Path<Fields>) !== typed)
        form.setValue(field as Path<Fields>, typed as PathValue<Fields, Path<Fields>>, { shouldDirty: true });
  });
  useEffect(() => {
    keep();
  }, [written]);

  return {
    ...form,
    changesOf,
    /** Shows saved values. Input typed meanwhile stays, unsaved. */
    settle: (sent: Fields, saved: Fields) => {
      const typed = form.getValues();
      form.reset(saved, { keepDirtyValues: false });
      for (const field of Object.keys(sent) as Path<Fields>[])
        if (typed[field] !== sent[field]) form.setValue(field, typed[field], { shouldDirty: true });
    },
  };
}
