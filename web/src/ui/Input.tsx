import { css, styled } from 'styled-components';

const edge = css`
  border-radius: 13px;
  background: var(--surface);
  border: 1px solid var(--field);
  transition:
    border-color var(--fast),
    box-shadow var(--fast);
`;

/* Forced colours draw outlines but no shadows. */
const focused = css`
  outline: 3px solid transparent;
  border-color: var(--violet);
  box-shadow: 0 0 0 3px color-mix(in srgb, var(--violet) 24%, transparent);
`;

const invalid = css`
  border-color: var(--danger);
  box-shadow: 0 0 0 3px color-mix(in srgb, var(--danger) 14%, transparent);
`;

const disabled = css`
  background: var(--sunken);
  border-color: var(--line);
  color: var(--ink-3);
`;

const box = css`
  ${edge}
  inline-size: 100%;
  min-block-size: 48px;
  padding: 10px 16px;
  line-height: 1.5;
  &:hover {
    border-color: var(--ink-2);
  }
  &[aria-invalid='true'] {
    ${invalid}
  }
  &:focus {
    ${focused}
  }
  &:disabled,
  &:read-only {
    ${disabled}
  }
`;

export const Input = styled.input`
  ${box}
  [dir='rtl'] &[dir='ltr'] {
    text-align: end;
  }
`;

export const Textarea = styled.textarea`
  ${box}
  display: block;
  min-block-size: 96px;
  line-height: 1.75;
  resize: vertical;
  :lang(en) & {
    line-height: 1.6;
  }
`;

/** With a fixed prefix (the host of a link) or a button after it (show password). */
export const AffixedInput = styled.div`
  ${edge}
  display: flex;
  align-items: stretch;
  inline-size: 100%;
  min-block-size: 48px;
  overflow: hidden;
  &:hover {
    border-color: var(--ink-2);
  }
  &:has(input[aria-invalid='true']) {
    ${invalid}
  }
  &:has(input:focus) {
    ${focused}
  }
  &:has(input:disabled) {
    ${disabled}
  }
  > input {
    flex: 1;
    min-inline-size: 0;
    border: 0;
    background: none;
    padding: 10px 14px;
    line-height: 1.5;
    outline: 0;
  }
  [dir='rtl'] & > input[dir='ltr'] {
    text-align: end;
  }
  > button {
    padding-inline: 14px;
    color: var(--ink-2);
    border-radius: 12px;
    &:focus-visible {
      outline-offset: -3px;
    }
  }
`;

export const InputPrefix = styled.span`
  display: flex;
  align-items: center;
  padding-inline: 14px;
  background: var(--sunken);
  color: var(--ink-3);
  border-inline-end: 1px solid var(--line);
  font-size: 0.9375rem;
  font-family: ${({ theme }) => theme.font.latin};
  white-space: nowrap;
`;
