import { Check, Copy, Share2 } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { Button, Icon, Spoken, useToast } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { useCopied } from '../../lib/hooks.js';
import { isErrorNamed } from '../../lib/is-error-named.js';

interface Props {
  /** `/r/{token}` */
  path: string;
  variant?: 'primary' | 'secondary';
  /** Offers the system's share sheet too, where there is one. */
  shares?: boolean;
}

/** Says in its own place that the address is copied. */
export function CopyWay({ path, variant = 'primary', shares = false }: Props) {
  const { t } = useTranslation();
  const toast = useToast();
  const { copied, copy } = useCopied(2_000);
  const [wasCopied, setWasCopied] = useState(false);
  // The page is rendered on the server, too.
  const url = () => `${window.location.origin}${path}`;
  const copyWay = async () => {
    if (await copy(url())) setWasCopied(true);
    else toast({ variant: 'destructive', title: t('wayBack.copyFailed') });
  };
  const share = () =>
    navigator.share({ url: url() }).catch(async (error: unknown) => {
      if (!isErrorNamed(error, 'AbortError')) await copyWay();
    });
  return (
    <>
      <CopyButton data-scripts variant={wasCopied ? 'soft' : variant} $copied={copied} onClick={() => void copyWay()}>
        <Icon of={copied ? Check : Copy} />
        {t(copied ? 'wayBack.copied' : wasCopied ? 'wayBack.copyAgain' : 'wayBack.copy')}
      </CopyButton>
      {shares && 'share' in navigator && (
        <Button variant="ghost" onClick={() => void share()}>
          <Icon of={Share2} />
          {t('wayBack.share')}
        </Button>
      )}
      <Spoken role="status">{copied && t('wayBack.copied')}</Spoken>
    </>
  );
}

/* As wide as its longest words. */
const CopyButton = styled(Button)<{ $copied: boolean }>`
  min-inline-size: min(12em, 100%);
  && {
    ${({ $copied }) => $copied && 'background: var(--mint-tint); color: var(--on-mint-tint);'}
  }
`;
