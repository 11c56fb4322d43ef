import { Copy, Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { createGlobalStyle, styled } from 'styled-components';
import {
  Button,
  ButtonLink,
  Card,
  Checkbox,
  Container,
  Handle,
  Icon,
  Note,
  SiteHost,
  Stack,
  useToast,
  Row,
} from '../../ui/index.js';
import { useDocumentTitle, useFormats, useNow, useTranslation } from '../../i18n/index.js';
import { download } from '../../lib/download.js';
import { useCopied } from '../../lib/hooks.js';
import { isolatedLtr, small, headline } from '../../theme/index.js';
import { codesFile, codesText } from './codes-file.js';

interface Props {
  codes: readonly string[];
  username: string;
  /** The site's host, which only a page without scripts needs. */
  host?: string;
  onContinue: () => void;
}

/** No later page can show these codes again. */
export function RecoveryCodes({ codes, username, host, onContinue }: Props) {
  const { t } = useTranslation();
  const toast = useToast();
  const { date, number } = useFormats();
  const { copy } = useCopied();
  const [saved, setSaved] = useState(false);
  useDocumentTitle(t('access.recovery.title'));
  const now = useNow();

  const copyAll = async () => {
    if (await copy(codesText(username, codes))) toast({ variant: 'success', title: t('access.recovery.copied') });
    else toast({ variant: 'destructive', title: t('access.recovery.copyFailed') });
  };

  return (
    <Page>
      <PrintStyle />
      <h1>{t('access.recovery.title')}</h1>
      <p>{t('access.recovery.once')}</p>
      <Sheet>
        <Line>
          <b>
            <Handle username={username} />
          </b>
          <time>{date(new Date(now).toISOString())}</time>
        </Line>
        <Codes dir="ltr" data-testid="recovery-codes">
          {codes.map((code, index) => (
            <li key={code}>
              <span aria-hidden="true">{number(index + 1)}</span>
              <code>{code}</code>
            </li>
          ))}
        </Codes>
        <Note>
          {t('access.recovery.use')}{' '}
          <Address>
            {host ?? <SiteHost />}
            /reset
          </Address>
        </Note>
        <Row $gap={10} data-print="hidden" data-scripts>
          <Button variant="primary" onClick={() => window.print()}>
            <Icon of={Printer} />
            {t('access.recovery.print')}
          </Button>
          <Button onClick={() => void copyAll()}>
            <Icon of={Copy} />
            {t('access.recovery.copy')}
          </Button>
          <Button onClick={() => download(codesFile(username, codes))}>
            <Icon of={Download} />
            {t('access.recovery.download')}
          </Button>
        </Row>
      </Sheet>
      <Stack data-print="hidden" data-scripts>
        <Saved>
          <Checkbox checked={saved} onCheckedChange={(checked) => setSaved(checked === true)} />
          <span>{t('access.recovery.saved')}</span>
        </Saved>
        <Row $gap={10} data-last-action>
          <Button disabled={!saved} onClick={onContinue}>
            {t('access.recovery.continue')}
          </Button>
          <Note>{t('access.recovery.gone')}</Note>
        </Row>
      </Stack>
      <div data-print="hidden" data-no-scripts>
        <Row $gap={10}>
          <ButtonLink to="/profile" variant="primary">
            {t('access.recovery.continue')}
          </ButtonLink>
          <Note>{t('access.recovery.gone')}</Note>
        </Row>
      </div>
    </Page>
  );
}

const Page = styled(Container)`
  max-inline-size: calc(680px + 2 * var(--gutter));
  display: grid;
  gap: 16px;
  padding-block: 28px 24px;
  h1 {
    ${headline('36px', '32px')}
  }
`;

const PrintStyle = createGlobalStyle`
  @media print {
    body :is(header, footer, aside, [role='region'], [data-print='hidden']) {
      display: none !important;
    }
  }
`;

const Sheet = styled(Card)`
  display: grid;
  gap: 16px;
`;

const Line = styled.div`
  display: flex;
  flex-wrap: wrap;
  justify-content: space-between;
  gap: 12px;
  time {
    color: var(--ink-3);
    ${small}
  }
`;

const Codes = styled.ol`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: 2px 32px;
  background: var(--sunken);
  border-radius: 20px;
  border-end-start-radius: 6px;
  padding: 18px 24px;
  li {
    display: flex;
    gap: 14px;
    align-items: baseline;
    padding-block: 5px;
  }
  span {
    font-size: 0.875rem;
    color: var(--ink-3);
    min-inline-size: 1.4em;
  }
  code {
    font-size: 1.3125rem;
    letter-spacing: 0.02em;
    user-select: all;
  }
  ${({ theme }) => theme.media.phone} {
    grid-template-columns: minmax(0, 1fr);
    code {
      font-size: 1.1875rem;
    }
  }
  @media print {
    background: none;
    border: 1px solid;
  }
`;

const Address = styled.bdi`
  ${isolatedLtr}
`;

const Saved = styled.label`
  display: flex;
  align-items: center;
  gap: 12px;
  cursor: pointer;
`;
