import { Download, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { Icon, IconButtonBase, useCloseRequest, useFocusReturn } from '../../ui/index.js';
import { small } from '../../theme/index.js';

interface Props {
  open: boolean;
  src: string;
  caption: string;
  onClose: () => void;
}

export function ImageViewer({ open, src, caption, onClose }: Props) {
  const { t } = useTranslation();
  const returnFocus = useFocusReturn(open);
  useCloseRequest(open, onClose);
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Dialog.Portal>
        <Overlay>
          <Viewer aria-describedby={undefined} data-testid="image-viewer" onCloseAutoFocus={returnFocus}>
            <Dialog.Title hidden>{t('common.message.viewer')}</Dialog.Title>
            <Tools>
              <Dialog.Close asChild>
                <Tool aria-label={t('common.action.close')}>
                  <Icon of={X} />
                </Tool>
              </Dialog.Close>
              <Tool as="a" href={src} download aria-label={t('common.message.download')}>
                <Icon of={Download} />
              </Tool>
            </Tools>
            <figure>
              <img src={src} alt={t('common.message.image')} />
              <figcaption>{caption}</figcaption>
            </figure>
          </Viewer>
        </Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const Overlay = styled(Dialog.Overlay)`
  position: fixed;
  inset: 0;
  z-index: ${({ theme }) => theme.zIndex.dialog};
  background: var(--viewer);
  display: grid;
  place-items: center;
  padding: 24px;
  overflow: auto;
`;

const Viewer = styled(Dialog.Content)`
  inline-size: min(100%, 880px);
  color: #fff;
  &,
  figure {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 14px;
    justify-items: center;
  }
  figure {
    inline-size: 100%;
  }
  &:focus {
    outline: 0;
  }
  img {
    max-inline-size: 100%;
    max-block-size: 76vh;
    ${({ theme }) => theme.bubble.card}
  }
  figcaption {
    ${small}
  }
`;

const Tools = styled.div`
  inline-size: 100%;
  display: flex;
  justify-content: space-between;
  align-items: center;
`;

const Tool = styled(IconButtonBase)`
  color: #fff;
  background: rgb(255 255 255 / 0.12);
  &:hover {
    color: #fff;
    background: rgb(255 255 255 / 0.22);
  }
`;
