import { Check, Copy, Share2 } from 'lucide-react';
import { styled } from 'styled-components';
import { Button, Icon } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { small } from '../../theme/index.js';
import { useCopyWayBack } from './use-copy-way.js';

/** For in-app browsers, whose storage does not last. @param path `/r/{token}` */
export function KeepInApp({ path }: { path: string }) {
  const { t } = useTranslation();
  const { copied, canShare, shareWayBack, copyWayBack } = useCopyWayBack(path);
  const shares = canShare();
  return (
    <Ways data-last-action data-testid="keep-in-app">
      <p>{t('wayBack.inApp.text')}</p>
      {shares && (
        <Button variant="primary" onClick={() => void shareWayBack()}>
          <Icon of={Share2} />
          {t('wayBack.inApp.share')}
        </Button>
      )}
      <Button variant={shares ? 'secondary' : 'primary'} onClick={() => void copyWayBack()}>
        <Icon of={copied ? Check : Copy} />
        {t(copied ? 'wayBack.copied' : 'wayBack.inApp.copy')}
      </Button>
    </Ways>
  );
}

const Ways = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 10px;
  margin-block-start: 16px;
  p {
    flex-basis: 100%;
    color: var(--ink-2);
    ${small}
  }
  button {
    flex: 1;
  }
`;
