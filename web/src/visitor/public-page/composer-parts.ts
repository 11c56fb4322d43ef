import { css, styled } from 'styled-components';
import { Button, MessageShape } from '../../ui/index.js';
import { headline, textSize } from '../../theme/index.js';

/** Ids: there is one composer on a page. */
export const PALETTE = 'palette';
export const RECORDER = 'recorder';

export const ComposerCard = styled(MessageShape)`
  padding: 26px 28px 18px;
  > p {
    margin-block: 16px;
    overflow-wrap: anywhere;
    color: var(--violet-text);
  }
  box-shadow: var(--shadow-2);
  container-type: inline-size;
  ${({ theme }) => theme.media.phone} {
    padding: 14px 18px;
  }
`;

export const ComposerHeader = styled.header`
  h2 {
    ${headline('30px', '27px', 1.4, 1.4)}
    overflow-wrap: anywhere;
  }
  p {
    display: flex;
    gap: 8px;
    align-items: center;
    color: var(--ink-2);
    ${textSize('16px', '14.5px')}
    :lang(en) & {
      margin-block-start: 4px;
    }
  }
  ${({ theme }) => theme.media.phone} {
    h2 {
      ${textSize('25px', '22px')}
      line-height: 1.36;
      padding-inline-end: 64px;
    }
  }
`;

/** Lined paper: the line distance is the text's line height. */
export const TextField = styled.textarea`
  display: block;
  inline-size: 100%;
  --line-height: 2.5rem;
  min-block-size: calc(4 * var(--line-height));
  field-sizing: content;
  margin-block-start: 14px;
  padding: 0 0 1px;
  border: 0;
  resize: none;
  ${textSize('20px', '18px')}
  line-height: var(--line-height);
  background: repeating-linear-gradient(
      transparent 0 calc(var(--line-height) - 1px),
      var(--line) calc(var(--line-height) - 1px) var(--line-height)
    )
    local;
  overflow-wrap: anywhere;
  caret-color: var(--violet);
  border-radius: 4px;
  transition: color var(--fast);
  &:read-only {
    color: color-mix(in srgb, var(--ink) 60%, transparent);
    ~ figure img {
      opacity: 0.4;
    }
  }
  &:focus-visible {
    outline-offset: 6px;
  }
  ${({ theme }) => theme.media.phone} {
    margin-block-start: 0;
    ${textSize('19px', '18px')}
  }
`;

export const Attached = styled.figure`
  position: relative;
  inline-size: 168px;
  margin-block-start: 14px;
  ${({ theme }) => theme.bubble.photo}
  img {
    border-radius: inherit;
    inline-size: 100%;
    max-block-size: 224px;
    object-fit: cover;
  }
`;

export const ComposerFooter = styled.footer`
  display: flex;
  justify-content: space-between;
  align-items: center;
  gap: 12px;
  margin-block-start: 16px;
  margin-inline: -8px;
  flex-wrap: wrap;
  ${({ theme }) => theme.media.phone} {
    gap: 6px 8px;
    margin: 8px 0 0;
  }
`;

export const Tools = styled.div`
  display: flex;
  gap: 2px;
  @container (max-width: 640px) {
    span {
      display: none;
    }
  }
  ${({ theme }) => theme.media.phone} {
    flex: 1;
    gap: 0;
    margin-inline-start: -10px;
  }
`;

const toolStyle = css`
  display: inline-flex;
  gap: 8px;
  align-items: center;
  min-block-size: 44px;
  padding-inline: 12px;
  border-radius: 13px;
  border-end-start-radius: 4px;
  color: var(--ink-2);
  font-weight: 500;
  ${textSize('15.5px', '14px')}
  white-space: nowrap;
  &:hover {
    background: var(--sunken);
  }
  &:disabled,
  &:has(:disabled) {
    opacity: 0.45;
    cursor: not-allowed;
  }
  &[aria-expanded='true'] {
    background: var(--violet-tint);
    color: var(--on-violet-tint);
  }
  ${({ theme }) => theme.media.phone} {
    padding-inline: 13px;
  }
`;

export const Tool = styled.button`
  ${toolStyle}
`;

export const ImageTool = styled.label`
  ${toolStyle}
  position: relative;
  cursor: pointer;
  &:has(:focus-visible) {
    outline: 3px solid var(--violet-text);
    outline-offset: 2px;
  }
`;

const waitingStyle = css`
  background: var(--violet-tint);
  color: var(--on-violet-tint);
  &:hover {
    background: color-mix(in srgb, var(--violet) 22%, var(--surface));
  }
`;

export const SendButton = styled(Button)`
  form:has(textarea:placeholder-shown) & {
    ${waitingStyle}
  }
`;

export const SendArea = styled.div`
  display: flex;
  gap: 16px;
  align-items: center;
  margin-inline-start: auto;
  /* The recorder puts its own here. */
  > button[aria-disabled='true']:not([aria-busy='true']) {
    ${waitingStyle}
  }
  ${({ theme }) => theme.media.phone} {
    display: contents;
    > button {
      flex: 1 1 100%;
      min-block-size: 48px;
    }
    > button + button,
    > button:has(+ button) {
      flex-basis: 40%;
    }
  }
`;
