import { useEffect, useEffectEvent } from 'react';
import { useDispatch } from 'react-redux';
import { styled } from 'styled-components';
import { api } from '../../api/api.js';
import type { Store } from '../../api/store.js';
import { Button, StatusDot } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { forgetArrived, useLive } from '../../shared/live/index.js';

interface Props {
  shown: readonly number[];
  /** An empty list shows arrivals by itself. */
  isEmpty: boolean;
  onShow: (isAsked: boolean) => void;
}

/** Counts messages that arrived since the list loaded, and shows them on request. */
export function ArrivedBar({ shown, isEmpty, onShow }: Props) {
  const { t } = useTranslation();
  const dispatch = useDispatch<Store['dispatch']>();
  const live = useLive();
  const count = live?.arrived.filter((id) => !shown.includes(id)).length ?? 0;
  const show = (isAsked: boolean) => {
    dispatch(forgetArrived());
    onShow(isAsked);
    // Other lists refetch when shown again.
    dispatch(
      api.util.invalidateTags([
        { type: 'Message', id: 'RECEIVED' },
        { type: 'Message', id: 'READ' },
      ]),
    );
  };
  const showByItself = useEffectEvent(() => show(false));
  const isDue = isEmpty && count > 0;
  useEffect(() => {
    if (isDue) showByItself();
  }, [isDue]);

  return (
    <Place role="status">
      {count > 0 && !isEmpty && (
        <Button variant="soft" size="sm" onClick={() => show(true)}>
          <StatusDot $colour="var(--rose)" />
          {t('messages.arrived', { count })}
        </Button>
      )}
    </Place>
  );
}

const Place = styled.div`
  /* Floats, so that nothing moves. Stays mounted when empty: it is a live region. */
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
