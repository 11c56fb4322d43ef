import { Eye, EyeOff } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useTranslation } from '../i18n/index.js';
import { Field } from './Field.js';
import { Icon } from './Icon.js';
import { AffixedInput } from './Input.js';

interface Props extends ComponentProps<'input'> {
  label: string;
  error: string | undefined;
  visible: boolean;
  onToggle: () => void;
}

export function PasswordField({ label, error, visible, onToggle, ...input }: Props) {
  const { t } = useTranslation();
  return (
    <Field label={label} error={error}>
      {(inputProps) => (
        <AffixedInput>
          <input
            {...input}
            {...inputProps}
            type={visible ? 'text' : 'password'}
            dir="ltr"
            // When shown, keyboards would capitalise it and spell checkers would send it away.
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
          />
          <button
            type="button"
            data-scripts
            aria-label={t(visible ? 'common.action.hidePassword' : 'common.action.showPassword')}
            aria-pressed={visible}
            onClick={onToggle}
          >
            <Icon of={visible ? EyeOff : Eye} />
          </button>
        </AffixedInput>
      )}
    </Field>
  );
}
