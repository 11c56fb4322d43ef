import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { css, keyframes, styled } from 'styled-components';
import { small, textSize } from '../theme/index.js';
import { Icon } from './Icon.js';
import { IconButtonShape } from './IconButton.js';
import { useReturnedFocus } from './use-returned-focus.js';

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  description: string;
  children: ReactNode;
}

/** A dialog. On phones it is a bottom sheet. */
export function Dialog({ open, onClose, title, description, children }: Props) {
  const { t } = useTranslation();
  const returnFocus = useReturnedFocus(open);
  return (
    <Radix.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Radix.Portal>
        <Scrim>
          <Panel data-part="sheet" onCloseAutoFocus={returnFocus}>
            <DialogHead>
              <div>
                <Radix.Title asChild>
                  <DialogTitle>{title}</DialogTitle>
                </Radix.Title>
                <Radix.Description asChild>
                  <DialogText>{description}</DialogText>
                </Radix.Description>
              </div>
              <Radix.Close asChild>
                <Close aria-label={t('common.action.close')}>
                  <Icon of={X} />
                </Close>
              </Radix.Close>
            </DialogHead>
            {children}
          </Panel>
        </Scrim>
      </Radix.Portal>
    </Radix.Root>
  );
}

const appear = keyframes`
  from { opacity: 0; }
`;

const rise = keyframes`
  from { opacity: 0; translate: 0 8px; }
`;

const slideUp = keyframes`
  from { translate: 0 100%; }
`;

export const scrim = css`
  position: fixed;
  inset: 0;
  z-index: ${({ theme }) => theme.depth.dialog};
  background: var(--scrim);
  display: grid;
  place-items: center;
  padding: 24px;
  overflow: auto;
  animation: ${appear} var(--base) var(--ease);
  ${({ theme }) => theme.media.phone} {
    place-items: end center;
    padding: 0;
  }
`;

export const panel = css`
  background: var(--surface);
  ${({ theme }) => theme.bubble.dialog}
  inline-size: 100%;
  max-inline-size: 520px;
  padding: 28px;
  box-shadow: var(--shadow-3);
  position: relative;
  display: grid;
  gap: 18px;
  animation: ${rise} var(--base) var(--ease);
  &:focus {
    outline: 0;
  }
  ${({ theme }) => theme.media.phone} {
    border-radius: 28px 28px 0 0;
    padding: 24px 20px 28px;
    max-inline-size: none;
    animation-name: ${slideUp};
  }
`;

const Scrim = styled(Radix.Overlay)`
  ${scrim}
`;

const Panel = styled(Radix.Content)`
  ${panel}
`;

const DialogHead = styled.div`
  display: flex;
  justify-content: space-between;
  gap: 16px;
  align-items: flex-start;
`;

export const DialogTitle = styled.h2`
  ${textSize('22px', '20px')}
`;

const DialogText = styled.p`
  color: var(--ink-2);
  ${small}
`;

export const DialogEnds = styled.div`
  display: flex;
  gap: 10px;
  justify-content: flex-end;
  flex-wrap: wrap;
  ${({ theme }) => theme.media.phone} {
    > button {
      flex: 1;
    }
  }
`;

const Close = styled(IconButtonShape)`
  margin: -8px;
`;
