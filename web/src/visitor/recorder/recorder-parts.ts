import { css, styled } from 'styled-components';
import { semibold, textSize } from '../../theme/index.js';

export const Panel = styled.div<{ $stacked?: boolean; $sending?: boolean }>`
  min-block-size: 160px;
  margin-block-start: 14px;
  background: var(--sunken);
  border-radius: 22px;
  border-end-start-radius: 7px;
  padding: 22px;
  display: flex;
  gap: 20px;
  align-items: center;
  ${({ $stacked }) =>
    $stacked &&
    css`
      flex-direction: column;
      align-items: stretch;
      justify-content: space-between;
      gap: 14px;
    `}
  > [dir='ltr'] {
    ${({ $sending }) => $sending && 'opacity: 0.6;'}
  }
  ${({ theme }) => theme.media.phone} {
    padding: 18px;
    gap: ${({ $stacked }) => ($stacked ? '14px' : '16px')};
  }
`;

export const PanelTitle = styled.b`
  ${textSize('18px', '16px')}
`;

export const PanelText = styled.p`
  color: var(--ink-2);
  line-height: 1.65;
`;

export const Elsewhere = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  small {
    flex-basis: 100%;
    overflow-wrap: anywhere;
    user-select: all;
    text-align: start;
    color: var(--ink-2);
  }
`;

export const RecordButton = styled.button`
  inline-size: 76px;
  block-size: 76px;
  border-radius: 50%;
  border-end-start-radius: 14%;
  background: var(--rose-strong);
  color: var(--on-rose-strong);
  display: grid;
  place-items: center;
  flex: none;
  box-shadow: 0 0 0 8px color-mix(in srgb, var(--rose-strong) 16%, transparent);
  transition: transform var(--fast) var(--ease);
  &:active {
    transform: translateY(1px) scale(0.985);
  }
  &:focus-visible {
    outline-offset: 10px;
  }
  &[aria-busy='true'] {
    cursor: progress;
  }
  > svg {
    inline-size: 30px;
    block-size: 30px;
  }
`;

export const LiveWave = styled.div<{ $paused: boolean }>`
  display: flex;
  > [data-part='wave'] {
    block-size: 60px;
  }
  i {
    max-inline-size: 5px;
  }
  i[data-played] {
    background: ${({ $paused }) => ($paused ? 'var(--ink-3)' : 'var(--rose-strong)')};
  }
`;

export const LiveClock = styled.span<{ $paused: boolean }>`
  display: inline-flex;
  gap: 12px;
  align-items: center;
  font-weight: 700;
  font-size: 1.375rem;
  line-height: 1;
  font-variant-numeric: tabular-nums;
  > :first-child {
    color: ${({ $paused }) => ($paused ? 'var(--ink-3)' : 'var(--rose-strong)')};
  }
`;

export const LiveActions = styled.div`
  display: flex;
  gap: 6px;
  justify-content: flex-end;
  align-items: center;
  button:last-child svg {
    fill: currentColor;
  }
`;

export const Choices = styled.fieldset`
  border: 0;
  margin: 0;
  padding: 0;
  min-inline-size: 0;
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: 10px;
  legend {
    ${semibold}
    ${textSize('15.5px', '14.5px')}
    margin-block-end: 8px;
    padding: 0;
  }
`;

export const Choice = styled.label<{ $dense: boolean }>`
  display: flex;
  align-items: center;
  gap: 12px;
  padding: 10px 16px;
  border: 1px solid var(--field);
  border-radius: 16px;
  border-end-start-radius: 5px;
  background: var(--surface);
  cursor: pointer;
  position: relative;
  transition: border-color var(--fast);
  &:hover {
    border-color: var(--ink-2);
  }
  input {
    position: absolute;
    inset: 0;
    margin: 0;
    opacity: 0;
    cursor: inherit;
  }
  b {
    ${textSize('16px', '14.5px')}
    white-space: nowrap;
  }
  > [data-part='wave'] {
    flex: none;
    inline-size: 54px;
    block-size: 24px;
    i {
      max-inline-size: ${({ $dense }) => ($dense ? '2px' : '4px')};
    }
  }
  &:has(:checked) {
    border-color: var(--violet);
    box-shadow: inset 0 0 0 1px var(--violet);
    background: var(--violet-tint);
    color: var(--on-violet-tint);
    i {
      background: currentColor;
    }
  }
  &:has(:focus-visible) {
    outline: 3px solid var(--violet-text);
    outline-offset: 2px;
  }
  &:has(:disabled) {
    opacity: 0.45;
    cursor: not-allowed;
  }
  ${({ theme }) => theme.media.phone} {
    padding-inline: 12px;
    gap: 8px;
    justify-content: center;
    > [data-part='wave'] {
      display: none;
    }
  }
`;

export const PrivacyNote = styled.p`
  ${textSize('15px', '13px')}
  line-height: 1.6;
  color: var(--ink-2);
`;

export const Warning = styled.p`
  display: flex;
  gap: 8px;
  align-items: center;
  color: var(--gold-text);
  font-weight: 500;
  ${textSize('15.5px', '14px')}
  line-height: 1.65;
`;
