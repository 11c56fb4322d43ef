import { CircleAlert } from 'lucide-react';
import { type ComponentProps, type ComponentType, useId, type ReactNode } from 'react';
import { styled } from 'styled-components';
import { semibold, textSize } from '../theme/index.js';
import { Icon } from './Icon.js';
import { Input, Textarea } from './Input.js';

interface InputProps {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

interface Props {
  label: string;
  optional?: string | undefined;
  hint?: string | undefined;
  error?: string | undefined;
  children: (inputProps: InputProps) => ReactNode;
}

export function Field({ label, optional, hint, error, children }: Props) {
  const id = useId();
  const note = `${id}-note`;
  return (
    <Group>
      <label htmlFor={id}>
        {label}
        {optional !== undefined && (
          <>
            {' '}
            <Optional>{optional}</Optional>
          </>
        )}
      </label>
      {children({
        id: id,
        'aria-invalid': error !== undefined,
        'aria-describedby': error !== undefined || hint !== undefined ? note : undefined,
      })}
      {error !== undefined ? (
        <FieldError id={note}>{error}</FieldError>
      ) : (
        hint !== undefined && <Hint id={note}>{hint}</Hint>
      )}
    </Group>
  );
}

const fieldWith = <Attributes,>(Control: ComponentType<Attributes>) =>
  function ControlField({ label, optional, hint, error, ...input }: Omit<Props, 'children'> & Attributes) {
    return (
      <Field label={label} optional={optional} hint={hint} error={error}>
        {(inputProps) => <Control {...(input as Attributes)} {...inputProps} />}
      </Field>
    );
  };

export const InputField = fieldWith<ComponentProps<'input'>>(Input);
export const TextareaField = fieldWith<ComponentProps<'textarea'>>(Textarea);

export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <ErrorText id={id} role="alert">
      <Icon of={CircleAlert} size="sm" />
      {children}
    </ErrorText>
  );
}

const Group = styled.div`
  display: grid;
  gap: 6px;
  align-content: start;
  > label {
    ${semibold}
    ${textSize('16px', '14px')}
    line-height: 1.5;
  }
`;

const Optional = styled.span`
  font-weight: 400;
  color: var(--ink-3);
  margin-inline-start: 2px;
`;

const Hint = styled.p`
  ${textSize('15px', '13px')}
  line-height: 1.6;
  color: var(--ink-3);
`;

const ErrorText = styled.p`
  ${textSize('15px', '13px')}
  line-height: 1.5;
  color: var(--danger-text);
  display: flex;
  gap: 6px;
  align-items: center;
`;

/** Stacked on phones. */
export const FieldPair = styled.div`
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: 16px;
  ${({ theme }) => theme.media.phone} {
    grid-template-columns: minmax(0, 1fr);
  }
`;

export const AddRow = styled.div`
  display: flex;
  gap: 10px;
  > input {
    flex: 1;
    min-inline-size: 0;
  }
`;
