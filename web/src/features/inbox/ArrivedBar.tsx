import { useEffect, useEffectEvent } from 'react';
import { useDispatch } from 'react-redux';
import { styled } from 'styled-components';
import { api } from '../../app/api.js';
import type { Store } from '../../app/store.js';
import { Button, StatusDot } from '../../components/index.js';
import { useTranslation } from '../../i18n/index.js';
import { forgetArrived, useLive } from '../notifications/index.js';

interface Props {
  /** Ids of the messages in the list. */
  shown: readonly number[];
  /** Nothing is shown that could move: what arrives shows by itself. */
  isEmpty: boolean;
  /** Reads the list anew. */
  onShow: (isAsked: boolean) => void;
}

/** Says how many messages arrived since the list was read, which does not move by itself, and shows them. */
export function ArrivedBar({ shown, isEmpty, onShow }: Props) {
  const { t } = useTranslation();
  const dispatch = useDispatch<Store['dispatch']>();
  const live = useLive();
  const count = live?.arrived.filter((id) => !shown.includes(id)).length ?? 0;
  const show = (isAsked: boolean) => {
    dispatch(forgetArrived());
    onShow(isAsked);
    // The other lists, when they are shown again.
    dispatch(
      api.util.invalidateTags([
        { type: 'Message', id: 'RECEIVED' },
        { type: 'Message', id: 'READ' },
      ]),
    );
  };
  const showByItself = useEffectEvent(() => {
    show(false);
  });
  const isDue = isEmpty && count > 0;
  useEffect(() => {
    if (isDue) showByItself();
  }, [isDue]);

  return (
    <Place role="status">
      {count > 0 && !isEmpty && (
        <Button
          variant="soft"
          size="sm"
          onClick={() => {
            show(true);
          }}
        >
          <StatusDot $colour="var(--rose)" />
          {t('messages.arrived', { count })}
        </Button>
      )}
    </Place>
  );
}

const Place = styled.div`
  /* Under the bar, over whatever is read there: it moves nothing. Empty, it stays for screen readers. */
  position: fixed;
  inset-block-start: 76px;
  inset-inline: 0;
  margin-inline: auto;
  inline-size: fit-content;
  z-index: 2;
  > button {
    min-block-size: 44px;
    box-shadow: var(--shadow-3);
  }
  ${({ theme }) => theme.media.phone} {
    inset-block-start: 64px;
  }
`;
